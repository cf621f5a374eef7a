"""Websocket of one page: receives and checks messages, and sends replies without waiting for a slow page."""

import asyncio
import contextlib
import logging
from itertools import count

from starlette.websockets import WebSocket, WebSocketDisconnect

from fourfall.arena.database import StoreError, StoreFailure
from fourfall.web.access.clients import Owner, RateLimiter, identify_client
from fourfall.web.errors import RequestError
from fourfall.web.message_handler import MessageHandler
from fourfall.web.messages import replies
from fourfall.web.messages.requests import find_ref, parse_request
from fourfall.web.messages.schemas import ErrorInfo
from fourfall.web.services import Services

log = logging.getLogger(__name__)

CLOSE_POLICY_VIOLATION, CLOSE_TRY_AGAIN_LATER = 1008, 1013
MAX_IGNORED_IN_A_ROW = 500
_numbers = count(1)


class PageConnection:
    """The connection of one page."""

    def __init__(self, websocket: WebSocket, services: Services) -> None:
        self.owner = Owner(identify_client(websocket.scope.get("client")), next(_numbers))
        self._websocket = websocket
        self._limits = services.limits
        self._handler = MessageHandler(self, services)
        self._unsent: dict[object, replies.Reply] = {}
        self._has_unsent = asyncio.Event()
        self._is_too_slow = asyncio.Event()
        self._rate_limiter = RateLimiter(services.limits.messages_per_s, services.limits.message_burst)
        self.send(replies.WelcomeReply(**vars(services.server_info)))

    async def run(self) -> None:
        """Exchange messages until the page disconnects or is too slow."""
        await self._websocket.accept()
        tasks = [
            asyncio.create_task(self._send_replies()),
            asyncio.create_task(self._receive_messages()),
            asyncio.create_task(self._is_too_slow.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._handler.close()
            for task in tasks:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                    await task

    def send(self, reply: replies.Reply) -> None:
        """Queue a reply. A newer reply about the same analysis, review or event replaces one that is not sent yet."""
        key: object = object()
        if isinstance(reply, replies.AnalysisReply | replies.QueuedReply):
            key = (type(reply), reply.key)
        elif isinstance(reply, replies.ReviewReply) or (
            isinstance(reply, replies.EventListReply | replies.EventReply) and reply.ref is None
        ):
            key = type(reply)
        self._unsent.pop(key, None)
        self._unsent[key] = reply
        self._has_unsent.set()
        if len(self._unsent) > self._limits.unsent_messages:
            self._is_too_slow.set()

    def send_error(self, error: Exception, ref: str | None) -> None:
        """Send an error; log it if it is not one that a request can cause."""
        request_error = convert_error(error)
        if request_error.code == "failed":
            log.error("a message could not be handled", exc_info=error)
        self.send(replies.ErrorReply(ref=ref, **vars(ErrorInfo.from_error(request_error))))

    async def _send_replies(self) -> None:
        while True:
            await self._has_unsent.wait()
            while self._unsent:
                key = next(iter(self._unsent))
                await self._websocket.send_text(self._unsent.pop(key).model_dump_json())
            self._has_unsent.clear()

    async def _receive_messages(self) -> None:
        ignored = 0
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text") or message.get("bytes") or ""
            if not self._rate_limiter.allow():
                ignored += 1
                if ignored > MAX_IGNORED_IN_A_ROW:
                    await self._websocket.close(CLOSE_POLICY_VIOLATION, "too many messages")
                    return
                if ignored <= self._limits.message_burst:  # further errors would only add to the load
                    self.send_error(RequestError("too_fast"), None)
                continue
            ignored = 0
            await self._handle(text)

    async def _handle(self, text: str | bytes) -> None:
        ref = None
        try:
            request = parse_request(text)
            ref = request.ref
            await self._handler.handle(request)
        except Exception as error:
            self.send_error(error, ref or find_ref(text))


def convert_error(error: Exception) -> RequestError:
    """Convert any exception to an error that the page understands."""
    match error:
        case RequestError():
            return error
        case StoreError() | StoreFailure():
            return RequestError("database_failed", problem=str(error))
        case _:
            return RequestError("failed")
