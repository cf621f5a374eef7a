"""A correct UGI engine: plays a winning move and reports it, else the open column nearest to the middle.

On a board with 5 rows it waits for a minute, so that tests can stop it.
"""

import sys
import time

COLUMNS = "123456789abc"


def parse_position(words: list[str]) -> tuple[list[list[int]], int, tuple[int, int] | None]:
    """Read a position line; return the stones of each column from the bottom up, the number of rows and the hole."""
    size, _, hole_text = (words[1] if words[0] == "fen" else "6x7").partition("@")
    rows, cols = map(int, size.split("x"))
    hole = tuple(map(int, hole_text.split(","))) if hole_text else None
    columns: list[list[int]] = [[] for _ in range(cols)]
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    for ply, move in enumerate(moves):
        drop_stone(columns[COLUMNS.index(move)], ply % 2, rows, COLUMNS.index(move), hole)
    return columns, rows, (hole[0], hole[1]) if hole else None


def drop_stone(column: list[int], player: int, rows: int, col: int, hole: tuple[int, ...] | None) -> None:
    """Drop a stone; the hole is stored as -1 when the column reaches it."""
    if (rows - 1 - len(column), col) == hole:
        column.append(-1)
    column.append(player)


def makes_four(columns: list[list[int]], col: int, player: int) -> bool:
    """Whether the topmost stone of a column is part of four in a row."""
    height = len(columns[col]) - 1

    def count_own(down: int, right: int) -> int:
        count, row, at = 0, height + down, col + right
        while 0 <= at < len(columns) and 0 <= row < len(columns[at]) and columns[at][row] == player:
            count, row, at = count + 1, row + down, at + right
        return count

    directions = ((0, 1), (1, 0), (1, 1), (1, -1))
    return any(count_own(down, right) + count_own(-down, -right) >= 3 for down, right in directions)


def choose_column(columns: list[list[int]], rows: int, hole: tuple[int, int] | None) -> tuple[int, bool]:
    """Return a column, and whether it wins."""
    stones = [stone for column in columns for stone in column if stone >= 0]
    player = len(stones) % 2
    open_columns = []
    for col, column in enumerate(columns):
        free_cells = rows - len(column) - (hole is not None and hole[1] == col and -1 not in column)
        if free_cells > 0:
            open_columns.append(col)
            drop_stone(column, player, rows, col, hole)
            wins = makes_four(columns, col, player)
            column.pop()
            if wins:
                return col, True
    return min(open_columns, key=lambda col: abs(2 * col - len(columns) + 1)), False


def main() -> None:
    """Answer commands until the input ends."""
    position: list[str] = ["startpos"]
    questions = 0
    for line in sys.stdin:
        words = line.split()
        match words[0]:
            case "ugi":
                print("id name sample\nid author nobody\nugiok")
            case "isready":
                print("readyok")
            case "position":
                position = words[1:]
            case "go":
                questions += 1
                print(f"question {questions}, time {int(words[2]) / 1000}", file=sys.stderr)
                columns, rows, hole = parse_position(position)
                if rows == 5:
                    time.sleep(60)
                column, wins = choose_column(columns, rows, hole)
                print(f"info depth 1 score {'mate 1' if wins else 'cp 0'} pv {COLUMNS[column]}")
                print(f"bestmove {COLUMNS[column]}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
