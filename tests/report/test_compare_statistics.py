"""Tests the statistics of two versions: verdict, speed on comparable moves, gains by side, identical play, words."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents.base import Conditions
from fourfall.arena.judge import Ending
from fourfall.arena.ratings import Interval
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.sprt import Sprt, SprtState
from fourfall.report.compare_positions import find_differences, review_pairs
from fourfall.report.compare_statistics import (
    Comparison,
    MistakeCount,
    Pair,
    SideGains,
    SideMistakes,
    compare_speed,
    compare_versions,
    compute_median_interval,
    compute_side_gains,
    decide_verdict,
    list_pairs,
)
from fourfall.report.compare_text import describe_comparison, describe_difference, to_json_data


def make_pair(number: int, moves: tuple[str, str], times: tuple[Sequence[float], Sequence[float]]) -> list[GameRecord]:
    """Make the two games of a pair; the new version moves first in the first one."""
    one, other = (
        replace(EXAMPLE, number=2 * number + game, pair=number, moves=moves[game], times_ms=tuple(times[game]))
        for game in (0, 1)
    )
    return [replace(one, names=("new", "old")), replace(other, names=("old", "new"))]


def decide(sprt: Sprt, points: str) -> SprtState:
    """Return the test after pairs with these points of the new version: 0, 1 (one game won) or 2."""
    winners = {"0": (1, 0), "1": (0, 0), "2": (0, 1)}
    state = SprtState(sprt)
    for number, winner in enumerate(winner for point in points for winner in winners[point]):
        state.add(number, winner)
    return state


@pytest.mark.parametrize(
    ("sprt", "points", "elo", "verdict"),
    [
        (Sprt(0, 30), "2" * 60, Interval(400, 200, math.inf), "better"),
        (Sprt(0, 30), "0" * 60, Interval(-400, -math.inf, -200), "worse"),
        (Sprt(0, 30), "1" * 60, Interval(0, -10, 10), "not better"),
        (Sprt(-30, 0), "1" * 60, Interval(0, -10, 10), "not worse"),
        (Sprt(0, 30), "02", Interval(0, -500, 500), "undecided"),
        (Sprt(0, 30), "22", Interval(400, 10, 900), "undecided"),  # the interval alone decides nothing
    ],
)
def test_verdict_follows_the_test_and_the_interval(sprt: Sprt, points: str, elo: Interval, verdict: str) -> None:
    """The verdicts better and worse need the decision of the test and an interval without 0."""
    assert decide_verdict(decide(sprt, points), elo) == verdict


def test_speed_compares_moves_of_the_same_side_and_number() -> None:
    """A version that takes 12 % longer is found, although the moves of a game get faster and players alternate."""
    chance = random.Random(1)  # noqa: S311
    records = []
    for number in range(30):
        new_ms, old_ms = ([100 * factor / (at // 2 + 1) for at in range(8)] for factor in (1.12, 1.0))
        noisy = [
            [time * chance.uniform(0.95, 1.05) for time in times]
            for times in ([*sum(zip(new_ms[::2], old_ms[1::2], strict=True), ()), 3000.0],
                          [*sum(zip(old_ms[::2], new_ms[1::2], strict=True), ())])
        ]  # fmt: skip
        records += make_pair(number, ("11223377", "11223377"), (noisy[0], noisy[1]))  # the last request failed
    speed = compare_speed(list_pairs(records, "new"))
    assert speed is not None
    assert speed.ratio.value == pytest.approx(1.12, abs=0.02)
    assert 1.08 < speed.ratio.low < speed.ratio.value < speed.ratio.high < 1.16
    after_opening = [replace(record, board="6x7:7") for record in records]  # now the other player begins
    swapped = compare_speed(list_pairs(after_opening, "new"))
    assert swapped is not None
    assert swapped.ratio.value == pytest.approx(1 / 1.12, abs=0.03)


def test_speed_of_few_or_very_short_moves_is_not_compared() -> None:
    """Five pairs have no interval; below half a millisecond the request itself dominates."""
    few = [game for number in range(5) for game in make_pair(number, ("11", "11"), ((9, 9), (9, 9)))]
    short = [game for number in range(20) for game in make_pair(number, ("11", "11"), ((0.2, 0.1), (0.1, 0.2)))]
    assert compare_speed(list_pairs(few, "new")) is None
    assert compare_speed(list_pairs(short, "new")) is None


@pytest.mark.parametrize("count", [6, 25, 300, 1200])
def test_median_interval_covers_the_median(count: int) -> None:
    """In simulations at least 93 % of the intervals contain the true median."""
    chance = random.Random(count)  # noqa: S311
    hits = 0
    for _ in range(200):
        interval = compute_median_interval([chance.expovariate(1.0) for _ in range(count)])
        assert interval is not None
        hits += interval.low <= math.log(2) <= interval.high
    assert hits >= 186


def test_side_gains_need_a_significant_difference() -> None:
    """A gain on one side is named only if it is larger than chance explains."""
    chance = random.Random(3)  # noqa: S311

    def draw_pairs(*shares: float) -> list[SideMistakes]:
        counts = (
            [MistakeCount(sum(chance.random() < share for _ in range(12)), 12) for share in shares] for _ in range(80)
        )
        return [SideMistakes(*pair) for pair in counts]

    first, second = draw_pairs(0.2, 0.3, 0.3, 0.3), draw_pairs(0.3, 0.3, 0.2, 0.3)
    assert [gain and gain.larger for gain in map(compute_side_gains, (first, second))] == ["first", "second"]
    same = [compute_side_gains(draw_pairs(0.2, 0.3, 0.2, 0.3)) for _ in range(60)]
    assert sum(gain is not None and gain.larger is not None for gain in same) <= 8  # 5 % of 60 are 3
    assert compute_side_gains(second[:5]) is None
    assert compute_side_gains([pair._replace(new_first=MistakeCount(0, 0)) for pair in second]) is None


def make_comparison(**changes: object) -> Comparison:
    """Make a comparison in which the new version is better."""
    records = [game for number in range(8) for game in make_pair(number, ("1122334", "112233"), ((9,) * 7, (9,) * 6))]
    result = compare_versions(records, decide(Sprt(0, 30), "2" * 60), "new", "old")
    return replace(result, elo=Interval(40.0, 15.0, 65.0), pairs=210, **changes)  # type: ignore[arg-type]


def test_answer_is_one_sentence() -> None:
    """Strength, side, speed and failures; what is not significant is not mentioned."""
    test = decide(Sprt(0, 30), "2" * 60)
    result = make_comparison(new_failures=Counter({Ending.TIMEOUT: 3}))
    assert result.speed is not None
    slower = replace(result, speed=replace(result.speed, ratio=Interval(1.12, 1.09, 1.15)))
    mistakes = SideMistakes(*(MistakeCount(number, 100) for number in (30, 30, 20, 30)))
    sides = SideGains(mistakes, Interval(0.1, 0.02, 0.18), 210)
    assert describe_comparison(slower, test, sides) == (
        "NEW is better by about 40 ± 25 Elo after 210 pairs, mostly as second player; slower by 12 %; 3 timeouts, new."
    )
    assert describe_comparison(result, test) == "NEW is better by about 40 ± 25 Elo after 210 pairs; 3 timeouts, new."
    worse = replace(slower, verdict="worse", elo=Interval(-40.0, -65.0, -15.0), new_failures=Counter())
    assert describe_comparison(worse, test, sides).startswith(
        "NEW is worse by about 40 ± 25 Elo after 210 pairs, mostly as first player;"
    )
    undecided = replace(worse, verdict="undecided", elo=Interval(6.0, -6.0, 18.0), speed=None)
    seems = replace(undecided, elo=Interval(-240.0, -370.0, -110.0))
    assert describe_comparison(seems, test) == (
        "Undecided after 210 pairs: NEW seems worse by about 240 ± 130 Elo, but the sequential test needs more games."
    )
    undecided = replace(undecided, old_failures=Counter({Ending.CRASH: 2}))
    assert describe_comparison(undecided, test, sides) == (
        "Undecided after 210 pairs: no difference larger than 18 Elo was found (difference +6 ± 12 Elo); "
        "2 crashes, only of OLD."
    )
    assert to_json_data(replace(result, elo=Interval(math.inf, 90, math.inf)), test, None, [])["elo"] == {
        "value": None,
        "low": 90,
        "high": None,
    }


def test_identical_play_is_recognised() -> None:
    """Both versions play the same moves on every board; one different move is enough to say nothing."""
    same = [game for number in range(3) for game in make_pair(number, ("1122334",) * 2, ((9,) * 7, (9,) * 7))]
    test = decide(Sprt(0, 30), "111")
    assert "played identically after 3 pairs" in describe_comparison(compare_versions(same, test, "new", "old"), test)
    other = [*same, *make_pair(3, ("1122334", "112233"), ((9,) * 7, (9,) * 6))]
    assert not compare_versions(other, test, "new", "old").is_identical


NEW_FIRST = replace(EXAMPLE, names=("new", "old"))  # OLD does not block with its third move
OLD_FIRST = replace(EXAMPLE, names=("old", "new"), number=1, culprit=1, ending=Ending.CRASH)


def test_reviewed_pairs_count_the_mistakes_of_each_version_and_side() -> None:
    """Who does not block makes a mistake; a failure is a mistake if there was win chance to lose."""
    pair = Pair(NEW_FIRST, replace(OLD_FIRST, moves="112"))  # OLD does not block, NEW crashes
    (review,) = review_pairs([pair], max_time_s=60, simulations=60)
    assert review.mistakes.old_second.mistakes >= 1
    assert review.mistakes.new_second.mistakes >= 1
    assert review.mistakes.new_first.moves == 4
    assert review_pairs([pair], max_time_s=0) == []


def test_positions_show_the_better_move() -> None:
    """The first different move of a pair is found; where one version lost win chance, the other one is asked."""
    new_first = replace(NEW_FIRST, moves="4", culprit=1, ending=Ending.CRASH)
    old_first = replace(OLD_FIRST, culprit=None, ending=Ending.WIN)  # NEW does not block with its third move
    reviews = review_pairs([Pair(new_first, old_first)], max_time_s=60, simulations=60)
    asked: list[tuple[str, str]] = []

    def ask(address: str, board: Board, _: Conditions) -> int:
        asked.append((address, board.notation))
        return 3

    found = find_differences(
        reviews, count=2, addresses=("NEW", "OLD"), conditions=Conditions(), ask_move=ask, simulations=100
    )
    assert ("OLD", "6x7:11223") in asked
    diverged, mistake = sorted(found, key=lambda difference: difference.board)
    assert (diverged.board, diverged.new_move, diverged.old_move, diverged.number) == ("6x7", "4", "1", 0)
    assert (diverged.source, diverged.gain > 0.5) == ("match", True)
    assert (mistake.board, mistake.new_move, mistake.old_move, mistake.number) == ("6x7:11223", "3", "4", 1)
    assert (mistake.source, mistake.new_chance, mistake.gain < 0) == ("asked", 0.0, True)
    lines = describe_difference(mistake, 1, Path("my arena.db"), {0: 17, 1: 18})
    assert lines[0].startswith("1. OLD's move is better by")
    assert lines[-1].strip() == "fourfall show 18 --move 5 --db 'my arena.db'"
