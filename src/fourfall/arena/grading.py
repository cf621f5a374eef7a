"""Grades a gauntlet as the course does: two points for a win, one for a draw, none for a loss."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fourfall.agents.levels import LEVELS
from fourfall.arena.level_estimate import LevelEstimate, LevelPosterior
from fourfall.arena.ratings import ResultCounts
from fourfall.arena.record import GameRecord
from fourfall.arena.tables import Grid, format_elo, replace_control_characters

_LEVELS_PER_ROW = 5
_MAX_LOSSES = 20
_MIN_START_FAILURES = 4


@dataclass(frozen=True)
class Grade:
    """The points of an agent in a gauntlet and its lost games, those against the weakest levels first.

    A lost game comes with its number in the database.
    """

    points: int
    max_points: int
    losses: tuple[tuple[int, GameRecord], ...]


def grade_games(games: Iterable[tuple[int, GameRecord]], agent: str, opponents: Sequence[str]) -> Grade:
    """Grade the games of an agent; each comes with its number in the database. `opponents` are in order of strength."""
    listed = list(games)
    lost = [
        (number, record) for number, record in listed if record.winner is not None and _get_points(record, agent) == 0
    ]
    order = {name: at for at, name in enumerate(opponents)}
    lost.sort(key=lambda game: (order.get(get_opponent(game[1], agent), len(order)), game[0]))
    return Grade(round(2 * sum(_get_points(record, agent) for _, record in listed)), 2 * len(listed), tuple(lost))


def get_opponent(record: GameRecord, agent: str) -> str:
    """Return the name of an agent's opponent in a game."""
    return record.names[1 - record.names.index(agent)]


def format_level_results(records: Iterable[GameRecord], agent: str) -> Grid:
    """Format the results of an agent against levels, a row for every five levels."""
    counts: dict[str, ResultCounts] = {}
    for record in records:
        level, points = record.addresses[1 - record.names.index(agent)], _get_points(record, agent)
        result = ResultCounts(int(points == 1), int(points == 0.5), int(points == 0))
        counts[level] = counts.get(level, ResultCounts()) + result
    names = list(LEVELS)
    rows = []
    for at in range(0, len(names), _LEVELS_PER_ROW):
        group = names[at : at + _LEVELS_PER_ROW]
        total = sum((counts[name] for name in group if name in counts), ResultCounts())
        if total.games:
            label = f"{group[0]} to {group[-1].removeprefix('level-')}"
            numbers = (total.games, total.wins, total.draws, total.losses, 2 * total.wins + total.draws)
            rows.append((label, *map(str, numbers)))
    return Grid(("levels", "games", "won", "drawn", "lost", "points"), tuple(rows), frozenset({"levels"}))


def format_losses(grade: Grade, agent: str) -> list[str]:
    """List the lost games, at most twenty: number, opponent, side and how the game ended."""
    lines = []
    for number, record in grade.losses[:_MAX_LOSSES]:
        seat = record.names.index(agent)
        by_failure = f"; {record.ending}: {record.detail}" if record.culprit == seat else ""
        side = ("first", "second")[seat]
        moves = len(record.moves)
        text = f"  game {number}  against {record.names[1 - seat]} as {side} player, {moves} moves{by_failure}"
        lines.append(replace_control_characters(text))
    if len(grade.losses) > _MAX_LOSSES:
        lines.append(f"  and {len(grade.losses) - _MAX_LOSSES} more")
    return lines


def find_start_failure(records: Sequence[GameRecord], agent: str) -> GameRecord | None:
    """Return the last record if the agent failed before its first move in all games, of which there are four or more.

    >>> from dataclasses import replace
    >>> from fourfall.arena.judge import Ending
    >>> from fourfall.arena.record import EXAMPLE
    >>> failed = replace(EXAMPLE, moves="", ending=Ending.CRASH, winner=1, culprit=0)
    >>> find_start_failure([failed] * 4, "left") is failed, find_start_failure([failed] * 3 + [EXAMPLE], "left")
    (True, None)
    """
    if len(records) < _MIN_START_FAILURES:
        return None
    for record in records:
        seat = record.names.index(agent)
        if record.culprit != seat or len(record.moves) > seat:
            return None
    return records[-1]


def estimate_level(records: Iterable[GameRecord], agent: str) -> LevelEstimate:
    """Estimate the level of an agent from its games against levels."""
    posterior = LevelPosterior()
    posterior.add_records(records, agent)
    return posterior.estimate()


def format_level_estimate(estimate: LevelEstimate) -> str:
    """Format an estimate in one line.

    >>> from fourfall.arena.ratings import Interval
    >>> format_level_estimate(LevelEstimate(Interval(1204.0, 1110.2, 1300.0), 46, 42, 50))
    'level 46 (95 % confidence: 42 to 50); +1204 Elo relative to random play (+1110 to +1300)'
    """
    elo = estimate.elo
    names = [_name_level(number) for number in (estimate.level, estimate.low, estimate.high)]
    return (
        f"{names[0] if names[0][0] in 'ab' else f'level {names[0]}'} (95 % confidence: {names[1]} to {names[2]}); "
        f"{format_elo(elo.value)} Elo relative to random play ({format_elo(elo.low)} to {format_elo(elo.high)})"
    )


def _name_level(number: int) -> str:
    return "below level 2" if number < 2 else "above level 100" if number > 100 else f"{number}"


def _get_points(record: GameRecord, agent: str) -> float:
    return record.get_points(record.names.index(agent))
