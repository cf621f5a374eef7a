"""Owns the tests of the sequential test: its ratio against a slow reference, its errors, and matches that it ends."""

import itertools
import json
import math
import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall.arena.record import EXAMPLE
from fourfall.arena.report import sprt_line
from fourfall.arena.spec import Spec, SpecError, match_spec
from fourfall.arena.sprt import LOWER, UPPER, Pairs, Result, Sprt, Walk, expected
from fourfall.arena.store import Store
from fourfall.arena.tournament import run_event, unfinished
from tests.cli.conftest import Fourfall, fourfall

__all__ = ["fourfall"]  # the fixture

STRONG, WEAK = "seed-002?simulations=200", "seed-001?simulations=8"
TWO = '[[agents]]\naddress = "seed-000"\n[[agents]]\naddress = "seed-002"\n'
SCORES = np.arange(5) / 4


def best_likelihood(shares: np.ndarray, mean: float) -> float:
    """Return the largest mean log-likelihood of a pair that a distribution of this mean gives.

    Such a distribution is a mixture of those on one score below the mean and one above it. Expectation-maximization
    finds the weights: the likelihood is concave in them, and is at most as far from its maximum as the gradient from 1.
    """
    above = math.floor(4 * mean) + 1
    corners = list(itertools.product(range(above), range(above, 5)))
    mixture = np.zeros((len(corners), 5))
    for corner, (low, high) in enumerate(corners):
        mixture[corner, high] = (4 * mean - low) / (high - low)
        mixture[corner, low] = 1 - mixture[corner, high]
    weights = np.full(len(corners), 1 / len(corners))
    seen = shares > 0
    for _ in range(20_000):
        chances = weights @ mixture
        gradient = mixture[:, seen] @ (shares[seen] / chances[seen])
        if gradient.max() < 1 + 1e-6:
            break
        weights = weights * gradient
    return float(shares[seen] @ np.log(chances[seen]))


def slow_llr(test: Sprt, pairs: Pairs) -> float:
    """Compute the ratio with the imagined pair, from the definition."""
    count = sum(pairs)
    mean = (np.array(pairs) @ SCORES + 0.5) / (count + 1)
    shares = (np.array(pairs) + np.array([1 - mean, 0, 0, 0, mean])) / (count + 1)
    return count * (best_likelihood(shares, expected(test.elo1)) - best_likelihood(shares, expected(test.elo0)))


def test_the_ratio_is_that_of_the_likeliest_distributions() -> None:
    """On random counts, empty ones among them, and random hypotheses it agrees with a numerical maximum."""
    chance = random.Random(4)  # noqa: S311 (a test, not a secret)
    for _ in range(40):
        counts = [chance.choice((0, 1, chance.randrange(40))) for _ in range(5)]
        pairs = (counts[0], counts[1], counts[2], counts[3], counts[4])
        low = chance.uniform(-300, 300)
        test = Sprt(low, low + chance.uniform(5, 200))
        assert test.llr(pairs) == pytest.approx(slow_llr(test, pairs), abs=1e-5 * (1 + sum(pairs)))


def test_won_and_lost_pairs_are_coins() -> None:
    """Without drawn pairs the ratio is Wald's for a coin, worked out on paper for 30 of 40 and the imagined pair."""
    won = (30 + 30.5 / 41) / 41
    ratio = 40 * (won * math.log(expected(50) / 0.5) + (1 - won) * math.log((1 - expected(50)) / 0.5))
    assert Sprt(0, 50).llr((10, 0, 0, 0, 30)) == pytest.approx(ratio)


def test_many_pairs_are_as_good_as_normal() -> None:
    """For small differences the ratio is the normal approximation that it is often computed with."""
    counts = np.array([2000, 3000, 6000, 3000, 2100])
    mean = counts @ SCORES / counts.sum()
    variance = counts @ (SCORES - mean) ** 2 / counts.sum()
    low, high = expected(0), expected(5)
    normal = counts.sum() * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 5).llr((2000, 3000, 6000, 3000, 2100)) == pytest.approx(normal, rel=0.01)


@given(st.tuples(*[st.integers(0, 10**6)] * 5), st.floats(-1000, 999), st.floats(0.01, 2000))
def test_the_ratio_is_finite_and_does_not_take_sides(pairs: Pairs, low: float, apart: float) -> None:
    """Whatever was counted there is a ratio, and from the other agent's side it is the opposite."""
    high = min(1000.0, low + apart)
    ratio = Sprt(low, high).llr(pairs)
    assert math.isfinite(ratio)
    lost, half, even, more, won = pairs
    assert Sprt(-high, -low).llr((won, more, even, half, lost)) == pytest.approx(-ratio, rel=1e-6, abs=1e-6)


def tilted(shape: Pairs, mean: float) -> np.ndarray:
    """Return the distribution of this mean that is nearest to a shape."""
    low, high = -50.0, 50.0
    for _ in range(60):
        tilt = (low + high) / 2
        chances = np.array(shape) * np.exp(tilt * SCORES)
        chances /= chances.sum()
        low, high = (tilt, high) if chances @ SCORES < mean else (low, tilt)
    return chances


@pytest.mark.parametrize("shape", [(1, 0, 0, 0, 1), (4, 1, 8, 1, 4), (1, 2, 20, 2, 1)])
def test_wrong_decisions_are_rare(shape: Pairs) -> None:
    """Two hundred simulated tests under each hypothesis: about one in twenty errs, however much pairs vary."""
    test = Sprt(0, 120)
    chance = np.random.default_rng(7)
    for truth in (test.elo0, test.elo1):
        wrong = 0
        for _ in range(200):
            walk = Walk(test)
            for pair, score in enumerate(chance.choice(5, size=2000, p=tilted(shape, expected(truth)))):
                first, second = ((1, 0), (1, None), (0, 0), (None, 1), (0, 1))[score]
                walk.add(2 * pair, first)
                walk.add(2 * pair + 1, second)
                if walk.accepted is not None:
                    break
            wrong += walk.accepted != truth
        assert wrong <= 14, f"{wrong} of 200 under {truth} Elo"


@given(st.lists(st.sampled_from([0, 0, 1, None]), max_size=60), st.randoms(use_true_random=False))
def test_the_order_in_which_games_end_is_nothing(winners: list[int | None], chance: random.Random) -> None:
    """Games that end in any order make the same test, pair by pair, and nothing counts after its decision."""
    results: list[Result] = list(enumerate(winners))
    straight = Walk(Sprt(0, 200), results)
    mixed = results[:]
    chance.shuffle(mixed)
    shuffled = Walk(Sprt(0, 200), mixed)
    assert (shuffled.pairs, shuffled.llr, shuffled.accepted) == (straight.pairs, straight.llr, straight.accepted)
    used = 2 * sum(straight.pairs)
    assert used == len(winners) // 2 * 2 or straight.accepted is not None
    assert Walk(Sprt(0, 200), results[:used]).accepted == straight.accepted
    assert Walk(Sprt(0, 200), results[: used - 2]).accepted is None
    assert (straight.accepted is None) == (LOWER < straight.llr < UPPER)


def test_a_gap_is_waited_for() -> None:
    """Twenty won pairs decide nothing while a game of the first one is missing; then fewer than twenty are enough."""
    won: list[Result] = [(number, number % 2) for number in range(40)]
    walk = Walk(Sprt(0, 200), won[1:])
    assert (sum(walk.pairs), walk.accepted) == (0, None)
    walk.add(*won[0])
    assert walk.accepted == 200
    assert sum(walk.pairs) < 20


def test_the_line_says_it_all() -> None:
    """Verdict, bounds, pairs, score, agents and conditions stand in one line; a lost match accepts the lower bound."""
    lost: list[Result] = [(number, 1 - number % 2) for number in range(100)]
    spec = match_spec("a", "b", 50, sprt=[-10, 20.5], move_time_s=0.5, opening=2, seed=3, boards={"list": ["6x7"]})
    assert spec.sprt is not None
    line = sprt_line(Walk(spec.sprt, lost), spec)
    assert line == (
        "SPRT -10..20.5 Elo: accepted -10 (LLR -3.03 of -2.94..2.94), 34 pairs, 0.000 ± 0.054, -inf Elo; "
        "a against b, 0.5 s, 6x7, opening 2, seed 3"
    )


def test_a_match_ends_with_its_test(fourfall: Fourfall, tmp_path: Path) -> None:
    """It stops early, is complete, cannot be resumed, and its verdict can be had from the records again."""
    command = ("match", STRONG, WEAK, "--sprt", "0,300", "--seed", "5")
    done = fourfall(*command, "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert "Event 1 in arena.db: at most 2000 games, 2 at once." in done.stdout
    [line] = [line for line in done.stdout.splitlines() if line.startswith("SPRT")]
    assert line.startswith("SPRT 0..300 Elo: accepted 300 (LLR ")
    assert line.endswith(f"Elo; {STRONG} against {WEAK}, 3 s, seed 5")
    again = fourfall(*command, "--resume")
    assert (again.returncode, again.stderr) == (
        2,
        "fourfall: arena.db: event 1 is complete; there is nothing to resume\n",
    )
    assert line in fourfall("events", "--event", "1").stdout.splitlines()
    assert "complete, SPRT accepted 300" in fourfall("events").stdout
    listed = json.loads(fourfall("events", "--json").stdout)
    assert (listed["sprt"]["accepted"], listed["planned"]) == (300, listed["games"])
    assert json.loads(fourfall("events", "--event", "1", "--json").stdout.splitlines()[-1])["sprt"] == listed["sprt"]
    with Store(tmp_path / "arena.db", read_only=True) as store:
        event = store.event()
        pairs = sum(listed["sprt"]["pairs"])
        assert event.is_complete
        assert 2 * pairs <= event.games < 2000
    # One game at a time makes the same test.
    alone = fourfall(*command, "--workers", "1", "--db", "alone.db")
    assert line in alone.stdout.splitlines()


def test_an_interrupted_test_goes_on(tmp_path: Path) -> None:
    """A run that is closed after three games is resumed to the verdict of a run that was left alone."""
    spec = match_spec(STRONG, WEAK, 100, sprt=[0, 300], seed=5)
    lines = []
    for name, games in (("alone.db", 1000), ("closed.db", 3)):
        with Store(tmp_path / name) as store:
            event = store.create_event(spec)
            with closing(run_event(store, event, [None, None])) as records:
                for _, _ in zip(range(games), records, strict=False):
                    pass
            if games == 3:
                assert store.event().planned == 200
                assert unfinished(store, spec) == event
                for _ in run_event(store, event, [None]):
                    pass
            assert store.event().is_complete
            assert spec.sprt is not None
            lines.append(sprt_line(Walk(spec.sprt, store.results(event)), spec))
    assert "accepted 300" in lines[0]
    assert lines[0] == lines[1]


def test_a_run_killed_after_its_verdict_plays_no_more(tmp_path: Path) -> None:
    """Where all the games of a decision are stored and nothing else happened, resuming only says that it is over."""
    spec = match_spec("left", "right", 100, sprt=[0, 200])
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        for number in range(40):
            store.add(event, replace(EXAMPLE, number=number, pair=number // 2, winner=number % 2))
        assert not store.event().is_complete
        assert unfinished(store, spec) == event
        assert list(run_event(store, event, [None])) == []
        assert (store.event().planned, store.event().is_complete) == (40, True)


def test_a_test_that_cannot_decide_ends_with_its_games(fourfall: Fourfall) -> None:
    """The number of games is a cap: the match is complete then, and undecided."""
    done = fourfall("match", STRONG, WEAK, "--sprt", "-5,5", "--games", "4")
    assert done.returncode == 0, done.stderr
    assert "SPRT -5..5 Elo: undecided (LLR " in done.stdout
    assert "complete, SPRT undecided" in fourfall("events").stdout


def test_a_spec_keeps_its_test(tmp_path: Path) -> None:
    """The example of the documentation is a match with a test, which comes back from plain data."""
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
    (tmp_path / "test.toml").write_text(page.split("```toml\n")[2].split("```")[0], encoding="utf-8")
    spec = Spec.load(tmp_path / "test.toml")
    assert spec.sprt == Sprt(0, 30)
    assert Spec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec
    assert "sprt" not in match_spec("a", "b", 1).to_dict()


@pytest.mark.parametrize("wrong", ["30", "[30, 0]", "[0, 0]", "[0]", "[0, 10, 20]", "[0, true]", '"0,30"', "[nan, 1]"])
def test_a_test_that_makes_no_sense_is_refused(wrong: str, tmp_path: Path) -> None:
    """The bounds are two numbers, the lower first."""
    file = tmp_path / "spec.toml"
    file.write_text(f"sprt = {wrong}\n{TWO}", encoding="utf-8")
    with pytest.raises(SpecError, match="sprt must be two numbers from -1000 to 1000, the lower first, not "):
        Spec.load(file)


def test_a_test_needs_a_match(tmp_path: Path) -> None:
    """Three agents make three pairings, of which a test could only be about one."""
    file = tmp_path / "spec.toml"
    file.write_text(f'sprt = [0, 30]\n{TWO}[[agents]]\naddress = "seed-003"\n', encoding="utf-8")
    with pytest.raises(SpecError, match="a test is for a match of two agents, and here are 3 pairings"):
        Spec.load(file)


@pytest.mark.parametrize("wrong", ["30", "x,30", "30,0", "0,nan"])
def test_bad_bounds_get_one_line(fourfall: Fourfall, tmp_path: Path, wrong: str) -> None:
    """Whatever is typed instead of two numbers ends in one line, exit code 2, and no database."""
    done = fourfall("match", "level-1", "level-2", "--sprt", wrong)
    assert done.returncode == 2
    assert "sprt" in done.stderr
    assert "lower first" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
