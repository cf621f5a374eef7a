"""Proves a set of puzzles again, or selects a set from mined puzzles.

python -m benchmarks.puzzles verify [FILE] [--levels]
python -m benchmarks.puzzles select FILE... --count 500 --output FILE
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fourfall.coach.puzzles import Puzzle, load_puzzles, prove_only_move, read_puzzles
from fourfall.coach.puzzles.mining import TRIVIAL_SHARE, is_trivial, make_puzzle
from fourfall.coach.puzzles.puzzle_file import HEADER

BAND = 150  # width of a class of ratings
MAX_STANDARD_SHARE = 0.18  # share of puzzles on 6x7


def verify(puzzles: Sequence[Puzzle], *, levels: bool) -> list[str]:
    """Return a line for each puzzle whose proof, or with `levels` whose difficulty and themes, differ now."""
    mistakes = []
    for puzzle in puzzles:
        if levels:
            found = make_puzzle(puzzle.board)
            if found != puzzle:
                mistakes.append(f"{puzzle.to_line()}: found {'nothing' if found is None else found.to_line()}")
            continue
        proof = prove_only_move(puzzle.board)
        if proof is None or (proof.columns, proof.result, proof.distance) != (
            puzzle.solution,
            puzzle.result,
            puzzle.distance,
        ):
            mistakes.append(f"{puzzle.to_line()}: proof {proof}")
    return mistakes


def select(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Choose puzzles in turn from classes of rarest theme and rating, so that rare classes are complete."""
    pool = sorted(puzzles, key=lambda puzzle: puzzle.id)
    frequency = Counter(theme for puzzle in pool for theme in puzzle.themes)
    classes: dict[tuple[str, int], list[Puzzle]] = defaultdict(list)
    for puzzle in pool:
        classes[min(puzzle.themes, key=lambda theme: frequency[theme]), puzzle.rating // BAND].append(puzzle)
    chosen: list[Puzzle] = []
    trivial = standard = 0
    for puzzle in _take_turns([classes[key] for key in sorted(classes)]):
        if len(chosen) == count:
            break
        is_standard = puzzle.board.hole is None
        if is_trivial(puzzle.board) and trivial >= TRIVIAL_SHARE * count:
            continue
        if is_standard and standard >= MAX_STANDARD_SHARE * count:
            continue
        trivial += is_trivial(puzzle.board)
        standard += is_standard
        chosen.append(puzzle)
    return sorted(chosen, key=lambda puzzle: (puzzle.rating, puzzle.id))


def _take_turns(classes: Sequence[Sequence[Puzzle]]) -> Iterator[Puzzle]:
    for number in range(max(map(len, classes), default=0)):
        for members in classes:
            if number < len(members):
                yield members[number]


def describe(puzzles: Sequence[Puzzle]) -> str:
    """Return how many puzzles have each result, theme, level and class of ratings."""

    def count(title: str, values: Iterable[str]) -> str:
        return f"{title}: " + ", ".join(f"{value} {number}" for value, number in sorted(Counter(values).items()))

    return "\n".join(
        (
            f"{len(puzzles)} puzzles, trivial {sum(is_trivial(puzzle.board) for puzzle in puzzles)}",
            count("board", ("6x7" if puzzle.board.hole is None else "official" for puzzle in puzzles)),
            count("result", (puzzle.result for puzzle in puzzles)),
            count("main theme", (puzzle.themes[0] for puzzle in puzzles)),
            count("all themes", (theme for puzzle in puzzles for theme in puzzle.themes)),
            count("rating from", (f"{puzzle.rating // 200 * 200:4}" for puzzle in puzzles)),
            count("plies of a win", (f"{puzzle.distance:2}" for puzzle in puzzles if puzzle.result == "win")),
        )
    )


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    verifying = commands.add_parser("verify", help="prove all puzzles again")
    verifying.add_argument("file", nargs="?", type=Path, help="puzzle file (default: the puzzles of the package)")
    verifying.add_argument("--levels", action="store_true", help="measure difficulty and themes again, too")
    selecting = commands.add_parser("select", help="select a set from mined puzzles")
    selecting.add_argument("files", nargs="+", type=Path, help="puzzle files")
    selecting.add_argument("--count", type=int, default=500, help="number of puzzles")
    selecting.add_argument("--output", type=Path, required=True, help="puzzle file to write")
    options = parser.parse_args()
    if options.command == "select":
        pool = {puzzle.id: puzzle for file in options.files for puzzle in read_puzzles(file)}
        chosen = select(pool.values(), options.count)
        options.output.write_text(HEADER + "".join(puzzle.to_line() + "\n" for puzzle in chosen), encoding="utf-8")
        print(f"{len(pool)} mined puzzles\n{describe(chosen)}")
        return
    puzzles = load_puzzles() if options.file is None else read_puzzles(options.file)
    started = time.perf_counter()
    mistakes = verify(puzzles, levels=options.levels)
    print("\n".join([describe(puzzles), *mistakes]))
    print(f"{len(puzzles) - len(mistakes)} of {len(puzzles)} proved again in {time.perf_counter() - started:.1f} s")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
