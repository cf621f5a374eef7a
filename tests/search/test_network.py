"""Tests of the network against the reference: input planes, value and policy, and errors for invalid files."""

import hashlib
import json
import re
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, Engine, Limit, Network, WeightsError, weights
from tests.reference import ReferenceGame
from tests.search import network_reference
from tests.search.bf16_reference import Bf16ReferenceNetwork
from tests.search.int16_reference import Int16ReferenceNetwork
from tests.search.network_reference import ReferenceNetwork
from tests.strategies import Game, games

INT16 = ("sse4", "avx2", "avx-vnni", "avx512", "avx512-vnni")
ROUNDED: dict[str, type[ReferenceNetwork]] = dict.fromkeys(INT16, Int16ReferenceNetwork) | {"amx": Bf16ReferenceNetwork}
ARITHMETICS = [*Network.instruction_sets(), "float32"]
# Tolerance of an instruction set: in value, and in logits relative to the largest.
TOLERANCES = dict.fromkeys(("portable", "neon", "float32"), (1e-5, 1e-5)) | dict.fromkeys(ROUNDED, (0.004, 0.02))
# Trained weights are larger than random ones. In the 64 positions of the packaged weights the largest difference in
# value is 0.011 with integers, the mean 0.0012.
TRAINED = dict.fromkeys(TOLERANCES, (1e-4, 1e-4)) | dict.fromkeys(ROUNDED, (0.03, 0.02))
MAX_MEAN_DIFFERENCE = 0.004
PACKAGED = sorted(Path(weights.__file__).parent.glob("*.f4w"))
FLOAT32_CHECKSUM = 4173114178  # changes only with the search, the network or its arithmetic
SHAPES = [(32, 1), (32, 2), (64, 1), (64, 2), (96, 1)]
WIDEST = (256, 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a weights file of each shape."""
    folder = tmp_path_factory.mktemp("weights")
    for channels, blocks in [*SHAPES, WIDEST]:
        ReferenceNetwork.random(channels + blocks, channels, blocks).write(folder / f"{channels}x{blocks}.f4w")
    return folder


def random_games(count: int) -> list[Game]:
    """Return unfinished random games on boards of all sizes, with and without a hole."""
    rng = np.random.default_rng(count)
    found: list[Game] = []
    while len(found) < count:
        rows, cols = (int(side) for side in rng.integers(4, 13, 2))
        hole = (int(rng.integers(rows)), int(rng.integers(cols))) if rng.random() < 0.7 else None
        game = ReferenceGame(rows, cols, hole)
        for _ in range(int(rng.integers(0, rows * cols))):
            if game.is_over():
                break
            wins = game.winning_moves()
            columns = [col for col in game.legal_moves() if col not in wins] or game.legal_moves()
            game.push(int(rng.choice(columns)))
        if not game.is_over():
            found.append(Game((rows, cols, hole), game.moves))  # type: ignore[arg-type]
    return found


@given(games())
def test_planes_equal_the_reference(game: Game) -> None:
    """The sixteen input planes equal the reference in every position; a finished game raises ValueError."""
    board = game.board()
    if board.is_over:
        with pytest.raises(ValueError, match="the game is over"):
            Network.planes(board)
    else:
        assert np.array_equal(Network.planes(board), np.float32(network_reference.planes(game.reference())))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ARITHMETICS)
def test_evaluation_agrees_with_the_reference(folder: Path, name: str, shape: tuple[int, int]) -> None:
    """On random positions, value and logits are within the tolerance of the instruction set."""
    network = Network.load(folder / f"{shape[0]}x{shape[1]}.f4w", name)
    reference = ReferenceNetwork.random(sum(shape), *shape)
    in_value, in_logits = TOLERANCES[name]
    spread = []
    for game in random_games(24):
        value, logits = network.evaluate(game.board())
        true_value, true_logits = reference.evaluate(game.reference())
        assert value == pytest.approx(true_value, abs=in_value)
        assert [logit is None for logit in logits] == [logit is None for logit in true_logits]
        found, truth = (np.array([x for x in each if x is not None]) for each in (logits, true_logits))
        assert np.abs(found - truth).max() <= in_logits * max(1, np.abs(truth).max())
        spread.append(true_value)
    assert np.std(spread) > 0.05, "the values differ too little for a meaningful comparison"


@pytest.mark.parametrize("channels", [32, 64, 96, 256])
@pytest.mark.parametrize("name", [name for name in ARITHMETICS if name in ROUNDED])
def test_rounded_operands_are_those_of_the_reference(folder: Path, name: str, channels: int) -> None:
    """With one block, the logits are much closer to a reference that rounds than to the exact one."""
    network = Network.load(folder / f"{channels}x1.f4w", name)
    exact = ReferenceNetwork.random(channels + 1, channels, 1)
    rounded = ROUNDED[name](channels, 1, exact.tensors)
    from_rounded: list[float] = []
    from_exact: list[float] = []
    for game in random_games(4 if channels == 256 else 24):
        for logits, reference in ((from_rounded, rounded), (from_exact, exact)):
            pairs = zip(network.evaluate(game.board())[1], reference.evaluate(game.reference())[1], strict=True)
            logits += [(found - true) ** 2 for found, true in pairs if found is not None and true is not None]
    assert np.mean(from_rounded) < 0.1 * np.mean(from_exact)


@pytest.mark.parametrize("name", ARITHMETICS)
@pytest.mark.parametrize("zeros", ["activations", "output channel"])
def test_zeros(tmp_path: Path, name: str, zeros: str) -> None:
    """A convolution whose inputs, or the weights of an output channel, are all zero has a result."""
    exact = ReferenceNetwork.random(3, 32, 1)
    if zeros == "activations":
        exact.tensors["stem"][:] = exact.tensors["stem bias"][:] = 0
    else:
        exact.tensors["a0"][..., 5] = exact.tensors["c0"][..., 7] = 0
    network = Network.load(exact.write(tmp_path / "zeros.f4w"), name)
    in_value, in_logits = TOLERANCES[name]
    for game in random_games(3):
        value, logits = network.evaluate(game.board())
        true_value, true_logits = exact.evaluate(game.reference())
        assert value == pytest.approx(true_value, abs=in_value)
        assert logits == pytest.approx(true_logits, abs=in_logits)


@pytest.mark.parametrize("name", ARITHMETICS)
@pytest.mark.parametrize("file", PACKAGED, ids=lambda file: file.name)
def test_evaluation_agrees_with_the_training_framework(file: Path, name: str) -> None:
    """Value and logits are within the tolerance of those in the check file of the packaged weights."""
    network = Network.load(file, name)
    in_value, in_logits = TRAINED[name]
    entries = json.loads(file.with_name(f"{file.name}.check.json").read_text())["positions"]
    assert len(entries) >= 64
    differences = []
    for entry in entries:
        value, logits = network.evaluate(Board.parse(entry["position"]))
        truth = entry["f32"]
        assert value == pytest.approx(truth["value"], abs=in_value)
        differences.append(abs(value - truth["value"]))
        largest = max(abs(logit) for logit in truth["logits"] if logit is not None)
        for logit, true in zip(logits, truth["logits"], strict=True):
            assert (logit is None) == (true is None)
            assert logit is None or abs(logit - true) <= in_logits * max(1, largest)
    assert np.mean(differences) <= MAX_MEAN_DIFFERENCE


@pytest.mark.parametrize("name", ARITHMETICS)
def test_evaluation_does_not_depend_on_earlier_ones(folder: Path, name: str) -> None:
    """Evaluating the same positions in reverse order gives the same results."""
    network = Network.load(folder / "32x2.f4w", name)
    boards = [game.board() for game in random_games(12)]
    first = [network.evaluate(board) for board in boards]
    assert [network.evaluate(board) for board in reversed(boards)] == first[::-1]


def test_float32_selects_the_fastest_instruction_set(folder: Path) -> None:
    """The name float32 selects the fastest instruction set."""
    fastest = Network.instruction_sets()[-1]
    assert Network.load(folder / "64x2.f4w", "float32").instruction_set == fastest


def test_name_selects_the_instruction_set(folder: Path) -> None:
    """A network reports the instruction set that was asked for."""
    for name in Network.instruction_sets():
        assert Network.load(folder / "32x1.f4w", name).instruction_set == name


@pytest.mark.skipif("avx2" not in Network.instruction_sets(), reason="older processors round differently")
def test_float32_plays_the_same_on_every_processor() -> None:
    """Searches with the preset fourfall-float32 give a known checksum of moves, visits and values."""
    total = 0
    for position in ("9x9@4,4", "12x12@3,3:66778", "10x11@9,0:6655448"):
        analysis = Engine("fourfall-float32", seed=1, memory_mb=32).search(Board.parse(position), Limit(simulations=60))
        columns = [(column.column, column.visits, column.score.win_chance) for column in analysis.columns]
        total = zlib.crc32(f"{analysis.move} {columns}".encode(), total)
    assert total == FLOAT32_CHECKSUM


def test_single_precision_weights_are_read_exactly(tmp_path: Path) -> None:
    """A file of type f32 is read in single precision."""
    reference = ReferenceNetwork.random(5)
    for tensor in reference.tensors.values():
        tensor *= 1.001
    game = random_games(3)[2]
    evaluated = Network.load(reference.write(tmp_path / "f32.f4w", "f32"), "portable").evaluate(game.board())
    assert evaluated[0] == pytest.approx(reference.evaluate(game.reference())[0], abs=1e-5)


def test_header_and_digest(folder: Path) -> None:
    """The header is the one in the file, and the digest is the SHA-256 of the file."""
    file = folder / "64x2.f4w"
    network = Network.load(str(file))
    header = json.loads(network.header)
    assert (header["channels"], header["blocks"], header["run"], header["note"]) == (64, 2, "random", 'with "quotes"')
    assert network.digest == hashlib.sha256(file.read_bytes()[:-32]).hexdigest()
    assert network.instruction_set == Network.instruction_sets()[-1]


@settings(max_examples=60)
@given(data=st.data())
def test_damaged_file_is_rejected(folder: Path, data: st.DataObject) -> None:
    """A file with a changed byte, or truncated anywhere, raises a WeightsError that names the file."""
    whole = (folder / "32x1.f4w").read_bytes()
    broken = folder / "broken.f4w"
    offset = data.draw(st.one_of(st.integers(0, 300), st.integers(0, len(whole) - 1)))
    if data.draw(st.booleans()):
        broken.write_bytes(whole[:offset])
    else:
        change = data.draw(st.integers(1, 255))
        broken.write_bytes(whole[:offset] + bytes([whole[offset] ^ change]) + whole[offset + 1 :])
    with pytest.raises(WeightsError, match=re.escape(f"{broken}: ")):
        Network.load(broken)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"channels": 33}, '"channels" is 33; supported: 32..256 in steps of 32'),
        ({"channels": "wide"}, '"channels" is wide'),
        ({"blocks": 0}, '"blocks" is 0; supported: 1..40'),
        ({"planes": 17}, '"planes" is 17; supported: 16'),
        ({"value_hidden": 8}, '"value_hidden" is 8'),
        ({"policy_hidden": 1000}, '"policy_hidden" is 1000'),
        ({"dtype": "int8"}, '"dtype" is "int8"; supported: "bf16", "f32"'),
        ({"blocks": 3}, "the file is truncated: it ends before the last tensor or the checksum"),
        ({"blocks": 1}, "the file is longer than its header says"),
        ({"note": ["a", "list"]}, "not a flat JSON object"),
        ({"note": {"a": 1}}, "not a flat JSON object"),
    ],
)
def test_unsupported_header_is_rejected(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    """The message names the entry and the supported values."""
    file = ReferenceNetwork.random(1).write(tmp_path / "x.f4w", changes=changes)
    with pytest.raises(WeightsError, match=re.escape(message)):
        Network.load(file)


def test_invalid_files_are_rejected(folder: Path, tmp_path: Path) -> None:
    """A missing file, a folder, another format, a newer version, a large file and NaN have different messages."""
    whole = (folder / "32x1.f4w").read_bytes()
    text, newer, large, folder_file = (tmp_path / name for name in ("text", "newer", "large", "folder"))
    text.write_text("weights")
    newer.write_bytes(whole[:4] + b"\x02" + whole[5:])
    large.write_bytes(whole + bytes(2**22))
    folder_file.mkdir()
    not_finite = ReferenceNetwork.random(1)
    not_finite.tensors["value base"][0] = np.nan
    for file, message in (
        (tmp_path / "nowhere", "No such file or directory"),
        (folder_file, "Is a directory"),
        (text, "not a weights file"),
        (newer, "version 2 of the format is not supported; supported: 1"),
        (large, "larger than 4 MB"),
        (not_finite.write(tmp_path / "nan"), "a weight is infinite or NaN"),
    ):
        with pytest.raises(WeightsError, match=f"^{re.escape(str(file))}: .*{re.escape(message)}"):
            Network.load(file)


def test_unavailable_instruction_set_is_rejected(folder: Path) -> None:
    """The message lists the instruction sets of this processor."""
    expected = "instruction set 'avx1024' is not available on this processor; available: portable"
    with pytest.raises(ValueError, match=expected):
        Network.load(folder / "32x1.f4w", "avx1024")


def test_speed_measurement(folder: Path) -> None:
    """The speed is positive; a finished game raises ValueError."""
    network = Network.load(folder / "32x1.f4w")
    assert network.speed(Board(6, 7), 0.01) > 0
    with pytest.raises(ValueError, match="the game is over"):
        network.speed(Board.parse("6x7:1212121"), 0.01)
