"""Owns a game of the page: a person against an engine, with moves taken back and played again. Pure data and rules."""

import json
import secrets
import string
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from fourfall import Board
from fourfall import __version__ as VERSION  # noqa: N812 (a constant)
from fourfall.arena.judge import Ending, Verdict, rule_on_board
from fourfall.arena.record import GameRecord
from fourfall.render import COLUMN_NAMES
from fourfall.web import replies
from fourfall.web.refusal import Refusal
from fourfall.web.shapes import Outcome, Worth

PERSON = "you"
_LETTERS = string.ascii_letters + string.digits


def now() -> str:
    """Return this moment as text."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def new_id() -> str:
    """Make a name for a game of the page, which nobody can guess."""
    return "p" + "".join(secrets.choice(_LETTERS) for _ in range(16))


def outcome_of(board: Board, verdict: Verdict | None) -> Outcome | None:
    """Say how a game ended: by what is on the board, or by a verdict."""
    verdict = verdict or rule_on_board(board)
    if verdict is None:
        return None
    ended = board.outcome()
    cells = [] if ended is None else ended.cells
    winner = None if verdict.winner is None else (0, 1)[verdict.winner]
    return Outcome(winner=winner, ending=verdict.ending.value, cells=cells, detail=verdict.detail)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Ply:
    """A move that was made: how long it took, and what the engine that made it thought of it."""

    column: int
    ms: float
    score: dict[str, Any] | None = None


@dataclass
class Game:
    """A game in any state; every change is a method, and Refusal says why one is not possible."""

    id: str
    start: str
    you: int
    opponent: str
    time_s: float | None = None
    nodes: int | None = None
    started: str = field(default_factory=now)
    rematch_of: str | None = None
    plies: list[Ply] = field(default_factory=list)
    taken_back: list[Ply] = field(default_factory=list)
    verdict: Verdict | None = None
    board: Board = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.board = Board.parse(self.start)
        for ply in self.plies:
            self.board.push(ply.column)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, on the board or otherwise."""
        return self.verdict is not None or self.board.is_over

    @property
    def is_theirs(self) -> bool:
        """Whether the opponent is to move."""
        return not self.is_over and self.board.turn != self.you

    @property
    def names(self) -> tuple[str, str]:
        """Who plays, the first player first."""
        return (PERSON, self.opponent) if self.you == 0 else (self.opponent, PERSON)

    def person_plays(self, ply: int, column: int, ms: float) -> bool:
        """Make the person's move; False where it was made already."""
        board = self.board
        if ply < board.ply:
            if board.moves[ply] == column and ply % 2 == self.you:
                return False
            raise Refusal("stale", f"there are {board.ply} stones on the board, not {ply}")
        if self.is_over:
            raise Refusal("game_over", "the game is over")
        if ply != board.ply:
            raise Refusal("stale", f"there are {board.ply} stones on the board, not {ply}")
        if board.turn != self.you:
            raise Refusal("not_your_turn", "it is the opponent's turn")
        if column >= board.cols:
            raise Refusal("illegal_move", f"column {column} is off the board: columns count 0..{board.cols - 1}")
        if not board.is_legal(column):
            raise Refusal("column_full", f"column {COLUMN_NAMES[column]} is full")
        self._push(Ply(column, ms))
        self.taken_back.clear()
        return True

    def opponent_plays(self, column: int, ms: float, score: Worth | None) -> None:
        """Make the opponent's move, which somebody has ruled legal."""
        self._push(Ply(column, ms, None if score is None else score.model_dump()))
        self.taken_back.clear()

    def end(self, verdict: Verdict) -> None:
        """End the game by something that is not on the board."""
        self.verdict = verdict

    def resign(self) -> None:
        """Let the person give up."""
        if self.is_over:
            raise Refusal("game_over", "the game is over")
        self.end(Verdict(Ending.RESIGNATION, 1 - self.you))

    def undo(self) -> None:
        """Take back until the person is to move: the opponent's answer and the person's move, or a resignation."""
        ended, self.verdict = self.verdict, None
        if ended is not None and not self.board.is_over and self.board.turn == self.you:
            return
        mine = [at for at in range(len(self.plies)) if (at + Board.parse(self.start).ply) % 2 == self.you]
        if not mine:
            self.verdict = ended
            raise Refusal("nothing_to_undo", "there is no move of yours to take back")
        while len(self.plies) > mine[-1]:
            self.taken_back.insert(0, self.plies.pop())
            self.board.pop()

    def redo(self) -> None:
        """Play again what was taken back, until the person is to move."""
        if not self.taken_back:
            raise Refusal("nothing_to_redo", "there is no move to play again")
        if self.verdict is not None:
            raise Refusal("game_over", "the game is over")
        self._push(self.taken_back.pop(0))
        while self.taken_back and self.is_theirs:
            self._push(self.taken_back.pop(0))

    def rematch(self) -> "Game":
        """Make a new game on the same board with sides swapped."""
        return Game(new_id(), self.start, 1 - self.you, self.opponent, self.time_s, self.nodes, rematch_of=self.id)

    def state(self, *, thinking: bool = False) -> replies.GameState:
        """Describe the game whole."""
        return replies.GameState(
            game=self.id,
            position=self.board.notation,
            start=self.start,
            moves=[ply.column for ply in self.plies],
            redo=[ply.column for ply in self.taken_back],
            turn=self.board.turn,
            you=self.you,
            opponent=self.opponent,
            names=self.names,
            time_s=self.time_s,
            nodes=self.nodes,
            thinking=thinking,
            status="over" if self.is_over else "playing",
            outcome=outcome_of(self.board, self.verdict),
            times_ms=[ply.ms for ply in self.plies],
            scores=[None if ply.score is None else Worth(**ply.score) for ply in self.plies],
            started=self.started,
            rematch_of=self.rematch_of,
        )

    def record(self) -> GameRecord:
        """Write a finished game down as the arena does."""
        verdict = self.verdict or rule_on_board(self.board)
        if verdict is None:
            raise ValueError("the game goes on")
        scores = [None if ply.score is None else float(ply.score["win_chance"]) for ply in self.plies]
        person, limit_s = "person", self.time_s or 0.0
        return GameRecord(
            number=0,
            pair=0,
            group="",
            names=self.names,
            addresses=(person, self.opponent) if self.you == 0 else (self.opponent, person),
            move_time_s=(limit_s, limit_s),
            board=self.start,
            moves="".join(COLUMN_NAMES[ply.column] for ply in self.plies),
            times_ms=tuple(ply.ms for ply in self.plies),
            scores=tuple(scores),
            startup_ms=(0.0, 0.0),
            ending=verdict.ending,
            winner=verdict.winner,
            culprit=verdict.culprit,
            detail=verdict.detail,
            stderr="",
            reproducer="",
            seed=0,
            sandboxed=True,
            version=VERSION,
            started=self.started,
        )

    def to_json(self) -> str:
        """Write the game so that `from_json` can go on with it."""
        values = {name: value for name, value in vars(self).items() if name != "board"}
        values["plies"] = [asdict(ply) for ply in self.plies]
        values["taken_back"] = [asdict(ply) for ply in self.taken_back]
        values["verdict"] = None if self.verdict is None else asdict(self.verdict)
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Game":
        """Read a game that was written by `to_json`.

        >>> game = Game("pV1StGXR8Z5jdHi6B", "6x7:44", 0, "level-3")
        >>> game.person_plays(2, 4, 12.5)
        True
        >>> Game.from_json(game.to_json()) == game
        True
        """
        values = json.loads(text)
        values["plies"] = [Ply(**ply) for ply in values["plies"]]
        values["taken_back"] = [Ply(**ply) for ply in values["taken_back"]]
        if (verdict := values["verdict"]) is not None:
            values["verdict"] = Verdict(**{**verdict, "ending": Ending(verdict["ending"])})
        return cls(**values)

    def _push(self, ply: Ply) -> None:
        self.board.push(ply.column)
        self.plies.append(ply)
