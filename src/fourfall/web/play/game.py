"""A game between a person and an engine, with undo and redo. No input or output: only data and rules."""

import json
import secrets
import string
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from fourfall import Board, __version__
from fourfall.arena.judge import Ending, Verdict, judge_board
from fourfall.arena.record import GameRecord
from fourfall.render import COLUMN_NAMES
from fourfall.web.errors import RequestError
from fourfall.web.messages.replies import GameReply
from fourfall.web.messages.schemas import ScoreInfo
from fourfall.web.positions import describe_outcome

PERSON = "you"
_ID_CHARACTERS = string.ascii_letters + string.digits


def format_now() -> str:
    """Return the present time in UTC as ISO 8601 text."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def create_id() -> str:
    """Create the id of a game: "p" and 16 random letters and digits, so that it cannot be guessed."""
    return "p" + "".join(secrets.choice(_ID_CHARACTERS) for _ in range(16))


@dataclass(frozen=True)
class PlayedMove:
    """A move with its time, and its score if an engine played it."""

    column: int
    ms: float
    score: dict[str, Any] | None = None


@dataclass
class Game:
    """A game in any state. A method that cannot change the game raises RequestError and leaves it as it was."""

    id: str
    start: str
    you: int
    opponent: str
    move_time_s: float | None = None
    simulations: int | None = None
    started: str = field(default_factory=format_now)
    rematch_of: str | None = None
    played: list[PlayedMove] = field(default_factory=list)
    undone: list[PlayedMove] = field(default_factory=list)
    verdict: Verdict | None = None
    board: Board = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.board = Board.parse(self.start)
        for move in self.played:
            self.board.push(move.column)

    @property
    def is_over(self) -> bool:
        """Whether the game ended on the board, by resignation or by a failure of the opponent."""
        return self.verdict is not None or self.board.is_over

    @property
    def is_opponents_turn(self) -> bool:
        """Whether the opponent is to move."""
        return not self.is_over and self.board.turn != self.you

    @property
    def names(self) -> tuple[str, str]:
        """Names of the first and the second player."""
        return (PERSON, self.opponent) if self.you == 0 else (self.opponent, PERSON)

    def require_persons_turn(self) -> None:
        """Raise RequestError if the game is over or the opponent is to move."""
        if self.is_over:
            raise RequestError("game_over")
        if self.is_opponents_turn:
            raise RequestError("not_your_turn")

    def play_person(self, ply: int, column: int, ms: float) -> bool:
        """Play the person's move; returns False if the same move was played before at this ply."""
        board = self.board
        if ply < board.ply and board.moves[ply] == column and ply % 2 == self.you:
            return False
        if ply < board.ply or (ply > board.ply and not self.is_over):
            raise RequestError("stale", stones=board.ply, ply=ply)
        self.require_persons_turn()
        if column >= board.cols:
            raise RequestError("illegal_move", column=COLUMN_NAMES[column], columns=board.cols)
        if not board.is_legal(column):
            raise RequestError("column_full", column=COLUMN_NAMES[column])
        self._push(PlayedMove(column, ms))
        self.undone.clear()
        return True

    def play_opponent(self, column: int, ms: float, score: ScoreInfo | None) -> None:
        """Play the opponent's move, which must be legal."""
        self._push(PlayedMove(column, ms, None if score is None else score.model_dump()))
        self.undone.clear()

    def end(self, verdict: Verdict) -> None:
        """End the game for a reason that is not on the board."""
        self.verdict = verdict

    def resign(self) -> None:
        """End the game with a loss of the person."""
        if self.is_over:
            raise RequestError("game_over")
        self.end(Verdict(Ending.RESIGNATION, 1 - self.you))

    def undo(self) -> None:
        """Take back the person's last move and the opponent's reply, or only a resignation."""
        if self.verdict is not None and not self.board.is_over and self.board.turn == self.you:
            self.verdict = None
            return
        opening = self.board.ply - len(self.played)
        own = [i for i in range(len(self.played)) if (opening + i) % 2 == self.you]
        if not own:
            raise RequestError("nothing_to_undo")
        self.verdict = None
        while len(self.played) > own[-1]:
            self.undone.insert(0, self.played.pop())
            self.board.pop()

    def redo(self) -> None:
        """Play undone moves again until the person is to move."""
        if not self.undone:
            raise RequestError("nothing_to_redo")
        if self.verdict is not None:
            raise RequestError("game_over")
        self._push(self.undone.pop(0))
        while self.undone and self.is_opponents_turn:
            self._push(self.undone.pop(0))

    def create_rematch(self) -> "Game":
        """Create a game on the same board with the sides swapped."""
        return Game(
            create_id(), self.start, 1 - self.you, self.opponent, self.move_time_s, self.simulations, rematch_of=self.id
        )

    def describe(self, *, thinking: bool = False) -> GameReply:
        """Describe the complete state of the game."""
        return GameReply(
            game=self.id,
            position=self.board.notation,
            start=self.start,
            moves=[move.column for move in self.played],
            redo=[move.column for move in self.undone],
            turn=self.board.turn,
            you=self.you,
            opponent=self.opponent,
            names=self.names,
            move_time_s=self.move_time_s,
            simulations=self.simulations,
            thinking=thinking,
            status="over" if self.is_over else "playing",
            outcome=describe_outcome(self.board, self.verdict),
            times_ms=[move.ms for move in self.played],
            scores=[None if move.score is None else ScoreInfo(**move.score) for move in self.played],
            started=self.started,
            rematch_of=self.rematch_of,
        )

    def to_record(self) -> GameRecord:
        """Convert a finished game to a record of the arena."""
        verdict = self.verdict or judge_board(self.board)
        if verdict is None:
            raise ValueError("the game is not over")
        scores = [None if move.score is None else float(move.score["win_chance"]) for move in self.played]
        person, move_time_s = "person", self.move_time_s or 0.0
        return GameRecord(
            number=0,
            pair=0,
            group="",
            names=self.names,
            addresses=(person, self.opponent) if self.you == 0 else (self.opponent, person),
            move_time_s=(move_time_s, move_time_s),
            board=self.start,
            moves="".join(COLUMN_NAMES[move.column] for move in self.played),
            times_ms=tuple(move.ms for move in self.played),
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
            version=__version__,
            started=self.started,
        )

    def to_json(self) -> str:
        """Convert the game to JSON for the database."""
        values = {name: value for name, value in vars(self).items() if name != "board"}
        values["played"] = [asdict(move) for move in self.played]
        values["undone"] = [asdict(move) for move in self.undone]
        values["verdict"] = None if self.verdict is None else asdict(self.verdict)
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Game":
        """Read the JSON that `to_json` writes.

        >>> game = Game("pV1StGXR8Z5jdHi6B", "6x7:44", 0, "level-3")
        >>> game.play_person(2, 4, 12.5)
        True
        >>> Game.from_json(game.to_json()) == game
        True
        """
        values = json.loads(text)
        values["played"] = [PlayedMove(**move) for move in values["played"]]
        values["undone"] = [PlayedMove(**move) for move in values["undone"]]
        if (verdict := values["verdict"]) is not None:
            values["verdict"] = Verdict(**{**verdict, "ending": Ending(verdict["ending"])})
        return cls(**values)

    def _push(self, move: PlayedMove) -> None:
        self.board.push(move.column)
        self.played.append(move)
