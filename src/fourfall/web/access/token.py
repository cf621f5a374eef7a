"""The token that every request must carry: where it comes from, how it is compared, and how often it may be guessed."""

import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from time import monotonic
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import Scope

from fourfall.system.users import find_privacy_problem
from fourfall.web.access.clients import ClientTable
from fourfall.web.errors import RequestError, round_up_seconds
from fourfall.web.limits import Limits

COOKIE_NAME = "fourfall_session"
ENVIRONMENT_VARIABLE = "FOURFALL_TOKEN"
MIN_LENGTH = 16
_MAX_LENGTH = 200
_RANDOM_BYTES = 18
_MAX_LOCK_S = 300.0


class TokenError(ValueError):
    """The token cannot be read or is not acceptable; the message says what to do."""


def create_token() -> str:
    """Create a random token of 24 letters, digits, hyphens and underscores.

    >>> len(create_token()), create_token() != create_token()
    (24, True)
    """
    return secrets.token_urlsafe(_RANDOM_BYTES)


def check_token(token: str, source: str) -> str:
    """Return the token if it is acceptable. Raises TokenError.

    >>> check_token("secret", "FOURFALL_TOKEN")
    Traceback (most recent call last):
        ...
    fourfall.web.access.token.TokenError: FOURFALL_TOKEN: the token has 6 characters; it must have 16 to 200
    """
    if not MIN_LENGTH <= len(token) <= _MAX_LENGTH:
        problem = f"the token has {len(token)} characters; it must have {MIN_LENGTH} to {_MAX_LENGTH}"
        raise TokenError(f"{source}: {problem}")
    if not (token.isascii() and token.isprintable()):
        raise TokenError(f"{source}: the token may contain only ASCII characters, in one line")
    return token


def read_token_file(path: Path) -> str:
    """Read the token from a file; if there is none, create it with a random token that only its owner can read.

    Raises TokenError if other users can read the file.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    except OSError as error:
        raise TokenError(f"{path}: cannot create the token file: {error.strerror}") from None
    else:
        with os.fdopen(descriptor, "w", encoding="utf-8") as new_file:
            new_file.write(create_token() + "\n")
    try:
        with path.open(encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            text = file.read(_MAX_LENGTH + 100)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise TokenError(f"{path}: cannot read the token: {reason}") from None
    if not stat.S_ISREG(status.st_mode):
        raise TokenError(f"{path}: the token file is not a regular file")
    if (problem := find_privacy_problem(status, path)) is not None:
        raise TokenError(f"{path}: {problem}")
    return check_token(text.strip(), str(path))


def take_environment_token() -> str | None:
    """Return the token in the environment, and remove it there so that child processes do not inherit it."""
    token = os.environ.pop(ENVIRONMENT_VARIABLE, None)
    return None if not token else check_token(token, ENVIRONMENT_VARIABLE)


@dataclass
class _Failures:
    """Wrong tokens of one client."""

    count: int = 0
    last: float = 0.0
    locked_until: float = 0.0


class TokenCheck:
    """Checks the token of requests and limits how often a client may send a wrong one.

    The cookie does not contain the token but a value of 256 bits that is derived from it. It cannot be guessed, so a
    page that has it continues to work while its address is locked because of wrong tokens.
    """

    def __init__(self, token: str, limits: Limits) -> None:
        self._token = token.encode()
        self._limits = limits
        self._cookie = hmac.new(self._token, b"fourfall session cookie", hashlib.sha256).hexdigest()
        self._failures = ClientTable(_Failures)

    @property
    def set_cookie(self) -> str:
        """Value of the Set-Cookie header for a page that sent the token."""
        return f"{COOKIE_NAME}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    def check(self, client: str, scope: Scope, headers: Headers, now: float | None = None) -> None:
        """Raise RequestError if the request has neither the cookie nor the token, or if the client is locked."""
        if self._has_cookie(headers):
            return
        tokens = list_tokens(scope, headers)
        if not tokens:
            raise RequestError("unauthorized")
        now = monotonic() if now is None else now
        failures = self._failures.find(client)
        if now < failures.locked_until:
            raise RequestError("too_many_attempts", seconds=round_up_seconds(failures.locked_until - now))
        # One token per request: several would be several guesses.
        if len(tokens) == 1 and hmac.compare_digest(tokens[0].encode(), self._token):
            return
        if now - failures.last > self._limits.token_memory_s:
            failures.count = 0
        failures.count += 1
        failures.last = now
        excess = failures.count - self._limits.token_attempts
        if excess >= 0:
            failures.locked_until = now + min(self._limits.token_lock_s * 2 ** min(excess, 30), _MAX_LOCK_S)
        raise RequestError("unauthorized")

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE_NAME)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(cookie.value.encode(), self._cookie.encode())


def list_tokens(scope: Scope, headers: Headers) -> list[str]:
    """Return the tokens of a request: the bearer token and the tokens in the query."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    tokens = [bearer.strip()] if scheme.lower() == "bearer" else []
    return tokens + parse_query(scope).get("token", [])


def parse_query(scope: Scope) -> dict[str, list[str]]:
    """Parse the query of a request's address."""
    return parse_qs(scope.get("query_string", b"").decode("latin-1"))
