"""Owns the search of self-play: what it proves, what it follows, and how it shares out simulations."""

import random

import pytest

pytest.importorskip("jax", reason="needs the extra: pip install 'fourfall[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from fourfall import Board, solve
from tests.training.test_rules import replayed
from training import network, rules
from training.search import Found, Searcher, SearchSettings, halving_table

SETTINGS = SearchSettings(considered=7, most_simulations=16, only_moves=1)


SMALL = 160


def undecided_small_boards() -> list[Board]:
    """Return positions on 5x7 boards, with and without a hole, in which nobody wins at once."""
    chance = random.Random(5)  # noqa: S311 - no secret
    boards: list[Board] = []
    while len(boards) < SMALL:
        board = Board(5, 7, hole=(chance.randrange(5), chance.randrange(7)) if len(boards) % 2 else None)
        for _ in range(chance.randint(8, 18)):
            if board.safe_moves and not board.winning_moves:
                board.push(chance.choice(board.safe_moves))
        if board.safe_moves and not board.winning_moves:
            boards.append(board)
    return boards


BOARDS = [Board.parse(text) for text in ("6x7:4455", "6x7", "9x9@4,4:55")] + undecided_small_boards()


@pytest.fixture(scope="module")
def found() -> Found:
    """Return what sixteen simulations of an untrained network find."""

    def search(position: rules.Position) -> Found:
        weights = network.start(jax.random.key(0), network.Size(8, 1))
        table = jnp.asarray(halving_table(7, 16, 16))
        searcher = Searcher(SETTINGS, jnp.dtype(jnp.float32), jnp.int32(16), table, jnp.float32(0))
        return searcher.search(weights, jax.random.key(1), position, rules.look(position))

    answer: Found = jax.jit(search)(replayed(BOARDS))
    return answer


def test_an_open_three_is_proved(found: Found) -> None:
    """Two stones with room on both sides win by a third: the search plays it and knows the result."""
    assert int(found.action[0]) in (2, 5)
    assert float(found.proof[0]) == float(found.value[0]) == 1
    policy = np.asarray(found.policy[0])
    assert policy[[2, 5]].max() == policy.max()


def test_what_is_proved_is_true(found: Found) -> None:
    """Every proof, won or lost, is what the solver says, and a move that proves a win keeps it."""
    proofs = np.asarray(found.proof)
    assert {1, -1} <= set(proofs.tolist())
    for index in np.flatnonzero(proofs):
        score = solve(BOARDS[index], time=10).score
        assert score is not None
        assert (score > -score) == (proofs[index] > 0)
        assert score != -score
        if proofs[index] > 0:
            after = BOARDS[index].copy()
            after.push(int(found.action[index]))
            reply = solve(after, time=10).score
            assert reply is not None
            assert reply < -reply


def test_nothing_is_proved_early(found: Found) -> None:
    """Near-empty boards have no proof, a value that is no certainty, and a policy over the open columns alone."""
    for index, columns in ((1, 7), (2, 9)):
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
