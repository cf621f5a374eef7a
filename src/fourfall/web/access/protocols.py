"""Connections of uvicorn with limits: time for headers and body, connections per client, frames per second.

uvicorn has no time limit for the headers and the body of a request, counts connections only in total, and answers
each ping frame even if the client does not read. An ASGI application cannot add these limits: it is called after the
headers have arrived, and it does not see ping frames.
"""

import asyncio
from http import HTTPStatus
from typing import Any

import h11
import uvicorn
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from fourfall.system.sockets import limit_unread_time
from fourfall.web.access.clients import ClientCounter, ClientTable, RateLimiter, identify_client
from fourfall.web.errors import RequestError, round_up_seconds
from fourfall.web.limits import Limits

_CLOSE_POLICY_VIOLATION = 1008
_SLICE_BYTES = 4096
_LINGER_S = 1.0


class ConnectionLimits:
    """Counts the connections of each client, and how fast it opens them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open = ClientCounter(limits.connections, limits.client_connections)
        self._rates = ClientTable(lambda: RateLimiter(limits.client_connects_per_s, limits.client_connect_burst))

    def enter(self, client: str) -> RequestError | None:
        """Count a new connection; return the error if it must be refused."""
        if not self._rates.find(client).allow():
            return RequestError("too_fast")
        return None if self._open.enter(client) else RequestError("too_many_connections")

    def leave(self, client: str) -> None:
        """Count a connection less."""
        self._open.leave(client)


class LimitedConfig(uvicorn.Config):
    """Configuration of uvicorn whose connections have limits."""

    def __init__(self, app: Any, limits: Limits, **options: Any) -> None:  # noqa: ANN401 (types of uvicorn)
        super().__init__(
            app,
            http=LimitedHttpProtocol,
            ws=LimitedWebSocketProtocol,
            ws_max_size=limits.body_bytes,
            ws_per_message_deflate=False,
            h11_max_incomplete_event_size=limits.header_bytes,
            **options,
        )
        self.connection_limits = ConnectionLimits(limits)


class UnreadLimit(asyncio.Protocol):
    """Part of a protocol: closes the connection of a client that reads nothing for some seconds.

    The write buffer is then full, and no data leaves it. The system's limit covers data that fits into its own buffers.
    """

    config: LimitedConfig
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread_deadline: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Start the time limit, because the write buffer is full."""
        super().pause_writing()
        self._stop_unread_limit()
        limits = self.config.connection_limits.limits
        self._unread_deadline = self.loop.call_later(limits.unread_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the time limit, because the client has read."""
        super().resume_writing()
        self._stop_unread_limit()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limit."""
        self._stop_unread_limit()
        super().connection_lost(exc)

    def _stop_unread_limit(self) -> None:
        if self._unread_deadline is not None:
            self._unread_deadline.cancel()
            self._unread_deadline = None


class LimitedHttpProtocol(UnreadLimit, H11Protocol):
    """HTTP connection with a time limit for the headers and the body of each request."""

    config: LimitedConfig
    _client_name: str | None = None
    _deadline: asyncio.TimerHandle | None = None
    _deadline_state: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it with a short response."""
        super().connection_made(transport)
        _limit_unread_time(transport, self.config.connection_limits.limits.unread_s)
        client = identify_client(self.client)
        error = self.config.connection_limits.enter(client)
        if error is None:
            self._client_name = client
            self._update_deadline()
            return
        self._refuse(error)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limit, and count the connection less."""
        self._cancel_deadline()
        if self._client_name is not None:
            self.config.connection_limits.leave(self._client_name)
            self._client_name = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle received data; if a request is incomplete after it, its time runs."""
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._update_deadline()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Pass the connection on; the websocket's protocol counts it from now on."""
        self._cancel_deadline()
        client, self._client_name = self._client_name, None
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, LimitedWebSocketProtocol):
            protocol.counted_client = client

    def _update_deadline(self) -> None:
        """Start the time limit of the headers or of the body, or stop it, according to the state of the request."""
        if self._client_name is None or self.transport.is_closing():
            return
        state: object = self.conn.their_state
        limits = self.config.connection_limits.limits
        if self.timeout_keep_alive_task is not None and state is not h11.SEND_BODY:
            state = None  # no byte of the next request has arrived
        if state is self._deadline_state:
            return
        self._cancel_deadline()
        self._deadline_state = state
        if state is h11.IDLE:
            self._deadline = self.loop.call_later(limits.header_s, self._close_late)
        elif state is h11.SEND_BODY:
            # The middleware answers a late body with an error. This limit is for bodies that the application ignores.
            self._deadline = self.loop.call_later(limits.body_s + _LINGER_S, self._close_late)

    def _cancel_deadline(self) -> None:
        self._deadline_state = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, error: RequestError) -> None:
        """Send an error without calling the application, and close the connection."""
        body = f"{error}\n"
        head = f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\nContent-Type: text/plain\r\n"
        self.transport.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode("ascii"))
        self.transport.close()

    def _close_late(self) -> None:
        """Close the connection, because the request did not arrive in time."""
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            seconds = round_up_seconds(self.config.connection_limits.limits.header_s)
            self._refuse(RequestError("too_slow", seconds=seconds))
        else:
            self.transport.abort()


class LimitedWebSocketProtocol(UnreadLimit, WebSocketsSansIOProtocol):
    """Websocket with a limited rate of frames; it does not answer pings of a client that does not read."""

    config: LimitedConfig
    counted_client: str | None = None
    _frames: RateLimiter | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection less."""
        if self.counted_client is not None:
            self.config.connection_limits.leave(self.counted_client)
            self.counted_client = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle received data in slices, so that a flood of small frames is noticed before all are parsed."""
        if len(data) <= _SLICE_BYTES:
            super().data_received(data)
            return
        view = memoryview(data)
        for start in range(0, len(view), _SLICE_BYTES):
            if self.transport.is_closing():
                break
            super().data_received(bytes(view[start : start + _SLICE_BYTES]))

    def handle_events(self) -> None:
        """Count the received frames; close the connection if there are too many."""
        events = self.conn.events_received()
        frames = sum(isinstance(event, Frame) for event in events)
        if self._frames is None:
            limits = self.config.connection_limits.limits
            self._frames = RateLimiter(limits.frames_per_s, limits.frame_burst)
        if frames and not self._frames.allow(frames):
            self._fail(_CLOSE_POLICY_VIOLATION, "too many frames")
            return
        self.conn.events.extend(events)
        super().handle_events()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; after an HTTP response instead of a websocket, the handshake is complete.

        Without this, uvicorn would log an error for each handshake that the middleware refuses.
        """
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def handle_ping(self) -> None:
        """Answer a ping, unless the client has not read earlier data: unread pongs must not fill the memory."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_parser_exception(self) -> None:
        """Close the connection after invalid data, also during the opening handshake."""
        if self.conn.close_sent is None:
            self.transport.close()
        else:
            super().handle_parser_exception()

    def _fail(self, code: int, reason: str) -> None:
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()


def _limit_unread_time(transport: asyncio.Transport, seconds: float) -> None:
    """Let the system close the connection if the client acknowledges or accepts no data for some seconds."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        limit_unread_time(sock, seconds)
