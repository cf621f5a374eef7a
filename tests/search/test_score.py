"""Owns scores and limits: what they are worth, how they compare, and what is refused."""

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
    """Return what one would rather have as numbers: wins soonest, losses latest, everything else by its value."""
    distance = score.distance or 0
    if score.is_win:
        return 2, -distance
    if score.is_loss:
        return -2, distance
    return score.value, 0


@given(SCORES, SCORES)
def test_scores_compare_by_what_one_would_rather_have(a: Score, b: Score) -> None:
    """Any proven win beats any estimate and any draw, which beat any proven loss."""
    assert (a < b, a <= b, a > b, a >= b) == (
        rank(a) < rank(b),
        rank(a) <= rank(b),
        rank(a) > rank(b),
        rank(a) >= rank(b),
    )


@given(SCORES, SCORES)
def test_negation_turns_the_order_round(a: Score, b: Score) -> None:
    """What is better for one side is worse for the other, by as much."""
    assert (a < b) == (-b < -a)
    flipped = -a
    assert -flipped == a
    assert flipped.value == -a.value
    assert flipped.distance == a.distance
    assert (a.is_win, a.is_draw, a.is_loss) == (flipped.is_loss, flipped.is_draw, flipped.is_win)


@given(SCORES, SCORES)
def test_equal_scores_hash_alike(a: Score, b: Score) -> None:
    """Equality means kind, value and distance, and the hash goes with it."""
    same = (a.is_exact, a.value, a.distance) == (b.is_exact, b.value, b.distance)
    assert (a == b) == same
    assert (a != b) == (not same)
    if same:
        assert hash(a) == hash(b)


def test_a_ladder_of_scores() -> None:
    """From the worst to the best: lost soon, lost late, doubtful, even, promising, won late, won soon."""
    ladder = [Score.loss(2), Score.loss(100), Score.estimate(-1), Score.draw(7), Score.estimate(0.2), Score.estimate(1)]
    ladder += [Score.win(144), Score.win(1)]
    assert all(worse < better for worse, better in pairwise(ladder))
    ladder.reverse()
    assert sorted(ladder) == ladder[::-1]
    assert len(set(ladder)) == len(ladder)


@pytest.mark.parametrize(
    ("kind", "number", "text", "value", "chance"),
    [
        ("win", 17, "wins in 17", 1.0, 1.0),
        ("loss", 4, "loses in 4", -1.0, 0.0),
        ("draw", 0, "draws in 0", 0.0, 0.5),
        ("estimate", 0.08, "54.0 %", 0.08, 0.54),
        ("estimate", -1.0, "0.0 %", -1.0, 0.0),
    ],
)
def test_a_score_in_words_and_numbers(kind: str, number: float, text: str, value: float, chance: float) -> None:
    """A score reads as people say it, and gives its value, the chance to win and the distance."""
    score = getattr(Score, kind)(number)
    assert (str(score), repr(score)) == (text, f"<Score: {text}>")
    assert score.value == value
    assert score.win_chance == pytest.approx(chance)
    assert score.distance == (None if kind == "estimate" else number)
    assert score.is_exact == (kind != "estimate")


def test_a_score_equals_only_scores() -> None:
    """Compared with something else a score is different, and neither less nor greater."""
    assert Score.win(1) != 1.0
    assert Score.estimate(0) != "50.0 %"
    with pytest.raises(TypeError):
        Score.win(1) < 3  # type: ignore[operator]  # noqa: B015


@pytest.mark.parametrize("value", [1.001, -2.0, float("nan"), float("inf")])
def test_an_estimate_out_of_range_is_refused(value: float) -> None:
    """An estimate lies between -1 and 1."""
    with pytest.raises(ValueError, match="between -1 and 1"):
        Score.estimate(value)


@pytest.mark.parametrize("distance", [-1, 145])
def test_a_distance_out_of_range_is_refused(distance: int) -> None:
    """No game is longer than the largest board has cells."""
    for kind in (Score.win, Score.draw, Score.loss):
        with pytest.raises(ValueError, match=r"0\.\.144"):
            kind(distance)


@pytest.mark.parametrize("seconds", [-1.0, -1e-9, float("nan"), float("inf"), float("-inf")])
def test_an_impossible_time_is_refused(seconds: float) -> None:
    """A time limit is a number of seconds that is not negative."""
    with pytest.raises(ValueError, match="seconds"):
        Limit(time=seconds)


@pytest.mark.parametrize("nodes", [0, -1, -(2**62)])
def test_an_impossible_number_of_nodes_is_refused(nodes: int) -> None:
    """A limit of nodes is at least 1."""
    with pytest.raises(ValueError, match="at least 1"):
        Limit(simulations=nodes)


def test_a_limit_shows_what_it_is() -> None:
    """A limit has its two numbers, each or none, and its text is the call that makes it."""
    limit = Limit(time=2, simulations=10**12)
    assert (limit.time, limit.simulations) == (2.0, 10**12)
    assert repr(limit) == "Limit(time=2.0, simulations=1000000000000)"
    assert (Limit().time, Limit().simulations) == (None, None)


def test_scores_and_limits_survive_pickling() -> None:
    """What is sent to another process arrives equal, with an equal hash."""
    for value in (
        Score.win(3),
        Score.loss(2),
        Score.draw(9),
        Score.estimate(0.25),
        Limit(time=1.5),
        Limit(simulations=7),
    ):
        twin = pickle.loads(pickle.dumps(value))  # noqa: S301
        assert twin == value
        assert hash(twin) == hash(value)
