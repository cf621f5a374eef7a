"""Owns the search of self-play: what it proves, what it follows, and how it shares out simulations."""

import pytest

pytest.importorskip("jax", reason="needs the extra: pip install 'fourfall[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from fourfall import Board
from tests.training.test_rules import replayed
from training import network, rules
from training.search import Found, Searcher, SearchSettings, halving_table

SETTINGS = SearchSettings(considered=7, most_simulations=16, only_moves=1)


@pytest.fixture(scope="module")
def found() -> Found:
    """Return what sixteen simulations of an untrained network find in four positions."""
    position = replayed([Board.parse(text) for text in ("6x7:4455", "6x7:44551", "6x7", "9x9@4,4:55")])
    weights = network.start(jax.random.key(0), network.Size(8, 1))

    def search(position: rules.Position) -> Found:
        table = jnp.asarray(halving_table(7, 16, 16))
        searcher = Searcher(SETTINGS, jnp.dtype(jnp.float32), jnp.int32(16), table, jnp.float32(0))
        return searcher.search(weights, jax.random.key(1), position, rules.look(position))

    answer: Found = jax.jit(search)(position)
    return answer


def test_an_open_three_is_proved(found: Found) -> None:
    """Two stones with room on both sides win by a third: the search plays it and knows the result."""
    assert int(found.action[0]) in (2, 5)
    assert float(found.proof[0]) == float(found.value[0]) == 1
    winners = np.asarray(found.policy[0])[[2, 5]]
    assert winners.max() == np.asarray(found.policy[0]).max()


def test_whoever_faces_it_defends(found: Found) -> None:
    """The opponent may still stop it and does so on one of the cells beside the two stones; nothing is proved."""
    assert int(found.action[1]) in (2, 5, 1, 6)
    assert float(found.proof[1]) == 0


def test_nothing_is_proved_early(found: Found) -> None:
    """Near-empty boards have no proof, a value that is no certainty, and a policy over the open columns alone."""
    for index, columns in ((2, 7), (3, 9)):
        assert float(found.proof[index]) == 0
        assert abs(float(found.value[index])) < 1
        policy = np.asarray(found.policy[index])
        assert policy[:columns].sum() == pytest.approx(1)
        assert (policy[columns:] == 0).all()


@pytest.mark.parametrize(("moves", "simulations"), [(1, 5), (2, 16), (5, 16), (8, 32), (8, 7)])
def test_halving_shares_simulations_out(moves: int, simulations: int) -> None:
    """Following the table, every move is visited once before any twice, and two finalists share the rest."""
    row = halving_table(8, simulations, 64)[moves][:simulations]
    visits = [0] * moves
    for wanted in row:
        visits[visits.index(wanted)] += 1
    assert sum(visits) == simulations
    assert min(visits) > 0 or simulations < moves
    assert sorted(visits)[-1] - sorted(visits)[-min(2, moves)] <= 1
