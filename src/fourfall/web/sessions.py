"""Owns the games that are open now: who looks at them, whose turn it is, and the opponent that thinks."""

import asyncio
import logging
import zlib
from typing import Protocol

from fourfall import Board
from fourfall.agents.base import AgentError, AgentMove
from fourfall.arena.judge import rule_on_answer, rule_on_failure
from fourfall.web import limits, replies, requests, shapes
from fourfall.web.bots import BotThought
from fourfall.web.desk import Desk
from fourfall.web.engines import Catalogue, KeptEngines
from fourfall.web.games import Game, new_id, now
from fourfall.web.refusal import Refusal
from fourfall.web.searches import EngineThought, Moves
from fourfall.web.shapes import Worth
from fourfall.web.shelf import Shelf

log = logging.getLogger(__name__)


class Listener(Protocol):
    """Whoever hears of the changes of a game."""

    def send(self, reply: replies.Reply) -> None:
        """Pass a message on; never waits."""
        ...


class Session:
    """A game in memory."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.listeners: set[Listener] = set()
        self.thinking: asyncio.Task[None] | None = None
        self.thinking_since = ""
        self.touch()
        self.turn_began = self.used

    def touch(self) -> None:
        """Remember that somebody cares."""
        self.used = asyncio.get_running_loop().time()

    @property
    def turn_ms(self) -> float:
        """How long the side to move has had."""
        return round(1000 * (asyncio.get_running_loop().time() - self.turn_began), 1)

    def state(self) -> replies.GameState:
        """Describe the game whole."""
        return self.game.state(thinking=self.thinking is not None)

    def news(self) -> list[replies.Reply]:
        """Return what there is to tell after a change: the game, and that the opponent thinks."""
        thinking = replies.Thinking(game=self.game.id, since=self.thinking_since)
        return [self.state(), thinking] if self.thinking is not None else [self.state()]

    def tell(self, reply: replies.Reply, *, besides: Listener | None = None) -> None:
        """Tell everybody who listens, except one."""
        for listener in list(self.listeners):
            if listener is not besides:
                listener.send(reply)


class Sessions:
    """All open games. Changes are made at once, saved, and then told."""

    def __init__(self, desk: Desk, moves: Moves, catalogue: Catalogue, allowed: limits.Limits) -> None:
        self._desk = desk
        self._moves = moves
        self._catalogue = catalogue
        self._limits = allowed
        self._kept = KeptEngines(allowed.kept_engines)
        self._sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    async def begin(self, request: requests.New) -> Session:
        """Begin a game."""
        self._catalogue.require(request.opponent)
        if request.nodes is not None and not self._catalogue.is_bot(request.opponent):
            mind = self._catalogue.mind(request.opponent)
            if mind.simulations is not None:
                raise Refusal("bad_message", f"{request.opponent} has its own number of simulations; leave nodes out")
        board = Board.random() if request.board == "random" else read_position(request.board)
        if board.is_over:
            raise Refusal("game_over", "the game is over at this position")
        you = 0 if request.side == "first" else 1
        game = Game(new_id(), board.notation, you, request.opponent, request.time_s, request.nodes)
        return await self._add(game)

    async def rematch(self, session: Session) -> Session:
        """Begin a game on the same board with sides swapped."""
        return await self._add(session.game.rematch())

    async def find(self, name: str) -> Session:
        """Return an open game, or open a stored one; an opponent that was interrupted thinks again."""
        if name not in self._sessions:
            if not name.startswith("p"):
                raise Refusal("read_only", "a game of the arena can be looked at and reviewed, not played")
            game = await self._desk.shelf(Shelf.game, name)
            self._sessions.setdefault(name, Session(game))  # somebody else may have been quicker
        session = self._sessions[name]
        session.touch()
        self._let_opponent_think(session)
        return session

    async def move(self, session: Session, ply: int, column: int) -> None:
        """Make the person's move."""
        if session.game.person_plays(ply, column, session.turn_ms):
            await self._changed(session)

    async def undo(self, session: Session) -> None:
        """Take the person's last move back."""
        session.game.undo()
        await self._changed(session)

    async def redo(self, session: Session) -> None:
        """Play again what was taken back."""
        session.game.redo()
        await self._changed(session)

    async def resign(self, session: Session) -> None:
        """Let the person give up."""
        session.game.resign()
        await self._changed(session)

    async def hint(self, session: Session) -> replies.HintGiven:
        """Let the flagship think about the person's move."""
        game = session.game
        if game.is_over:
            raise Refusal("game_over", "the game is over")
        if game.is_theirs:
            raise Refusal("not_your_turn", "it is the opponent's turn")
        engine = self._catalogue.mind("fourfall").engine(self._limits.move_memory_mb)
        ply = game.board.ply
        analysis = await self._moves.think(EngineThought(engine, game.board), self._limits.hint_s)
        return replies.HintGiven(game=game.id, ply=ply, column=analysis.move, score=Worth.of(analysis.score))

    def forget_idle(self) -> None:
        """Drop the games that nobody looks at; they stay on disk."""
        latest = asyncio.get_running_loop().time() - self._limits.idle_game_s
        for name, session in list(self._sessions.items()):
            if not session.listeners and session.thinking is None and session.used < latest:
                del self._sessions[name]
                self._kept.drop(name)

    def close(self) -> None:
        """Stop all opponents; they think again when their games are opened again."""
        for session in self._sessions.values():
            if session.thinking is not None:
                session.thinking.cancel()

    async def _add(self, game: Game) -> Session:
        session = self._sessions[game.id] = Session(game)
        await self._changed(session)
        return session

    async def _changed(self, session: Session) -> None:
        """Do what follows from a change that a person made."""
        if session.thinking is not None:  # about a position that is no more
            session.thinking.cancel()
            session.thinking = None
        session.touch()
        session.turn_began = session.used
        self._let_opponent_think(session)
        await self._desk.shelf(Shelf.save, session.game)

    def _let_opponent_think(self, session: Session) -> None:
        if session.thinking is None and session.game.is_theirs:
            session.thinking_since = now()
            session.thinking = asyncio.create_task(self._think(session))

    async def _think(self, session: Session) -> None:
        game = session.game
        asked = asyncio.get_running_loop().time()
        try:
            answer, score = await self._opponents_move(game)
            verdict = rule_on_answer(game.board, answer, float("inf"))
        except AgentError as failure:
            verdict = rule_on_failure(1 - game.you, failure)
        except Refusal as refusal:  # a bot that this server does not know
            session.thinking = None
            session.tell(replies.Refused(code=refusal.code, message=str(refusal)))
            return
        except Exception:
            log.exception("the opponent of game %s failed", game.id)
            session.thinking = None
            session.tell(replies.Refused(code="failed", message="the opponent failed; take your move back"))
            return
        session.thinking = None
        if verdict is None:
            ms = round(1000 * (asyncio.get_running_loop().time() - asked), 1)
            game.opponent_plays(answer.column, ms, score)
        else:
            game.end(verdict)
        session.touch()
        session.turn_began = session.used
        try:
            await self._desk.shelf(Shelf.save, game)
        except (ValueError, RuntimeError) as error:  # a full disk: the game goes on, unsaved
            log.error("game %s is not saved: %s", game.id, error)
        session.tell(session.state())

    async def _opponents_move(self, game: Game) -> tuple[AgentMove, Worth | None]:
        """Let the opponent choose; AgentError says how a bot failed."""
        if self._catalogue.is_bot(game.opponent):
            limit_s = game.time_s or shapes.Defaults().time_s
            return await self._moves.think(BotThought(game.opponent, game.board, limit_s), limit_s), None
        mind = self._catalogue.mind(game.opponent)
        engine = self._kept.take(game.id) or mind.engine(self._limits.move_memory_mb, zlib.crc32(game.id.encode()))
        nodes = mind.simulations or game.nodes
        seconds = game.time_s or (limits.LEVEL_S if mind.simulations else limits.MOVE_S if nodes else None)
        thought = EngineThought(engine, game.board, nodes)
        analysis = await self._moves.think(thought, seconds or shapes.Defaults().time_s)
        self._kept.keep(game.id, engine)
        return AgentMove(analysis.move, analysis.seconds), Worth.of(analysis.score)


def read_position(text: str) -> Board:
    """Read a position from a request."""
    try:
        return Board.parse(text)
    except ValueError as error:
        raise Refusal("bad_position", str(error)) from None
