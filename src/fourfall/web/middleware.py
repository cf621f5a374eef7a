"""Middleware that checks every request: host, origin, token, size and rate; it also adds security headers."""

import hmac
import ipaddress
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from urllib.parse import parse_qs, quote, unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourfall.web.errors import RequestError, shorten
from fourfall.web.limits import Limits
from fourfall.web.messages.schemas import ErrorInfo

TOKEN_COOKIE = "fourfall_token"  # noqa: S105 (a name, not a secret)
_SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_CLOSE_POLICY_VIOLATION = 1008
_MAX_CLIENTS = 1024
_MAX_HEADER_LENGTH = 60


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is a loopback address, which only programs on this machine can reach.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def strip_port(host: str) -> str:
    """Remove the port and the brackets from a Host header.

    >>> strip_port("localhost:4444"), strip_port("[::1]:4444"), strip_port("[::1]")
    ('localhost', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


class RateLimiter:
    """Token bucket: `per_s` requests per second on average, at most `burst` at once.

    >>> limiter = RateLimiter(10, 2, now=0.0)
    >>> [limiter.allow(now) for now in (0.0, 0.0, 0.0, 0.1)]
    [True, True, False, True]
    """

    def __init__(self, per_s: float, burst: float, now: float | None = None) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._updated = monotonic() if now is None else now

    def allow(self, now: float | None = None) -> bool:
        """Return whether one more request is allowed now, and count it if it is."""
        now = monotonic() if now is None else now
        self._left = min(self._burst, self._left + (now - self._updated) * self._per_s)
        self._updated = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class AccessMiddleware:
    """ASGI middleware that refuses requests which the server must not answer."""

    def __init__(self, app: ASGIApp, token: str | None, is_local: bool, limits: Limits) -> None:
        self._app = app
        self._token = token
        self._is_local = is_local
        self._limits = limits
        self._rate_limiters: OrderedDict[str, RateLimiter] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on with a limited body and with security headers in its response."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope, Headers(scope=scope))
        except RequestError as error:
            await self._refuse(error, scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        redirect = self._create_token_redirect(scope)
        if redirect is not None:
            await redirect(scope, receive, _add_security_headers(send))
            return
        await self._app(scope, self._limit_body(receive), _add_security_headers(send))

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if self._is_local and not is_loopback(strip_port(host)):
            raise RequestError("forbidden", header="Host", value=shorten(host, _MAX_HEADER_LENGTH))
        if scope["type"] == "http":
            client = scope.get("client")
            if not self._find_rate_limiter(client[0] if client else "").allow():
                raise RequestError("too_fast")
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > self._limits.body_bytes:
                raise RequestError("too_large", limit=self._limits.body_bytes)
        if scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS:
            origin = headers.get("origin")
            if origin is not None and origin.partition("://")[2] != host:
                raise RequestError("forbidden", header="Origin", value=shorten(origin, _MAX_HEADER_LENGTH))
        if self._token is not None and not self._has_token(scope, headers):
            raise RequestError("unauthorized")

    def _find_rate_limiter(self, client: str) -> RateLimiter:
        limiter = self._rate_limiters.pop(client, None)
        if limiter is None:
            limiter = RateLimiter(self._limits.requests_per_s, self._limits.request_burst)
        self._rate_limiters[client] = limiter
        while len(self._rate_limiters) > _MAX_CLIENTS:
            self._rate_limiters.popitem(last=False)
        return limiter

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        """Whether a request carries the token: in a cookie, as a bearer token or in the query."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        tokens = [bearer] if scheme.lower() == "bearer" else []
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(TOKEN_COOKIE)
        except CookieError:
            cookie = None
        tokens += [unquote(cookie.value)] if cookie is not None else []
        tokens += _parse_query(scope).get("token", [])
        return any(hmac.compare_digest(token.encode(), (self._token or "").encode()) for token in tokens)

    def _create_token_redirect(self, scope: Scope) -> Response | None:
        """Move the token from the address to a cookie, so that it disappears from the address bar."""
        if self._token is None or scope["path"] != "/" or "token" not in _parse_query(scope):
            return None
        response = RedirectResponse("/", status_code=303)
        response.headers["Set-Cookie"] = f"{TOKEN_COOKIE}={quote(self._token)}; Path=/; HttpOnly; SameSite=Strict"
        return response

    def _limit_body(self, receive: Receive) -> Receive:
        left = self._limits.body_bytes

        async def receive_limited() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise RequestError("too_large", limit=self._limits.body_bytes)
            return message

        return receive_limited

    async def _refuse(self, error: RequestError, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _CLOSE_POLICY_VIOLATION, "reason": str(error)})
            return
        response: Response
        if scope["path"].startswith("/api/"):
            response = JSONResponse(ErrorInfo.from_error(error).model_dump(), error.status)
        else:
            response = PlainTextResponse(f"{error}\n", error.status)
        await response(scope, receive, _add_security_headers(send))


def _parse_query(scope: Scope) -> dict[str, list[str]]:
    return parse_qs(scope.get("query_string", b"").decode("latin-1"))


def _add_security_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return send_with_headers
