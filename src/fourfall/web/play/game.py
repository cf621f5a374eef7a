"""A game of a person against an engine or another person, with undo, redo and a clock: only data and rules."""

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
from fourfall.web.messages.schemas import ClockInfo, ScoreInfo
from fourfall.web.play.clock import Clock
from fourfall.web.positions import describe_outcome, require_legal_move

PERSON = "you"
OTHER_PERSON = "human"
"""Opponent of a game between two persons at one screen."""
SIDES = ("Blue", "Orange")
"""Names of the players of such a game."""
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
    """A game in any state. A method that cannot change the game raises RequestError and leaves it as it was.

    Attributes:
        you: the person's side; None between two persons at one screen.
        turn_started: time at which the turn of the side to move began; set for games with a clock, so that the clock
            continues after the server was restarted.
    """

    id: str
    start: str
    you: int | None
    opponent: str
    move_time_s: float | None = None
    simulations: int | None = None
    started: str = field(default_factory=format_now)
    rematch_of: str | None = None
    clock: Clock | None = None
    turn_started: str | None = None
    played: list[PlayedMove] = field(default_factory=list)
    undone: list[PlayedMove] = field(default_factory=list)
    verdict: Verdict | None = None
    sandboxed: bool = True  # false if third-party code played without the sandbox
    board: Board = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.board = Board.parse(self.start)
        for move in self.played:
            self.board.push(move.column)

    @property
    def is_over(self) -> bool:
        """Whether the game ended on the board, by resignation, on time or by a failure of the opponent."""
        return self.verdict is not None or self.board.is_over

    @property
    def is_opponents_turn(self) -> bool:
        """Whether the opponent is to move."""
        return not self.is_over and not self._is_person(self.board.turn)

    @property
    def names(self) -> tuple[str, str]:
        """Names of the first and the second player."""
        if self.you is None:
            return SIDES
        return (PERSON, self.opponent) if self.you == 0 else (self.opponent, PERSON)

    def require_persons_turn(self) -> None:
        """Raise RequestError if the game is over or the opponent is to move."""
        if self.is_over:
            raise RequestError("game_over")
        if self.is_opponents_turn:
            raise RequestError("not_your_turn")

    def play_person(self, ply: int, column: int, ms: float) -> bool:
        """Play the person's move, which took `ms`; returns False if the same move was played before at this ply."""
        board = self.board
        if ply < board.ply and board.moves[ply] == column and self._is_person(ply % 2):
            return False
        if ply < board.ply or (ply > board.ply and not self.is_over):
            raise RequestError("stale", stones=board.ply, ply=ply)
        self.require_persons_turn()
        require_legal_move(board, column)
        self.charge_turn(ms)
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
        """End the game with a loss of the person; between two persons, of the side to move."""
        if self.is_over:
            raise RequestError("game_over")
        self.end(Verdict(Ending.RESIGNATION, 1 - (self.board.turn if self.you is None else self.you)))

    def end_on_time(self) -> None:
        """End the game with a loss of the side to move, which has no time left."""
        self.end(Verdict(Ending.TIME, 1 - self.board.turn))

    def charge_turn(self, ms: float) -> None:
        """Add time of the running turn to what the side to move has used, if the game has a clock."""
        if self.clock is not None and not self.is_over:
            self.clock.charge(self.board.turn, ms)

    def compute_left_ms(self, player: int) -> float:
        """Return the time that a player has left without the running turn; infinite without a clock."""
        if self.clock is None:
            return float("inf")
        opening = self.board.ply - len(self.played)
        moves = sum((opening + i) % 2 == player for i in range(len(self.played)))
        return self.clock.compute_left_ms(player, moves)

    def undo(self) -> None:
        """Take back the person's last move and the opponent's reply, or only a resignation.

        Between two persons it takes back one move.
        """
        if self.verdict is not None and self.verdict.ending is Ending.TIME:
            raise RequestError("out_of_time")
        if self.verdict is not None and not self.board.is_over and self._is_person(self.board.turn):
            self.verdict = None
            return
        opening = self.board.ply - len(self.played)
        own = [i for i in range(len(self.played)) if self._is_person((opening + i) % 2)]
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
            create_id(),
            self.start,
            None if self.you is None else 1 - self.you,
            self.opponent,
            self.move_time_s,
            self.simulations,
            rematch_of=self.id,
            clock=None if self.clock is None else self.clock.create_unused(),
        )

    def describe(self, *, thinking: bool = False, turn_ms: float = 0.0) -> GameReply:
        """Describe the complete state of the game; the running turn has taken `turn_ms`."""
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
            clock=self._describe_clock(turn_ms),
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
        addresses = tuple("person" if self._is_person(player) else self.opponent for player in (0, 1))
        move_time_s = self.move_time_s or 0.0
        return GameRecord(
            number=0,
            pair=0,
            group="",
            names=self.names,
            addresses=(addresses[0], addresses[1]),
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
            sandboxed=self.sandboxed,
            version=__version__,
            started=self.started,
        )

    def to_json(self) -> str:
        """Convert the game to JSON for the database."""
        values = {name: value for name, value in vars(self).items() if name != "board"}
        values["played"] = [asdict(move) for move in self.played]
        values["undone"] = [asdict(move) for move in self.undone]
        values["clock"] = None if self.clock is None else asdict(self.clock)
        values["verdict"] = None if self.verdict is None else asdict(self.verdict)
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Game":
        """Read the JSON that `to_json` writes.

        >>> game = Game("pV1StGXR8Z5jdHi6B", "6x7:44", 0, "level-30")
        >>> game.play_person(2, 4, 12.5)
        True
        >>> Game.from_json(game.to_json()) == game
        True
        """
        values = json.loads(text)
        values["played"] = [PlayedMove(**move) for move in values["played"]]
        values["undone"] = [PlayedMove(**move) for move in values["undone"]]
        if (clock := values.get("clock")) is not None:
            values["clock"] = Clock(**clock)
        if (verdict := values["verdict"]) is not None:
            values["verdict"] = Verdict(**{**verdict, "ending": Ending(verdict["ending"])})
        return cls(**values)

    def _is_person(self, player: int) -> bool:
        """Whether a player is a person."""
        return self.you is None or player == self.you

    def _describe_clock(self, turn_ms: float) -> ClockInfo | None:
        if self.clock is None:
            return None
        left = [self.compute_left_ms(player) for player in (0, 1)]
        if not self.is_over:
            left[self.board.turn] -= turn_ms
        return self.clock.describe((max(round(left[0], 1), 0.0), max(round(left[1], 1), 0.0)))

    def _push(self, move: PlayedMove) -> None:
        self.board.push(move.column)
        self.played.append(move)
