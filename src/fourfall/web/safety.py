"""Owns who may use the server: hosts, origins, the token, sizes and rates, and the headers that protect the page."""

import hmac
import ipaddress
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from urllib.parse import parse_qs, quote, unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourfall.web.limits import Limits
from fourfall.web.refusal import Refusal

COOKIE = "fourfall_token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HARMLESS = ("GET", "HEAD", "OPTIONS")
_CLOSE_POLICY = 1008
_ADDRESSES = 1024


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and nobody else can reach it.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def host_name(host: str) -> str:
    """Take the port off a Host header.

    >>> host_name("localhost:4444"), host_name("[::1]:4444"), host_name("[::1]")
    ('localhost', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


class Rate:
    """So many a second, and so many at once.

    >>> rate = Rate(10, 2, at=0.0)
    >>> [rate.allows(at) for at in (0.0, 0.0, 0.0, 0.1)]
    [True, True, False, True]
    """

    def __init__(self, per_s: float, burst: float, at: float | None = None) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._at = monotonic() if at is None else at

    def allows(self, at: float | None = None) -> bool:
        """Whether one more is allowed now; if so, it counts."""
        now = monotonic() if at is None else at
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Looks at every request before the application does."""

    def __init__(self, app: ASGIApp, token: str | None, local: bool, limits: Limits) -> None:
        self._app = app
        self._token = token
        self._local = local
        self._limits = limits
        self._rates: OrderedDict[str, Rate] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Turn a request down, or pass it on with its body counted and its answer protected."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check(scope, headers)
        except Refusal as refusal:
            await self._refuse(refusal, scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        if (welcome := self._token_welcome(scope)) is not None:
            await welcome(scope, receive, _protected(send))
            return
        await self._app(scope, self._counted(receive), _protected(send))

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if self._local and not is_loopback(host_name(host)):
            raise Refusal("forbidden", "this server answers only to the names of its own machine")
        if scope["type"] == "http":
            client = scope.get("client")
            if not self._rate(client[0] if client else "").allows():
                raise Refusal("too_fast", "too many requests; wait a second")
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > self._limits.body_bytes:
                raise Refusal("too_large", f"a request holds at most {self._limits.body_bytes} bytes")
        if scope["type"] == "websocket" or scope["method"] not in _HARMLESS:
            origin = headers.get("origin")
            if origin is not None and origin.partition("://")[2] != host:
                raise Refusal("forbidden", "this request comes from a foreign page")
        if self._token is not None and not self._knows(scope, headers):
            raise Refusal("unauthorized", "this server asks for a token: open the address that it printed")

    def _rate(self, address: str) -> Rate:
        rate = self._rates.pop(address, None) or Rate(self._limits.requests_per_s, self._limits.request_burst)
        self._rates[address] = rate
        while len(self._rates) > _ADDRESSES:
            self._rates.popitem(last=False)
        return rate

    def _knows(self, scope: Scope, headers: Headers) -> bool:
        """Whether a request carries the token: in a cookie, as a bearer, or in the address."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = [bearer] if scheme.lower() == "bearer" else []
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        given += [unquote(cookie.value)] if cookie is not None else []
        given += _query(scope).get("token", [])
        return any(hmac.compare_digest(text.encode(), (self._token or "").encode()) for text in given)

    def _token_welcome(self, scope: Scope) -> Response | None:
        """Turn an address with the token into a cookie, so that the token leaves the address bar."""
        if self._token is None or scope["path"] != "/" or "token" not in _query(scope):
            return None
        response = RedirectResponse("/", status_code=303)
        response.headers["Set-Cookie"] = f"{COOKIE}={quote(self._token)}; Path=/; HttpOnly; SameSite=Strict"
        return response

    def _counted(self, receive: Receive) -> Receive:
        left = self._limits.body_bytes

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise Refusal("too_large", f"a request holds at most {self._limits.body_bytes} bytes")
            return message

        return counted

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _CLOSE_POLICY, "reason": str(refusal)})
            return
        response: Response
        if scope["path"].startswith("/api/"):
            response = JSONResponse({"code": refusal.code, "message": str(refusal)}, refusal.status)
        else:
            response = PlainTextResponse(f"{refusal}\n", refusal.status)
        await response(scope, receive, _protected(send))


def _query(scope: Scope) -> dict[str, list[str]]:
    return parse_qs(scope.get("query_string", b"").decode("latin-1"))


def _protected(send: Send) -> Send:
    async def protected(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return protected
