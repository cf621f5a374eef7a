"""Games in memory: carries out the requests for them, lets the opponents move, saves and reports every change."""

import asyncio
import logging
from datetime import UTC, datetime

from fourfall import Board
from fourfall.agents.base import AgentError
from fourfall.agents.time_control import compute_move_time_s
from fourfall.arena.judge import judge_failure, judge_move
from fourfall.web.access.clients import NO_OWNER, Owner
from fourfall.web.database import Database
from fourfall.web.engine_catalogue import EngineCatalogue
from fourfall.web.errors import RequestError
from fourfall.web.game_repository import GameRepository
from fourfall.web.messages import replies, requests
from fourfall.web.messages.schemas import ErrorInfo, ScoreInfo
from fourfall.web.play.clock import Clock
from fourfall.web.play.game import OTHER_PERSON, Game, create_id, format_now
from fourfall.web.play.opponents import Opponents
from fourfall.web.positions import parse_unfinished_position

log = logging.getLogger(__name__)


class Session:
    """A game in memory with the connections that subscribed to it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.subscribers: set[replies.Subscriber] = set()
        self.owner = NO_OWNER  # connection that used the game last; its searches share the threads
        self.search: asyncio.Task[None] | None = None
        self.search_start = ""
        self.last_use = asyncio.get_running_loop().time()
        self.turn_start = self.last_use
        self.time_out: asyncio.TimerHandle | None = None
        self.time_out_task: asyncio.Task[bool] | None = None
        if game.clock is not None and game.turn_started is not None:
            elapsed = datetime.now(UTC) - datetime.fromisoformat(game.turn_started)
            self.turn_start -= max(elapsed.total_seconds(), 0.0)

    def touch(self) -> None:
        """Record the time of last use."""
        self.last_use = asyncio.get_running_loop().time()

    def start_turn(self) -> None:
        """Start the turn of the side to move."""
        self.touch()
        self.turn_start = self.last_use
        if self.game.clock is not None:
            self.game.turn_started = format_now()

    def charge_turn(self) -> None:
        """Add the running turn to the time that the side to move has used, and start the turn again."""
        self.game.charge_turn(self.turn_ms)
        self.start_turn()

    @property
    def turn_ms(self) -> float:
        """Time that the side to move has used."""
        return round(1000 * (asyncio.get_running_loop().time() - self.turn_start), 1)

    @property
    def left_ms(self) -> float:
        """Time that the side to move has left; infinite without a clock."""
        return self.game.compute_left_ms(self.game.board.turn) - self.turn_ms

    def describe(self) -> replies.GameReply:
        """Describe the complete state of the game."""
        return self.game.describe(thinking=self.search is not None, turn_ms=self.turn_ms)

    def list_replies(self) -> list[replies.Reply]:
        """Return the messages after a change: the game, and whether the opponent searches."""
        if self.search is None:
            return [self.describe()]
        return [self.describe(), replies.ThinkingReply(game=self.game.id, since=self.search_start)]

    def publish(self, reply: replies.Reply, *, skip: replies.Subscriber | None = None) -> None:
        """Send a message to all subscribers except `skip`."""
        for subscriber in list(self.subscribers):
            if subscriber is not skip:
                subscriber.send(reply)


class Sessions:
    """All games in memory. Every change is saved in the database before it is reported."""

    def __init__(
        self, database: Database, opponents: Opponents, catalogue: EngineCatalogue, idle_game_s: float
    ) -> None:
        self._database = database
        self._opponents = opponents
        self._catalogue = catalogue
        self._idle_game_s = idle_game_s
        self._sessions: dict[str, Session] = {}

    async def create(self, request: requests.NewRequest, owner: Owner) -> Session:
        """Start a game for a connection."""
        self._check_opponent(request)
        board = Board.random() if request.board == "random" else parse_unfinished_position(request.board)
        you = None if request.opponent == OTHER_PERSON else 0 if request.side == "first" else 1
        return await self._add(
            Game(
                create_id(),
                board.notation,
                you,
                request.opponent,
                request.move_time_s,
                request.simulations,
                clock=Clock.from_request(request.clock),
            ),
            owner,
        )

    async def create_rematch(self, session: Session) -> Session:
        """Start a game on the same board with the sides swapped."""
        return await self._add(session.game.create_rematch(), session.owner)

    async def find(self, game_id: str, owner: Owner) -> Session:
        """Return the session of a game for a connection; the game is read from the database if necessary.

        If the opponent's search was stopped, by `stop_abandoned` or with the server, it starts again.
        """
        if game_id not in self._sessions:
            if not game_id.startswith("p"):
                raise RequestError("read_only")
            game = await self._database.run_with_games(GameRepository.load_game, game_id)
            self._sessions.setdefault(game_id, Session(game))  # another request may have loaded it meanwhile
        session = self._sessions[game_id]
        session.owner = owner
        session.touch()
        if not await self._end_if_out_of_time(session):
            self._start_search(session)
            self._schedule_time_out(session)
        return session

    async def play(self, session: Session, ply: int, column: int) -> None:
        """Play the person's move."""
        if session.game.play_person(ply, column, session.turn_ms):
            await self._commit(session)

    async def undo(self, session: Session) -> None:
        """Take back the person's last move."""
        session.charge_turn()
        session.game.undo()
        await self._commit(session)

    async def redo(self, session: Session) -> None:
        """Play the undone moves again."""
        session.charge_turn()
        session.game.redo()
        await self._commit(session)

    async def resign(self, session: Session) -> None:
        """Resign for the person, or between two persons for the side to move."""
        session.charge_turn()
        session.game.resign()
        await self._commit(session)

    async def find_hint(self, session: Session) -> replies.HintReply:
        """Search for a good move of the person."""
        game = session.game
        game.require_persons_turn()
        ply = game.board.ply
        move = await self._opponents.find_hint(game.board, session.owner)
        if move.score is None:
            raise RuntimeError("the engine returned no score")
        return replies.HintReply(game=game.id, ply=ply, column=move.column, score=ScoreInfo.from_score(move.score))

    def stop_abandoned(self, session: Session) -> None:
        """Stop the search of the opponent if no connection subscribes to the game; `find` starts it again.

        A game with a clock continues: the opponent must not lose its time without a search.
        """
        if not session.subscribers and session.game.clock is None:
            self._cancel_search(session)

    async def delete(self, game_id: str) -> None:
        """Delete a game; a search of its opponent ends, and the connections that show it are told."""
        if not game_id.startswith("p"):
            raise RequestError("read_only")
        session = self._sessions.pop(game_id, None)
        if session is not None:
            self._cancel_search(session)
            if session.time_out is not None:
                session.time_out.cancel()
            self._opponents.drop(game_id)
        await self._database.run_with_games(GameRepository.delete_game, game_id)

    def remove_idle(self) -> None:
        """Remove games without subscribers from memory; they stay in the database.

        A game whose clock runs out soon is kept until it is over. A clock with more time is removed with its game, and
        `find` computes the time that has passed.
        """
        oldest = asyncio.get_running_loop().time() - self._idle_game_s
        for game_id, session in list(self._sessions.items()):
            ends_soon = session.time_out is not None and session.left_ms < 1000 * self._idle_game_s
            is_busy = session.search is not None or ends_soon
            if not session.subscribers and not is_busy and session.last_use < oldest:
                if session.time_out is not None:
                    session.time_out.cancel()
                del self._sessions[game_id]
                self._opponents.drop(game_id)

    def close(self) -> None:
        """Stop the searches of all opponents; `find` starts them again after a restart."""
        for session in self._sessions.values():
            if session.time_out is not None:
                session.time_out.cancel()
            if session.search is not None:
                session.search.cancel()

    def _check_opponent(self, request: requests.NewRequest) -> None:
        """Raise RequestError if there is no such opponent, or if a field has no meaning for it."""
        opponent = request.opponent
        if opponent == OTHER_PERSON:
            for field in ("side", "move_time_s", "simulations"):
                if getattr(request, field) not in (None, "first"):
                    problem = f"a game between two persons ({OTHER_PERSON}) has no {field}; leave out {field}"
                    raise RequestError("bad_message", problem=problem)
            return
        self._catalogue.require(opponent)
        if request.simulations is not None and not self._catalogue.is_third_party(opponent):
            fixed = self._catalogue.find_engine(opponent).simulations
            if fixed is not None:
                problem = f"{opponent} has a fixed number of simulations, {fixed}; leave out simulations"
                raise RequestError("bad_message", problem=problem)

    async def _add(self, game: Game, owner: Owner) -> Session:
        session = self._sessions[game.id] = Session(game)
        session.owner = owner
        await self._commit(session)
        return session

    async def _commit(self, session: Session) -> None:
        """Save a change that the person made, and let the opponent move if it is its turn."""
        self._cancel_search(session)  # it searches a position that no longer exists
        session.start_turn()
        self._start_search(session)
        self._schedule_time_out(session)
        await self._database.run_with_games(GameRepository.save_game, session.game)

    def _start_search(self, session: Session) -> None:
        if session.search is None and session.game.is_opponents_turn:
            session.search_start = format_now()
            session.search = asyncio.create_task(self._play_opponent(session))

    def _cancel_search(self, session: Session) -> None:
        if session.search is not None:
            session.search.cancel()
            session.search = None

    def _schedule_time_out(self, session: Session) -> None:
        """End the game when the time of the side to move runs out; does nothing without a clock."""
        if session.time_out is not None:
            session.time_out.cancel()
            session.time_out = None
        if session.game.clock is not None and not session.game.is_over:
            delay_s = max(session.left_ms, 0.0) / 1000
            session.time_out = asyncio.get_running_loop().call_later(delay_s, self._start_time_out, session)

    def _start_time_out(self, session: Session) -> None:
        session.time_out = None
        session.time_out_task = asyncio.create_task(self._end_if_out_of_time(session))

    async def _end_if_out_of_time(self, session: Session) -> bool:
        """End the game with a loss of the side to move if it has no time left, and report it."""
        if session.game.is_over:
            return False
        if session.left_ms > 0:
            self._schedule_time_out(session)
            return False
        self._cancel_search(session)
        session.charge_turn()
        session.game.end_on_time()
        self._schedule_time_out(session)
        await self._save_and_publish(session)
        return True

    async def _save_and_publish(self, session: Session) -> None:
        """Save a change that no request made, and send it to the subscribers."""
        try:
            await self._database.run_with_games(GameRepository.save_game, session.game)
        except (ValueError, RuntimeError) as error:  # for example a full disk: the game continues unsaved
            log.error("game %s is not saved: %s", session.game.id, error)
        session.publish(session.describe())

    def _compute_clock_time_s(self, session: Session) -> float | None:
        """Return the time that the clock allows for the opponent's next move; None without a clock."""
        game = session.game
        if game.clock is None:
            return None
        free_cells = game.board.geometry.cells - game.board.ply
        return compute_move_time_s(session.left_ms / 1000, game.clock.increment_s, free_cells)

    async def _play_opponent(self, session: Session) -> None:
        """Search for the opponent's move, play it, save the game and report it."""
        game = session.game
        start = asyncio.get_running_loop().time()
        try:
            clock_time_s = self._compute_clock_time_s(session)
            move = await self._opponents.choose_move(game, clock_time_s, session.owner)
            verdict = judge_move(game.board, move, float("inf"))
        except AgentError as failure:
            verdict = judge_failure(game.board.turn, failure)
        except RequestError as error:  # an agent that --agent no longer allows
            self._report_failure(session, error)
            return
        except Exception:
            log.exception("the opponent of game %s failed", game.id)
            self._report_failure(session, RequestError("opponent_failed"))
            return
        session.search = None
        if await self._end_if_out_of_time(session):
            return
        session.charge_turn()
        if verdict is None:
            ms = round(1000 * (asyncio.get_running_loop().time() - start), 1)
            game.play_opponent(move.column, ms, None if move.score is None else ScoreInfo.from_score(move.score))
        else:
            game.end(verdict)
        session.start_turn()
        self._schedule_time_out(session)
        await self._save_and_publish(session)

    def _report_failure(self, session: Session, error: RequestError) -> None:
        session.search = None
        session.publish(replies.ErrorReply(**vars(ErrorInfo.from_error(error))))
