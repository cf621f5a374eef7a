"""Brute force for small empty boards: a plain alpha-beta search in Python that uses nothing of the package."""

from collections.abc import Iterator

Cell = tuple[int, int]


class BruteForce:
    """Solves an empty board exactly. Cells are (row, column) from the top-left; row 0 is the top row.

    The value of a position for the side to move is 0 for a draw, and for a win with the N-th stone of the game
    cells + 1 - N, negative for a loss: the earlier the end, the larger the number.
    """

    def __init__(self, rows: int, cols: int, hole: Cell | None) -> None:
        cells = [(row, col) for row in range(rows) for col in range(cols) if (row, col) != hole]
        self.cells = len(cells)
        bits = {cell: 1 << number for number, cell in enumerate(cells)}
        # The cells of each column in the order in which stones fill them.
        self._columns = [[bits[row, col] for row in reversed(range(rows)) if (row, col) != hole] for col in range(cols)]
        self._lines: dict[int, list[int]] = {bit: [] for bit in bits.values()}
        for line in _list_lines(rows, cols):
            if all(cell in bits for cell in line):
                mask = sum(bits[cell] for cell in line)
                for cell in line:
                    self._lines[bits[cell]].append(mask)
        self._order = sorted(range(cols), key=lambda col: abs(2 * col - cols + 1))
        self._bounds: dict[tuple[int, int], tuple[int, int]] = {}

    def solve(self) -> str:
        """Return the result of the empty board: "=", or "+N" or "-N" for a win or loss of the first player."""
        return self._format(self._search(0, 0, 0, -self.cells, self.cells))

    def solve_column(self, col: int) -> str:
        """Return the result of a first move for the first player."""
        return self._format(-self._search(0, self._columns[col][0], 1, -self.cells, self.cells))

    def _format(self, value: int) -> str:
        if value == 0:
            return "="
        return f"+{self.cells + 1 - value}" if value > 0 else f"-{self.cells + 1 + value}"

    def _search(self, own: int, other: int, stones: int, alpha: int, beta: int) -> int:
        if stones == self.cells:
            return 0
        moves = self._list_moves(own | other)
        for move in moves:
            if any((own | move) & line == line for line in self._lines[move]):
                return self.cells - stones
        low, high = self._bounds.get((own, other), (-self.cells, self.cells))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best, start = -self.cells, alpha
        for move in moves:
            best = max(best, -self._search(other, own | move, stones + 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        self._bounds[own, other] = (max(low, best) if best > start else low, min(high, best) if best < beta else high)
        return best

    def _list_moves(self, occupied: int) -> list[int]:
        moves = []
        for col in self._order:
            for bit in self._columns[col]:
                if not occupied & bit:
                    moves.append(bit)
                    break
        return moves


def _list_lines(rows: int, cols: int) -> Iterator[list[Cell]]:
    """Yield every four cells in a row, column or diagonal."""
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * down < rows and 0 <= col + 3 * right < cols:
                    yield [(row + step * down, col + step * right) for step in range(4)]
