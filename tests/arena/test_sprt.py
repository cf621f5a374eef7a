"""Tests of the sequential test: likelihood ratio, error rates, and matches that it ends."""

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

from fourfall.arena.event_runner import find_unfinished_event, run_event
from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec, SpecError
from fourfall.arena.spec_file import load_spec, parse_spec
from fourfall.arena.sprt import LOWER, UPPER, GameResult, PairCounts, Sprt, SprtState, convert_elo_to_score
from fourfall.arena.store import Store
from fourfall.arena.tables import format_sprt
from tests.cli.conftest import Fourfall, fourfall

__all__ = ["fourfall"]  # a fixture

STRONG, WEAK = "seed-002?simulations=200", "seed-001?simulations=8"
TWO = '[[agents]]\naddress = "seed-000"\n[[agents]]\naddress = "seed-002"\n'
SCORES = np.arange(5) / 4


def maximize_likelihood(shares: np.ndarray, mean: float) -> float:
    """Return the maximum of the mean log-likelihood over all distributions with this mean.

    Such a distribution is a mixture of distributions on one score below the mean and one above it. Expectation-
    maximization finds the weights. The log-likelihood is concave in them; its distance from the maximum is at most the
    largest component of the gradient minus 1.
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


def compute_reference_llr(test: Sprt, pairs: PairCounts) -> float:
    """Compute the log-likelihood ratio, with the pseudo-pair, from its definition."""
    count = sum(pairs)
    mean = (np.array(pairs) @ SCORES + 0.5) / (count + 1)
    shares = (np.array(pairs) + np.array([1 - mean, 0, 0, 0, mean])) / (count + 1)
    return count * (
        maximize_likelihood(shares, convert_elo_to_score(test.elo1))
        - maximize_likelihood(shares, convert_elo_to_score(test.elo0))
    )


def test_llr_equals_the_reference() -> None:
    """For random counts, some of them 0, and random hypotheses the LLR agrees with a numerical maximization."""
    chance = random.Random(4)  # noqa: S311 (a test, not a secret)
    for _ in range(40):
        counts = [chance.choice((0, 1, chance.randrange(40))) for _ in range(5)]
        pairs = (counts[0], counts[1], counts[2], counts[3], counts[4])
        low = chance.uniform(-300, 300)
        test = Sprt(low, low + chance.uniform(5, 200))
        assert test.compute_llr(pairs) == pytest.approx(compute_reference_llr(test, pairs), abs=1e-5 * (1 + sum(pairs)))


def test_llr_of_won_and_lost_pairs() -> None:
    """Without split pairs the LLR is Wald's for a Bernoulli variable: 30 of 40 pairs won, plus the pseudo-pair."""
    won = (30 + 30.5 / 41) / 41
    ratio = 40 * (
        won * math.log(convert_elo_to_score(50) / 0.5) + (1 - won) * math.log((1 - convert_elo_to_score(50)) / 0.5)
    )
    assert Sprt(0, 50).compute_llr((10, 0, 0, 0, 30)) == pytest.approx(ratio)


def test_llr_of_many_pairs_is_normal() -> None:
    """For small Elo differences the LLR is near its normal approximation."""
    counts = np.array([2000, 3000, 6000, 3000, 2100])
    mean = counts @ SCORES / counts.sum()
    variance = counts @ (SCORES - mean) ** 2 / counts.sum()
    low, high = convert_elo_to_score(0), convert_elo_to_score(5)
    normal = counts.sum() * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 5).compute_llr((2000, 3000, 6000, 3000, 2100)) == pytest.approx(normal, rel=0.01)


@given(st.tuples(*[st.integers(0, 10**6)] * 5), st.floats(-1000, 999), st.floats(0.01, 2000))
def test_llr_is_finite_and_antisymmetric(pairs: PairCounts, low: float, apart: float) -> None:
    """The LLR is finite for all counts, and exchanging the agents changes its sign."""
    high = min(1000.0, low + apart)
    ratio = Sprt(low, high).compute_llr(pairs)
    assert math.isfinite(ratio)
    lost, half, even, more, won = pairs
    assert Sprt(-high, -low).compute_llr((won, more, even, half, lost)) == pytest.approx(-ratio, rel=1e-6, abs=1e-6)


def tilt_distribution(shape: PairCounts, mean: float) -> np.ndarray:
    """Return the exponentially tilted distribution with this mean."""
    low, high = -50.0, 50.0
    for _ in range(60):
        tilt = (low + high) / 2
        chances = np.array(shape) * np.exp(tilt * SCORES)
        chances /= chances.sum()
        low, high = (tilt, high) if chances @ SCORES < mean else (low, tilt)
    return chances


@pytest.mark.parametrize("shape", [(1, 0, 0, 0, 1), (4, 1, 8, 1, 4), (1, 2, 20, 2, 1)])
def test_error_rates(shape: PairCounts) -> None:
    """In 200 simulated tests under each hypothesis at most 7 % decide wrongly, for several variances of pairs."""
    test = Sprt(0, 120)
    chance = np.random.default_rng(7)
    for truth in (test.elo0, test.elo1):
        wrong = 0
        for _ in range(200):
            state = SprtState(test)
            for pair, score in enumerate(
                chance.choice(5, size=2000, p=tilt_distribution(shape, convert_elo_to_score(truth)))
            ):
                first, second = ((1, 0), (1, None), (0, 0), (None, 1), (0, 1))[score]
                state.add(2 * pair, first)
                state.add(2 * pair + 1, second)
                if state.accepted is not None:
                    break
            wrong += state.accepted != truth
        assert wrong <= 14, f"{wrong} of 200 under {truth} Elo"


@given(st.lists(st.sampled_from([0, 0, 1, None]), max_size=60), st.randoms(use_true_random=False))
def test_order_of_games_does_not_matter(winners: list[int | None], chance: random.Random) -> None:
    """Games that end in any order give the same state, and nothing counts after the decision."""
    results: list[GameResult] = list(enumerate(winners))
    ordered = SprtState(Sprt(0, 200), results)
    mixed = results[:]
    chance.shuffle(mixed)
    shuffled = SprtState(Sprt(0, 200), mixed)
    assert (shuffled.pairs, shuffled.llr, shuffled.accepted) == (ordered.pairs, ordered.llr, ordered.accepted)
    used = 2 * sum(ordered.pairs)
    assert used == len(winners) // 2 * 2 or ordered.accepted is not None
    assert SprtState(Sprt(0, 200), results[:used]).accepted == ordered.accepted
    assert SprtState(Sprt(0, 200), results[: used - 2]).accepted is None
    assert (ordered.accepted is None) == (LOWER < ordered.llr < UPPER)


def test_incomplete_pair_delays_the_decision() -> None:
    """Twenty won pairs do not count while a game of the first pair is missing; then fewer than twenty decide."""
    won: list[GameResult] = [(number, number % 2) for number in range(40)]
    state = SprtState(Sprt(0, 200), won[1:])
    assert (sum(state.pairs), state.accepted) == (0, None)
    state.add(*won[0])
    assert state.accepted == 200
    assert sum(state.pairs) < 20


def test_format_sprt() -> None:
    """Decision, bounds, pairs, score, agents and conditions are in one line; a lost match accepts elo0."""
    lost: list[GameResult] = [(number, 1 - number % 2) for number in range(100)]
    spec = Spec.match("a", "b", pairs=50, sprt=Sprt(-10, 20.5), move_time_s=0.5, opening=2, seed=3, boards=["6x7"])
    assert spec.sprt is not None
    line = format_sprt(SprtState(spec.sprt, lost), spec)
    assert line == (
        "SPRT -10..20.5 Elo: accepted -10 (LLR -3.03 of -2.94..2.94), 34 pairs, 0.000 ± 0.054, -inf Elo; "
        "a against b, 0.5 s, 6x7, opening 2, seed 3"
    )


def test_match_ends_when_the_test_is_decided(fourfall: Fourfall, tmp_path: Path) -> None:
    """The match stops early, is complete and cannot be resumed; the decision can be computed from the records."""
    command = ("match", STRONG, WEAK, "--sprt", "0,300", "--seed", "5")
    done = fourfall(*command, "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert "Event 1 in arena.db: at most 2000 games, 2 in parallel." in done.stdout
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
        event = store.get_event()
        pairs = sum(listed["sprt"]["pairs"])
        assert event.is_complete
        assert 2 * pairs <= event.games < 2000
    # One worker gives the same test.
    alone = fourfall(*command, "--workers", "1", "--db", "alone.db")
    assert line in alone.stdout.splitlines()


def test_interrupted_test_is_resumed(tmp_path: Path) -> None:
    """A run that is closed after three games and resumed reaches the same decision as an uninterrupted run."""
    spec = Spec.match(STRONG, WEAK, pairs=100, sprt=Sprt(0, 300), seed=5)
    lines = []
    for name, games in (("alone.db", 1000), ("closed.db", 3)):
        with Store(tmp_path / name) as store:
            event = store.create_event(spec)
            with closing(run_event(store, event, [None, None])) as records:
                for _, _ in zip(range(games), records, strict=False):
                    pass
            if games == 3:
                assert store.get_event().planned == 200
                assert find_unfinished_event(store, spec) == event
                for _ in run_event(store, event, [None]):
                    pass
            assert store.get_event().is_complete
            assert spec.sprt is not None
            lines.append(format_sprt(SprtState(spec.sprt, store.list_results(event)), spec))
    assert "accepted 300" in lines[0]
    assert lines[0] == lines[1]


def test_run_killed_after_the_decision(tmp_path: Path) -> None:
    """If the stored games decide the test, resuming plays no game and marks the event complete."""
    spec = Spec.match("left", "right", pairs=100, sprt=Sprt(0, 200))
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        for number in range(40):
            store.add_game(event, replace(EXAMPLE, number=number, pair=number // 2, winner=number % 2))
        assert not store.get_event().is_complete
        assert find_unfinished_event(store, spec) == event
        assert list(run_event(store, event, [None])) == []
        assert (store.get_event().planned, store.get_event().is_complete) == (40, True)


def test_undecided_test_ends_after_all_games(fourfall: Fourfall) -> None:
    """After the maximum number of games the match is complete and the test undecided."""
    done = fourfall("match", STRONG, WEAK, "--sprt", "-5,5", "--games", "4")
    assert done.returncode == 0, done.stderr
    assert "SPRT -5..5 Elo: undecided (LLR " in done.stdout
    assert "complete, SPRT undecided" in fourfall("events").stdout


def test_documented_example(tmp_path: Path) -> None:
    """The example in the documentation has a test, which is kept in the plain values of the spec."""
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
    (tmp_path / "test.toml").write_text(page.split("```toml\n")[2].split("```")[0], encoding="utf-8")
    spec = load_spec(tmp_path / "test.toml")
    assert spec.sprt == Sprt(0, 30)
    assert parse_spec(json.loads(json.dumps(spec.to_dict()))) == spec
    assert "sprt" not in Spec.match("a", "b", pairs=1).to_dict()


@pytest.mark.parametrize("wrong", ["30", "[30, 0]", "[0, 0]", "[0]", "[0, 10, 20]", "[0, true]", '"0,30"', "[nan, 1]"])
def test_invalid_bounds_in_a_file(wrong: str, tmp_path: Path) -> None:
    """The bounds must be two numbers, the lower first."""
    file = tmp_path / "spec.toml"
    file.write_text(f"sprt = {wrong}\n{TWO}", encoding="utf-8")
    with pytest.raises(SpecError, match="sprt must be two numbers from -1000 to 1000, the lower first, not "):
        load_spec(file)


def test_sequential_test_needs_two_agents(tmp_path: Path) -> None:
    """A spec with three agents has three pairings and cannot have a sequential test."""
    file = tmp_path / "spec.toml"
    file.write_text(f'sprt = [0, 30]\n{TWO}[[agents]]\naddress = "seed-003"\n', encoding="utf-8")
    with pytest.raises(SpecError, match="a sequential test needs a match of two agents, but there are 3 pairings"):
        load_spec(file)


@pytest.mark.parametrize("wrong", ["30", "x,30", "30,0", "0,nan"])
def test_invalid_bounds_on_the_command_line(fourfall: Fourfall, tmp_path: Path, wrong: str) -> None:
    """Anything but two rising numbers gives one line, exit code 2 and no database."""
    done = fourfall("match", "level-2", "level-4", "--sprt", wrong)
    assert done.returncode == 2
    assert "sprt" in done.stderr
    assert "lower first" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
