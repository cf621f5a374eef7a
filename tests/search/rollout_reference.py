"""Reference implementation of the tree search's rollouts, slow and simple, on a grid of cells."""

from collections.abc import Sequence

from fourfall import Board
from fourfall._core import ColumnWeights, Rollout, TreeConfig
from tests.random_reference import Random

FREE, HOLE = 0, 9
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def weighted_columns(weights: ColumnWeights, cols: int) -> list[int]:
    """List every column as often as its weight; the centre weights of nine columns are 4 5 6 7 8 7 6 5 4."""
    edge = max(1, (cols - 1) // 2)
    weight = [edge + min(col, cols - 1 - col) if weights == ColumnWeights.CENTRE else 1 for col in range(cols)]
    return [col for col in range(cols) for _ in range(weight[col])]


class Grid:
    """A board as columns of cells, the lowest cell first; stones and sides are 1 and -1."""

    def __init__(self, columns: Sequence[Sequence[int]]) -> None:
        self.columns = [list(column) for column in columns]
        self.rows = len(columns[0])

    @classmethod
    def of(cls, board: Board) -> "Grid":
        """Copy a board; the first player is 1, the second -1."""
        columns = [[FREE] * board.rows for _ in range(board.cols)]
        for col in range(board.cols):
            for height in range(board.rows):
                row = board.rows - 1 - height
                stone = board.stone_at(row, col)
                if stone is not None:
                    columns[col][height] = 1 if stone == 0 else -1
                elif (row, col) == board.hole:
                    columns[col][height] = HOLE
        return cls(columns)

    def landing(self, col: int) -> int | None:
        """Return the height of the lowest free cell of a column, or None if it is full."""
        column = self.columns[col]
        return column.index(FREE) if FREE in column else None

    def open_columns(self) -> list[int]:
        """Return the columns with a free cell, left to right."""
        return [col for col, column in enumerate(self.columns) if FREE in column]

    def makes_four(self, height: int, col: int, side: int) -> bool:
        """Whether a stone of this side on this cell makes four in a row."""
        for up, right in DIRECTIONS:
            length = 1
            for sign in (1, -1):
                h, c = height + sign * up, col + sign * right
                while 0 <= c < len(self.columns) and 0 <= h < self.rows and self.columns[c][h] == side:
                    length += 1
                    h, c = h + sign * up, c + sign * right
            if length >= 4:
                return True
        return False

    def wins(self, col: int, side: int) -> bool:
        """Whether a stone of this side in this column makes four."""
        height = self.landing(col)
        return height is not None and self.makes_four(height, col, side)

    def wins_above(self, col: int, side: int) -> bool:
        """Whether a stone of this side makes four on the cell above the landing cell of this column."""
        height = self.landing(col)
        if height is None:
            return False
        free_above = [h for h in range(height + 1, self.rows) if self.columns[col][h] == FREE]
        return bool(free_above) and self.makes_four(free_above[0], col, side)

    def has_four(self, side: int) -> bool:
        """Whether this side has four in a row."""
        return any(
            cell == side and self.makes_four(height, col, side)
            for col, column in enumerate(self.columns)
            for height, cell in enumerate(column)
        )

    def immediate_wins(self, side: int) -> list[int]:
        """Return the columns in which this side makes four with its next stone."""
        return [col for col in self.open_columns() if self.wins(col, side)]

    def drop(self, col: int, side: int) -> None:
        """Drop a stone of this side."""
        height = self.landing(col)
        assert height is not None
        self.columns[col][height] = side

    def copy(self) -> "Grid":
        """Return an independent grid."""
        return Grid(self.columns)

    def key(self) -> tuple[tuple[int, ...], ...]:
        """Return the cells as a dictionary key."""
        return tuple(tuple(column) for column in self.columns)


def play_rollout(config: TreeConfig, grid: Grid, first: int, random: Random) -> int:
    """Play a copy of the game to the end by the rollout policy; return 1, 0 or -1 for the side that moves first.

    The policies that test for the end after a move look at the whole board: a side that has four before wins as well.
    """
    grid = grid.copy()
    weights = ColumnWeights.CENTRE if config.rollout == Rollout.CENTRE else ColumnWeights.UNIFORM
    columns = weighted_columns(weights, len(grid.columns))
    has_lookahead = config.rollout == Rollout.LOOKAHEAD
    tests_board = config.rollout in (Rollout.UNIFORM, Rollout.CENTRE)
    winners = [side for side in (1, -1) if tests_board and grid.has_four(side)]
    side = first
    while open_columns := grid.open_columns():
        blocks: list[int] = []
        if has_lookahead or config.rollout == Rollout.WIN_BLOCK:
            if grid.immediate_wins(side):
                return side * first
            blocks = grid.immediate_wins(-side)
            if has_lookahead and len(blocks) > 1:
                return -side * first
        col = blocks[0] if blocks else columns[random.below(len(columns))]
        while col not in open_columns:
            col = columns[random.below(len(columns))]
        if has_lookahead and grid.wins_above(col, -side):
            return -side * first
        if grid.wins(col, side) or side in winners:
            return side * first
        grid.drop(col, side)
        side = -side
    return 0
