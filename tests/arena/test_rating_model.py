"""Tests of the rating model: known examples, simulated strengths, coverage, anchors, components and residuals."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.rating_simulation import make_round_robin, simulate_results
from fourfall.arena.davidson import GameCounts, assemble_gradient, assemble_information, compute_moments
from fourfall.arena.rating_fit import compute_pair_scores, make_game_counts
from fourfall.arena.rating_input import RatingError, RatingInput
from fourfall.arena.rating_model import RatingModel, fit_rating_model
from fourfall.arena.ratings import ELO_PER_UNIT, tally_games
from fourfall.arena.record import EXAMPLE

Games = list[tuple[str, str, int | None]]


def rate_games(games: Games, **anchors: float) -> RatingModel:
    """Fit the model to games of which each two are a pair."""
    results = RatingInput()
    for at, (first, second, winner) in enumerate(games):
        results.add(first, second, winner, at // 2)
    return fit_rating_model(results, anchors)


def make_match(one: str, other: str, *pairs: tuple[int | None, int | None]) -> Games:
    """Make pairs of games; a pair has the winners of the game in which `one` and in which `other` moves first."""
    return [game for pair in pairs for game in ((one, other, pair[0]), (other, one, pair[1]))]


def test_derivatives_of_the_likelihood() -> None:
    """Gradient and information are the first and second derivatives of the log-likelihood."""
    counts = make_game_counts(
        simulate_results([0.0, 0.5, 1.0], make_round_robin(3), 5, np.random.default_rng(1)), ["a0", "a1", "a2"]
    )
    parameters = np.array([0.3, -0.2, 0.4, 0.25, -0.8])
    games = counts.results

    def compute_likelihood(values: np.typing.NDArray[np.float64]) -> float:
        return float((games * np.log(compute_moments(counts, values).chances)).sum())

    def compute_gradient(values: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
        residuals = np.einsum("mok,moka->moa", games, compute_moments(counts, values).centred)
        return assemble_gradient(counts, residuals, 3)

    steps = 1e-5 * np.eye(5)
    slopes = [(compute_likelihood(parameters + step) - compute_likelihood(parameters - step)) / 2e-5 for step in steps]
    assert compute_gradient(parameters) == pytest.approx(slopes, abs=1e-5)
    curvature = [(compute_gradient(parameters - step) - compute_gradient(parameters + step)) / 2e-5 for step in steps]
    covariance = games.sum(axis=2)[:, :, None, None] * compute_moments(counts, parameters).covariance
    assert assemble_information(counts, covariance, 3) == pytest.approx(np.array(curvature), abs=1e-5)


def test_known_parameters_are_found() -> None:
    """After many pairs, ratings, advantage and draw rate are near the true ones, and the mean is 0."""
    strengths = [-1.0, 0.0, 1.0]
    results = simulate_results(strengths, make_round_robin(3), 4000, np.random.default_rng(2), advantage=0.5, draws=0.5)
    model = fit_rating_model(results)
    fit = model._fit
    assert fit.parameters[:3] == pytest.approx(strengths, abs=0.06)
    assert fit.parameters[3] == pytest.approx(0.5, abs=0.06)
    assert math.exp(fit.parameters[4]) == pytest.approx(0.5, abs=0.03)
    equal_draws = 0.5 / (2 * math.cosh(0.25) + 0.5)
    assert model.draw_rate.low < equal_draws < model.draw_rate.high
    assert sum(rating.value for rating in model.ratings.values()) == pytest.approx(0, abs=1e-6)
    assert model.components == [("a2", "a1", "a0")]
    # Rating differences agree with scores, although draws and advantage move scores towards 1/2.
    mine, theirs = compute_pair_scores(np.array([1.0]), np.array([0.5, math.log(0.5)]))
    assert model.compute_difference("a1", "a0").value == pytest.approx(
        ELO_PER_UNIT * math.log(mine[0] / theirs[0]), abs=12
    )
    assert ELO_PER_UNIT * 1.0 - model.compute_difference("a1", "a0").value > 25


def test_predicted_score_is_that_of_the_model() -> None:
    """The first player's advantage is in the prediction; both orders together give the fitted score."""
    games = make_match("a", "b", (0, 0), (0, None), (0, 1), (None, 1), (0, 0), (1, 1))
    model = rate_games(games)
    first, second = model.predict_score("a", "b"), model.predict_score("b", "a")
    assert first > second
    assert (first + 1 - second) / 2 == pytest.approx(8 / 12, abs=1e-6)


def test_match_of_two_has_the_difference_of_its_score() -> None:
    """Ratings of two agents differ by the Elo difference of the match, with the same bounds."""
    games = make_match("a", "b", (0, 0), (0, 0), (0, 1), (None, 1), (1, 1), (0, 1))
    records = [
        replace(EXAMPLE, number=at, pair=at // 2, names=(first, second), winner=winner)
        for at, (first, second, winner) in enumerate(games)
    ]
    of_match = tally_games(records, "a").elo
    model = rate_games(games)
    difference = model.compute_difference("a", "b")
    assert [difference.value, difference.low, difference.high] == pytest.approx(
        [of_match.value, of_match.low, of_match.high], abs=1e-3
    )
    assert model.ratings["a"].value == pytest.approx(of_match.value / 2, abs=1e-3)
    assert rate_games(games, b=1000.0).ratings["a"].high == pytest.approx(1000 + of_match.high, abs=1e-3)


def test_coverage_of_the_intervals() -> None:
    """Intervals of ratings, differences, advantage and draws contain the truth in about 95 % of simulated events."""
    source = np.random.default_rng(3)
    strengths, pairings = [-1.0, -0.2, 0.2, 1.0], make_round_robin(4)
    truth = fit_rating_model(simulate_results(strengths, pairings, 20_000, source, boards=1.0))
    ratings, differences, shared = [], [], []
    for _ in range(80):
        model = fit_rating_model(simulate_results(strengths, pairings, 10, source, boards=1.0))
        ratings += [
            model.ratings[name].low <= truth.ratings[name].value <= model.ratings[name].high for name in truth.ratings
        ]
        for one, other in (("a0", "a3"), ("a1", "a2")):
            interval = model.compute_difference(one, other)
            differences.append(interval.low <= truth.compute_difference(one, other).value <= interval.high)
        shared.append(model.first_advantage.low <= truth.first_advantage.value <= model.first_advantage.high)
        shared.append(model.draw_rate.low <= truth.draw_rate.value <= model.draw_rate.high)
    for covered in (ratings, differences, shared):
        assert 0.91 <= np.mean(covered) < 1


def test_dependent_games_of_a_pair() -> None:
    """If every board is won by the first player in both games, ratings are precise and the advantage is not."""
    source = np.random.default_rng(4)
    independent = fit_rating_model(simulate_results([0, 0, 0], make_round_robin(3), 100, source, advantage=0))
    dependent = fit_rating_model(simulate_results([0, 0, 0], make_round_robin(3), 100, source, advantage=0, boards=4))

    def measure(model: RatingModel) -> tuple[float, float]:
        rating, advantage = model.ratings["a0"], model.first_advantage
        return rating.high - rating.low, advantage.high - advantage.low

    assert measure(dependent)[0] < 0.7 * measure(independent)[0]
    assert measure(dependent)[1] > 1.2 * measure(independent)[1]


def test_perfect_and_hopeless_agents() -> None:
    """An agent that won all games has no upper bound, one that lost all no lower bound; all values are finite."""
    games = (
        make_match("a", "b", *[(0, 1)] * 5) + make_match("b", "c", *[(0, 1)] * 5) + make_match("a", "c", *[(0, 1)] * 5)
    )
    model = rate_games(games)
    best, middle, worst = (model.ratings[name] for name in "abc")
    assert model.components == [("a", "b", "c")]
    assert (best.high, worst.low) == (math.inf, -math.inf)
    assert all(
        math.isfinite(value) for value in (best.value, best.low, worst.value, worst.high, middle.low, middle.high)
    )
    assert model.compute_difference("a", "b").high == math.inf
    assert model.compute_difference("a", "c").low > 0
    assert model.compute_superiority("a", "c") > 0.99
    assert model.draw_rate.low == model.draw_rate.value == 0 < model.draw_rate.high


def test_superiority_agrees_with_the_interval_of_the_difference() -> None:
    """The likelihood is above 97.5 % exactly if the interval lies above 0, also for an agent that lost all games."""
    games = make_match("a", "b", *[(0, 1), (0, 0)] * 10)
    likelihoods = []
    for pairs in range(1, 13):
        lost = make_match("a", "c", *[(0, 1)] * pairs)
        model = rate_games(games + lost + make_match("b", "c", *[(0, 1)] * pairs))
        likelihoods.append(model.compute_superiority("b", "c"))
        assert (model.compute_difference("b", "c").low > 0) == (likelihoods[-1] > 0.975)
    assert likelihoods[0] < 0.975 < likelihoods[-1]


def test_more_evidence_narrows_an_interval() -> None:
    """An agent with more games has the narrower interval; without games there is none."""
    results = simulate_results([0.0] * 4, [(0, 1), (0, 2), (1, 2)], 40, np.random.default_rng(5))
    few = simulate_results([0.0] * 4, [(0, 3)], 3, np.random.default_rng(6))
    assert few.names == results.names
    for pair in range(3):
        results.add("a0", "a3", pair % 2, ("few", pair))
        results.add("a3", "a0", 0, ("few", pair))
    model = fit_rating_model(results)
    widths = {name: rating.high - rating.low for name, rating in model.ratings.items()}
    assert widths["a3"] > 2 * widths["a1"]
    lonely = fit_rating_model(RatingInput(["x"]))
    assert (lonely.ratings["x"].low, lonely.ratings["x"].value, lonely.ratings["x"].high) == (-math.inf, 0, math.inf)
    assert fit_rating_model(RatingInput()).components == []


def test_unconnected_agents_are_rated_apart() -> None:
    """Each component has mean 0, the largest first; differences between components have no bounds."""
    games = (
        make_match("a", "b", (0, 0), (0, 1))
        + make_match("b", "c", (0, 0), (0, 1))
        + make_match("x", "y", (0, 1), (1, 1))
    )
    model = rate_games(games)
    assert model.components == [("a", "b", "c"), ("x", "y")]
    assert sum(model.ratings[name].value for name in "abc") == pytest.approx(0, abs=1e-6)
    assert sum(model.ratings[name].value for name in "xy") == pytest.approx(0, abs=1e-6)
    difference = model.compute_difference("a", "x")
    assert (difference.low, difference.high, model.compute_superiority("a", "x")) == (-math.inf, math.inf, 0.5)
    # Anchors make components comparable.
    anchored = rate_games(games, b=0.0, y=500.0)
    assert math.isfinite(anchored.compute_difference("a", "x").low)
    assert anchored.compute_superiority("a", "x") < 0.5


def test_anchors_are_fixed() -> None:
    """One anchor shifts all ratings; several determine the scale; the intervals are relative to the anchors."""
    results = simulate_results([-1.0, 0.0, 1.0], make_round_robin(3), 30, np.random.default_rng(7))
    free = fit_rating_model(results)
    one = fit_rating_model(results, {"a1": 1500.0})
    assert one.ratings["a1"] == replace(one.ratings["a1"], value=1500.0, low=1500.0, high=1500.0)
    shift = 1500 - free.ratings["a1"].value
    assert [rating.value - shift for rating in one.ratings.values()] == pytest.approx(
        [rating.value for rating in free.ratings.values()], abs=1e-2
    )
    two = fit_rating_model(results, {"a0": 0.0, "a2": 1000.0})
    assert [two.ratings["a0"].value, two.ratings["a2"].value] == pytest.approx([0, 1000])
    assert 300 < two.ratings["a1"].value < 700
    assert fit_rating_model(results, {"a0": 0.0, "a1": 10.0, "a2": 20.0}).ratings["a1"].high == 10.0


@pytest.mark.parametrize(
    ("anchors", "message"),
    [({"a11": 0.0}, r"anchor 'a11': no games .*; similar: a1"), ({"a1": math.nan}, "must be a finite number, not nan")],
)
def test_bad_anchors(anchors: dict[str, float], message: str) -> None:
    """An unknown name is answered with similar ones; a rating that is not finite is refused."""
    results = simulate_results([0.0, 0.0], [(0, 1)], 2, np.random.default_rng(8))
    with pytest.raises(RatingError, match=message):
        fit_rating_model(results, anchors)


def test_residuals_show_who_beats_whom_against_expectation() -> None:
    """An agent that beats only a much stronger one has the largest residual, unusual also among many pairings."""
    source = np.random.default_rng(9)
    results = simulate_results([-1.0, -0.3, 0.3, 1.0, 1.5], make_round_robin(5)[:-1], 30, source)
    for pair in range(30):
        results.add("a4", "a3", 1, ("surprise", pair))
        results.add("a3", "a4", 0, ("surprise", pair))
    worst, *others = fit_rating_model(results).list_residuals()
    assert (worst.agent, worst.opponent, worst.games, worst.observed) == ("a3", "a4", 60, 60.0)
    assert worst.expected < 45
    assert worst.family_probability < 0.01
    assert worst.probability < worst.family_probability
    assert len(others) == 9
    assert others[0].z < worst.z


def test_residuals_are_standardised() -> None:
    """Of simulated results, z has variance about 1; a pairing that determines its difference alone has no residual."""
    source = np.random.default_rng(10)
    squares = []
    for _ in range(25):
        model = fit_rating_model(simulate_results([-0.5, 0, 0.5, 1], make_round_robin(4), 15, source, boards=1.0))
        squares += [row.z**2 for row in model.list_residuals()]
    assert 0.7 < np.mean(squares) < 1.3
    assert rate_games(make_match("a", "b", (0, 0), (0, 1))).list_residuals() == []


def test_single_surprise_of_a_weak_agent_is_not_unusual() -> None:
    """One point against a much stronger agent, among many pairings, is no false alarm although z of points is large."""
    source = np.random.default_rng(12)
    strengths = np.linspace(-4, 4, 12).tolist()
    smallest = []
    for _ in range(12):
        model = fit_rating_model(simulate_results(strengths, make_round_robin(12), 2, source))
        smallest.append(model.list_residuals()[0].family_probability)
    assert sum(probability < 0.05 for probability in smallest) <= 2


def test_games_of_incomplete_pairs_count() -> None:
    """Games without a second game count as single games, also if one agent always moved first."""
    results = RatingInput()
    for at in range(30):
        results.add("a", "b", 1 if at % 3 == 0 else 0)
        results.add("c", "b", at % 2)
    model = fit_rating_model(results)
    assert model.components[0][0] == "a"
    assert all(math.isfinite(rating.high - rating.low) for rating in model.ratings.values())
    # Who moves first is not separable from strength here, so b's interval is wide.
    assert model.ratings["b"].high - model.ratings["b"].low > 500


GAMES = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from([0, 1, None]), st.integers(0, 5)),
    max_size=30,
)


@settings(max_examples=30, deadline=None)
@given(GAMES, st.dictionaries(st.sampled_from("abcde"), st.floats(-3000, 3000), max_size=3))
def test_any_games_can_be_rated(games: list[tuple[str, str, int | None, int]], anchors: dict[str, float]) -> None:
    """For any games, values are finite and inside their intervals, components are complete, probabilities add up."""
    results = RatingInput("abcde")
    for game in games:
        results.add(*game)
    model = fit_rating_model(results, anchors)
    assert sorted(name for component in model.components for name in component) == list("abcde")
    for rating in (*model.ratings.values(), model.first_advantage, model.draw_rate):
        assert math.isfinite(rating.value)
        assert rating.low <= rating.value <= rating.high
    for name, known in anchors.items():
        assert model.ratings[name].value == pytest.approx(known, abs=1e-6)
    difference = model.compute_difference("a", "b")
    assert difference.low <= difference.value + 1e-6
    assert difference.value - 1e-6 <= difference.high
    assert model.compute_superiority("a", "b") + model.compute_superiority("b", "a") == pytest.approx(1)
    assert 0 <= model.predict_score("a", "b") <= 1
    assert all(0 <= row.probability <= row.family_probability <= 1 for row in model.list_residuals())


def test_counts_of_pairs_and_orders() -> None:
    """The counts of games by order and result follow from pairs and single games."""
    results = RatingInput()
    for first, second, winner, key in (("a", "b", 0, 1), ("b", "a", None, 1), ("b", "a", 1, None), ("a", "b", 1, 2)):
        results.add(first, second, winner, key)
    counts: GameCounts = make_game_counts(results, ["a", "b"])
    assert counts.pairs.sum() == 1
    assert counts.results.tolist() == [[[1, 0, 1], [1, 1, 0]]]
