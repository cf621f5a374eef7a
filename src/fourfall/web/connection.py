"""Owns one websocket: messages in, checked and answered one by one, and messages out, never waiting for a slow reader."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from fourfall import Board
from fourfall.arena.database import StoreError, StoreFailure
from fourfall.web import replies, requests
from fourfall.web.analysis import Study
from fourfall.web.house import House
from fourfall.web.refusal import Refusal
from fourfall.web.requests import read_request, ref_of
from fourfall.web.review import Going
from fourfall.web.safety import Rate
from fourfall.web.sessions import Session, read_position
from fourfall.web.shelf import Shelf
from fourfall.web.showing import finished_state, shown_game

log = logging.getLogger(__name__)

TRY_AGAIN_LATER, POLICY = 1013, 1008
_TOO_FAST_IN_A_ROW = 500


class Connection:
    """A page that is connected: what it listens to, and the one analysis, review and hint it may have."""

    def __init__(self, websocket: WebSocket, house: House) -> None:
        self._websocket = websocket
        self._house = house
        self._unsent: dict[object, replies.Reply] = {}
        self._has_unsent = asyncio.Event()
        self._rate = Rate(house.limits.messages_per_s, house.limits.message_burst)
        self._sessions: dict[str, Session] = {}
        self._study: Study | None = None
        self._review: Going | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Talk until the page leaves."""
        await self._websocket.accept()
        self.send(replies.Welcome(**vars(self._house.catalogue.choices(self._house.limits))))
        sender = asyncio.create_task(self._send_all())
        receiver = asyncio.create_task(self._receive_all())
        try:
            await asyncio.wait({sender, receiver}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leave_everything()
            for task in (sender, receiver):
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

    async def _send_all(self) -> None:
        while True:
            await self._has_unsent.wait()
            if len(self._unsent) > self._house.limits.unsent_messages:
                await self._websocket.close(TRY_AGAIN_LATER, "this page does not read what it is sent")
                return
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
                if ignored <= self._house.limits.message_burst:  # an error for each would only make it worse
                    self._refuse(Refusal("too_fast", "too many messages; wait a second"), None)
                continue
            ignored = 0
            await self._answer(text)

    async def _answer(self, text: str | bytes) -> None:
        """Do what a message asks for; whatever goes wrong is an answer too."""
        ref = None
        try:
            request = read_request(text)
            ref = request.ref
            await self._do(request)
        except Refusal as refusal:
            self._refuse(refusal, ref or ref_of(text))
        except (StoreError, StoreFailure) as error:
            self._refuse(Refusal("failed", str(error)), ref)
        except Exception:
            log.exception("a message could not be answered")
            self._refuse(Refusal("failed", "something went wrong; the server's log knows what"), ref)

    def _refuse(self, refusal: Refusal, ref: str | None) -> None:
        self.send(replies.ErrorReply(ref=ref, code=refusal.code, message=str(refusal)))

    async def _do(self, request: requests.AnyRequest) -> None:
        match request:
            case requests.New():
                await self._show(await self._house.sessions.begin(request), request.ref)
            case requests.Leave():
                self._forget(request.game)
            case requests.OnGame():
                await self._do_with_game(request)
            case requests.Analyse():
                self._analyse(request)
            case requests.Stop():
                if self._study is not None:
                    self._study.stop()
            case requests.Review():
                await self._begin_review(request)
            case requests.StopReview():
                if self._review is not None:
                    self._review.stop()
            case requests.Watch():
                await self._house.watching.watch(self, request.event, request.ref)
            case requests.Unwatch():
                self._house.watching.unwatch(self)
            case requests.Ping():
                self.send(replies.Pong(ref=request.ref))

    async def _do_with_game(self, request: requests.OnGame) -> None:
        sessions = self._house.sessions
        if isinstance(request, requests.Open) and request.game.startswith("a"):
            shown = await self._house.desk.shelf(shown_game, request.game)
            self.send(finished_state(shown).model_copy(update={"ref": request.ref}))
            return
        session = await sessions.find(request.game)
        match request:
            case requests.Move():
                await sessions.move(session, request.ply, request.column)
            case requests.Undo():
                await sessions.undo(session)
            case requests.Redo():
                await sessions.redo(session)
            case requests.Resign():
                await sessions.resign(session)
            case requests.Rematch():
                session = await sessions.rematch(session)
            case requests.Hint():
                self._begin("hint", self._hint(session, request.ref), request.ref)
                return
        await self._show(session, request.ref)

    async def _show(self, session: Session, ref: str | None) -> None:
        """Listen to a game, tell the page of it, and the others that listen as well."""
        name = session.game.id
        self._sessions.pop(name, None)
        self._sessions[name] = session
        session.listeners.add(self)
        while len(self._sessions) > self._house.limits.games:
            self._forget(next(iter(self._sessions)))
        state = session.state()
        self.send(state.model_copy(update={"ref": ref}))
        session.tell(state, besides=self)

    def _forget(self, game: str) -> None:
        session = self._sessions.pop(game, None)
        if session is not None:
            session.listeners.discard(self)
            session.touch()

    async def _hint(self, session: Session, ref: str | None) -> None:
        hint = await self._house.sessions.hint(session)
        self.send(hint.model_copy(update={"ref": ref}))

    def _analyse(self, request: requests.Analyse) -> None:
        mind = self._house.catalogue.mind(request.engine)
        self._study = study = Study(request, read_position(request.position), mind, self._teller(request.ref))
        house = self._house
        self._begin("analysis", study.run(house.line, house.analyses, house.limits), request.ref)

    async def _begin_review(self, request: requests.Review) -> None:
        mind = self._house.catalogue.mind(request.engine)
        if request.game is not None:
            start, moves = await self._stored_moves(request.game)
        else:
            board = read_position(request.position or "")
            start, moves = Board(board.rows, board.cols, board.hole), board.moves
        self._review = review = Going(request, start, moves, mind, self._teller(request.ref))
        self._begin("review", self._keep_review(request.game, review), request.ref)

    async def _keep_review(self, game: str | None, review: Going) -> None:
        house = self._house
        found = await review.run(house.line, house.analyses, house.limits)
        if game is not None and found.finished:
            await house.desk.shelf(Shelf.save_review, game, found.model_copy(update={"ref": None}))

    async def _stored_moves(self, name: str) -> tuple[Board, list[int]]:
        shown = await self._house.desk.shelf(shown_game, name)
        return Board.parse(shown.start), shown.moves

    def _teller(self, ref: str | None) -> Callable[[replies.Reply], None]:
        return lambda reply: self.send(reply.model_copy(update={"ref": ref}))

    def _begin(self, kind: str, work: Coroutine[Any, Any, None], ref: str | None) -> None:
        """Begin something that takes a while, in place of what was begun before."""
        before = self._tasks.pop(kind, None)
        if before is not None:
            before.cancel()
        self._tasks[kind] = asyncio.create_task(self._guarded(work, ref))

    async def _guarded(self, work: Coroutine[Any, Any, None], ref: str | None) -> None:
        try:
            await work
        except Refusal as refusal:
            self._refuse(refusal, ref)
        except (StoreError, StoreFailure) as error:
            self._refuse(Refusal("failed", str(error)), ref)
        except Exception:
            log.exception("a search failed")
            self._refuse(Refusal("failed", "something went wrong; the server's log knows what"), ref)

    def _leave_everything(self) -> None:
        self._house.watching.unwatch(self)
        for game in list(self._sessions):
            self._forget(game)
        for task in self._tasks.values():
            task.cancel()
