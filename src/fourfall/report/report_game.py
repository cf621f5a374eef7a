"""A game as the report shows it: plain data for the replayable board and for JSON."""

from dataclasses import dataclass, field
from typing import Literal

from fourfall.arena.record import GameRecord

TurningPointKind = Literal["proof", "estimate"]
AnalysisState = Literal["found", "none", "lost start", "failure", "open", "not lost"]


@dataclass(frozen=True)
class TurningPoint:
    """The move that lost the most win chance of the losing side.

    Columns are written as in `GameRecord.moves`: "1" to "9", then "a" to "c".

    Attributes:
        ply: number of stones on the board before the move, opening stones included.
        side: player that made the move, 0 or 1.
        played: column of the move played.
        better: column of the better move.
        line: best continuation of both sides, beginning with the better move.
        win_chance_before: win chance of the side (0 to 1) with the better move.
        win_chance_after: win chance of the side after the move played.
        kind: "proof" if the result before and after the move is proven, otherwise "estimate".
        board: notation of the position before the move.
        engine: what evaluated the position, for example "solver" or the name of a preset.
        reasons: sentences that say why the move is a mistake, by language.
    """

    ply: int
    side: int
    played: str
    better: str
    line: str
    win_chance_before: float
    win_chance_after: float
    kind: TurningPointKind
    board: str
    engine: str
    reasons: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportGame:
    """A game that is embedded in the report.

    Pairs of two values belong to the first and the second player, as in `GameRecord`. `board` is the starting position
    with its opening moves, `moves` the columns played after it, `times_ms` and `scores` have one entry per move (a
    failed last request adds a time).

    Attributes:
        id: number of the game in the database, the argument of "fourfall show".
        analysis: "found" with a `turning_point`; "none" if the loss has no single turning point; "lost start" if the
            position was lost before the loser's first move; "failure" if the game was lost by a failure; "open" if the
            time for the analysis was used up; "not lost" if no agent in focus lost.
    """

    id: int
    number: int
    pair: int
    group: str
    names: tuple[str, str]
    board: str
    moves: str
    times_ms: tuple[float, ...]
    scores: tuple[float | None, ...]
    move_time_s: tuple[float, float]
    ending: str
    winner: int | None
    culprit: int | None
    turning_point: TurningPoint | None = None
    analysis: AnalysisState = "not lost"

    @classmethod
    def from_record(
        cls,
        game: int,
        record: GameRecord,
        turning_point: TurningPoint | None = None,
        analysis: AnalysisState = "not lost",
    ) -> "ReportGame":
        """Make the embedded game from a record; `game` is its number in the database.

        >>> from fourfall.arena.record import EXAMPLE
        >>> ReportGame.from_record(17, EXAMPLE).moves
        '1122334'
        """
        return cls(
            id=game,
            number=record.number,
            pair=record.pair,
            group=record.group,
            names=record.names,
            board=record.board,
            moves=record.moves,
            times_ms=record.times_ms,
            scores=record.scores,
            move_time_s=record.move_time_s,
            ending=record.ending.value,
            winner=record.winner,
            culprit=record.culprit,
            turning_point=turning_point,
            analysis=analysis,
        )
