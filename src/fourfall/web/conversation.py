"""Owns what a connected page asks for: its games, its one analysis, review and hint, and what it watches."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from fourfall import Board
from fourfall.web import replies, requests
from fourfall.web.analysis import Study
from fourfall.web.house import House
from fourfall.web.review import Going
from fourfall.web.sessions import Listener, Session, read_position
from fourfall.web.shelf import Shelf
from fourfall.web.showing import finished_state, shown_game


class Page(Listener, Protocol):
    """The other end: it is sent messages, and told why something was not done."""

    def refuse(self, error: Exception, ref: str | None) -> None:
        """Say what went wrong."""
        ...


class Conversation:
    """What one page has going on; it ends with the connection."""

    def __init__(self, page: Page, house: House) -> None:
        self._page = page
        self._house = house
        self._sessions: dict[str, Session] = {}
        self._study: Study | None = None
        self._review: Going | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def answer(self, request: requests.AnyRequest) -> None:
        """Do what a message asks for; Refusal says why not."""
        match request:
            case requests.New():
                self._show(await self._house.sessions.begin(request), request.ref)
            case requests.Leave():
                self._forget(request.game)
            case requests.OnGame():
                await self._answer_about_game(request)
            case requests.Analyse() | requests.Stop():
                self._answer_about_analysis(request)
            case requests.Review() | requests.StopReview():
                await self._answer_about_review(request)
            case requests.Watch():
                await self._house.watching.watch(self._page, request.event, request.ref)
            case requests.Unwatch():
                self._house.watching.unwatch(self._page)
            case requests.Ping():
                self._page.send(replies.Pong(ref=request.ref))

    def end(self) -> None:
        """Stop everything that only this page wanted."""
        self._house.watching.unwatch(self._page)
        for game in list(self._sessions):
            self._forget(game)
        for task in self._tasks.values():
            task.cancel()

    async def _answer_about_game(self, request: requests.OnGame) -> None:
        sessions = self._house.sessions
        if isinstance(request, requests.Open) and request.game.startswith("a"):
            shown = await self._house.desk.shelf(shown_game, request.game)
            self._page.send(finished_state(shown).model_copy(update={"ref": request.ref}))
            return
        session = await sessions.find(request.game)
        self._listen(session)
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
        self._show(session, request.ref, changed=not isinstance(request, requests.Open))

    def _show(self, session: Session, ref: str | None, *, changed: bool = True) -> None:
        """Listen to a game, and tell the page of it; after a change the others that listen as well."""
        self._listen(session)
        for news in session.news():
            self._page.send(news.model_copy(update={"ref": ref}))
            if changed:
                session.tell(news, besides=self._page)

    def _listen(self, session: Session) -> None:
        """Hear of a game from now on; where there are too many, the one that was used least recently is left."""
        name = session.game.id
        self._sessions.pop(name, None)
        self._sessions[name] = session
        session.listeners.add(self._page)
        while len(self._sessions) > self._house.limits.games:
            self._forget(next(iter(self._sessions)))

    def _forget(self, game: str) -> None:
        session = self._sessions.pop(game, None)
        if session is not None:
            session.listeners.discard(self._page)
            session.touch()

    async def _hint(self, session: Session, ref: str | None) -> None:
        hint = await self._house.sessions.hint(session)
        self._page.send(hint.model_copy(update={"ref": ref}))

    def _answer_about_analysis(self, request: requests.Analyse | requests.Stop) -> None:
        if isinstance(request, requests.Stop):
            if self._study is not None:
                self._study.stop()
            return
        mind = self._house.catalogue.mind(request.engine)
        self._study = study = Study(request, read_position(request.position), mind, self._teller(request.ref))
        house = self._house
        self._begin("analysis", study.run(house.line, house.analyses, house.limits), request.ref)

    async def _answer_about_review(self, request: requests.Review | requests.StopReview) -> None:
        if isinstance(request, requests.StopReview):
            if self._review is not None:
                self._review.stop()
            return
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
        return lambda reply: self._page.send(reply.model_copy(update={"ref": ref}))

    def _begin(self, kind: str, work: Coroutine[Any, Any, None], ref: str | None) -> None:
        """Begin something that takes a while, in place of what was begun before."""
        before = self._tasks.pop(kind, None)
        if before is not None:
            before.cancel()
        self._tasks[kind] = asyncio.create_task(self._guarded(work, ref))

    async def _guarded(self, work: Coroutine[Any, Any, None], ref: str | None) -> None:
        try:
            await work
        except Exception as error:
            self._page.refuse(error, ref)
