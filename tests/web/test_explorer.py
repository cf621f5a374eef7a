"""Tests the opening explorer: counts, move orders, mirror images, both sources, changes of the database, bounds."""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.store import Store
from fourfall.web.explorer import Explorer
from fourfall.web.game_repository import GameRepository
from fourfall.web.play.game import Game, PlayedMove, create_id
from tests.web.conftest import RunningServer


def create_record(number: int, board: str, moves: str, winner: int | None) -> GameRecord:
    """Create a game of the arena; `winner` need not follow from the moves."""
    ending = Ending.TIE if winner is None else Ending.WIN
    started = f"2026-11-15T12:00:00.{number:03}+00:00"
    return replace(EXAMPLE, number=number, board=board, moves=moves, winner=winner, ending=ending, started=started)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Create a database with six games of the arena."""
    games = [
        ("6x7", "4345", 0),
        ("6x7:43", "45", 1),  # the opening counts as moves
        ("6x7", "4543", None),  # the mirror image of the first
        ("6x7", "5", 0),
        ("6x7@0,0", "4345", 0),  # another board
        ("6x7", "4354", 0),
    ]
    with Store(tmp_path / "arena.db") as store:
        store.import_games("six", [create_record(i, *game) for i, game in enumerate(games)])
    return tmp_path / "arena.db"


@pytest.fixture
def explorer(database: Path) -> Iterator[Explorer]:
    """Open the explorer as the server does: after the tables of the page were created."""
    GameRepository(database).close()
    explorer = Explorer(database)
    yield explorer
    explorer.close()


def count(explorer: Explorer, position: str, source: str | None = None) -> dict[int, tuple[int, int, int]]:
    """Return the results of each column."""
    info = explorer.explore(Board.parse(position), source)  # type: ignore[arg-type]
    return {entry.column: (entry.first, entry.draws, entry.second) for entry in info.columns}


def test_moves_and_results_at_a_position(explorer: Explorer) -> None:
    """Each column has its results; a mirror image counts for the mirrored column."""
    assert count(explorer, "6x7:43") == {3: (1, 1, 1), 4: (1, 0, 0)}
    assert count(explorer, "6x7:45") == {3: (1, 1, 1), 2: (1, 0, 0)}
    assert count(explorer, "6x7") == {3: (2, 1, 1), 4: (1, 0, 0)}
    assert count(explorer, "6x7@0,0:4") == {2: (1, 0, 0)}
    assert count(explorer, "6x7@0,6:4") == {4: (1, 0, 0)}
    assert count(explorer, "6x7:1") == {}


def test_games_that_ended_and_example_games(explorer: Explorer) -> None:
    """A game that ends at the position counts; the newest games are examples, with the column played next."""
    info = explorer.explore(Board.parse("6x7:5"), None)
    assert (info.games, info.ended, info.columns) == (1, 1, [])
    info = explorer.explore(Board.parse("6x7:43"), None)
    assert [(game.id, game.column) for game in info.examples] == [("a6", 4), ("a3", 3), ("a2", 3), ("a1", 3)]
    assert info.examples[0].names == ("left", "right")


def test_all_orders_of_the_moves_count(explorer: Explorer) -> None:
    """4354 and 4453 lead to the same stones, 4534 to their mirror image; 5443 stacks column 4 in another order."""
    assert explorer.explore(Board.parse("6x7:4453"), None).ended == 1
    assert explorer.explore(Board.parse("6x7:4354"), None).ended == 1
    assert explorer.explore(Board.parse("6x7:4534"), None).ended == 1
    assert explorer.explore(Board.parse("6x7:5443"), None).ended == 0


def test_counts_agree_with_a_slow_reference(tmp_path: Path) -> None:
    """Random games on a small board: the counts equal those of comparing whole boards, also mirrored."""
    rng = random.Random(5)  # noqa: S311 (not for security)
    boards = []
    for number in range(300):
        board = Board(4, 4, hole=(3, 1) if number % 2 else (3, 2))
        while not board.is_over and board.ply < 5:
            board.push(rng.choice(board.legal_moves))
        boards.append(board)
    shapes = [board.notation.partition(":") for board in boards]
    with Store(tmp_path / "arena.db") as store:
        store.import_games(
            "random", [create_record(i, shape, moves, i % 2) for i, (shape, _, moves) in enumerate(shapes)]
        )
    GameRepository(tmp_path / "arena.db").close()
    explorer = Explorer(tmp_path / "arena.db")
    for board in boards[:20]:
        for ply in (0, 2, 3, 4):
            position = Board.parse(f"{board.notation.partition(':')[0]}:{board.notation.partition(':')[2][:ply]}")
            assert count(explorer, position.notation) == count_slowly(position, boards)
    explorer.close()


def count_slowly(position: Board, boards: list[Board]) -> dict[int, tuple[int, int, int]]:
    """Replay every game, and its mirror image, and compare the boards."""
    counts: Counter[tuple[int, int]] = Counter()
    for number, board in enumerate(boards):
        for is_mirrored in (False, True):
            row, column = board.hole or (0, 0)
            cells = (row, board.cols - 1 - column) if is_mirrored else (row, column)
            moves = [board.cols - 1 - move if is_mirrored else move for move in board.moves]
            replayed = Board(board.rows, board.cols, hole=cells)
            for move in moves[: position.ply]:
                replayed.push(move)
            if replayed == position and len(moves) > position.ply:
                counts[moves[position.ply], number % 2] += 1
    columns = sorted({column for column, _ in counts}, key=lambda c: (-counts[c, 0] - counts[c, 1], c))
    return {column: (counts[column, 0], 0, counts[column, 1]) for column in columns}


def test_games_of_the_page_are_followed(explorer: Explorer, database: Path) -> None:
    """A game of the page counts when it is over; not any more after an undo or a deletion."""
    repository = GameRepository(database)
    game = Game(create_id(), "6x7:43", 0, "level-2", played=[PlayedMove(column, 1.0) for column in (0, 6, 0, 6, 0, 6)])
    repository.save_game(game)
    assert count(explorer, "6x7:43", "page") == {}
    game.play_person(8, 0, 1.0)
    repository.save_game(game)
    assert count(explorer, "6x7:43", "page") == {0: (1, 0, 0)}
    assert count(explorer, "6x7:43", "arena") == {3: (1, 1, 1), 4: (1, 0, 0)}
    assert count(explorer, "6x7:43") == {3: (1, 1, 1), 0: (1, 0, 0), 4: (1, 0, 0)}
    assert explorer.explore(Board.parse("6x7:43"), "page").examples[0].id == game.id
    game.undo()
    repository.save_game(game)
    assert count(explorer, "6x7:43", "page") == {}
    game.resign()
    repository.save_game(game)
    assert count(explorer, "6x7:43", "page") == {0: (0, 0, 1)}
    repository.close()
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM page_games")
        connection.execute("DELETE FROM games WHERE id = 1")
    assert count(explorer, "6x7:43") == {3: (0, 1, 1), 4: (1, 0, 0)}


def test_games_that_another_process_adds_are_followed(explorer: Explorer, database: Path) -> None:
    """Arena games that are stored while the server runs count at once, damaged ones not."""
    with Store(database) as store:
        store.import_games("more", [create_record(7, "6x7", "433", 1)])
    assert count(explorer, "6x7:43")[2] == (0, 0, 1)
    with sqlite3.connect(database) as connection:
        for record in ("", "{", "[]", '{"board": 7, "moves": []}', '{"board": "6x7", "moves": "43x"}'):
            connection.execute(
                'INSERT INTO games SELECT NULL, event, 100 + (SELECT max(id) FROM games), pair, "group", first, second,'
                " ending, winner, culprit, moves, started, ? FROM games WHERE id = 1",
                [record],
            )
    assert count(explorer, "6x7:43")[2] == (0, 0, 1)
    assert explorer.explore(Board.parse("6x7:43"), None).games == 5


def test_one_request_compares_a_bounded_number_of_openings(explorer: Explorer) -> None:
    """With more openings than the bound, the reply says that the counts are not complete."""
    info = explorer.explore(Board.parse("6x7:4354"), None, max_steps=1)
    assert (info.games, info.is_complete) == (0, False)
    assert explorer.explore(Board.parse("6x7:4354"), None).is_complete


def test_route(server: RunningServer) -> None:
    """The route counts the games of the server's database; wrong values are refused."""
    info = server.get("/api/explorer?position=6x7:44&source=page")
    assert info == {
        "games": 0,
        "first": 0,
        "draws": 0,
        "second": 0,
        "position": "6x7:44",
        "source": "page",
        "ended": 0,
        "columns": [],
        "examples": [],
        "is_complete": True,
    }
    assert server.request("/api/explorer?position=6x7:x")[1]["code"] == "bad_position"
    assert server.request("/api/explorer?position=6x7&source=book")[1]["code"] == "bad_request"
