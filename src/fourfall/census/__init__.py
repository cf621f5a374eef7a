"""Exact results of empty boards, with every hole and without one, computed once by the solver.

`find_solved` looks a board up. The data file has every board of the sizes that `list_solved` yields, up to reflection;
[census.md](../../../docs/census.md) explains how the results were computed and verified.

>>> from fourfall import Board
>>> solved = find_solved(Board(6, 6))
>>> print(solved.score)
loses in 18
>>> [str(column.score) for column in solved.columns[:3]]
['loses in 17', 'loses in 17', 'loses in 18']
>>> print(find_solved(Board(6, 6, hole=(5, 5))).score, "|", find_solved(Board(12, 12)))
wins in 17 | None
"""

from fourfall.census.boards import list_boards, list_sizes
from fourfall.census.census_file import (
    CensusError,
    find_solved,
    list_solved,
    parse_census,
    read_census,
    write_census,
)
from fourfall.census.solved_board import SolvedBoard, SolvedColumn

__all__ = [
    "CensusError",
    "SolvedBoard",
    "SolvedColumn",
    "find_solved",
    "list_boards",
    "list_sizes",
    "list_solved",
    "parse_census",
    "read_census",
    "write_census",
]
