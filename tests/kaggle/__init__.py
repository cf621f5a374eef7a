"""Tests of the export for Kaggle's ConnectX; positions of Fourfall's boards in the form of Kaggle."""

from functools import cache

from fourfall import Board
from fourfall.agents.kaggle_calls import make_observation
from fourfall.exports.kaggle.network import Weights
from fourfall.exports.kaggle.rules import Rules
from fourfall.exports.kaggle_weights import encode_weights
from fourfall.weights.tensors import read_tensors


@cache
def load_weights() -> Weights:
    """Encode and decode the packaged network, once for all tests."""
    return Weights(encode_weights(read_tensors()))


def make_rules(board: Board) -> Rules:
    """Return the bit operations for the size and the hole of a board."""
    blocked = [] if board.hole is None else [(board.rows - 1 - board.hole[0], board.hole[1])]
    return Rules(board.rows, board.cols, 4, blocked)


def read_stones(board: Board) -> tuple[int, int]:
    """Return the stones of the side to move and of the opponent as bitboards."""
    return make_rules(board).read(make_observation(board).board, board.turn + 1)
