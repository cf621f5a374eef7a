"""Rules of ConnectX as operations on bitboards: landing cells, completed lines, winning cells, safe moves.

A set of cells is an integer. The cell at a height (counted from the bottom) of a column has the bit
`column * (rows + 1) + height`; the extra bit above each column is always 0, so that shifted lines do not continue in
the next column.
"""

from collections.abc import Iterable


class Rules:
    """Bit operations for one board size and one length of line (`inarow`).

    `blocked` are cells (height, column) that stones fall past: Kaggle has none, Fourfall's boards have at most one.
    """

    def __init__(self, rows: int, columns: int, inarow: int = 4, blocked: Iterable[tuple[int, int]] = ()) -> None:
        self.rows, self.columns, self.inarow = rows, columns, inarow
        self.stride = rows + 1
        self.size = self.stride * columns
        self.bottom = sum(1 << column * self.stride for column in range(columns))
        self.blocked = sum(1 << column * self.stride + height for height, column in blocked)
        self.playable = self.bottom * ((1 << rows) - 1) & ~self.blocked
        self.cells = self.playable.bit_count()
        self.center = sum(
            (1 << rows) - 1 << column * self.stride
            for column in range(columns)
            if abs(2 * column - columns + 1) <= columns // 2
        )
        self._diagonals = (self.stride - 1, self.stride, self.stride + 1)

    def read(self, board: list[int], mark: int) -> tuple[int, int]:
        """Return the stones of the side `mark` and of the other side, from a list of rows with the top row first.

        >>> Rules(2, 2).read([0, 2, 1, 1], mark=1) == (0b001001, 0b010000)
        True
        """
        own = opponent = 0
        for index, value in enumerate(board):
            row, column = divmod(index, self.columns)
            bit = 1 << column * self.stride + self.rows - 1 - row
            if value == mark:
                own |= bit
            elif value == 3 - mark:
                opponent |= bit
        return own, opponent

    def column(self, cell: int) -> int:
        """Return the column of a single cell."""
        return (cell.bit_length() - 1) // self.stride

    def landing_cells(self, occupied: int) -> int:
        """Return the cells on which the next stone can land, one in every column that is not full."""
        filled = occupied | self.blocked
        return filled + self.bottom & ~filled & self.playable

    def cells_above(self, cells: int) -> int:
        """Return the cell above each of the cells, past blocked cells."""
        above = cells << 1
        while passed := above & self.blocked:
            above ^= passed | passed << 1
        return above & self.playable

    def cells_below(self, cells: int) -> int:
        """Return the cell below each of the cells, past blocked cells."""
        below = cells >> 1
        while passed := below & self.blocked:
            below ^= passed | passed >> 1
        return below & self.playable

    def has_line(self, stones: int) -> bool:
        """Whether the stones contain a line.

        >>> Rules(6, 7, inarow=3).has_line(0b111), Rules(6, 7).has_line(0b111)
        (True, False)
        """
        for step in (1, *self._diagonals):
            line = stones
            for _ in range(self.inarow - 1):
                line = line >> step & stones
            if line:
                return True
        return False

    def completing_cells(self, stones: int) -> int:
        """Return the cells that would complete a line of these stones; occupied cells may be among them.

        >>> bin(Rules(6, 7).completing_cells(0b111))
        '0b1000'
        """
        if self.inarow != 4:
            return self._complete_lines(stones)
        found = (stones << 1) & (stones << 2) & (stones << 3)
        for step in self._diagonals:
            left, right = stones << step, stones >> step
            two_left, two_right = left & stones << 2 * step, right & stones >> 2 * step
            found |= two_left & (right | stones << 3 * step) | two_right & (left | stones >> 3 * step)
        return found

    def _complete_lines(self, stones: int) -> int:
        """Do the same for any length: a cell with i stones in a row on one side and the rest on the other."""
        found = 0
        for step in (1, *self._diagonals):
            left, right = [self.playable], [self.playable]
            for _ in range(self.inarow - 1):
                left.append((left[-1] & stones) << step)
                right.append((right[-1] & stones) >> step)
            for before, after in zip(left, reversed(right), strict=True):
                found |= before & after
        return found

    def safe_moves(self, landing: int, opposing_wins: int) -> int:
        """Return the landing cells after which the opponent cannot win at once.

        `opposing_wins` are the free cells that complete a line of the opponent. Own wins are not preferred.
        """
        forced = landing & opposing_wins
        if forced & (forced - 1):
            return 0
        moves = forced or landing
        return moves & ~self.cells_below(self.cells_above(moves) & opposing_wins)


def split_cells(cells: int) -> list[int]:
    """Return the single cells of a set, the lowest bit first.

    >>> split_cells(0b1010)
    [2, 8]
    """
    single = []
    while cells:
        lowest = cells & -cells
        single.append(lowest)
        cells ^= lowest
    return single
