"""Tests of Score and Limit: order, negation, text, invalid arguments and pickling."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Limit, Score

DISTANCES = st.integers(0, 144)
SCORES = st.one_of(
    st.builds(Score.win, DISTANCES),
    st.builds(Score.draw, DISTANCES),
    st.builds(Score.loss, DISTANCES),
    st.builds(Score.estimate, st.floats(-1, 1)),
)


def rank(score: Score) -> tuple[float, int]:
    """Return the expected order of scores: wins by shortest, losses by longest distance, the others by value."""
    distance = score.distance or 0
    if score.is_win:
        return 2, -distance
    if score.is_loss:
        return -2, distance
    return score.value, 0


@given(SCORES, SCORES)
def test_order_of_scores(a: Score, b: Score) -> None:
    """Proven wins are above all estimates and draws, and proven losses below."""
    assert (a < b, a <= b, a > b, a >= b) == (
        rank(a) < rank(b),
        rank(a) <= rank(b),
        rank(a) > rank(b),
        rank(a) >= rank(b),
    )


@given(SCORES, SCORES)
def test_negation_reverses_the_order(a: Score, b: Score) -> None:
    """The negative has the opposite result and value, and the same distance."""
    assert (a < b) == (-b < -a)
    negative = -a
    assert -negative == a
    assert negative.value == -a.value
    assert negative.distance == a.distance
    assert (a.is_win, a.is_draw, a.is_loss) == (negative.is_loss, negative.is_draw, negative.is_win)


@given(SCORES)
def test_name_of_the_proof(score: Score) -> None:
    """`proof` names the proven result; an estimate has none."""
    expected = "win" if score.is_win else "draw" if score.is_draw else "loss" if score.is_loss else None
    assert score.proof == expected


@given(SCORES, SCORES)
def test_equal_scores_have_equal_hashes(a: Score, b: Score) -> None:
    """Scores are equal if kind, value and distance are; then their hashes are equal."""
    same = (a.is_exact, a.value, a.distance) == (b.is_exact, b.value, b.distance)
    assert (a == b) == same
    assert (a != b) == (not same)
    if same:
        assert hash(a) == hash(b)


def test_sorted_scores() -> None:
    """From worst to best: short loss, long loss, low estimate, draw, high estimates, long win, short win."""
    ascending = [
        Score.loss(2),
        Score.loss(100),
        Score.estimate(-1),
        Score.draw(7),
        Score.estimate(0.2),
        Score.estimate(1),
    ]
    ascending += [Score.win(144), Score.win(1)]
    assert all(worse < better for worse, better in pairwise(ascending))
    descending = ascending[::-1]
    assert sorted(descending) == ascending
    assert len(set(ascending)) == len(ascending)


@pytest.mark.parametrize(
    ("kind", "number", "text", "value", "chance"),
    [
        ("win", 17, "wins in 9", 1.0, 1.0),
        ("loss", 4, "loses in 2", -1.0, 0.0),
        ("draw", 0, "draws", 0.0, 0.5),
        ("estimate", 0.08, "54.0 %", 0.08, 0.54),
        ("estimate", -1.0, "0.0 %", -1.0, 0.0),
    ],
)
def test_text_and_numbers_of_a_score(kind: str, number: float, text: str, value: float, chance: float) -> None:
    """str(), value, win chance, distance and is_exact have the expected values."""
    score = getattr(Score, kind)(number)
    assert (str(score), repr(score)) == (text, f"<Score: {text}>")
    assert score.value == value
    assert score.win_chance == pytest.approx(chance)
    assert score.distance == (None if kind == "estimate" else number)
    assert score.is_exact == (kind != "estimate")


def test_comparison_with_other_types() -> None:
    """A score is not equal to a value of another type, and ordering raises TypeError."""
    assert Score.win(1) != 1.0
    assert Score.estimate(0) != "50.0 %"
    with pytest.raises(TypeError):
        Score.win(1) < 3  # type: ignore[operator]  # noqa: B015


@pytest.mark.parametrize("value", [1.001, -2.0, float("nan"), float("inf")])
def test_estimate_out_of_range_is_rejected(value: float) -> None:
    """An estimate must be between -1 and 1."""
    with pytest.raises(ValueError, match="between -1 and 1"):
        Score.estimate(value)


@pytest.mark.parametrize("distance", [-1, 145])
def test_distance_out_of_range_is_rejected(distance: int) -> None:
    """A distance is at most the number of cells of the largest board."""
    for kind in (Score.win, Score.draw, Score.loss):
        with pytest.raises(ValueError, match=r"0\.\.144"):
            kind(distance)


@pytest.mark.parametrize("seconds", [-1.0, -1e-9, float("nan"), float("inf"), float("-inf")])
def test_invalid_time_is_rejected(seconds: float) -> None:
    """A time limit must be finite and at least 0."""
    with pytest.raises(ValueError, match="seconds"):
        Limit(time=seconds)


@pytest.mark.parametrize("simulations", [0, -1, -(2**62)])
def test_invalid_number_of_simulations_is_rejected(simulations: int) -> None:
    """A limit must allow at least one simulation."""
    with pytest.raises(ValueError, match="at least 1"):
        Limit(simulations=simulations)


def test_attributes_and_repr_of_a_limit() -> None:
    """A limit has a time and a number of simulations, or None; repr() is the constructor call."""
    limit = Limit(time=2, simulations=10**12)
    assert (limit.time, limit.simulations) == (2.0, 10**12)
    assert repr(limit) == "Limit(time=2.0, simulations=1000000000000)"
    assert (Limit().time, Limit().simulations) == (None, None)


def test_pickling_of_scores_and_limits() -> None:
    """An unpickled copy is equal and has an equal hash."""
    for value in (
        Score.win(3),
        Score.loss(2),
        Score.draw(9),
        Score.estimate(0.25),
        Limit(time=1.5),
        Limit(simulations=7),
    ):
        copy = pickle.loads(pickle.dumps(value))  # noqa: S301
        assert copy == value
        assert hash(copy) == hash(value)
