"""Tests of the ONNX export: ONNX Runtime agrees with the engine's inference; metadata, padding and errors."""

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray

from fourfall import Board, Network, WeightsError, __version__, weights
from fourfall.exports.onnx_network import FULL_COLUMN, OPSET, PLANE_NAMES, export_onnx, make_onnx_model, make_planes
from fourfall.exports.single_file import ExportError
from fourfall.weights.tensors import read_tensors
from tests.programs.test_export_commands import run_fourfall
from tests.search.network_reference import ReferenceNetwork
from tests.search.test_network import random_games

# Both programs compute in float32, in different orders. Rounding errors of a sum of n products grow as sqrt(n) 2^-24,
# relative to its terms. The packaged network has 9 convolutions of 9 * 64 products and two layers in each head; the
# errors of the two programs add: 3.1e-5. In 600 random positions the largest difference was 3.8e-6 in value and 6.4e-7
# in logits, relative to the largest one.
TOLERANCE = 2 * 11 * math.sqrt(9 * 64) * 2**-24

Output = tuple[NDArray[np.float32], NDArray[np.float32]]
Evaluate = Callable[[NDArray[np.float32]], Output]


def make_evaluator(file: Path) -> Evaluate:
    """Return a function that evaluates planes with ONNX Runtime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])

    def evaluate(planes: NDArray[np.float32]) -> Output:
        value, policy = session.run(["value", "policy"], {"planes": planes})
        return value, policy

    return evaluate


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export the packaged network."""
    file = tmp_path_factory.mktemp("onnx") / "network.onnx"
    export_onnx(file)
    return file


@pytest.fixture(scope="module")
def evaluate(exported: Path) -> Evaluate:
    """Load the exported network in ONNX Runtime."""
    return make_evaluator(exported)


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    """Return unfinished random games on boards of all sizes, most of them with a hole."""
    return [game.board() for game in random_games(120)]


def check_agreement(network: Network, boards: list[Board], output: Output) -> None:
    """Compare value and policy of ONNX Runtime with those of the engine's inference."""
    for board, value, policy in zip(boards, *output, strict=True):
        true_value, true_logits = network.evaluate(board)
        assert value == pytest.approx(true_value, abs=TOLERANCE)
        is_open = [logit is not None for logit in true_logits]
        truth = np.array([logit for logit in true_logits if logit is not None])
        np.testing.assert_allclose(policy[: board.cols][is_open], truth, rtol=0, atol=TOLERANCE * np.abs(truth).max())
        np.testing.assert_array_equal(np.delete(policy, np.flatnonzero(is_open)), np.float32(FULL_COLUMN))


def test_one_position_at_a_time(evaluate: Evaluate, boards: list[Board]) -> None:
    """Every size of board is evaluated as it is, without padding, and agrees with the engine."""
    network = weights.load(weights.PACKAGED, "float32")
    assert network is not None
    for board in boards[:40]:
        check_agreement(network, [board], evaluate(make_planes([board])))


def test_batch_of_different_sizes(evaluate: Evaluate, boards: list[Board]) -> None:
    """Boards of different sizes and holes in one batch of 12 x 12 arrays agree with the engine."""
    network = weights.load(weights.PACKAGED, "float32")
    assert network is not None
    planes = make_planes(boards, 12, 12)
    assert planes.shape == (120, 16, 12, 12)
    output = evaluate(planes)
    check_agreement(network, boards, output)
    assert any((policy == np.float32(FULL_COLUMN)).any() for policy in output[1])
    assert np.std(output[0]) > 0.3, "the values differ too little for a meaningful comparison"


@pytest.mark.parametrize(("channels", "blocks", "dtype"), [(32, 1, "bf16"), (32, 2, "f32"), (96, 3, "bf16")])
def test_other_weights(tmp_path: Path, boards: list[Board], channels: int, blocks: int, dtype: str) -> None:
    """Networks of other sizes and precisions are exported from their weights files."""
    file = ReferenceNetwork.random(7, channels, blocks).write(tmp_path / "own.f4w", dtype)
    export_onnx(tmp_path / "own.onnx", file)
    check_agreement(
        Network.load(file, "float32"), boards[:20], make_evaluator(tmp_path / "own.onnx")(make_planes(boards[:20]))
    )


def test_model_describes_itself(exported: Path) -> None:
    """The checker accepts the model; it names its version, its weights and its planes, and keeps its opset."""
    model = onnx.load(str(exported))
    onnx.checker.check_model(model, full_check=True)
    assert (model.producer_name, model.producer_version) == ("fourfall", __version__)
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", OPSET)]
    properties = {entry.key: entry.value for entry in model.metadata_props}
    network = weights.load(weights.PACKAGED)
    assert network is not None
    assert properties["weights_sha256"] == network.digest
    assert json.loads(properties["weights_header"])["channels"] == 64
    assert json.loads(properties["planes"]) == list(PLANE_NAMES)
    assert len(PLANE_NAMES) == 16


def test_softmax_gives_full_columns_no_probability(evaluate: Evaluate) -> None:
    """A softmax over the outputs is 0 in a full column and finite everywhere."""
    policy = evaluate(make_planes([Board.parse("4x5:1111")]))[1][0]
    shares = np.exp(policy - policy.max())
    assert shares[0] == 0
    assert (shares[1:] > 0).all()


@pytest.mark.parametrize(
    ("notations", "size", "words"),
    [
        (["6x7", "6x7:1212121"], (None, None), r"board 1 \(6x7:1212121\): the game is over"),
        (["6x7", "8x9"], (6, 12), r"board 1 \(8x9\) does not fit into 6x12 planes"),
    ],
)
def test_boards_that_have_no_planes(notations: list[str], size: tuple[int | None, int | None], words: str) -> None:
    """A finished game and a board that is too large raise ValueError, which names the board."""
    with pytest.raises(ValueError, match=words):
        make_planes([Board.parse(notation) for notation in notations], *size)


def test_planes_of_something_else() -> None:
    """A notation in place of a board raises TypeError, which names the element and its value."""
    boards: list[Any] = [Board(6, 7), "6x7:44"]
    with pytest.raises(TypeError, match="board 1 must be a Board, not '6x7:44'"):
        make_planes(boards)


def test_no_boards_give_an_empty_batch() -> None:
    """An empty batch has the requested size."""
    assert make_planes([], 6, 7).shape == (0, 16, 6, 7)


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package onnx, the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ExportError, match=r'needs the package onnx; install it with: pip install "fourfall\[onnx\]"'):
        make_onnx_model(read_tensors())


def test_paths_may_be_texts(tmp_path: Path, exported: Path) -> None:
    """Paths as text give the same file."""
    export_onnx(str(tmp_path / "network.onnx"), str(Path(weights.__file__).parent / "fourfall.f4w"))
    assert (tmp_path / "network.onnx").read_bytes() == exported.read_bytes()


def test_invalid_weights_file(tmp_path: Path) -> None:
    """A file that is no weights file raises WeightsError, and nothing is written."""
    (tmp_path / "wrong.f4w").write_bytes(b"PNG")
    with pytest.raises(WeightsError, match="not a weights file"):
        export_onnx(tmp_path / "network.onnx", tmp_path / "wrong.f4w")
    assert not (tmp_path / "network.onnx").exists()


def test_command_never_replaces_a_file_without_being_asked(tmp_path: Path, exported: Path) -> None:
    """The command writes the same bytes as the function; an existing file is kept unless --overwrite is given."""
    file = tmp_path / "network.onnx"
    file.write_bytes(b"precious")
    refused = run_fourfall("export", "onnx", "network.onnx", cwd=tmp_path)
    assert (refused.returncode, file.read_bytes()) == (2, b"precious")
    assert "--overwrite" in refused.stderr
    with pytest.raises(FileExistsError):
        export_onnx(file)
    assert run_fourfall("export", "onnx", "network.onnx", "--overwrite", cwd=tmp_path).returncode == 0
    assert file.read_bytes() == exported.read_bytes()
    assert [entry.name for entry in tmp_path.iterdir()] == ["network.onnx"]
