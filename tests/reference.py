"""Owns the rules of the game a second time: slow, obvious, and independent of the core."""

from collections.abc import Iterator

Cell = tuple[int, int]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class ReferenceGame:
    """A game in progress on a grid of cells; row 0 is the top row, player 0 moves first."""

    def __init__(self, rows: int, cols: int, hole: Cell | None = None) -> None:
        self.rows = rows
        self.cols = cols
        self.hole = hole
        self.stones: dict[Cell, int] = {}
        self.history: list[Cell] = []

    @property
    def turn(self) -> int:
        """The player to move."""
        return len(self.history) % 2

    @property
    def moves(self) -> list[int]:
        """The columns played so far."""
        return [col for _, col in self.history]

    def is_free(self, cell: Cell) -> bool:
        """Whether the cell is on the board, carries no stone and is not the hole."""
        row, col = cell
        on_board = 0 <= row < self.rows and 0 <= col < self.cols
        return on_board and cell != self.hole and cell not in self.stones

    def free_cells(self) -> list[Cell]:
        """Every free cell, row by row."""
        return [(row, col) for row in range(self.rows) for col in range(self.cols) if self.is_free((row, col))]

    def landing_cell(self, col: int) -> Cell | None:
        """Return the lowest free cell of a column, or None where there is none."""
        for row in reversed(range(self.rows)):
            if self.is_free((row, col)):
                return row, col
        return None

    def landing_cells(self) -> list[Cell]:
        """Return the lowest free cell of every column that has one, left to right, also after the end."""
        cells = [self.landing_cell(col) for col in range(self.cols)]
        return [cell for cell in cells if cell is not None]

    def legal_moves(self) -> list[int]:
        """Return the columns that take a stone now; none once the game is over."""
        return [] if self.is_over() else [col for _, col in self.landing_cells()]

    def push(self, col: int) -> None:
        """Drop a stone of the side to move."""
        cell = self.landing_cell(col)
        if cell is None or self.is_over():
            raise AssertionError(f"column {col} takes no stone")
        self.stones[cell] = self.turn
        self.history.append(cell)

    def pop(self) -> int:
        """Take the last stone back and return its column."""
        cell = self.history.pop()
        del self.stones[cell]
        return cell[1]

    def runs_through(self, cell: Cell, player: int) -> Iterator[list[Cell]]:
        """Yield the unbroken runs of a player's stones through a cell, which counts as his, in the four directions."""
        for down, right in DIRECTIONS:
            run = [cell]
            for sign in (1, -1):
                row, col = cell[0] + sign * down, cell[1] + sign * right
                while self.stones.get((row, col)) == player:
                    run.append((row, col))
                    row, col = row + sign * down, col + sign * right
            yield run

    def completes_four(self, cell: Cell, player: int) -> bool:
        """Whether a player's stone on this cell stands in a line of four or more."""
        return any(len(run) >= 4 for run in self.runs_through(cell, player))

    def winning_cells(self) -> list[Cell]:
        """Every cell of every line of four or more of one player on the board, row by row."""
        cells: set[Cell] = set()
        for cell, player in self.stones.items():
            for run in self.runs_through(cell, player):
                if len(run) >= 4:
                    cells.update(run)
        return sorted(cells)

    def winner(self) -> int | None:
        """Return the player with four in line, who must be the one that moved last."""
        if not self.history:
            return None
        return 1 - self.turn if self.completes_four(self.history[-1], 1 - self.turn) else None

    def is_over(self) -> bool:
        """Whether somebody has won or no cell is free."""
        return self.winner() is not None or not self.landing_cells()

    def threats(self, player: int) -> list[Cell]:
        """Return the free cells on which a stone of this player would make four, row by row."""
        return [cell for cell in self.free_cells() if self.completes_four(cell, player)]

    def winning_moves(self) -> list[int]:
        """Return the columns that win at once for the side to move."""
        if self.is_over():
            return []
        return [cell[1] for cell in self.landing_cells() if self.completes_four(cell, self.turn)]

    def safe_moves(self) -> list[int]:
        """Return the columns after which no reply makes four, played on even where the column itself wins."""
        safe = []
        for col in self.legal_moves():
            self.push(col)
            if not any(self.completes_four(reply, self.turn) for reply in self.landing_cells()):
                safe.append(col)
            self.pop()
        return safe

    def perft(self, depth: int) -> int:
        """How many sequences of exactly this many legal moves start here."""
        if depth == 0:
            return 1
        total = 0
        for col in self.legal_moves():
            self.push(col)
            total += self.perft(depth - 1)
            self.pop()
        return total
