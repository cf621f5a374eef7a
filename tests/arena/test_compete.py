"""Owns the tests of the classic judge: the bytes of its result file, its codes, its command."""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fourfall import Board, Limit
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions, Fault
from fourfall.arena.compete import Result, judged, play_rounds, round_text, stat_text
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE

FOURFALL = Path(sys.executable).with_name("fourfall")


@dataclass
class Scripted:
    """An agent that drops stones into a column, each in the same time, or fails with its n-th move (0: its start)."""

    column: int = 0
    seconds: float = 0.1
    fault: Fault | None = None
    fails_at: int = 0
    moves: int = 0
    stderr: str = ""

    def start(self, board: Board) -> float:
        """Fail here or not at all."""
        self.fail_if_due()
        return 0.0

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Drop a stone."""
        self.moves += 1
        self.fail_if_due()
        return AgentMove(self.column, self.seconds)

    def stop(self) -> None:
        """Do nothing: moves take no time."""

    def close(self) -> None:
        """Have nothing to close."""

    def fail_if_due(self) -> None:
        """Fail when the script says so."""
        if self.fault is not None and self.moves == self.fails_at:
            raise AgentError(self.fault, "as scripted", self.seconds)


def rounds_of(a: Scripted, b: Scripted, rounds: int = 1) -> list[tuple[Result, Result]]:
    """Play rounds between two scripts, fresh for every game, on boards whose hole is not in the scripts' way."""

    def open_agent(address: str, conditions: Conditions) -> Agent:
        return replace(a if address == "script A" else b)

    return list(play_rounds(("script A", "script B"), rounds, open_agent, Conditions(), seed=2))


def file_of(rounds: Sequence[Sequence[Result]]) -> str:
    """Write the result file of rounds."""
    codes = [result.code for results in rounds for result in results]
    return "".join(round_text(number, results) for number, results in enumerate(rounds)) + stat_text(codes)


def test_a_result_file_byte_by_byte() -> None:
    """Rounds count from 0, A's time comes before B's whoever began, and the first player wins both of these games."""
    rounds = rounds_of(Scripted(column=3, seconds=0.25), Scripted(column=5, seconds=0.0015), rounds=2)
    assert file_of(rounds) == (
        "0:\n1\t1000\t4\n2\t750\t6\n\n"
        "1:\n1\t1000\t4\n2\t750\t6\n\n"
        "Stat:\n"
        "ratio of A wins : 0.5\n"
        "ratio of B wins : 0.5\n"
        "ratio of Tie : 0\n"
        "\n"
        "ratio of (A wins + tie) : 0.5\n"
        "ratio of (B wins + tie) : 0.5\n"
    )


@pytest.mark.parametrize(
    ("fault", "fails_at", "of_a", "of_b"),
    [
        (Fault.CRASH, 1, 3, 5),
        (Fault.CRASH, 0, 3, 5),
        (Fault.BROKEN_PROTOCOL, 2, 3, 5),
        (Fault.MEMORY_EXCEEDED, 1, 3, 5),
        (Fault.TIMEOUT, 1, 7, 8),
        (Fault.CANNOT_LOAD, 0, -1, -2),
        (Fault.INTERFACE_MISSING, 0, -3, -4),
    ],
)
def test_every_failure_has_its_code(fault: Fault, fails_at: int, of_a: int, of_b: int) -> None:
    """A failure blames whoever failed, first or second, and credits the other one unless the code is negative."""
    culprit, other = Scripted(column=3, fault=fault, fails_at=fails_at), Scripted(column=5)
    for rounds, code, winner in ((rounds_of(culprit, other), of_a, "B"), (rounds_of(other, culprit), of_b, "A")):
        assert [result.code for result in rounds[0]] == [code, code]
        assert f"ratio of {winner} wins : {int(code > 0)}\n" in file_of(rounds)
        assert "ratio of Tie : 0\n" in file_of(rounds)


def test_an_illegal_move_and_a_late_one() -> None:
    """The judge's own findings have codes too: a column off the board, and an answer after the limit."""
    fair, illegal, late = Scripted(column=3), Scripted(column=12), Scripted(column=5, seconds=3.5)
    codes = [[result.code for result in rounds_of(a, b)[0]] for a, b in ((illegal, fair), (fair, illegal))]
    assert codes == [[4, 4], [6, 6]]
    codes = [[result.code for result in rounds_of(a, b)[0]] for a, b in ((late, fair), (fair, late))]
    assert codes == [[7, 7], [8, 8]]


def test_a_failed_launch_costs_nobody_time() -> None:
    """The line of a game that never began has two zeros."""
    rounds = rounds_of(Scripted(fault=Fault.CANNOT_LOAD), Scripted())
    assert round_text(0, rounds[0]) == "0:\n-1\t0\t0\n-1\t0\t0\n\n"


def test_a_tie_is_code_0() -> None:
    """A game without a winner is a tie, whoever was first."""
    tie = replace(EXAMPLE, names=("B", "A"), ending=Ending.TIE, winner=None)
    assert judged(tie).line == "0\t4\t4\n"


def test_boards_are_drawn_without_bias() -> None:
    """On boards twelve wide the hole takes every column, and each round has its own board, the same for both games."""
    crash = Scripted(fault=Fault.CRASH)
    rounds = rounds_of(crash, crash, rounds=400)
    boards = [Board.parse(first.record.board) for first, second in rounds if first.record.board == second.record.board]
    assert len(boards) == 400
    assert {board.hole[1] for board in boards if board.cols == 12 and board.hole} == set(range(12))
    assert {board.rows for board in boards} == {board.cols for board in boards} == {9, 10, 11, 12}


@pytest.mark.parametrize(
    ("codes", "printed"),
    [
        ([1, 1, 0], ("0.666667", "0", "0.333333", "1", "0.333333")),
        ([2, 3, 4, 7, 5, 6, 8, 1], ("0.5", "0.5", "0", "0.5", "0.5")),
        ([-1, -2, -3, -4], ("0", "0", "0", "0", "0")),
        ([0] + [1] * 13 + [2] * 6, ("0.65", "0.3", "0.05", "0.7", "0.35")),
        ([1] + [2] * 999_999, ("1e-06", "0.999999", "0", "1e-06", "0.999999")),
    ],
)
def test_ratios_are_printed_as_cpp_prints_them(codes: list[int], printed: tuple[str, ...]) -> None:
    """Six significant digits, no trailing zeros, an exponent for the very small ones."""
    labels = ("A wins", "B wins", "Tie", "(A wins + tie)", "(B wins + tie)")
    lines = [f"ratio of {label} : {ratio}\n" for label, ratio in zip(labels, printed, strict=True)]
    assert stat_text(codes) == "".join(["Stat:\n", *lines[:3], "\n", *lines[3:]])


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would."""
    return subprocess.run(
        [FOURFALL, "compete", *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    """Two engines compete; the file has the classic shape, and the same seed the same results."""
    for name in ("one.txt", "two.txt"):
        result = run(tmp_path, "level-1", "seed-002?simulations=50", name, "2", "--seed", "3")
        assert result.returncode == 0
    one, two = ((tmp_path / name).read_text().splitlines() for name in ("one.txt", "two.txt"))
    assert [line.split("\t")[0] for line in one] == [line.split("\t")[0] for line in two]
    assert (one[0], one[3], one[4], one[7], one[8]) == ("0:", "", "1:", "", "Stat:")
    assert len(one) == 15
    assert "Round 1: " in result.stdout


def test_a_library_that_is_none_gets_the_negative_codes(tmp_path: Path) -> None:
    """A file that cannot be loaded ends every game with -2, and the terminal says what that means."""
    (tmp_path / "B.so").write_text("this is no library")
    result = run(tmp_path, "level-1", "B.so", "result.txt", "1", "--no-sandbox")
    assert result.returncode == 0
    assert (tmp_path / "result.txt").read_text().startswith("0:\n-2\t0\t0\n-2\t0\t0\n\nStat:\nratio of A wins : 0\n")
    assert "Code -2, 2 times: credited to nobody above; where grades are given B has lost." in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["A.so", "level-1", "result.txt", "1"], 2, "A.so does not exist"),
        (["level-1", "nobody", "result.txt", "1"], 2, "there is no preset or level 'nobody'"),
        (["level-1", "level-2", "result.txt", "0"], 2, "ROUNDS"),
        (["level-1", "level-2", "no/such/result.txt", "1"], 1, "no/such/result.txt: No such file or directory"),
    ],
)
def test_bad_input_is_named(arguments: list[str], code: int, complaint: str, tmp_path: Path) -> None:
    """A missing library, an unknown agent, no rounds, no place for the file: one line, and nothing is written."""
    result = run(tmp_path, *arguments)
    assert result.returncode == code
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_complete_rounds(tmp_path: Path) -> None:
    """After Ctrl-C the file ends with the last complete round and has no statistics."""
    file = tmp_path / "result.txt"
    arguments = [str(FOURFALL), "compete", "level-1", "level-2", str(file), "100000"]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as process:
        for _ in range(600):
            if file.exists() and file.stat().st_size > 200:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    lines = file.read_text().splitlines()
    assert len(lines) % 4 == 0
    assert lines[-4] == f"{len(lines) // 4 - 1}:"
    assert "Stat:" not in lines
