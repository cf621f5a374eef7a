"""Tests of the console judge: its result file, the result codes of the games, and the command fourfall compete."""

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
from fourfall.arena.compete import CompeteResult, format_round, format_statistics, make_result, play_rounds
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE

FOURFALL = Path(sys.executable).with_name("fourfall")


@dataclass
class ScriptedAgent:
    """An agent that always plays one column in a fixed time; it may fail at its n-th move (0: at its start)."""

    column: int = 0
    seconds: float = 0.1
    fault: Fault | None = None
    fails_at: int = 0
    moves: int = 0
    stderr: str = ""

    def start(self, board: Board) -> float:
        """Start, or fail if the script says so."""
        self.fail_if_due()
        return 0.0

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Play the column, or fail if the script says so."""
        self.moves += 1
        self.fail_if_due()
        return AgentMove(self.column, self.seconds)

    def stop(self) -> None:
        """Do nothing: moves take no time."""

    def close(self) -> None:
        """Do nothing."""

    def fail_if_due(self) -> None:
        """Raise the scripted failure at its move."""
        if self.fault is not None and self.moves == self.fails_at:
            raise AgentError(self.fault, "as scripted", self.seconds)


def play_scripts(a: ScriptedAgent, b: ScriptedAgent, rounds: int = 1) -> list[tuple[CompeteResult, CompeteResult]]:
    """Play rounds of two scripted agents, new for every game; the seed gives boards whose hole does not matter."""

    def open_agent(address: str, conditions: Conditions) -> Agent:
        return replace(a if address == "script A" else b)

    return list(play_rounds(("script A", "script B"), rounds, open_agent, Conditions(), seed=2))


def format_file(rounds: Sequence[Sequence[CompeteResult]]) -> str:
    """Return the text of the result file."""
    codes = [result.code for results in rounds for result in results]
    return "".join(format_round(number, results) for number, results in enumerate(rounds)) + format_statistics(codes)


def test_result_file() -> None:
    """Rounds count from 0, A's time is always first, and the first player wins both of these games."""
    rounds = play_scripts(ScriptedAgent(column=3, seconds=0.25), ScriptedAgent(column=5, seconds=0.0015), rounds=2)
    assert format_file(rounds) == (
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
def test_codes_of_failures(fault: Fault, fails_at: int, of_a: int, of_b: int) -> None:
    """The code names the agent that failed; its opponent has a win unless the code is negative."""
    culprit, other = ScriptedAgent(column=3, fault=fault, fails_at=fails_at), ScriptedAgent(column=5)
    for rounds, code, winner in ((play_scripts(culprit, other), of_a, "B"), (play_scripts(other, culprit), of_b, "A")):
        assert [result.code for result in rounds[0]] == [code, code]
        assert f"ratio of {winner} wins : {int(code > 0)}\n" in format_file(rounds)
        assert "ratio of Tie : 0\n" in format_file(rounds)


def test_codes_of_illegal_and_late_moves() -> None:
    """A column outside the board and a move after the time limit have codes for A and for B."""
    legal, illegal, late = ScriptedAgent(column=3), ScriptedAgent(column=12), ScriptedAgent(column=5, seconds=3.5)
    codes = [[result.code for result in play_scripts(a, b)[0]] for a, b in ((illegal, legal), (legal, illegal))]
    assert codes == [[4, 4], [6, 6]]
    codes = [[result.code for result in play_scripts(a, b)[0]] for a, b in ((late, legal), (legal, late))]
    assert codes == [[7, 7], [8, 8]]


def test_times_of_a_failed_start() -> None:
    """The line of a game without moves has two zeros."""
    rounds = play_scripts(ScriptedAgent(fault=Fault.CANNOT_LOAD), ScriptedAgent())
    assert format_round(0, rounds[0]) == "0:\n-1\t0\t0\n-1\t0\t0\n\n"


def test_tie_is_code_0() -> None:
    """A game without a winner has code 0, also when B moved first."""
    tie = replace(EXAMPLE, names=("B", "A"), ending=Ending.TIE, winner=None)
    assert make_result(tie).line == "0\t4\t4\n"


def test_random_boards() -> None:
    """All sizes occur, the hole can be in every column of a board 12 wide, and both games of a round share a board."""
    crash = ScriptedAgent(fault=Fault.CRASH)
    rounds = play_scripts(crash, crash, rounds=400)
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
def test_format_of_ratios(codes: list[int], printed: tuple[str, ...]) -> None:
    """Ratios have six significant digits, no trailing zeros, and an exponent if very small, as C++ prints them."""
    labels = ("A wins", "B wins", "Tie", "(A wins + tie)", "(B wins + tie)")
    lines = [f"ratio of {label} : {ratio}\n" for label, ratio in zip(labels, printed, strict=True)]
    assert format_statistics(codes) == "".join(["Stat:\n", *lines[:3], "\n", *lines[3:]])


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    return subprocess.run(
        [FOURFALL, "compete", *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def test_command(tmp_path: Path) -> None:
    """The command writes the result file, and the same seed gives the same results."""
    for name in ("one.txt", "two.txt"):
        result = run(tmp_path, "level-2", "seed-002?simulations=50", name, "2", "--seed", "3")
        assert result.returncode == 0
    one, two = ((tmp_path / name).read_text().splitlines() for name in ("one.txt", "two.txt"))
    assert [line.split("\t")[0] for line in one] == [line.split("\t")[0] for line in two]
    assert (one[0], one[3], one[4], one[7], one[8]) == ("0:", "", "1:", "", "Stat:")
    assert len(one) == 15
    assert "Round 1: " in result.stdout


def test_command_with_an_invalid_library(tmp_path: Path) -> None:
    """A file that cannot be loaded ends every game with code -2, and the output explains the code."""
    (tmp_path / "B.so").write_text("not a library")
    result = run(tmp_path, "level-2", "B.so", "result.txt", "1", "--no-sandbox")
    assert result.returncode == 0
    assert (tmp_path / "result.txt").read_text().startswith("0:\n-2\t0\t0\n-2\t0\t0\n\nStat:\nratio of A wins : 0\n")
    assert "2 games with code -2 count for neither side; the course counts them as losses of B." in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["A.so", "level-2", "result.txt", "1"], 2, "A.so does not exist"),
        (["level-2", "unknown", "result.txt", "1"], 2, "there is no preset or level 'unknown'"),
        (["level-2", "level-4", "result.txt", "0"], 2, "ROUNDS"),
        (["level-2", "level-4", "no/such/result.txt", "1"], 1, "no/such/result.txt: No such file or directory"),
    ],
)
def test_command_with_bad_input(arguments: list[str], code: int, message: str, tmp_path: Path) -> None:
    """A missing library, an unknown agent, zero rounds and a missing folder are described; nothing is written."""
    result = run(tmp_path, *arguments)
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_interrupted_command(tmp_path: Path) -> None:
    """After Ctrl-C the file ends with the last complete round and has no statistics."""
    file = tmp_path / "result.txt"
    arguments = [str(FOURFALL), "compete", "level-2", "level-4", str(file), "100000"]
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
