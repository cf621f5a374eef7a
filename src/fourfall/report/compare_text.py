"""Writes the comparison of two versions in words, and as JSON data."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from fourfall._core import Board
from fourfall.arena.judge import Ending
from fourfall.arena.ratings import Interval, ResultCounts
from fourfall.arena.sprt import SprtState
from fourfall.arena.tables import format_elo, format_interval
from fourfall.render import draw_text
from fourfall.report.compare_positions import POSITION_SIMULATIONS, Difference
from fourfall.report.compare_statistics import Comparison, SideGains, Speed
from fourfall.report.numbers import format_percent
from fourfall.report.turning_points import ENGINE
from fourfall.system.command_line import join_command

_MIN_SPEED_CHANGE = 0.02  # smaller differences in time are not mentioned
_MAX_SKEW = 0.25  # of the width of an interval; more asymmetric ones are written with both bounds
_MAX_LIMIT = 300.0  # Elo; a wider bound on the difference says nothing
_PLURALS = {
    Ending.CRASH: "crashes",
    Ending.BROKEN_PROTOCOL: "violations of the protocol",
    Ending.CANNOT_LOAD: "failures to load",
    Ending.INTERFACE_MISSING: "missing interfaces",
    Ending.MEMORY_EXCEEDED: "times too much memory",
}


def describe_comparison(result: Comparison, test: SprtState, sides: SideGains | None = None) -> str:
    """Return the answer in one sentence: strength, side, speed and failures."""
    parts = [_describe_strength(result, test) + _describe_main_side(result, sides)]
    parts += [text for text in (describe_speed(result.speed), describe_failures(result)) if text]
    return "; ".join(parts) + "."


def _describe_strength(result: Comparison, test: SprtState) -> str:
    after = f"after {result.pairs} {'pair' if result.pairs == 1 else 'pairs'}"
    if result.is_identical:
        return f"NEW and OLD played identically {after}: the same moves as first and as second player on every board"
    elo = format_difference(result.elo)
    if result.verdict in ("better", "worse"):
        return f"NEW is {result.verdict} by {format_size(result.elo)} Elo {after}"
    if result.verdict == "not better":
        return f"NEW is not better by {test.sprt.elo1:g} Elo {after} (difference {elo} Elo)"
    if result.verdict == "not worse":
        return f"NEW is not worse by {-test.sprt.elo0:g} Elo {after} (difference {elo} Elo)"
    if result.elo.low > 0 or result.elo.high < 0:
        direction = "better" if result.elo.low > 0 else "worse"
        return (
            f"Undecided {after}: NEW seems {direction} by {format_size(result.elo)} Elo, but the sequential test needs "
            "more games"
        )
    limit = max(abs(result.elo.low), abs(result.elo.high))
    if limit > _MAX_LIMIT:
        return f"Undecided {after}: too few games for a statement (difference {elo} Elo)"
    return f"Undecided {after}: no difference larger than {limit:.0f} Elo was found (difference {elo} Elo)"


def _describe_main_side(result: Comparison, sides: SideGains | None) -> str:
    if sides is None or sides.larger is None or result.verdict not in ("better", "worse"):
        return ""
    is_second = (sides.larger == "second") == (result.verdict == "better")
    return f", mostly as {'second' if is_second else 'first'} player"


def format_difference(elo: Interval) -> str:
    """Write an Elo difference with its interval.

    >>> format_difference(Interval(40.0, 15.0, 65.0)), format_difference(Interval(300.0, 200.0, 520.0))
    ('+40 ± 25', '+300 (+200..+520)')
    """
    if _is_skewed(elo):
        return format_interval(elo)
    return f"{format_elo(elo.value)} ± {(elo.high - elo.low) / 2:.0f}"


def format_size(elo: Interval) -> str:
    """Write the size of a difference whose interval does not contain 0.

    >>> format_size(Interval(-40.0, -65.0, -15.0)), format_size(Interval(math.inf, 120.4, math.inf))
    ('about 40 ± 25', 'at least 120')
    """
    size = elo if elo.low > 0 else Interval(-elo.value, -elo.high, -elo.low)
    if math.isinf(size.high):
        return f"at least {size.low:.0f}"
    if _is_skewed(size):
        return f"about {size.value:.0f} ({size.low:.0f} to {size.high:.0f})"
    return f"about {size.value:.0f} ± {(size.high - size.low) / 2:.0f}"


def _is_skewed(elo: Interval) -> bool:
    width = elo.high - elo.low
    return math.isinf(width) or abs(elo.high + elo.low - 2 * elo.value) > _MAX_SKEW * width


def describe_speed(speed: Speed | None) -> str:
    """Say by how much NEW is slower or faster; empty if no difference was found.

    >>> describe_speed(Speed(Interval(1.12, 1.09, 1.15), 112.0, 100.0, 50))
    'slower by 12 %'
    >>> describe_speed(Speed(Interval(1.01, 0.99, 1.03), 101.0, 100.0, 50))
    ''
    """
    if speed is None or speed.ratio.low <= 1 <= speed.ratio.high or abs(speed.ratio.value - 1) < _MIN_SPEED_CHANGE:
        return ""
    change = speed.ratio.value - 1
    if change >= 1:
        return f"slower by a factor of {speed.ratio.value:.1f}"
    return f"{'slower' if change > 0 else 'faster'} by {100 * abs(change):.0f} %"


def describe_failures(result: Comparison) -> str:
    """Say which failures there are, and whether only NEW or only OLD has them; empty without failures."""
    parts = []
    for ending in sorted({*result.new_failures, *result.old_failures}):
        new, old = result.new_failures[ending], result.old_failures[ending]
        counted = f"{new or old} {ending if (new or old) == 1 else _PLURALS.get(ending, f'{ending}s')}"
        parts.append(f"{counted}{f' (OLD: {old})' if new and old else ', new' if new else ', only of OLD'}")
    return "; ".join(parts)


def describe_details(result: Comparison, sides: SideGains | None) -> list[str]:
    """Return lines with the results by side, the times per move and the gains by side."""
    lines = [
        f"as first player   {_format_results(result.first)}",
        f"as second player  {_format_results(result.second)}",
    ]
    if result.speed is not None:
        ratio = result.speed.ratio
        times = f"{_format_ms(result.speed.new_ms)}, OLD {_format_ms(result.speed.old_ms)}"
        lines.append(
            f"time per move     {times} (median); ratio on comparable moves {ratio.value:.2f} "
            f"({ratio.low:.2f}..{ratio.high:.2f})"
        )
    if sides is not None:
        new_first, old_first, new_second, old_second = (format_percent(count.share) for count in sides.mistakes)
        comment = "" if sides.larger else "; the gains of the sides do not differ significantly"
        lines.append(
            f"mistakes          as first {new_first}, OLD {old_first}; as second {new_second}, OLD {old_second} of the "
            f"moves lost 10 % win chance or more, in {sides.pairs} pairs{comment}"
        )
    return lines


def describe_difference(difference: Difference, place: int, database: Path, games: Mapping[int, int]) -> list[str]:
    """Return the lines about a position: which move is better and by how much, the board, and commands to look at it.

    `games` has the number in the database of each schedule number.
    """
    board = Board.parse(difference.board)
    names = (("NEW", difference.new_move, difference.new_chance), ("OLD", difference.old_move, difference.old_chance))
    moves = ", ".join(f"{name} plays {move} ({format_percent(chance)})" for name, move, chance in names)
    better = "NEW" if difference.gain > 0 else "OLD"
    game = games[difference.number]
    where = f"game {game}, {'XO'[board.turn]} to move" + (", asked after the match" * (difference.source == "asked"))
    show = join_command(["fourfall", "show", str(game), "--move", str(board.ply), "--db", str(database)])
    return [
        f"{place}. {better}'s move is better by {format_percent(abs(difference.gain))} win chance: {moves}; {where}",
        draw_text(board),
        f"   {join_command(['fourfall', 'analyse', difference.board])}",
        f"   {show}",
    ]


def describe_evaluation() -> str:
    """Say what evaluates the positions."""
    return f"Win chances are of the side to move, by {ENGINE} with {POSITION_SIMULATIONS} simulations for each move."


def to_json_data(
    result: Comparison, test: SprtState, sides: SideGains | None, differences: Sequence[Difference]
) -> dict[str, object]:
    """Return the comparison as JSON data; infinite bounds are null."""
    return {
        "answer": describe_comparison(result, test, sides),
        "verdict": "identical" if result.is_identical else result.verdict,
        "new": result.new,
        "old": result.old,
        "pairs": result.pairs,
        "games": result.games,
        "elo": _interval_to_dict(result.elo),
        "sprt": {"elo0": test.sprt.elo0, "elo1": test.sprt.elo1, "accepted": test.accepted, "llr": round(test.llr, 4)},
        "first": asdict(result.first),
        "second": asdict(result.second),
        "sides": None if sides is None else _sides_to_dict(sides),
        "speed": None if result.speed is None else asdict(result.speed),
        "failures": {
            "new": {ending.value: count for ending, count in result.new_failures.items()},
            "old": {ending.value: count for ending, count in result.old_failures.items()},
        },
        "positions": [asdict(difference) for difference in differences],
    }


def _sides_to_dict(sides: SideGains) -> dict[str, object]:
    mistakes = {name: count._asdict() for name, count in sides.mistakes._asdict().items()}
    return {
        "larger": sides.larger,
        "difference": asdict(sides.difference),
        "pairs": sides.pairs,
        "mistakes": mistakes,
    }


def _interval_to_dict(interval: Interval) -> dict[str, float | None]:
    return {name: round(bound, 1) if math.isfinite(bound) else None for name, bound in asdict(interval).items()}


def _format_results(results: ResultCounts) -> str:
    return f"{results.wins} won, {results.draws} drawn, {results.losses} lost"


def _format_ms(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
