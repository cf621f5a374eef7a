"""Tests `fourfall ugi` as a process: its start, its end, and a game in the arena."""

import signal
import subprocess
import sys
from pathlib import Path

import fourfall
from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.arena.judge import Ending
from tests.processes import PATIENCE_S

COMMAND = [sys.executable, "-c", "from fourfall.entry_point import main; main()", "ugi"]
PACKAGES = Path(fourfall.__file__).parents[1]


def start() -> subprocess.Popen[str]:
    """Start the engine with a fast preset, and a search that does not end."""
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    send(process, "setoption name Preset value seed-002", "position fen 12x12@5,5", "go infinite", "isready")
    assert process.stdout is not None
    assert process.stdout.readline() == "readyok\n"
    return process


def send(process: subprocess.Popen[str], *lines: str) -> None:
    """Send lines to the engine."""
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()


def test_start_imports_only_what_it_needs() -> None:
    """Until the first `isready`, neither the other commands nor the packages that they need are imported."""
    program = "import sys; from fourfall.entry_point import main; main(); print(*sys.modules, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", program, "ugi"],
        input="ugi\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert result.stdout.startswith("id name Fourfall ")
    assert result.stdout.endswith("\nugiok\n")
    modules = set(result.stderr.split())
    assert "fourfall.ugi.session" in modules
    assert modules.isdisjoint({"fourfall.cli", "fourfall.arena", "numpy", "pydantic", "rich", "typer"})


def test_interrupt_ends_the_search() -> None:
    """Ctrl-C ends the engine like `quit`, with exit code 130 and without a traceback."""
    with start() as process:
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert output.splitlines()[-1].startswith("bestmove ")
    assert (process.returncode, errors) == (130, "")


def test_client_that_is_gone() -> None:
    """When nobody reads the replies, the engine ends quietly at the next command."""
    with start() as process:
        assert process.stdout is not None
        process.stdout.close()
        send(process, "query p1turn")
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_streams_that_fail() -> None:
    """A closed stream and a full disk are one line and exit code 1."""
    closed = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *COMMAND], capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stdout) == (1, "")
    assert closed.stderr.startswith("fourfall: the commands come from standard input")
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            COMMAND, input="ugi\n", stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False
        )
    assert (result.returncode, result.stderr) == (1, "fourfall: standard streams: No space left on device\n")


def test_arena_plays_a_complete_game(tmp_path: Path) -> None:
    """Inside the sandbox the engine plays a game to its end, and its scores are in the record."""
    script = tmp_path / "engine.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(PACKAGES)!r}); from fourfall.entry_point import main; main()\n"
    )
    readable = "" if PACKAGES.is_relative_to(sys.prefix) else f"?read={PACKAGES}"
    addresses = (f"ugi:{sys.executable} {script} ugi --engine level-40 --memory-mb 16{readable}", "level-20")
    conditions = Conditions(move_time_s=3.0, startup_time_s=PATIENCE_S)
    seats = tuple(Seat(address, address, conditions) for address in addresses)
    record = play_game(ScheduledGame(0, 0, (seats[0], seats[1]), "9x9@8,4", seed=1), open_agent)
    assert record.ending in (Ending.WIN, Ending.TIE), record
    assert all(score is not None for score in record.scores[::2])
