"""Carries out the messages of one page: games, analysis, review, hint and watching events."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from fourfall.web.access.clients import Owner
from fourfall.web.analysis.analysis_job import AnalysisJob
from fourfall.web.analysis.explain_job import run_explanation
from fourfall.web.analysis.review_job import ReviewJob
from fourfall.web.errors import RequestError
from fourfall.web.game_repository import GameRepository
from fourfall.web.messages import replies, requests
from fourfall.web.play.sessions import Session
from fourfall.web.play.stored_games import describe_arena_game, list_moves
from fourfall.web.positions import parse_position, parse_unfinished_position, require_legal_move, split_moves
from fourfall.web.services import Services


class Page(replies.Subscriber, Protocol):
    """The connection to which replies and errors are sent."""

    @property
    def owner(self) -> Owner:
        """Client and number of the connection, which share the threads of searches."""
        ...

    def send_error(self, error: Exception, ref: str | None) -> None:
        """Send an error."""
        ...


class MessageHandler:
    """Handles the messages of one page; its tasks and subscriptions end with the connection."""

    def __init__(self, page: Page, services: Services) -> None:
        self._page = page
        self._services = services
        self._queue = services.scheduler.for_client(page.owner.client)
        self._sessions: dict[str, Session] = {}  # subscriptions, the least recently used first
        self._jobs: dict[str, AnalysisJob | ReviewJob] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def handle(self, request: requests.AnyRequest) -> None:
        """Carry out a message. Raises RequestError if it is refused."""
        self._check_rate(request)
        match request:
            case requests.NewRequest():
                self._send_session(await self._services.sessions.create(request, self._page.owner), request.ref)
            case requests.LeaveRequest():
                self._unsubscribe(request.game)
            case requests.GameRequest():
                await self._handle_game(request)
            case requests.AnalyseRequest():
                self._start_analysis(request)
            case requests.StopRequest() | requests.StopReviewRequest():
                self._stop_job("analysis" if isinstance(request, requests.StopRequest) else "review")
            case requests.ExplainRequest():
                self._start_explanation(request)
            case requests.ReviewRequest():
                await self._start_review(request)
            case requests.WatchRequest() | requests.UnwatchRequest():
                await self._handle_watch(request)
            case requests.PingRequest():
                self._page.send(replies.PongReply(ref=request.ref))

    def close(self) -> None:
        """Cancel all tasks and subscriptions of the page."""
        self._services.watcher.unwatch(self._page)
        for game_id in list(self._sessions):
            self._unsubscribe(game_id, self._services.limits.abandoned_search_s)
        for task in self._tasks.values():
            task.cancel()

    def _check_rate(self, request: requests.AnyRequest) -> None:
        """Raise RequestError if the client starts games too fast: each of them is stored."""
        is_new_game = isinstance(request, requests.NewRequest | requests.RematchRequest)
        if is_new_game and not self._services.new_game_rates.find(self._page.owner.client).allow():
            raise RequestError("too_fast")

    async def _handle_game(self, request: requests.GameRequest) -> None:
        sessions = self._services.sessions
        if isinstance(request, requests.OpenRequest) and request.game.startswith("a"):
            game = await self._services.database.run_with_games(describe_arena_game, request.game)
            self._page.send(game.model_copy(update={"ref": request.ref}))
            return
        session = await sessions.find(request.game, self._page.owner)
        self._subscribe(session)
        match request:
            case requests.MoveRequest():
                await sessions.play(session, request.ply, request.column)
            case requests.UndoRequest():
                await sessions.undo(session)
            case requests.RedoRequest():
                await sessions.redo(session)
            case requests.ResignRequest():
                await sessions.resign(session)
            case requests.RematchRequest():
                session = await sessions.create_rematch(session)
            case requests.HintRequest():
                self._start_task("hint", lambda: self._send_hint(session, request.ref), request.ref)
                return
        self._send_session(session, request.ref, has_changed=not isinstance(request, requests.OpenRequest))

    def _send_session(self, session: Session, ref: str | None, *, has_changed: bool = True) -> None:
        """Send a game to this page and, after a change, to its other subscribers."""
        self._subscribe(session)
        for reply in session.list_replies():
            self._page.send(reply.model_copy(update={"ref": ref}))
            if has_changed:
                session.publish(reply, skip=self._page)

    def _subscribe(self, session: Session) -> None:
        """Subscribe to a game; if there are too many, end the subscription that was used least recently."""
        self._sessions.pop(session.game.id, None)
        self._sessions[session.game.id] = session
        session.subscribers.add(self._page)
        while len(self._sessions) > self._services.limits.games:
            self._unsubscribe(next(iter(self._sessions)))

    def _unsubscribe(self, game_id: str, abandoned_search_s: float = 0.0) -> None:
        """End a subscription; the opponent's search stops after a time if nobody else subscribes to the game."""
        session = self._sessions.pop(game_id, None)
        if session is not None:
            session.subscribers.discard(self._page)
            session.touch()
            if session.search is not None:
                stop_abandoned = self._services.sessions.stop_abandoned
                asyncio.get_running_loop().call_later(abandoned_search_s, stop_abandoned, session)

    async def _send_hint(self, session: Session, ref: str | None) -> None:
        hint = await self._services.sessions.find_hint(session)
        self._page.send(hint.model_copy(update={"ref": ref}))

    def _start_analysis(self, request: requests.AnalyseRequest) -> None:
        services = self._services
        engine = services.catalogue.find_engine(request.engine)
        board, previous = parse_position(request.position), self._jobs.get("analysis")
        job = AnalysisJob(request, board, engine, self._create_sender(request.ref), services.kept_analyses)
        if request.resume and isinstance(previous, AnalysisJob):
            job.resume(previous)
        self._jobs["analysis"] = job
        self._start_task("analysis", lambda: job.run(self._queue, services.analysis_pool, services.limits), request.ref)

    def _start_explanation(self, request: requests.ExplainRequest) -> None:
        services = self._services
        board = parse_unfinished_position(request.position)
        require_legal_move(board, request.column)
        job = self._jobs.get("analysis")
        analysis = job.get_analysis(board) if isinstance(job, AnalysisJob) else None
        engine = services.catalogue.find_engine(services.server_info.defaults.engine)

        async def send_explanation() -> None:
            reply = await run_explanation(
                board, request.column, analysis, engine, self._queue, services.analysis_pool, services.limits
            )
            self._page.send(reply.model_copy(update={"ref": request.ref}))

        self._start_task("explanation", send_explanation, request.ref)

    async def _start_review(self, request: requests.ReviewRequest) -> None:
        engine = self._services.catalogue.find_engine(request.engine)
        if request.game is not None:
            start, moves = await self._services.database.run_with_games(list_moves, request.game)
        else:
            board = parse_position(request.position or "")
            start, moves = split_moves(board, request.start_ply)
        job = ReviewJob(request, start, moves, engine, self._create_sender(request.ref))
        self._jobs["review"] = job
        self._start_task("review", lambda: self._run_review(job, request.game), request.ref)

    async def _run_review(self, job: ReviewJob, game_id: str | None) -> None:
        """Run a review and save it if it is of a stored game."""
        services = self._services
        review = await job.run(self._queue, services.analysis_pool, services.limits)
        if game_id is not None and review.finished:
            await services.database.run_with_games(GameRepository.save_review, game_id, review)

    def _stop_job(self, kind: str) -> None:
        if kind in self._jobs:
            self._jobs[kind].stop()

    async def _handle_watch(self, request: requests.WatchRequest | requests.UnwatchRequest) -> None:
        watcher = self._services.watcher
        if isinstance(request, requests.WatchRequest):
            await watcher.watch(self._page, request.event, request.ref)
        else:
            watcher.unwatch(self._page)

    def _create_sender(self, ref: str | None) -> Callable[[replies.Reply], None]:
        return lambda reply: self._page.send(reply.model_copy(update={"ref": ref}))

    def _start_task(self, kind: str, work: Callable[[], Awaitable[object]], ref: str | None) -> None:
        """Start a task; it replaces the running task of the same kind.

        `work` is called inside the task: a coroutine made here would never be awaited if the task is cancelled before
        it starts.
        """
        old_task = self._tasks.pop(kind, None)
        if old_task is not None:
            old_task.cancel()
        self._tasks[kind] = asyncio.create_task(self._run_task(work, ref))

    async def _run_task(self, work: Callable[[], Awaitable[object]], ref: str | None) -> None:
        try:
            await work()
        except Exception as error:
            self._page.send_error(error, ref)
