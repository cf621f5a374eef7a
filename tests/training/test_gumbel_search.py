"""Tests of the Gumbel search: correctness of proofs, policy and value, and sequential halving."""

import random

import pytest

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from fourfall import Board, solve
from tests.training.positions import to_position
from training import network, rules
from training.config import SearchConfig
from training.gumbel_search import GumbelSearch, SearchResult, make_halving_table

CONFIG = SearchConfig(considered_moves=7, max_simulations=16, max_forced_moves=1)
SMALL_BOARDS = 160


def sample_undecided_boards() -> list[Board]:
    """Return positions on 5x7 boards, with and without a hole, that are not decided within one move."""
    rng = random.Random(5)  # noqa: S311
    boards: list[Board] = []
    while len(boards) < SMALL_BOARDS:
        board = Board(5, 7, hole=(rng.randrange(5), rng.randrange(7)) if len(boards) % 2 else None)
        for _ in range(rng.randint(8, 18)):
            if board.safe_moves and not board.winning_moves:
                board.push(rng.choice(board.safe_moves))
        if board.safe_moves and not board.winning_moves:
            boards.append(board)
    return boards


BOARDS = [Board.parse(text) for text in ("6x7:4455", "6x7", "9x9@4,4:55")] + sample_undecided_boards()


@pytest.fixture(scope="module")
def result(weights: network.Weights) -> SearchResult:
    """Return the result of sixteen simulations with an untrained network."""

    def search(weights: network.Weights, position: rules.Position) -> SearchResult:
        table = jnp.asarray(make_halving_table(7, 16, 16))
        gumbel = GumbelSearch(CONFIG, jnp.dtype(jnp.float32), jnp.int32(16), table, jnp.float32(0))
        return gumbel.search(weights, jax.random.key(1), position, rules.compute_features(position))

    found: SearchResult = jax.jit(search)(weights, to_position(BOARDS))
    return found


def test_open_three_is_proven(result: SearchResult) -> None:
    """Two stones with free cells on both sides win by a third: the search plays it and proves the win."""
    assert int(result.action[0]) in (2, 5)
    assert float(result.proof[0]) == float(result.value[0]) == 1
    policy = np.asarray(result.policy[0])
    assert policy[[2, 5]].max() == policy.max()


def test_proofs_agree_with_solver(result: SearchResult) -> None:
    """Every proven win or loss is confirmed by the solver, and the move chosen in a proven win keeps the win."""
    proofs = np.asarray(result.proof)
    assert {1, -1} <= set(proofs.tolist())
    for index in np.flatnonzero(proofs):
        score = solve(BOARDS[index], time=10).score
        assert score is not None
        assert (score > -score) == (proofs[index] > 0)
        assert score != -score
        if proofs[index] > 0:
            after = BOARDS[index].copy()
            after.push(int(result.action[index]))
            reply = solve(after, time=10).score
            assert reply is not None
            assert reply < -reply


def test_early_positions_are_not_proven(result: SearchResult) -> None:
    """Almost empty boards have no proof, a value inside (-1, 1), and a policy over the open columns only."""
    for index, columns in ((1, 7), (2, 9)):
        assert float(result.proof[index]) == 0
        assert abs(float(result.value[index])) < 1
        policy = np.asarray(result.policy[index])
        assert policy[:columns].sum() == pytest.approx(1)
        assert (policy[columns:] == 0).all()


@pytest.mark.parametrize(("moves", "simulations"), [(1, 5), (2, 16), (5, 16), (8, 32), (8, 7)])
def test_sequential_halving_distributes_simulations(moves: int, simulations: int) -> None:
    """Every move is visited once before any is visited twice, and the last two moves share the remaining visits."""
    row = make_halving_table(8, simulations, 64)[moves][:simulations]
    visits = [0] * moves
    for required in row:
        visits[visits.index(required)] += 1
    assert sum(visits) == simulations
    assert min(visits) > 0 or simulations < moves
    assert sorted(visits)[-1] - sorted(visits)[-min(2, moves)] <= 1
