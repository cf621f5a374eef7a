"""Owns one websocket: messages in, checked one by one, and messages out, without waiting for a slow reader."""

import asyncio
import contextlib
import logging

from starlette.websockets import WebSocket, WebSocketDisconnect

from fourfall.arena.database import StoreError, StoreFailure
from fourfall.web import replies
from fourfall.web.conversation import Conversation
from fourfall.web.house import House
from fourfall.web.refusal import Refusal
from fourfall.web.requests import read_request, ref_of
from fourfall.web.safety import Rate

log = logging.getLogger(__name__)

TRY_AGAIN_LATER, POLICY = 1013, 1008
_TOO_FAST_IN_A_ROW = 500


class Connection:
    """A page that is connected."""

    def __init__(self, websocket: WebSocket, house: House) -> None:
        self._websocket = websocket
        self._limits = house.limits
        self._conversation = Conversation(self, house)
        self._unsent: dict[object, replies.Reply] = {}
        self._has_unsent = asyncio.Event()
        self._is_too_slow = asyncio.Event()
        self._rate = Rate(house.limits.messages_per_s, house.limits.message_burst)
        self.send(replies.Welcome(**vars(house.choices)))

    async def run(self) -> None:
        """Talk until the page leaves."""
        await self._websocket.accept()
        sender = asyncio.create_task(self._send_all())
        receiver = asyncio.create_task(self._receive_all())
        observer = asyncio.create_task(self._is_too_slow.wait())
        try:
            await asyncio.wait({sender, receiver, observer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._conversation.end()
            for task in (sender, receiver, observer):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                    await task

    def send(self, reply: replies.Reply) -> None:
        """Have a message sent; of a stream only the newest is kept while the page is slow to read."""
        key: object = object()
        if isinstance(reply, replies.AnalysisGiven | replies.Queued):
            key = (type(reply), reply.key)
        elif isinstance(reply, replies.ReviewGiven) or (
            isinstance(reply, replies.Events | replies.EventState) and reply.ref is None
        ):
            key = type(reply)
        self._unsent.pop(key, None)
        self._unsent[key] = reply
        self._has_unsent.set()
        if len(self._unsent) > self._limits.unsent_messages:
            self._is_too_slow.set()

    async def _send_all(self) -> None:
        while True:
            await self._has_unsent.wait()
            while self._unsent:
                key = next(iter(self._unsent))
                await self._websocket.send_text(self._unsent.pop(key).model_dump_json())
            self._has_unsent.clear()

    async def _receive_all(self) -> None:
        ignored = 0
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text") or message.get("bytes") or ""
            if not self._rate.allows():
                ignored += 1
                if ignored > _TOO_FAST_IN_A_ROW:
                    await self._websocket.close(POLICY, "too many messages")
                    return
                if ignored <= self._limits.message_burst:  # an error for each would only make it worse
                    self.refuse(Refusal("too_fast", "too many messages; wait a second"), None)
                continue
            ignored = 0
            await self._answer(text)

    async def _answer(self, text: str | bytes) -> None:
        """Do what a message asks for; whatever goes wrong is an answer too."""
        ref = None
        try:
            request = read_request(text)
            ref = request.ref
            await self._conversation.answer(request)
        except Exception as error:
            self.refuse(error, ref or ref_of(text))

    def refuse(self, error: Exception, ref: str | None) -> None:
        """Tell the page why something was not done; what nobody foresaw goes to the log."""
        match error:
            case Refusal():
                code, message = error.code, str(error)
            case StoreError() | StoreFailure():
                code, message = "failed", str(error)
            case _:
                log.error("a message could not be answered", exc_info=error)
                code, message = "failed", "something went wrong; the server's log knows what"
        self.send(replies.Refused(ref=ref, code=code, message=message))
