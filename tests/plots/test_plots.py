"""Tests what the plots draw: the data of their lines, labels and legends, not pixels."""

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.lines import Line2D

from fourfall import Game, Limit, Review, review_game
from fourfall.arena.ladder.history import Snapshot
from fourfall.arena.ladder.registry import Ladder
from fourfall.arena.ratings import Interval
from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store, StoreError
from fourfall.plots import plot_evaluation, plot_rating_history, plot_ratings
from tests.arena.ladders import add_pairs

HOSTILE = r"_$\frac{1$ <b>"


@pytest.fixture(autouse=True)
def _backend() -> Iterator[None]:
    """Draw without a screen, and close all figures."""
    mpl.use("agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def get_points(line: Line2D) -> list[list[float]]:
    """Return the points of a line."""
    points: list[list[float]] = np.asarray(line.get_xydata()).tolist()
    return points


@pytest.fixture(scope="module")
def review() -> Review:
    """Review a game whose sixth stone is a blunder."""
    return review_game(Game("6x7:1122374", (HOSTILE, "bob")), "fourfall-classic", Limit(simulations=200))


def test_evaluation_of_a_review(review: Review) -> None:
    """The curve has the win chances; blunders are crosses at their stone; the turning point is a vertical line."""
    ax = plot_evaluation(review)
    curve = next(line for line in ax.lines if line.get_label() == "fourfall-classic")
    assert get_points(curve) == [[stone, chance] for stone, chance in enumerate(review.win_chances)]
    blunders = next(points for points in ax.collections if points.get_label() == "blunder")
    plies = [move.ply for move in review.mistakes if move.mark == "blunder"]
    assert np.asarray(blunders.get_offsets())[:, 0].tolist() == [ply + 1 for ply in plies]
    assert 5 in plies
    assert [get_points(line)[0][0] for line in ax.lines if line.get_label() == "turning point"] == [6]
    assert [text.get_text() for text in ax.texts] == ["7 instead of 4"]


def test_evaluation_of_a_game_is_what_the_players_reported() -> None:
    """The scores of both players are those of the first player, at the stones before their moves."""
    ax = plot_evaluation(Game.from_record(EXAMPLE))
    lines = {line.get_label(): get_points(line) for line in ax.lines}
    assert lines["left (own evaluation)"] == [[0, 0.5], [2, 0.5], [4, 0.7], [6, 1.0]]
    assert lines["right (own evaluation)"] == [[1, 0.5], [3, 0.6], [5, 0.8]]
    assert ax.get_ylabel() == "win chance of left (blue)"


def test_game_without_evaluations_is_refused() -> None:
    """There is nothing to plot; the error says what to do."""
    with pytest.raises(ValueError, match="review it first"):
        plot_evaluation(Game("6x7:44"))


def test_sources_of_the_wrong_type_are_refused() -> None:
    """The error names the value and what is expected."""
    with pytest.raises(TypeError, match="plot_evaluation needs a Review or a Game, not '6x7:44'"):
        plot_evaluation("6x7:44")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"plot_ratings needs a RatingModel, .* not 5"):
        plot_ratings(5)  # type: ignore[arg-type]


def test_plots_draw_into_given_axes(review: Review) -> None:
    """With `ax` no new figure is made."""
    import matplotlib.pyplot as plt

    _, (upper, lower) = plt.subplots(2)
    assert plot_evaluation(review, ax=upper) is upper
    assert plot_ratings({"a": Interval(0, -1, 1)}, ax=lower) is lower
    assert plt.get_fignums() == [1]


def test_hostile_names_can_be_drawn(review: Review) -> None:
    """A name with a broken formula, an underscore or no letters is drawn as text and is in the legend."""
    plot_evaluation(review).figure.canvas.draw()
    plot_ratings({HOSTILE: Interval(0, -1, 1)}).figure.canvas.draw()
    ax = plot_rating_history([Snapshot(1, "", {HOSTILE: 1.0, "": 2.0})])
    ax.figure.canvas.draw()
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["(no name)", r" _\$\frac{1\$ <b>"]


def test_ratings_are_sorted_and_open_intervals_end_in_arrows() -> None:
    """The best agent is at the top; an agent without games is left out."""
    ratings = {
        "middle": Interval(0, -30, 30),
        "best": Interval(100, 40, math.inf),
        "worst": Interval(-100, -math.inf, -40),
        "new": Interval(math.nan, -math.inf, math.inf),
    }
    ax = plot_ratings(ratings)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["worst", "middle", "best"]
    markers = {(line.get_marker(), get_points(line)[0][1]) for line in ax.lines}
    assert {("<", 0), ("|", 0), ("|", 1), ("|", 2), (">", 2)} <= markers
    assert ("<", 1) not in markers
    with pytest.raises(ValueError, match="there are no ratings to plot"):
        plot_ratings({})


def test_ratings_of_a_database(tmp_path: Path) -> None:
    """The path of a database is enough."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(Spec.match("seed-000", "seed-002", pairs=1))
        store.add_game(event, EXAMPLE)
        store.add_game(event, replace(EXAMPLE, number=1, names=EXAMPLE.names[::-1], winner=1))
    ax = plot_ratings(tmp_path / "arena.db")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["right", "left"]


def test_history_of_a_ladder(tmp_path: Path) -> None:
    """The curves have the ratings of the snapshots; the horizontal axis counts games, two for each pair."""
    database = tmp_path / "arena.db"
    with Store(database) as store:
        with pytest.raises(StoreError, match="the database has no ladder"):
            plot_rating_history(database)
        ladder = Ladder.create(store)
        add_pairs(ladder, 10)
    assert {
        line.get_label(): [games for games, _ in get_points(line)] for line in plot_rating_history(database).lines
    } == {"left": [10, 20], "right": [10, 20]}


def test_history_of_chosen_agents() -> None:
    """Only the given agents are plotted; an unknown one is an error."""
    history = [Snapshot(pairs, "", {"a": 10.0 * pairs, "b": -10.0 * pairs}) for pairs in (1, 2, 3)]
    ax = plot_rating_history(history, names=["b"])
    assert [get_points(line) for line in ax.lines] == [[[2, -10], [4, -20], [6, -30]]]
    with pytest.raises(ValueError, match="the history has no agent 'c'"):
        plot_rating_history(history, names=["c"])
    with pytest.raises(ValueError, match="the history has no ratings yet"):
        plot_rating_history([])


def test_many_agents_have_different_styles() -> None:
    """The twelve best agents are plotted, each with its own combination of colour and line style."""
    history = [Snapshot(pairs, "", {f"agent-{index}": float(index) for index in range(20)}) for pairs in (1, 2)]
    ax = plot_rating_history(history)
    assert ax.lines[0].get_label() == "agent-19"
    assert len({(line.get_color(), line.get_linestyle()) for line in ax.lines}) == len(ax.lines) == 12


def test_missing_matplotlib_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Matplotlib the error is one line with the command that installs it."""
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'install it with: pip install "fourfall\[plots\]"'):
        plot_ratings({"a": Interval(0, -1, 1)})
