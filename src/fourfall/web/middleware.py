"""Middleware that checks every request: host, origin, token, size and rate; it also adds security headers."""

import asyncio
import ipaddress

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourfall.web.access.clients import ClientTable, RateLimiter, identify_client
from fourfall.web.access.token import TokenCheck, parse_query
from fourfall.web.errors import RequestError, round_up_seconds, shorten
from fourfall.web.limits import Limits
from fourfall.web.messages.schemas import ErrorInfo

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
_EMBEDDED_PAGE = "/embed.html"  # a board without controls, which other sites may show in a frame
_EMBEDDED_POLICY = _SECURITY_HEADERS["Content-Security-Policy"].replace("frame-ancestors 'none'", "frame-ancestors *")
_API = "/api/"
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_DENIAL = "websocket.http.response"  # ASGI extension: an HTTP response instead of a websocket
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


class AccessMiddleware:
    """ASGI middleware that refuses requests which the server must not answer."""

    def __init__(self, app: ASGIApp, token: str | None, is_local: bool, limits: Limits) -> None:
        self._app = app
        self._token = None if token is None else TokenCheck(token, limits)
        self._is_local = is_local
        self._limits = limits
        self._rate_limiters = ClientTable(lambda: RateLimiter(limits.requests_per_s, limits.request_burst))
        self._request_slots = ClientTable(lambda: asyncio.Semaphore(limits.client_requests))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on with a limited body and with security headers in its response."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client = identify_client(scope.get("client"))
        try:
            self._check(scope, Headers(scope=scope), client)
        except RequestError as error:
            await self._refuse(error, scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        send = _add_security_headers(send, scope["path"])
        redirect = self._create_token_redirect(scope)
        if redirect is not None:
            await redirect(scope, receive, send)
        elif scope["path"].startswith(_API) and scope["method"] in _SAFE_METHODS:
            # One client's queries must not fill the queue of the database, in which moves are saved.
            async with self._request_slots.find(client):
                await self._app(scope, self._limit_body(receive), send)
        else:
            await self._app(scope, self._limit_body(receive), send)

    def _check(self, scope: Scope, headers: Headers, client: str) -> None:
        host = headers.get("host", "")
        if self._is_local and not is_loopback(strip_port(host)):
            raise RequestError("forbidden", header="Host", value=shorten(host, _MAX_HEADER_LENGTH))
        if scope["type"] == "http":
            if not self._rate_limiters.find(client).allow():
                raise RequestError("too_fast")
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > self._limits.body_bytes:
                raise RequestError("too_large", limit=self._limits.body_bytes)
        if scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS:
            origin = headers.get("origin")
            if origin is not None and origin.partition("://")[2] != host:
                raise RequestError("forbidden", header="Origin", value=shorten(origin, _MAX_HEADER_LENGTH))
        if self._token is not None:
            self._token.check(client, scope, headers)

    def _create_token_redirect(self, scope: Scope) -> Response | None:
        """Move the token from the address to a cookie, so that it disappears from the address bar."""
        if self._token is None or scope["path"] != "/" or "token" not in parse_query(scope):
            return None
        response = RedirectResponse("/", status_code=303)
        response.headers["Set-Cookie"] = self._token.set_cookie
        return response

    def _limit_body(self, receive: Receive) -> Receive:
        """Limit the size of the body and the time in which it must arrive."""
        left, is_complete = self._limits.body_bytes, False
        deadline = asyncio.get_running_loop().time() + self._limits.body_s

        async def receive_limited() -> Message:
            nonlocal left, is_complete
            if is_complete:  # the application waits for the end of the connection
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise RequestError("too_slow", seconds=round_up_seconds(self._limits.body_s)) from None
            is_complete = not message.get("more_body", False)
            left -= len(message.get("body", b""))
            if left < 0:
                raise RequestError("too_large", limit=self._limits.body_bytes)
            return message

        return receive_limited

    async def _refuse(self, error: RequestError, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the error and close the connection; for a websocket the error is the response to its handshake."""
        # The client of a refused request must open a new connection, and the rate of new connections is limited.
        headers = {"Connection": "close"}
        if error.code == "too_many_attempts":
            headers["Retry-After"] = str(error.params["seconds"])
        response: Response
        if scope["path"].startswith(_API) or scope["type"] == "websocket":
            response = JSONResponse(ErrorInfo.from_error(error).model_dump(), error.status, headers)
        else:
            response = PlainTextResponse(f"{error}\n", error.status, headers)
        await response(scope, receive, _add_security_headers(send, scope["path"]))


def _add_security_headers(send: Send, path: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", f"{_DENIAL}.start"):
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers[name] = value
            if path == _EMBEDDED_PAGE:
                headers["Content-Security-Policy"] = _EMBEDDED_POLICY
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return send_with_headers
