"""Owns the network at play: its planes and its opinion against the reference, and what it says to broken files."""

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, Network, WeightsError, weights
from tests.reference import ReferenceGame
from tests.search import network_reference
from tests.search.network_reference import Weights
from tests.strategies import Game, games

# How far a path may be from the reference: in value, and in logits as a share of the largest.
TOLERANCES = {"portable": (1e-5, 1e-5), "avx2": (1e-5, 1e-5), "avx512-bf16": (0.01, 0.02)}
# Trained weights are larger than drawn ones; the worst of 64 positions was 0.0152 in value when they were shipped.
TRAINED = TOLERANCES | {"portable": (1e-4, 1e-4), "avx2": (1e-4, 1e-4), "avx512-bf16": (0.03, 0.05)}
SHIPPED = sorted(Path(weights.__file__).parent.glob("*.f4w"))
SHAPES = [(32, 1), (32, 2), (64, 2), (96, 1)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a weights file of every shape."""
    folder = tmp_path_factory.mktemp("weights")
    for channels, blocks in SHAPES:
        Weights.drawn(channels + blocks, channels, blocks).write(folder / f"{channels}x{blocks}.f4w")
    return folder


def random_games(count: int) -> list[Game]:
    """Draw unfinished games on boards of all sizes, with and without hole."""
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
def test_the_planes_are_those_of_the_reference(game: Game) -> None:
    """On every board, at every moment, the sixteen planes are what their description says."""
    board = game.board()
    if board.is_over:
        with pytest.raises(ValueError, match="the game is over"):
            Network.planes(board)
    else:
        assert np.array_equal(Network.planes(board), np.float32(network_reference.planes(game.reference())))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("path", Network.paths())
def test_a_path_agrees_with_the_reference(folder: Path, path: str, shape: tuple[int, int]) -> None:
    """On random positions of random boards value and logits are the reference's, within the path's tolerance."""
    network = Network.load(folder / f"{shape[0]}x{shape[1]}.f4w", path)
    weights = Weights.drawn(sum(shape), *shape)
    assert network.path == path
    in_value, in_logits = TOLERANCES[path]
    spread = []
    for game in random_games(24):
        value, logits = network.evaluate(game.board())
        true_value, true_logits = weights.evaluate(game.reference())
        assert value == pytest.approx(true_value, abs=in_value)
        assert [logit is None for logit in logits] == [logit is None for logit in true_logits]
        found, truth = (np.array([x for x in each if x is not None]) for each in (logits, true_logits))
        assert np.abs(found - truth).max() <= in_logits * max(1, np.abs(truth).max())
        spread.append(true_value)
    assert np.std(spread) > 0.05, "the weights say too little to compare anything"


@pytest.mark.parametrize("path", Network.paths())
@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_a_path_agrees_with_the_framework_that_trained_it(file: Path, path: str) -> None:
    """On the positions beside shipped weights value and logits are the training framework's, within the tolerance."""
    network = Network.load(file, path)
    in_value, in_logits = TRAINED[path]
    entries = json.loads(file.with_name(f"{file.name}.check.json").read_text())["positions"]
    assert len(entries) >= 64
    for entry in entries:
        value, logits = network.evaluate(Board.parse(entry["position"]))
        truth = entry["f32"]
        assert value == pytest.approx(truth["value"], abs=in_value)
        largest = max(abs(logit) for logit in truth["logits"] if logit is not None)
        for said, true in zip(logits, truth["logits"], strict=True):
            assert (said is None) == (true is None)
            assert said is None or abs(said - true) <= in_logits * max(1, largest)


@pytest.mark.parametrize("path", Network.paths())
def test_nothing_is_left_from_one_position_to_the_next(folder: Path, path: str) -> None:
    """A network gives the same answer whatever it was asked before, on this board or another."""
    network = Network.load(folder / "32x2.f4w", path)
    boards = [game.board() for game in random_games(12)]
    first = [network.evaluate(board) for board in boards]
    assert [network.evaluate(board) for board in reversed(boards)] == first[::-1]


def test_full_precision_is_kept(folder: Path, tmp_path: Path) -> None:
    """Weights that were written in single precision are read in single precision."""
    weights = Weights.drawn(5)
    for tensor in weights.tensors.values():
        tensor *= 1.001
    game = random_games(3)[2]
    evaluated = Network.load(weights.write(tmp_path / "f32.f4w", "f32"), "portable").evaluate(game.board())
    assert evaluated[0] == pytest.approx(weights.evaluate(game.reference())[0], abs=1e-5)


def test_a_file_says_what_it_is(folder: Path) -> None:
    """The header comes back as it was written, and the digest is that of the file."""
    file = folder / "64x2.f4w"
    network = Network.load(str(file))
    header = json.loads(network.header)
    assert (header["channels"], header["blocks"], header["run"], header["note"]) == (64, 2, "drawn", 'by "chance"')
    assert network.digest == hashlib.sha256(file.read_bytes()[:-32]).hexdigest()
    assert network.path == Network.paths()[-1]


@settings(max_examples=60)
@given(data=st.data())
def test_a_damaged_file_is_refused(folder: Path, data: st.DataObject) -> None:
    """A file with any byte changed, or cut anywhere, is a WeightsError that names it, and nothing worse."""
    whole = (folder / "32x1.f4w").read_bytes()
    broken = folder / "broken.f4w"
    place = data.draw(st.one_of(st.integers(0, 300), st.integers(0, len(whole) - 1)))
    if data.draw(st.booleans()):
        broken.write_bytes(whole[:place])
    else:
        change = data.draw(st.integers(1, 255))
        broken.write_bytes(whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1 :])
    with pytest.raises(WeightsError, match=re.escape(f"{broken}: ")):
        Network.load(broken)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"channels": 33}, '"channels" is 33, and this program knows 32..256 in steps of 32'),
        ({"channels": "wide"}, '"channels" is wide'),
        ({"blocks": 0}, '"blocks" is 0, and this program knows 1..40'),
        ({"planes": 17}, '"planes" is 17, and this program knows 16'),
        ({"value_hidden": 8}, '"value_hidden" is 8'),
        ({"policy_hidden": 1000}, '"policy_hidden" is 1000'),
        ({"dtype": "int8"}, '"dtype" is "int8", and this program knows "bf16" and "f32"'),
        ({"blocks": 3}, "shorter than its header says"),
        ({"blocks": 1}, "longer than its header says"),
        ({"note": ["a", "list"]}, "not a flat JSON object"),
        ({"note": {"a": 1}}, "not a flat JSON object"),
    ],
)
def test_a_foreign_header_is_named(tmp_path: Path, changes: dict[str, object], complaint: str) -> None:
    """A header that asks for what this program does not have is told which entry it is."""
    file = Weights.drawn(1).write(tmp_path / "x.f4w", changes=changes)
    with pytest.raises(WeightsError, match=re.escape(complaint)):
        Network.load(file)


def test_other_files_are_named(folder: Path, tmp_path: Path) -> None:
    """A missing, foreign, newer, too large, or senseless file gets a line that says which of these it is."""
    whole = (folder / "32x1.f4w").read_bytes()
    text, newer, large, folder_file = (tmp_path / name for name in ("text", "newer", "large", "folder"))
    text.write_text("weights")
    newer.write_bytes(whole[:4] + b"\x02" + whole[5:])
    large.write_bytes(whole + bytes(2**22))
    folder_file.mkdir()
    weights = Weights.drawn(1)
    weights.tensors["value base"][0] = np.nan
    for file, complaint in (
        (tmp_path / "nowhere", "No such file or directory"),
        (folder_file, "Is a directory"),
        (text, "not a weights file"),
        (newer, "written in version 2 of the format, and this program reads version 1"),
        (large, "larger than 4 MB"),
        (weights.write(tmp_path / "nan"), "not a finite number"),
    ):
        with pytest.raises(WeightsError, match=f"^{re.escape(str(file))}: .*{re.escape(complaint)}"):
            Network.load(file)


def test_a_path_that_is_not_there_is_named(folder: Path) -> None:
    """Asking for a path of another processor is answered with those of this one."""
    with pytest.raises(ValueError, match="this processor has no path 'neon'; it has portable"):
        Network.load(folder / "32x1.f4w", "neon")


def test_speed_is_measured(folder: Path) -> None:
    """The figure is positive, and on a finished game there is nothing to measure."""
    network = Network.load(folder / "32x1.f4w")
    assert network.speed(Board(6, 7), 0.01) > 0
    with pytest.raises(ValueError, match="the game is over"):
        network.speed(Board.parse("6x7:1212121"), 0.01)
