"""Tests that the network of a Kaggle submission computes the same as the inference of the package."""

import random
from pathlib import Path

import numpy as np
import pytest

from fourfall import Board, Network, weights
from fourfall.exports.kaggle.network import Network as NumpyNetwork
from fourfall.exports.kaggle.network import Weights
from fourfall.exports.kaggle_weights import encode_weights
from fourfall.weights.tensors import read_tensors
from tests.kaggle import load_weights, make_rules, read_stones
from tests.search.network_reference import ReferenceNetwork

TOLERANCE = 0.002  # some tensors are rounded to float16


def sample_positions(seed: int) -> list[Board]:
    """Return unfinished positions of one random game."""
    generator = random.Random(seed)  # noqa: S311
    board = Board(6, 7) if seed % 2 else Board.random(seed)
    positions = []
    while not board.is_over:
        positions.append(board.copy())
        board.push(generator.choice(board.legal_moves))
    return positions[:: max(1, len(positions) // 6)]


def check_outputs(positions: list[Board], expected: Network, decoded: Weights) -> None:
    """Compare values and move probabilities, computed for all positions at once."""
    network = NumpyNetwork(decoded, make_rules(positions[0]))
    values, logits = network.evaluate([read_stones(board) for board in positions])
    for board, value, columns in zip(positions, values, logits, strict=True):
        expected_value, expected_logits = expected.evaluate(board)
        assert value == pytest.approx(expected_value, abs=TOLERANCE), board.notation
        moves = board.legal_moves
        expected_policy = compute_softmax([expected_logits[move] or 0.0 for move in moves])
        policy = compute_softmax([columns[move] for move in moves])
        assert policy == pytest.approx(expected_policy, abs=TOLERANCE), board.notation


def compute_softmax(logits: list[float]) -> list[float]:
    """Return probabilities."""
    weights = np.exp(np.array(logits) - max(logits))
    probabilities: list[float] = (weights / weights.sum()).tolist()
    return probabilities


@pytest.mark.skipif(weights.read(weights.PACKAGED) is None, reason="the package has no weights file")
def test_packaged_network_agrees_with_the_inference(tmp_path: Path) -> None:
    """Value and policy are equal within the rounding, on 6x7 and on official boards with a hole."""
    path = tmp_path / "packaged.f4w"
    path.write_bytes(weights.read(weights.PACKAGED) or b"")
    decoded = load_weights()
    network = Network.load(path, "float32")
    for seed in range(8):
        check_outputs(sample_positions(seed), network, decoded)


def test_network_of_another_size_agrees(tmp_path: Path) -> None:
    """The number of channels and blocks follows from the weights file; weights in float32 are rounded."""
    path = tmp_path / "own.f4w"
    ReferenceNetwork.random(3, channels=32, blocks=2).write(path)
    decoded = Weights(encode_weights(read_tensors(path)))
    assert (decoded.channels, decoded.blocks) == (32, 2)
    check_outputs(sample_positions(1), Network.load(path, "float32"), decoded)
