"""Reads and writes census files, and finds boards in the census of the package."""

import lzma
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from fourfall._core import Board
from fourfall.census.notation import LineError, format_line, parse_line
from fourfall.census.solved_board import SolvedBoard

FILE_NAME = "census.txt.xz"
"""Name of the data file in this package."""

HEADER = """\
# Exact results of empty boards: BOARD RESULT [RESULT of each column], separated by spaces. A result is SCORE:LINE.
# SCORE: +N the first player wins with the N-th stone, -N it loses to the N-th stone, = draw; ? not solved.
# LINE: perfect play by both sides, one character for each column (1..9, a..c).
# A board with its hole in the right half is the reflection of one in this file.
"""


class CensusError(ValueError):
    """A file that is not a census; the message names the file and the line."""


def find_solved(board: Board) -> SolvedBoard | None:
    """Find the exact result of a position in the census: an empty board, or a board with one stone.

    Returns None if the census does not have it. The result of a board with one stone has no columns.

    >>> solved = find_solved(Board(5, 5, hole=(3, 2)))
    >>> print(solved.score, solved.winner)
    loses in 11 1
    >>> print(find_solved(Board.parse("4x7:4")).score)
    draws
    >>> find_solved(Board.parse("4x7:44")) is None
    True
    """
    if board.ply > 1:
        return None
    empty = Board.from_geometry(board.geometry)
    lines = _load_lines()
    if empty.notation in lines:
        solved = parse_line(lines[empty.notation])
    elif empty.mirror().notation in lines:
        solved = parse_line(lines[empty.mirror().notation]).mirror()
    else:
        return None
    return solved.play(board.moves[0]) if board.ply else solved


def list_solved() -> Iterator[SolvedBoard]:
    """Yield all boards of the census of the package; of a board and its reflection only one.

    >>> next(list_solved()).position
    '4x4'
    """
    return (parse_line(line) for line in _load_lines().values())


def read_census(path: Path) -> list[SolvedBoard]:
    """Read a census file, compressed by xz or not.

    Raises:
        CensusError: the file is not a census; the message names the line.
        OSError: the file cannot be read.
    """
    data = path.read_bytes()
    try:
        text = (lzma.decompress(data) if data.startswith(b"\xfd7zXZ") else data).decode()
    except (lzma.LZMAError, UnicodeDecodeError):
        raise CensusError(f"{path}: not a text file, nor one compressed by xz") from None
    return parse_census(text, str(path))


def parse_census(text: str, name: str) -> list[SolvedBoard]:
    r"""Read a census from the text of a file with this name.

    >>> parse_census("# comment\n4x4 =:12\n4x4@1,0 =\n", "c.txt")
    Traceback (most recent call last):
    fourfall.census.census_file.CensusError: c.txt:3: result '=': must be a score (+N, -N or =), a colon and columns
    """
    boards: list[SolvedBoard] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        try:
            solved = parse_line(line)
        except LineError as error:
            raise CensusError(f"{name}:{number}: {error}") from None
        first = min(lines.get(solved.position, number), lines.get(solved.board.mirror().notation, number))
        if first != number:
            raise CensusError(
                f"{name}:{number}: {solved.position}: the same board as on line {first}, or its reflection"
            )
        lines[solved.position] = number
        boards.append(solved)
    return boards


def write_census(path: Path, boards: Iterable[SolvedBoard]) -> None:
    """Write a census file, ordered by cells, rows and hole; a name that ends in ``.xz`` is compressed."""
    lines = [format_line(solved) for solved in sorted(boards, key=_get_order)]
    data = (HEADER + "".join(f"{line}\n" for line in lines)).encode()
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME) if path.suffix == ".xz" else data)


def _get_order(solved: SolvedBoard) -> tuple[int, ...]:
    board = solved.board
    hole = (-1, -1) if board.hole is None else board.hole
    return (board.rows * board.cols, board.rows, board.cols, hole[1], hole[0])


@cache
def _load_lines() -> dict[str, str]:
    """Return the lines of the data file by board. They are parsed when a board is looked up, which is faster."""
    data = (resources.files("fourfall.census") / FILE_NAME).read_bytes()
    lines = [line for line in lzma.decompress(data).decode().splitlines() if not line.startswith("#")]
    return {line.partition(" ")[0]: line for line in lines}
