"""The opening explorer: which moves were played at a position in the stored games, and how these games ended.

The index is sorted by board and moves. The games that reached a position in any order of moves are found by skipping:
the first moves that contradict the position exclude all games that begin with them, and the next row is looked up
behind these games. The games behind an opening that leads to the position are counted by the database.
"""

from collections.abc import Iterator
from pathlib import Path

from fourfall import Board
from fourfall.arena.database import connect, translate_errors
from fourfall.render import COLUMN_NAMES
from fourfall.web import limits
from fourfall.web.explorer_index import create_index
from fourfall.web.messages.explorer import ExampleGame, ExplorerInfo, GameSource, PlayedColumn, ResultCounts

_MAX_EXAMPLES = 6
_AFTER_ALL = "~"  # sorts after every column name
_SOURCE_CONDITIONS = {None: "", "page": "AND game GLOB 'p*'", "arena": "AND game GLOB 'a*'"}
_RANGE = "FROM explorer_games WHERE board = ? AND moves >= ? AND moves < ?"
_NEXT = "SELECT moves FROM explorer_games WHERE board = ? AND moves >= ? ORDER BY moves LIMIT 1"
_COUNTS = f"SELECT count(*), ifnull(sum(winner = 0), 0), ifnull(sum(winner IS NULL), 0) {_RANGE}"
_NEWEST = f"SELECT started, game, winner, moves {_RANGE}"
_NAMES = {"p": "SELECT first, second FROM page_games WHERE id = ?", "a": "SELECT first, second FROM games WHERE id = ?"}


class _Position:
    """A set of stones that the moves of a game may lead to, in one of its two orientations."""

    def __init__(self, board: Board, *, is_mirrored: bool) -> None:
        self.is_mirrored = is_mirrored
        self.cols = board.cols
        hole = board.hole
        if hole is not None and is_mirrored:
            hole = hole[0], board.cols - 1 - hole[1]
        self.shape = f"{board.rows}x{board.cols}" + ("" if hole is None else f"@{hole[0]},{hole[1]}")
        self.ply = board.ply
        self.stacks: dict[str, list[int]] = {}  # the players of the stones of each column, from the bottom up
        for ply, column in enumerate(board.moves):
            self.stacks.setdefault(self.get_name(column), []).append(ply % 2)

    def get_name(self, column: int) -> str:
        """Return the name that a column of the board has in this orientation."""
        return COLUMN_NAMES[self.cols - 1 - column if self.is_mirrored else column]

    def count_fitting(self, moves: str) -> int:
        """Return the number of leading moves that may belong to a game that reaches the position.

        >>> _Position(Board.parse("6x7:4354"), is_mirrored=False).count_fitting("4453")
        4
        >>> _Position(Board.parse("6x7:4354"), is_mirrored=False).count_fitting("4433")
        2
        """
        heights = dict.fromkeys(self.stacks, 0)
        for ply, column in enumerate(moves[: self.ply]):
            stack = self.stacks.get(column, [])
            height = heights.get(column, 0)
            if height >= len(stack) or stack[height] != ply % 2:
                return ply
            heights[column] = height + 1
        return min(len(moves), self.ply)


class Explorer:
    """Database connection of the opening explorer; only the thread that creates it may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connect(path, create=True, read_only=False)
        with translate_errors(path):
            self._connection.execute("PRAGMA synchronous = NORMAL")
            create_index(self._connection)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def explore(
        self, board: Board, source: GameSource | None, max_steps: int = limits.MAX_EXPLORER_STEPS
    ) -> ExplorerInfo:
        """Count the games that reached the position of a board; at most `max_steps` openings are looked up."""
        info = ExplorerInfo(position=board.notation, source=source)
        columns = {column: PlayedColumn(column=column) for column in range(board.cols)}
        examples: list[ExampleGame] = []
        with translate_errors(self.path):
            for position, opening in self._find_openings(board, max_steps, info):
                info.ended += self._count(info, position, opening, f"{opening}\0", source)
                for column, counts in columns.items():
                    start = opening + position.get_name(column)
                    self._count(counts, position, start, start + _AFTER_ALL, source)
                examples += self._find_examples(position, opening, source)
        played = [counts for counts in columns.values() if counts.games]
        for counts in played:
            _add(info, counts.games, counts.first, counts.draws)
        info.columns = sorted(played, key=lambda counts: (-counts.games, counts.column))
        info.examples = sorted(examples, key=lambda game: game.started, reverse=True)[:_MAX_EXAMPLES]
        return info

    def _find_openings(self, board: Board, max_steps: int, info: ExplorerInfo) -> Iterator[tuple[_Position, str]]:
        """Yield every sequence of moves in the index that leads to the position or to its mirror image."""
        positions = [_Position(board, is_mirrored=False)]
        mirrored = _Position(board, is_mirrored=True)
        if (mirrored.shape, mirrored.stacks) != (positions[0].shape, positions[0].stacks):
            positions.append(mirrored)
        steps = 0
        for position in positions:
            start = ""
            while (row := self._connection.execute(_NEXT, [position.shape, start]).fetchone()) is not None:
                if (steps := steps + 1) > max_steps:
                    info.is_complete = False
                    return
                [moves] = row
                fitting = position.count_fitting(moves)
                if fitting == board.ply:
                    start = moves[:fitting] + _AFTER_ALL
                    yield position, moves[:fitting]
                elif fitting == len(moves):  # the game ended before
                    start = moves + "\0"
                else:
                    start = moves[: fitting + 1] + _AFTER_ALL

    def _count(self, counts: ResultCounts, position: _Position, start: str, end: str, source: GameSource | None) -> int:
        """Add the results of the games with moves from `start` to before `end`; return the number of games."""
        query = f"{_COUNTS} {_SOURCE_CONDITIONS[source]}"
        games, first, draws = self._connection.execute(query, [position.shape, start, end]).fetchone()
        _add(counts, games, first, draws)
        return int(games)

    def _find_examples(self, position: _Position, opening: str, source: GameSource | None) -> Iterator[ExampleGame]:
        """Yield the newest games behind an opening."""
        query = f"{_NEWEST} {_SOURCE_CONDITIONS[source]} ORDER BY started DESC LIMIT {_MAX_EXAMPLES}"
        rows = self._connection.execute(query, [position.shape, opening, opening + _AFTER_ALL]).fetchall()
        columns = {position.get_name(column): column for column in range(position.cols)}
        for started, game, winner, moves in rows:
            key = game if game.startswith("p") else int(game[1:])
            for names in self._connection.execute(_NAMES[game[0]], [key]):  # nothing if it was deleted meanwhile
                column = columns.get(moves[position.ply : position.ply + 1])
                yield ExampleGame(id=game, names=names, winner=winner, started=started, ply=position.ply, column=column)


def _add(counts: ResultCounts, games: int, first: int, draws: int) -> None:
    counts.games += games
    counts.first += first
    counts.draws += draws
    counts.second += games - first - draws
