"""Experiment of report 001: its table of results by opponent, as first and as second player."""

import re
from collections.abc import Sequence

from fourfall.arena.grading import estimate_level, format_level_estimate
from fourfall.arena.ratings import Interval, ResultCounts, tally_games
from fourfall.arena.record import GameRecord
from fourfall.arena.tables import Grid
from fourfall.experiments.comparison import (
    ELO_NOTE,
    compute_game_score_interval,
    convert_interval_to_elo,
    describe_effect,
    subtract_intervals,
)
from fourfall.experiments.event_experiment import EventExperiment, QuickSize, Records
from fourfall.experiments.experiment import Report
from fourfall.experiments.run import RunSettings
from fourfall.experiments.variants import describe_field, format_score, join_records

_AGENT = "seed-001"
_BANDS = ((2, 20), (22, 40), (42, 60), (62, 80), (82, 90), (92, 100))
# The report's table: rounds by band, and the rounds lost as first and as second player, by the sample's number.
_ROUNDS = {(2, 40): 2, (42, 80): 3, (82, 100): 5}
_LOST_FIRST = {76: 1, 86: 1, 96: 1, 98: 1}
_LOST_SECOND = {44: 1, 50: 1, 52: 2, 60: 1, 64: 1, 66: 1, 82: 1, 84: 1, 86: 1, 96: 1}


def get_reported_results(sample: int) -> tuple[ResultCounts, ResultCounts]:
    """Return the report's results against a sample, as first and as second player.

    >>> get_reported_results(52)
    (ResultCounts(wins=3, draws=0, losses=0), ResultCounts(wins=1, draws=0, losses=2))
    """
    rounds = next(rounds for (low, high), rounds in _ROUNDS.items() if low <= sample <= high)
    first, second = (lost.get(sample, 0) for lost in (_LOST_FIRST, _LOST_SECOND))
    return ResultCounts(rounds - first, 0, first), ResultCounts(rounds - second, 0, second)


def sum_reported_results(low: int, high: int) -> tuple[ResultCounts, ResultCounts]:
    """Return the report's results against the samples from `low` to `high`, as first and as second player.

    The report's summary counts sample 90 twice: "80 to 90" is 96 % and 88 %, "above 90" is 93.33 % and 96.67 %.

    >>> sides = *sum_reported_results(82, 90), *sum_reported_results(90, 100)
    >>> [f"{100 * side.points / side.games:.2f}" for side in sides]
    ['96.00', '88.00', '93.33', '96.67']
    """
    sides = [get_reported_results(sample) for sample in range(low, high + 1, 2)]
    return sum((first for first, _ in sides), ResultCounts()), sum((second for _, second in sides), ResultCounts())


def analyse_opponents(records: Records, settings: RunSettings) -> Report:
    """Tabulate results by band of opponents and by opponent, and compare the advantage of moving first."""
    games = join_records(records)
    opponents = sorted({name for record in games for name in record.names if name != _AGENT}, key=_get_number)
    by_opponent = {name: tally_games(games, _AGENT, name) for name in opponents}
    bands, rows = [], []
    for low, high in _BANDS:
        inside = [tally for name, tally in by_opponent.items() if low <= _get_number(name) <= high]
        ours = (
            sum((tally.first for tally in inside), ResultCounts()),
            sum((tally.second for tally in inside), ResultCounts()),
        )
        bands.append((f"{low} to {high}", *_format_sides(sum_reported_results(low, high)), *_format_sides(ours)))
    for name, tally in by_opponent.items():
        number = _get_number(name)
        theirs = get_reported_results(number) if number in range(2, 101, 2) else (ResultCounts(), ResultCounts())
        rows.append((name, *_format_counts(theirs), *_format_counts((tally.first, tally.second))))
    who = "sample" if settings.samples else "level"
    header = ("opponents", "report, first", "report, second", "ours, first (95 %)", "ours, second (95 %)")
    single = (who, "report, first", "report, second", "ours, first", "ours, second")
    tables = (
        Grid(header, tuple(bands), frozenset({"opponents"}), "Score by band of opponents, as first and second player"),
        Grid(single, tuple(rows), frozenset({who}), "Points of games by opponent"),
    )
    return Report((_describe_conditions(games, settings),), tables, _read(games, settings))


def _describe_conditions(games: Sequence[GameRecord], settings: RunSettings) -> str:
    field = (
        describe_field(games, settings)
        if settings.samples
        else (
            "The opponents are the fifty levels of Fourfall, because the course's 50 samples are not part of it. Level "
            "N is not as strong as sample N: the levels rise to nearly the strongest engine of Fourfall, so that the "
            "scores of one row are not comparable."
        )
    )
    return f"seed-001 plays each opponent with both sides. {field} {ELO_NOTE}"


def _read(games: Sequence[GameRecord], settings: RunSettings) -> tuple[str, ...]:
    tally = tally_games(games, _AGENT)
    if not tally.total.games:
        return ("No game was played.",)
    theirs, ours = sum_reported_results(2, 100), (tally.first, tally.second)
    score = format_score(tally.score)
    readings = [
        describe_effect("First instead of second player", _compute_advantage(*theirs), _compute_advantage(*ours)),
    ]
    if settings.samples:
        reported = compute_game_score_interval(theirs[0] + theirs[1])
        return (f"Score against the samples: the report has {format_score(reported)}, ours is {score}.", *readings)
    level = format_level_estimate(estimate_level(games, _AGENT))
    return (f"The score against all levels is {score}; strength: {level}.", *readings)


def _compute_advantage(first: ResultCounts, second: ResultCounts) -> Interval:
    one, other = (convert_interval_to_elo(compute_game_score_interval(side)) for side in (first, second))
    return subtract_intervals(one, other)


def _format_sides(sides: tuple[ResultCounts, ResultCounts]) -> tuple[str, str]:
    first, second = (format_score(compute_game_score_interval(side)) if side.games else "—" for side in sides)
    return first, second


def _format_counts(sides: tuple[ResultCounts, ResultCounts]) -> tuple[str, str]:
    first, second = (f"{side.points:g} of {side.games}" if side.games else "—" for side in sides)
    return first, second


def _get_number(name: str) -> int:
    """Return the number in the name of a level or sample.

    >>> _get_number("level-46"), _get_number("98")
    (46, 98)
    """
    found = re.search(r"\d+", name)
    return int(found[0]) if found else 0


EXPERIMENTS = (
    EventExperiment(
        "001-opponents",
        "Results by opponent, as first and as second player",
        "Report 001, section 3: a table of 2, 3 or 5 rounds against each of the 50 samples, each round with a game as "
        'first and one as second player; summary: "80 to 90: 96 % as first, 88 % as second player; above 90: 93.33 % '
        'and 96.67 %", "against opponents from 90 on a score of about 95 % can be assumed".',
        Grid(
            ("samples", "rounds each", "first player", "second player"),
            tuple(
                (
                    f"{low} to {high}",
                    f"{get_reported_results(low)[0].games}",
                    *_format_counts(sum_reported_results(low, high)),
                )
                for low, high in _BANDS
            ),
            frozenset({"samples"}),
        ),
        ("001-opponents",),
        analyse_opponents,
        QuickSize(opponents=5),
    ),
)
