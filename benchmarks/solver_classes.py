"""Measures the solver on classes of 6x7 positions, by stones played and by distance to the end of the game.

python -m benchmarks.solver_classes make [--count 1000] [--seed 1]
python -m benchmarks.solver_classes measure [--before FILE] [--count 1000] [--classes late]

`make` plays random games and labels their positions with the solver. No position of a class equals another one or its
mirror image. `make` can be interrupted: it continues with what the file has.

`measure` solves each position with `solve()`, with the yardstick (`solver_yardstick.cpp`: our own plain implementation
of the method of Pons' tutorial), with the solver called from C++ as the yardstick is (`solver_native.cpp`) and, with
`--before`, with the native module of another build. The programs take turns at each position, so that other load on the
machine affects all of them; times are processor times. All of them must find the same result.
"""

import argparse
import os
import random
import shlex
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfall import Board, Score

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "build" / "benchmarks" / "solver_classes.txt"
YARDSTICK = ROOT / "build" / "benchmarks" / "solver_yardstick"
NATIVE = ROOT / "build" / "benchmarks" / "solver_native"
LIBRARIES = ("fourfall_search", "fourfall_game", "fourfall_platform")
FLAGS = ("-std=c++20", "-O3", "-DNDEBUG", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow")
CELLS = 42
QUICK_POSITIONS = 40_000  # solver limit when only near ends are wanted


@dataclass(frozen=True)
class PositionClass:
    """Positions with a number of stones, whose games end after a number of plies under perfect play."""

    name: str
    stones: range
    plies: range

    def contains(self, stones: int, distance: int) -> bool:
        """Return whether a position with so many stones and this distance belongs to the class."""
        return stones in self.stones and distance in self.plies


CLASSES = [
    PositionClass("early easy", range(8, 14), range(2, 14)),
    PositionClass("early medium", range(8, 14), range(14, 29)),
    PositionClass("early hard", range(8, 14), range(29, CELLS)),
    PositionClass("middle easy", range(14, 28), range(2, 14)),
    PositionClass("middle hard", range(14, 28), range(14, CELLS)),
    PositionClass("late easy", range(28, 39), range(2, 6)),
    PositionClass("late hard", range(28, 39), range(6, CELLS)),
]


@dataclass
class Times:
    """Sums over the positions that one program has solved."""

    nanoseconds: int = 0
    positions: int = 0


def main() -> None:
    """Make the positions, measure, or solve positions of standard input for `measure`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make", help="write the positions")
    command.add_argument("--count", type=int, default=1000, help="positions of each class")
    command.add_argument("--seed", type=int, default=1, help="random seed")
    command.set_defaults(run=lambda arguments: make(arguments.count, arguments.seed))
    command = commands.add_parser("measure", help="print the times of each class")
    command.add_argument("--before", type=Path, help="native module of another build, to compare with")
    command.add_argument("--count", type=int, default=1000, help="positions of each class at most")
    command.add_argument("--classes", default="", help="beginning of the names of the classes; by default all classes")
    command.set_defaults(run=lambda arguments: measure(arguments.before, arguments.count, arguments.classes))
    command = commands.add_parser("serve", help="solve the positions of standard input")
    command.add_argument("module", nargs="?", type=Path, help="native module")
    command.set_defaults(run=lambda arguments: serve(arguments.module))
    arguments = parser.parse_args()
    arguments.run(arguments)


def make(count: int, seed: int) -> None:
    """Fill the classes with positions of random games, the late classes first, and write them."""
    found = read_positions() if FILE.exists() else []
    FILE.parent.mkdir(parents=True, exist_ok=True)
    with FILE.open("a") as file:
        if not found:
            file.write("# class, tab, position; written by `python -m benchmarks.solver_classes make`\n")
        for stones in sorted({group.stones for group in CLASSES}, key=lambda stones: -stones.start):
            # An interrupted run continues with other games.
            rng = random.Random(f"{seed} {stones.start} {len(found)}")  # noqa: S311
            for name, notation in fill_classes(stones, count, found, rng):
                found.append((name, notation))
                file.write(f"{name}\t{notation}\n")
                file.flush()
    print(f"wrote {FILE.relative_to(ROOT)}: {len(found)} positions")


def read_positions() -> list[tuple[str, str]]:
    """Return class and notation of each position of the file."""
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return [(name, notation) for name, _, notation in (line.partition("\t") for line in lines)]


def fill_classes(
    stones: range, count: int, known: list[tuple[str, str]], rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield class and notation of random positions until every class with so many stones has `count` positions."""
    from fourfall import Board, solve

    found = Counter(name for name, _ in known)
    seen = {find_key(Board.parse(notation)) for _, notation in known}
    names = [group.name for group in CLASSES if group.stones == stones]
    while missing := [name for name in names if found[name] < count]:
        board = play_randomly(rng.choice(stones), rng)
        if board is None or find_key(board) in seen:
            continue
        # A near end is found first, so that a position without one is soon left out.
        has_only_near = all(name.endswith("easy") for name in missing)
        score = solve(board, positions=QUICK_POSITIONS if has_only_near else None).score
        if score is None or score.distance is None:
            continue
        for group in CLASSES:
            if group.name in missing and group.contains(board.ply, score.distance):
                found[group.name] += 1
                seen.add(find_key(board))
                yield group.name, board.notation


def find_key(board: "Board") -> int:
    """Return a number that positions have in common if they are equal or mirror images."""
    return min(board.key, board.mirror().key)


def play_randomly(stones: int, rng: random.Random) -> "Board | None":
    """Return a position after random moves; None if the game is over or the side to move wins at once."""
    from fourfall import Board

    board = Board(6, 7)
    for _ in range(stones):
        if board.is_over:
            return None
        board.push(rng.choice(board.legal_moves))
    return None if board.is_over or board.winning_moves else board


def measure(before: Path | None, count: int, classes: str) -> None:
    """Print the mean processor time and positions of each class whose name begins with `classes` for each program."""
    if not FILE.exists():
        sys.exit(f"{FILE.relative_to(ROOT)} does not exist; write it with: python -m benchmarks.solver_classes make")
    compile_program("solver_yardstick.cpp", YARDSTICK, [])
    compile_program("solver_native.cpp", NATIVE, [f"-I{ROOT / 'cpp'}", *find_libraries(), "-pthread"])
    serve_command = [sys.executable, "-m", "benchmarks.solver_classes", "serve"]
    commands = {"now": serve_command, "native": [str(NATIVE)], "yardstick": [str(YARDSTICK)]}
    if before is not None:
        commands["before"] = [*serve_command, str(before)]
    programs = {
        name: subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for name, command in commands.items()
    }
    times: dict[str, dict[str, Times]] = defaultdict(lambda: defaultdict(Times))
    used: Counter[str] = Counter()
    for group, notation in read_positions():
        if used[group] == count or not group.startswith(classes):
            continue
        used[group] += 1
        values = {name: solve_with(program, notation, times[group][name]) for name, program in programs.items()}
        if len(set(values.values())) != 1:
            sys.exit(f"the programs disagree about {notation}: {values}")
    for program in programs.values():
        program.communicate()
    print_table(times, used, list(commands))


def compile_program(source: str, program: Path, options: list[str]) -> None:
    """Compile a program with `$CXX`, by default g++, and the additional options `$CXXFLAGS`."""
    compiler = [*shlex.split(os.environ.get("CXX", "g++")), *FLAGS, *shlex.split(os.environ.get("CXXFLAGS", ""))]
    subprocess.run([*compiler, str(ROOT / "benchmarks" / source), *options, "-o", str(program)], check=True)


def find_libraries() -> list[str]:
    """Return the static libraries of the core from the newest build, in the order of linking."""
    paths = (ROOT / "build").glob(f"*/lib{LIBRARIES[0]}.a")
    newest = max(paths, key=lambda path: path.stat().st_mtime, default=None)
    if newest is None:
        sys.exit("build/ has no libraries of the core; build them with: make .venv/installed")
    return [str(newest.with_name(f"lib{name}.a")) for name in LIBRARIES]


def solve_with(program: "subprocess.Popen[str]", notation: str, times: Times) -> int:
    """Let a program solve a position; add its time and return the value."""
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(notation.partition(":")[2] + "\n")
    program.stdin.flush()
    answer = program.stdout.readline().split()
    if len(answer) != 3:
        sys.exit(f"{program.args!r} ended at {notation}")
    value, positions, nanoseconds = map(int, answer)
    times.positions += positions
    times.nanoseconds += nanoseconds
    return value


def print_table(times: dict[str, dict[str, Times]], used: Counter[str], names: list[str]) -> None:
    """Print a row for each class: milliseconds and positions of each program, and ratios of the times."""
    pairs = [*((names[0], name) for name in names[1:]), ("native", "yardstick")]
    print("| class | number |", *(f" {name}, ms | positions |" for name in names), sep="", end="")
    print(*(f" {first} / {second} |" for first, second in pairs), sep="")
    print("|---|---:|", "---:|" * (2 * len(names) + len(pairs)), sep="")
    for group in CLASSES:
        row = times[group.name]
        if not used[group.name]:
            continue
        print(f"| {group.name} | {used[group.name]} |", end="")
        for name in names:
            sums = row[name]
            milliseconds = sums.nanoseconds / used[group.name] / 1e6
            print(f" {milliseconds:.4f} | {sums.positions / used[group.name]:.0f} |", end="")
        print(*(f" {row[first].nanoseconds / row[second].nanoseconds:.2f} |" for first, second in pairs), sep="")


def serve(module: Path | None) -> None:
    """Solve the games of standard input with `solve()`; print value, positions and nanoseconds of each."""
    if module is not None:
        from benchmarks.native_modules import load_module

        load_module(module)
    from fourfall import Board, solve

    for line in sys.stdin:
        board = Board.parse(f"6x7:{line.strip()}")
        begin = time.thread_time_ns()
        solution = solve(board)
        nanoseconds = time.thread_time_ns() - begin
        assert solution.score is not None
        print(to_value(solution.score, board.ply), solution.positions, nanoseconds, flush=True)


def to_value(score: "Score", ply: int) -> int:
    """Convert a score to the value of the yardstick: the stones that the winner has left, and one."""
    assert score.distance is not None
    if score.is_win:
        return (CELLS + 1 - ply) // 2 - (score.distance - 1) // 2
    return -((CELLS - ply) // 2) + (score.distance - 2) // 2 if score.is_loss else 0


if __name__ == "__main__":
    main()
