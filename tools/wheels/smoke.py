"""Uses an installed package as a person would: plays, analyses, solves, rates a bot, serves the page.

Runs in the environment under test, which has the package with the extra `web` and nothing else:

    PYTHON tools/wheels/smoke.py [--no-compiler] [--no-sandbox-test]

Prints one line for each step; exits with 1 and a message if a step fails.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 300
COMPILERS = ("c++", "cc", "clang", "clang++", "cmake", "g++", "gcc", "make", "ninja")
BOT = "def play(board, limit):\n    return board.legal_moves[0]\n"


def run(*arguments: str, text: str = "") -> str:
    """Run a command of fourfall and return its output."""
    result = subprocess.run(  # noqa: S603
        [*COMMAND, *arguments], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    if result.returncode:
        fail(f"fourfall {' '.join(arguments)} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def fail(message: str) -> None:
    """End the program with a message."""
    sys.exit(f"smoke test: {message}")


def expect(is_true: bool, message: str) -> None:
    """End the program with a message if a condition does not hold."""
    if not is_true:
        fail(message)


def check_compiler() -> str:
    """Check that no compiler can be found."""
    found = [name for name in COMPILERS if shutil.which(name)]
    expect(not found, f"a compiler is on the path: {', '.join(found)}")
    return "no compiler on the path"


def check_environment() -> str:
    """Check that the package is the installed one."""
    import fourfall

    folder = Path(fourfall.__file__).parent
    expect("site" in str(folder), f"the package is imported from {folder}, not from an environment")
    expect(run("--version").split()[-1] == fourfall.__version__, "fourfall --version differs from the module's version")
    return f"version {fourfall.__version__}, Python {sys.version.split()[0]}"


def check_python_api() -> str:
    """Check exceptions, arrays and searches across the boundary between Python and the native module."""
    from fourfall import Board, BoardBatch, Engine, IllegalMove, Limit

    board = Board.parse("6x7:444444")
    try:
        board.push(3)
    except IllegalMove:
        pass
    else:
        fail("a move in a full column was accepted")
    batch = BoardBatch(8, 6, 7, seed=1)
    batch.step(batch.random_actions())
    move = Engine("fourfall", seed=1).play(Board.parse("6x7:121212"), Limit(simulations=100))
    expect(move == 0, f"the engine does not win at once with column 1, but plays {move + 1}")
    return "exceptions, BoardBatch, Engine"


def check_analysis() -> str:
    """Analyse and solve positions on the command line."""
    analysis = json.loads(run("analyse", "10x11@4,7:665", "--simulations", "200", "--json"))
    expect(len(analysis["columns"]) == 11, "the analysis does not have all columns")
    solution = run("solve", "6x7:44444433333", "--no-columns")
    expect("loses in 15" in solution, f"6x7:44444433333 loses in 15, but the solver says:\n{solution}")
    return "analyse, solve"


def check_play() -> str:
    """Play a whole game in the terminal; moves in full columns are refused and the next one is tried."""
    output = run("play", "4x4", "--engine", "level-2", "--seed", "1", text="1\n2\n3\n4\n" * 8)
    expect("4x4:" in output.splitlines()[-1], f"the game did not end:\n{output}")
    return output.splitlines()[-1]


def check_match() -> str:
    """Play a match between two levels."""
    output = run("match", "level-2", "level-4", "--games", "2", "--board", "4x4", "--db", "levels.db")
    totals = [line.split() for line in output.splitlines() if line.startswith("together")]
    expect([words[1] for words in totals] == ["2"], f"the match does not have two games:\n{output}")
    return "two games between levels"


def check_bot() -> str:
    """Ask a third-party bot for a move; the program fourfall-host runs it in the sandbox."""
    Path("bot.py").write_text(BOT, encoding="utf-8")
    output = run("ask", "python:bot.py", "6x7:44")
    expect(output.split()[-1] == "legal", f"the bot made no legal move:\n{output}")
    return "a bot in the sandbox"


def check_page() -> str:
    """Serve the page, load it and play a move over the websocket."""
    from websockets.sync.client import connect

    with start_server() as address:
        page = fetch(address).decode()
        expect("<html" in page, "the page is not HTML")
        engines = json.loads(fetch(f"{address}api/engines"))
        with connect(address.replace("http", "ws") + "ws", open_timeout=PATIENCE_S) as socket:
            socket.send(json.dumps({"type": "new", "board": "6x7", "opponent": "level-10"}))
            game = receive(socket.recv, lambda message: message["type"] == "game")
            socket.send(json.dumps({"type": "move", "game": game["game"], "ply": 0, "column": 3}))
            receive(socket.recv, lambda message: message["type"] == "game" and count_moves(message) == 2)
    return f"page of {len(page)} bytes, {len(engines)} engines, a move and its answer"


def fetch(address: str) -> bytes:
    """Return the body of a GET request."""
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as response:  # noqa: S310
        body: bytes = response.read()
        return body


def count_moves(message: dict[str, Any]) -> int:
    """Return the number of moves in a message of the type `game`."""
    return len(message["moves"])


def receive(read: Callable[..., str | bytes], is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Read messages until one is wanted; end the program if the server sends an error."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        message: dict[str, Any] = json.loads(read(timeout=PATIENCE_S))
        expect(message["type"] != "error", f"the server answered with an error: {message}")
        if is_wanted(message):
            return message
    raise TimeoutError("the server did not answer")


@contextmanager
def start_server() -> Iterator[str]:
    """Start the page on a free port; yield its address."""
    words = [*COMMAND, "serve", "--port", "0", "--no-browser", "--db", "page.db"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        assert server.stdout is not None  # noqa: S101
        try:
            yield next(word for word in server.stdout.readline().split() if word.startswith("http://"))
        finally:
            server.terminate()


def main() -> None:
    """Run all steps in an empty folder."""
    parser = argparse.ArgumentParser(description="Use an installed package as a person would.")
    parser.add_argument(
        "--no-sandbox-test",
        action="store_true",
        help="Leave out the bot in the sandbox (it needs Linux on a real processor)",
    )
    parser.add_argument("--no-compiler", action="store_true", help="Fail if a compiler is on the path")
    arguments = parser.parse_args()
    steps = [check_environment, check_python_api, check_analysis, check_play, check_match, check_page]
    if arguments.no_compiler:
        steps.insert(0, check_compiler)
    if not arguments.no_sandbox_test:
        steps.append(check_bot)
    start_folder = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for step in steps:
            start = time.monotonic()
            text = step()
            print(
                f"ok  {step.__name__.removeprefix('check_'):12} {time.monotonic() - start:5.1f} s  {text}", flush=True
            )
        os.chdir(start_folder)


SCRIPT = Path(sys.executable).with_name("fourfall.exe" if sys.platform == "win32" else "fourfall")
COMMAND = [str(SCRIPT)] if SCRIPT.exists() else [sys.executable, "-c", "from fourfall.entry_point import main; main()"]

if __name__ == "__main__":
    main()
