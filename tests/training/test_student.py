"""Tests the programs of the student study: labels of the generator, gradients, symmetry, and that training helps."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from fourfall import Network
from training.student.programs import check_match_sources, compile_generator, compile_trainer
from training.student.samples import SAMPLE, STRIDE, read_board

WEIGHTS = Path(__file__).resolve().parent.parent.parent / "src" / "fourfall" / "weights" / "fourfall.f4w"
POSITIONS = 8000


@pytest.fixture(scope="module")
def samples_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of the generator; its loops are compiled quickly, the kernels of the network are the slow part."""
    folder = tmp_path_factory.mktemp("student")
    generator = compile_generator(folder, "-O1")
    subprocess.run([generator, WEIGHTS, folder / "samples.bin", str(POSITIONS), "5", "float32"], check=True)
    return folder / "samples.bin"


@pytest.fixture(scope="module")
def trainer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the trainer."""
    return compile_trainer(tmp_path_factory.mktemp("trainer"), "-O2")


def run(trainer: Path, *arguments: object) -> str:
    """Return what the trainer prints."""
    return subprocess.run([trainer, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def read_numbers(line: str) -> dict[str, float]:
    """Return the numbers of a line of the trainer by name."""
    return {name: float(number) for name, number in re.findall(r"(value KL|policy KL) ([\d.]+)", line)}


def test_labels_are_those_of_the_network(samples_file: Path) -> None:
    """Each sample has the value and the policy of the network, apart from rounding, and there is no immediate win."""
    network = Network.load(WEIGHTS, "float32")
    samples = np.fromfile(samples_file, SAMPLE)
    assert len(samples) == POSITIONS
    for sample in samples[:: POSITIONS // 100]:
        board = read_board(sample)
        value, logits = network.evaluate(board)
        assert sample["value"] == pytest.approx(value, abs=1e-4)
        assert not any(board.landing_row(col) == row for row, col in board.threats())
        labels = sample["logits"] / 256
        best = int(labels.argmax())
        moves = [(col, logit) for col, logit in enumerate(logits) if logit is not None and labels[col] > -127]
        assert labels[best] == 0
        assert len(moves) > 1
        for col, logit in moves:
            assert labels[col] == pytest.approx(logit - dict(moves)[best], abs=0.01)


def test_games_depend_on_the_seed(samples_file: Path) -> None:
    """The same seed gives the same file."""
    generator = samples_file.parent / "generator"
    files = {seed: samples_file.parent / f"again-{seed}.bin" for seed in (5, 6)}
    for seed, file in files.items():
        subprocess.run([generator, WEIGHTS, file, "200", str(seed), "float32"], check=True)
    start = samples_file.read_bytes()[: 200 * SAMPLE.itemsize]
    assert files[5].read_bytes() == start
    assert files[6].read_bytes() != start


@pytest.mark.parametrize("size", ["16x1", "32x1", "64x2"])
def test_gradients(trainer: Path, samples_file: Path, tmp_path: Path, size: str) -> None:
    """The gradient agrees with finite differences; single precision limits both."""
    np.fromfile(samples_file, SAMPLE)[:3000].tofile(tmp_path / "samples.bin")
    printed = run(trainer, size, "check", tmp_path / "samples.bin")
    assert float(printed.removeprefix("relative difference ")) < 0.02


def test_training_improves_value_and_policy(trainer: Path, samples_file: Path, tmp_path: Path) -> None:
    """A student that saw each position a few times is better on other games than one that saw few positions."""
    samples = np.fromfile(samples_file, SAMPLE)
    samples[:6000].tofile(tmp_path / "training.bin")
    samples[6000:].tofile(tmp_path / "held_out.bin")
    reports = []
    for count in (128, 20_000):
        weights = tmp_path / f"{count}.student"
        run(trainer, "32x1", "train", tmp_path / "training.bin", tmp_path / "held_out.bin", weights, count)
        reports.append(read_numbers(run(trainer, "32x1", "report", tmp_path / "held_out.bin", weights).splitlines()[0]))
    before, after = reports
    assert after["value KL"] < 0.8 * before["value KL"]
    assert after["policy KL"] < 0.9 * before["policy KL"]


def test_mirror_images_are_evaluated_equally(trainer: Path, samples_file: Path, tmp_path: Path) -> None:
    """The accuracy on mirrored positions with mirrored labels is the same."""
    samples = np.fromfile(samples_file, SAMPLE)
    mirrored = samples.copy()
    for sample in mirrored:
        cols, hole = int(sample["board"][1]), int(sample["board"][2])
        sample["board"][2] = (cols - 1 - hole // STRIDE) * STRIDE + hole % STRIDE
        for side in ("own", "opposing"):
            columns = sample[side].view("<u2")
            columns[:cols] = columns[:cols][::-1].copy()
        sample["logits"][:cols] = sample["logits"][:cols][::-1].copy()
    mirrored.tofile(tmp_path / "mirrored.bin")
    run(trainer, "32x1", "train", samples_file, samples_file, tmp_path / "weights", 5000)
    reports = [
        run(trainer, "32x1", "report", file, tmp_path / "weights").splitlines()[0]
        for file in (samples_file, tmp_path / "mirrored.bin")
    ]
    numbers = [read_numbers(report) for report in reports]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-4)
    assert (samples["own"] != mirrored["own"]).any()


def test_match_program_fits_the_search() -> None:
    """The evaluator and the match program compile against the search as it is."""
    check_match_sources()
