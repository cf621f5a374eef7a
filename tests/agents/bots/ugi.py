"""A sample UGI engine: takes a win and says so, else the open column nearest to the middle."""

import sys

COLUMNS = "123456789abc"


def read(words: list[str]) -> tuple[list[list[int]], int, tuple[int, int] | None]:
    """Set up the stones of a position line; returns the columns from the bottom up, the rows and the hole."""
    size, _, hole = (words[1] if words[0] == "fen" else "6x7").partition("@")
    rows, cols = map(int, size.split("x"))
    where = tuple(map(int, hole.split(","))) if hole else None
    columns: list[list[int]] = [[] for _ in range(cols)]
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    for ply, move in enumerate(moves):
        drop(columns[COLUMNS.index(move)], ply % 2, rows, COLUMNS.index(move), where)
    return columns, rows, (where[0], where[1]) if where else None


def drop(column: list[int], player: int, rows: int, col: int, hole: tuple[int, ...] | None) -> None:
    """Let a stone fall; the hole is a stone of nobody, which is passed when it is next."""
    if (rows - 1 - len(column), col) == hole:
        column.append(-1)
    column.append(player)


def wins(columns: list[list[int]], col: int, player: int) -> bool:
    """Whether the topmost stone of a column stands in a line of four."""
    height = len(columns[col]) - 1

    def run(down: int, right: int) -> int:
        count, row, at = 0, height + down, col + right
        while 0 <= at < len(columns) and 0 <= row < len(columns[at]) and columns[at][row] == player:
            count, row, at = count + 1, row + down, at + right
        return count

    return any(run(down, right) + run(-down, -right) >= 3 for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)))


def best(columns: list[list[int]], rows: int, hole: tuple[int, int] | None) -> tuple[int, bool]:
    """Choose a column; whether it wins."""
    stones = [stone for column in columns for stone in column if stone >= 0]
    player = len(stones) % 2
    open_columns = []
    for col, column in enumerate(columns):
        room = rows - len(column) - (hole is not None and hole[1] == col and -1 not in column)
        if room > 0:
            open_columns.append(col)
            drop(column, player, rows, col, hole)
            won = wins(columns, col, player)
            column.pop()
            if won:
                return col, True
    return min(open_columns, key=lambda col: abs(2 * col - len(columns) + 1)), False


def main() -> None:
    """Talk until there is nobody left to talk to."""
    position: list[str] = ["startpos"]
    asked = 0
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
                asked += 1
                print(f"asked {asked}", file=sys.stderr)
                column, won = best(*read(position))
                print(f"info depth 1 score {'mate 1' if won else 'cp 0'} pv {COLUMNS[column]}")
                print(f"bestmove {COLUMNS[column]}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
