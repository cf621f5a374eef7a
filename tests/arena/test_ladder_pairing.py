"""Tests of the pairings of a ladder by simulation, of suspension and of the history of ratings."""

import random
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.ladder import simulate_ladder
from fourfall.arena.ladder import history
from fourfall.arena.ladder.pairing import Candidate, choose_pairing, compute_information
from fourfall.arena.ladder.registry import Ladder
from fourfall.arena.ladder.suspension import RepeatedFailure, find_repeated_failure
from fourfall.arena.ratings import Interval
from fourfall.arena.store import Store


def play_pairs(candidates: list[Candidate], pairs: int, seed: int = 1) -> Counter[str]:
    """Choose pairings of agents with fixed ratings, whose deviation falls with the root of their pairs; count them."""
    generator = random.Random(seed)  # noqa: S311 (a simulation)
    played = Counter({candidate.name: candidate.pairs for candidate in candidates})
    for _ in range(pairs):
        now = [
            Candidate(
                each.name,
                each.rating,
                350 / (1 + played[each.name]) ** 0.5,
                played[each.name],
                is_rated=played[each.name] > 0,
            )
            for each in candidates
        ]
        played.update(choose_pairing(now, generator))
    return played - Counter({candidate.name: candidate.pairs for candidate in candidates})


def make_field(agents: int, step: float, pairs: int = 0) -> list[Candidate]:
    """Make agents with evenly spaced ratings that have played the same number of pairs."""
    return [Candidate(f"agent {at}", step * at, pairs=pairs) for at in range(agents)]


def test_pairings_are_repeatable() -> None:
    """The same seed chooses the same pairings; another seed chooses others."""
    field = make_field(6, 100, pairs=5)
    chosen = [
        [choose_pairing(field, random.Random(seed)) for seed in range(20)]  # noqa: S311 (a simulation)
        for _ in range(2)
    ]
    assert chosen[0] == chosen[1]
    assert len(set(chosen[0])) > 10


def test_informative_pairings_are_preferred() -> None:
    """A close opponent is more informative than a distant one, an uncertain rating more than a certain one."""
    me, close, distant = (Candidate("", rating, 40, 20, is_rated=True) for rating in (0, 50, 800))
    uncertain = Candidate("", 50, 150, 2, is_rated=True)
    gains = [compute_information(me, other) for other in (uncertain, close, distant)]
    assert gains == sorted(gains, reverse=True)
    assert gains[1] > 5 * gains[2]
    busy = Candidate("", 50, 150, 2, running=3, is_rated=True)
    assert compute_information(me, busy) < compute_information(me, uncertain) / 2


def test_newcomer_plays_more() -> None:
    """An agent that joins ten agents with 40 pairs each plays in most of the next 15 pairs, until it has as many."""
    field = [*make_field(10, 60, pairs=40), Candidate("new", 300)]
    first = play_pairs(field, 15)
    assert first["new"] >= 8
    later = play_pairs(field, 200)
    total_of_others = [40 + later[f"agent {at}"] for at in range(10)]
    assert min(total_of_others) < later["new"] < 1.3 * max(total_of_others)


def test_newcomers_are_connected_first() -> None:
    """From the start, each of the first pairs connects a new agent with the others."""
    for seed in range(5):
        played = play_pairs(make_field(8, 200), 7, seed)
        assert len(played) == 8


@pytest.mark.parametrize("distance", [1000, 3000])
def test_nobody_starves(distance: float) -> None:
    """An agent that is far above all others still plays half as often as the others."""
    field = [*make_field(9, 50), Candidate("champion", distance)]
    played = play_pairs(field, 400)
    assert min(played.values()) >= 0.45 * 800 / 10


def test_order_is_better_than_with_random_pairings() -> None:
    """In simulated ladders fewer neighbours are in the wrong order than after as many random pairs."""
    true = {f"agent {at}": 130.0 * at for at in range(12)}
    ladder, random_pairs = (
        sum(simulate_ladder(true, 90, seed, is_random=is_random)[1] for seed in range(8)) for is_random in (False, True)
    )
    assert ladder < 0.8 * random_pairs


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ("xxx", None),
        ("xxxx", RepeatedFailure(4, 4, 4)),
        ("xxxxx", RepeatedFailure(4, 4, 5)),
        ("xxx.xxx", None),
        ("x." * 9, None),
        ("x." * 10, RepeatedFailure(10, 20, 19)),
        ("." * 20 + "x." * 9 + "..", None),
        ("." * 200 + "xxxx", RepeatedFailure(4, 4, 204)),
    ],
)
def test_suspension(outcomes: str, expected: RepeatedFailure | None) -> None:
    """Four failures in a row or ten in twenty games suspend an agent; x is a failure, game 1 is the first."""
    games = [(number, outcome == "x") for number, outcome in enumerate(outcomes, 1)]
    assert find_repeated_failure(games) == expected


def test_history_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pairs are played, the number of snapshots is bounded, and they are evenly spaced."""
    monkeypatch.setattr(history, "MAX_SNAPSHOTS", 10)
    with Store(tmp_path / "ladder.db") as store:
        event = Ladder.create(store).event
        for pairs in range(1, 100):
            history.store_snapshot(store, event, pairs, {"a": Interval(pairs, 0, 0), "b": Interval(-pairs, 0, 0)})
        snapshots = history.load_history(store, event)
    assert [snapshot.pairs for snapshot in snapshots] == [16, 32, 48, 64, 80, 96]
    assert [snapshot.ratings["a"] for snapshot in snapshots] == [16, 32, 48, 64, 80, 96]
