"""Counts results by board size and by the position of the hole."""

from dataclasses import dataclass

from fourfall.report.game_rows import GameRow

ZONES = 5
"""Boards of different sizes are divided into this many zones in each direction."""


@dataclass(frozen=True)
class BoardResult:
    """Results on one board size, or with one hole; of an agent, or of the first player if `agent` is None.

    `hole_row` and `hole_col` count from 0 at the top left; both are None for all holes of the size together.
    """

    agent: str | None
    rows: int
    cols: int
    hole_row: int | None
    hole_col: int | None
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """Share of points, a draw counting as half a point."""
        return (self.won + self.drawn / 2) / self.games


class BoardResults:
    """Results by board size and by hole: of the first player, and of the agents in `agents` (None: of all)."""

    def __init__(self, agents: frozenset[str] | None) -> None:
        self._agents = agents
        self._holes: dict[tuple[str | None, int, int, tuple[int, int] | None], list[int]] = {}

    def add(self, row: GameRow) -> None:
        """Count a game."""
        rows, cols, hole = row.shape
        result = 1 if row.winner is None else 0 if row.winner == 0 else 2
        self._count((None, rows, cols, hole), result)
        for side, name in enumerate(row.names):
            if self._agents is None or name in self._agents:
                self._count((name, rows, cols, hole), result if side == 0 else 2 - result)

    def _count(self, key: tuple[str | None, int, int, tuple[int, int] | None], result: int) -> None:
        counts = self._holes.get(key)
        if counts is None:
            counts = self._holes[key] = [0, 0, 0]
        counts[result] += 1

    def list_holes(self) -> list[BoardResult]:
        """Return the results by size and hole; boards without a hole are left out."""
        return [
            BoardResult(agent, rows, cols, *hole, *counts)
            for (agent, rows, cols, hole), counts in sorted(self._holes.items(), key=_get_order)
            if hole is not None
        ]

    def list_sizes(self) -> list[BoardResult]:
        """Return the results by size, over all holes and boards without a hole."""
        totals: dict[tuple[str | None, int, int], list[int]] = {}
        for (agent, rows, cols, _), counts in sorted(self._holes.items(), key=_get_order):
            total = totals.setdefault((agent, rows, cols), [0, 0, 0])
            for at, count in enumerate(counts):
                total[at] += count
        return [BoardResult(agent, rows, cols, None, None, *counts) for (agent, rows, cols), counts in totals.items()]


def _get_order(item: tuple[tuple[str | None, int, int, tuple[int, int] | None], list[int]]) -> tuple[object, ...]:
    (agent, rows, cols, hole), _ = item
    return agent is not None, agent or "", rows, cols, hole or (-1, -1)


def group_by_zone(results: list[BoardResult], *, is_relative: bool) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Group results by the position of the hole: by its cell, or by its zone if boards of different sizes are mixed.

    The zone of a cell is the fifth of the board, in each direction, that contains the middle of the cell. Returns wins,
    draws and losses by (row, column).
    """
    grouped: dict[tuple[int, int], tuple[int, int, int]] = {}
    for result in results:
        if result.hole_row is None or result.hole_col is None:
            continue
        key = (result.hole_row, result.hole_col)
        if is_relative:
            key = (find_zone(result.hole_row, result.rows), find_zone(result.hole_col, result.cols))
        won, drawn, lost = grouped.get(key, (0, 0, 0))
        grouped[key] = (won + result.won, drawn + result.drawn, lost + result.lost)
    return grouped


def find_zone(index: int, size: int) -> int:
    """Return the zone of a row or column.

    >>> [find_zone(index, 9) for index in range(9)]
    [0, 0, 1, 1, 2, 3, 3, 4, 4]
    """
    return (2 * index + 1) * ZONES // (2 * size)
