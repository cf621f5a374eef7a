"""A slow and simple implementation of the rules, independent of the native core."""

from collections.abc import Iterator

Cell = tuple[int, int]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class ReferenceGame:
    """A game on a grid of cells; row 0 is the top row, player 0 moves first."""

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
        """Return whether the cell is on the board, has no stone and is not the hole."""
        row, col = cell
        on_board = 0 <= row < self.rows and 0 <= col < self.cols
        return on_board and cell != self.hole and cell not in self.stones

    def free_cells(self) -> list[Cell]:
        """Return all free cells, row by row."""
        return [(row, col) for row in range(self.rows) for col in range(self.cols) if self.is_free((row, col))]

    def landing_cell(self, col: int) -> Cell | None:
        """Return the lowest free cell of a column, or None if the column is full."""
        for row in reversed(range(self.rows)):
            if self.is_free((row, col)):
                return row, col
        return None

    def landing_cells(self) -> list[Cell]:
        """Return the lowest free cell of every column that has one, left to right, also after the end of the game."""
        cells = [self.landing_cell(col) for col in range(self.cols)]
        return [cell for cell in cells if cell is not None]

    def legal_moves(self) -> list[int]:
        """Return the columns that are not full; none if the game is over."""
        return [] if self.is_over() else [col for _, col in self.landing_cells()]

    def push(self, col: int) -> None:
        """Drop a stone of the side to move."""
        cell = self.landing_cell(col)
        if cell is None or self.is_over():
            raise AssertionError(f"column {col} is full or the game is over")
        self.stones[cell] = self.turn
        self.history.append(cell)

    def pop(self) -> int:
        """Take back the last stone and return its column."""
        cell = self.history.pop()
        del self.stones[cell]
        return cell[1]

    def runs_through(self, cell: Cell, player: int) -> Iterator[list[Cell]]:
        """Yield a player's runs through a cell in the four directions; the cell counts as a stone of the player."""
        for down, right in DIRECTIONS:
            run = [cell]
            for sign in (1, -1):
                row, col = cell[0] + sign * down, cell[1] + sign * right
                while self.stones.get((row, col)) == player:
                    run.append((row, col))
                    row, col = row + sign * down, col + sign * right
            yield run

    def completes_four(self, cell: Cell, player: int) -> bool:
        """Return whether a stone of the player on this cell is in a line of four or more."""
        return any(len(run) >= 4 for run in self.runs_through(cell, player))

    def winning_cells(self) -> list[Cell]:
        """Return all cells of all lines of four or more of one player, row by row."""
        cells: set[Cell] = set()
        for cell, player in self.stones.items():
            for run in self.runs_through(cell, player):
                if len(run) >= 4:
                    cells.update(run)
        return sorted(cells)

    def winner(self) -> int | None:
        """Return the player with four in a row, who is the one that moved last, or None."""
        if not self.history:
            return None
        return 1 - self.turn if self.completes_four(self.history[-1], 1 - self.turn) else None

    def is_over(self) -> bool:
        """Return whether a player has won or no cell is free."""
        return self.winner() is not None or not self.landing_cells()

    def threats(self, player: int) -> list[Cell]:
        """Return the free cells that would complete four for this player, row by row."""
        return [cell for cell in self.free_cells() if self.completes_four(cell, player)]

    def winning_moves(self) -> list[int]:
        """Return the columns in which the side to move wins immediately."""
        if self.is_over():
            return []
        return [cell[1] for cell in self.landing_cells() if self.completes_four(cell, self.turn)]

    def safe_moves(self) -> list[int]:
        """Return the columns after which no reply completes four; a win by the column itself is ignored."""
        safe = []
        for col in self.legal_moves():
            self.push(col)
            if not any(self.completes_four(reply, self.turn) for reply in self.landing_cells()):
                safe.append(col)
            self.pop()
        return safe

    def perft(self, depth: int) -> int:
        """Return the number of sequences of exactly `depth` legal moves."""
        if depth == 0:
            return 1
        total = 0
        for col in self.legal_moves():
            self.push(col)
            total += self.perft(depth - 1)
            self.pop()
        return total
