"""Owns the board, the chance and the rollouts of the tree search a second time: slow, obvious, and on a plain grid."""

from collections.abc import Sequence

from fourfall import Board
from fourfall._core import ColumnWeights, Rollout, TreeConfig

WORD = 2**64 - 1
FREE, HOLE = 0, 9
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def scramble(x: int) -> int:
    """Mix 64 bits: the finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


class Random:
    """SplitMix64, and Lemire's exact way from 32 bits to a number below a bound."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def bits32(self) -> int:
        """Return the upper half of the next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        return scramble(self.state) >> 32

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, drawn again in the sliver that would make some likelier than others."""
        product = self.bits32() * bound
        while product % 2**32 < 2**32 % bound:
            product = self.bits32() * bound
        return product // 2**32


def tickets(weights: ColumnWeights, cols: int) -> list[int]:
    """List every column as often as its weight says; SEEDS.md: 4 5 6 7 8 7 6 5 4 on nine columns."""
    edge = max(1, (cols - 1) // 2)
    weight = [edge + min(col, cols - 1 - col) if weights == ColumnWeights.CENTRE else 1 for col in range(cols)]
    return [col for col in range(cols) for _ in range(weight[col])]


class Grid:
    """Stones as 1 and -1 in columns of cells, the lowest first; sides are 1 and -1 too."""

    def __init__(self, columns: Sequence[Sequence[int]]) -> None:
        self.columns = [list(column) for column in columns]
        self.rows = len(columns[0])

    @classmethod
    def of(cls, board: Board) -> "Grid":
        """Copy a board; the side to move is 1 for the first player and -1 for the second."""
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
        """Return the height of the lowest free cell of a column, or None where it is full."""
        column = self.columns[col]
        return column.index(FREE) if FREE in column else None

    def open_columns(self) -> list[int]:
        """Return the columns with a free cell, left to right."""
        return [col for col, column in enumerate(self.columns) if FREE in column]

    def makes_four(self, height: int, col: int, side: int) -> bool:
        """Whether a stone of this side on this cell would stand in a line of four."""
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
        """Whether a stone of this side dropped here makes four."""
        height = self.landing(col)
        return height is not None and self.makes_four(height, col, side)

    def wins_above(self, col: int, side: int) -> bool:
        """Whether a stone of this side makes four on the cell that a stone dropped here opens."""
        height = self.landing(col)
        if height is None:
            return False
        free_above = [h for h in range(height + 1, self.rows) if self.columns[col][h] == FREE]
        return bool(free_above) and self.makes_four(free_above[0], col, side)

    def wins_at_once(self, side: int) -> list[int]:
        """Return the columns in which this side would make four at once."""
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
        """Return the stones as something to look up by."""
        return tuple(tuple(column) for column in self.columns)


def play_out(config: TreeConfig, grid: Grid, first: int, random: Random) -> int:
    """Play a copy of the game to its end by the rollout's rules; the result is 1, 0 or -1 for the first to move."""
    grid = grid.copy()
    lottery = tickets(
        ColumnWeights.CENTRE if config.rollout == Rollout.CENTRE else ColumnWeights.UNIFORM, len(grid.columns)
    )
    looks = config.rollout == Rollout.LOOKAHEAD
    side = first
    while open_columns := grid.open_columns():
        blocks: list[int] = []
        if looks or config.rollout == Rollout.WIN_BLOCK:
            if grid.wins_at_once(side):
                return side * first
            blocks = grid.wins_at_once(-side)
            if looks and len(blocks) > 1:
                return -side * first
        col = blocks[0] if blocks else lottery[random.below(len(lottery))]
        while col not in open_columns:
            col = lottery[random.below(len(lottery))]
        if looks and grid.wins_above(col, -side):
            return -side * first
        if grid.wins(col, side):
            return side * first
        grid.drop(col, side)
        side = -side
    return 0
