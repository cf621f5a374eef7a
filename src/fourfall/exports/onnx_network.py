"""Exports the network as an ONNX model, and computes its input planes for many boards.

The model computes the same function as the engine's inference in single precision. Its input are the planes of
`make_planes`, [batch][plane][row][column] with the bottom row first; batch, rows and columns are dynamic. A board that
is smaller than the array lies in its bottom left corner, and the model's mask keeps the rest at zero.
"""

import errno
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fourfall import Board, Network, __version__
from fourfall.arena.output_file import write_bytes
from fourfall.exports.single_file import ExportError
from fourfall.extras import describe_missing_package
from fourfall.weights.tensors import PLANES, WeightsTensors, read_tensors

if TYPE_CHECKING:
    import onnx

PLANE_NAMES = (
    "own stones",
    "opposing stones",
    "board",
    "hole",
    "landing cells",
    "empty cells that complete four of the side to move",
    "empty cells that complete four of the opponent",
    "empty cells that make three of the side to move in an open window of four",
    "empty cells that make three of the opponent in an open window of four",
    "odd number of playable cells below",
    "odd number of empty cells on the board",
    "landing cells that are safe",
    "odd number of stones on the board",
    "next landing cells",
    "empty cells on the board divided by 144",
    "zero",
)
"""Meaning of each input plane (docs/learning.md)."""

FULL_COLUMN = -1e9
"""Policy logit of columns in which no stone can be played: its softmax is exactly 0, and it is finite for training."""

OPSET = 13
"""Version of the operators: the lowest with which all of them exist as used here, supported by all current runtimes."""

_IR_VERSION = 7  # the version of the file format that belongs to the opset


def make_planes(boards: Sequence[Board], rows: int | None = None, cols: int | None = None) -> NDArray[np.float32]:
    """Return the input planes of unfinished games as an array [board][plane][row][column], bottom row first.

    Args:
        boards: positions; their sizes may differ. The planes are those of the side to move.
        rows: height of the array, by default that of the tallest board.
        cols: width of the array, by default that of the widest board.

    Raises ValueError if a game is over or a board does not fit, and TypeError for anything but a Board.

    >>> planes = make_planes([Board.parse("4x5:33"), Board.parse("6x7@2,3:4")])
    >>> planes.shape, planes[0, 2].sum()
    ((2, 16, 6, 7), np.float32(20.0))
    """
    for number, board in enumerate(boards):
        if not isinstance(board, Board):
            raise TypeError(f"board {number} must be a Board, not {board!r}")
    height = max((board.rows for board in boards), default=0) if rows is None else rows
    width = max((board.cols for board in boards), default=0) if cols is None else cols
    planes = np.zeros((len(boards), PLANES, height, width), np.float32)
    for number, board in enumerate(boards):
        if board.rows > height or board.cols > width:
            raise ValueError(f"board {number} ({board.rows}x{board.cols}) does not fit into {height}x{width} planes")
        try:
            planes[number, :, : board.rows, : board.cols] = Network.planes(board)
        except ValueError as error:
            raise ValueError(f"board {number} ({board.notation}): {error}") from None
    return planes


def export_onnx(path: Path | str, weights: Path | str | None = None, *, overwrite: bool = False) -> None:
    """Write the network of a weights file, by default the packaged one, as an ONNX model.

    The file appears only when it is complete; equal weights give equal files. Raises ExportError if the package onnx is
    missing, FileExistsError if the file exists and `overwrite` is false, and WeightsError for an invalid weights file.
    """
    path = Path(path)
    if path.exists() and not overwrite:
        raise FileExistsError(errno.EEXIST, "the file exists", str(path))
    network = read_tensors(None if weights is None else Path(weights))
    write_bytes(path, make_onnx_model(network).SerializeToString(deterministic=True))


def make_onnx_model(network: WeightsTensors) -> "onnx.ModelProto":
    """Return a network as a checked ONNX model with its metadata."""
    try:
        import onnx
    except ModuleNotFoundError as missing:
        raise ExportError(describe_missing_package("the ONNX export", "onnx", missing)) from None
    from fourfall.exports.onnx_graph import make_graph

    model = onnx.helper.make_model(
        make_graph(network, FULL_COLUMN),
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
        ir_version=_IR_VERSION,
        producer_name="fourfall",
        producer_version=__version__,
        doc_string="Value and policy of a position of gravity four (four in a row with falling stones and a hole).",
    )
    onnx.helper.set_model_props(model, _make_metadata(network))
    onnx.checker.check_model(model, full_check=True)
    return model


def _make_metadata(network: WeightsTensors) -> dict[str, str]:
    return {
        "fourfall_version": __version__,
        "weights_sha256": network.digest,
        "weights_header": json.dumps(network.header, sort_keys=True),
        "planes": json.dumps(PLANE_NAMES),
        "row_order": "row 0 is the bottom row; a smaller board lies in the bottom left corner, the rest is zero",
        "value": "expected result for the side to move: 1 is a win, 0 a draw, -1 a loss",
        "policy": f"logit of each column; {FULL_COLUMN:g} where no stone can be played",
    }
