"""Tests the paste import: positions, links, moves, records and text boards."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board, render
from fourfall.arena.record import EXAMPLE
from fourfall.web.errors import RequestError
from fourfall.web.paste_import import import_text

FRAMED = """
+---+---+---+---+---+---+---+
|   1   2   3   4   5   6   7
| . | . | . | . | . | . | . |
| . | . | . | . | . | . | . |
| . | . | . | . | . | . | . |
| . | . | . | . | . | . | . |
| . | . | . | O | . | . | . |
| . | . | . | X | X | . | . |
+---+---+---+---+---+---+---+
"""


def create_random_board(seed: int) -> Board:
    """Play random moves on the 6x7 board or on a random official board."""
    rng = random.Random(seed)  # noqa: S311 (not for security)
    board = Board(6, 7) if seed % 2 else Board.random(seed)
    for _ in range(rng.randrange(90)):
        if board.is_over:
            break
        board.push(rng.choice(board.legal_moves))
    return board


def draw_grid(board: Board, symbols: str, between: str) -> str:
    """Draw a board without frame; `symbols` are those of free cells, first player, second player and hole."""
    cells = {None: symbols[0], 0: symbols[1], 1: symbols[2]}
    return "\n".join(
        between.join(
            symbols[3] if board.hole == (row, col) else cells[board.stone_at(row, col)] for col in range(board.cols)
        )
        for row in range(board.rows)
    )


@pytest.mark.parametrize(
    "text",
    [
        "6x7:445",
        " 6x7:445\n",
        "https://example.org/page/#6x7:445&ply=2",
        "http://localhost:4444/#6x7%3A445",
        '{"position": "6x7:445"}',
        FRAMED,
        "6X7 : 4 4 5",
        "6x7: 4, 4, 5",
        "6\u00d77\uff1a\uff14\uff14\uff15",  # full-width characters
        "6x7:44\n5",
        "#6x7:445&ply=1",
        "#analyse=6x7:445",
        "6x7:445\n\n" + render.draw_text(Board.parse("6x7:445")),
    ],
)
def test_same_game_from_different_texts(text: str) -> None:
    """A position, links, JSON, and text boards with and without a frame."""
    game = import_text(text)
    assert Board.parse(game.position) == Board.parse("6x7:445")
    assert len(game.moves) == 3
    assert game.start == "6x7"


@pytest.mark.parametrize("text", ["445", "4 4 5", "4,4,5", "4, 4,\n5", "1. 4 4 3. 5", "1.4 2.4 3.5", "4;4;5"])
def test_moves_without_a_board(text: str) -> None:
    """They are played on the 6x7 board or on the board of the request, without that board's own moves."""
    assert import_text(text).position == "6x7:445"
    assert import_text(text, "9x10@3,3:12").position == "9x10@3,3:445"
    assert import_text(text).kind == "moves"


@pytest.mark.parametrize(("option", "ply"), [("", None), ("&ply=2", 2), ("&ply=0", 0), ("&ply=90", 3)])
def test_link_with_a_number_of_stones(option: str, ply: int | None) -> None:
    """The number of stones at which a link shows the game is kept; it is at most that of the game."""
    assert import_text(f"https://example.org/#6x7:445{option}").ply == ply


def test_record_with_names() -> None:
    """A record of the arena, alone or as an entry of `fourfall games --json`."""
    for text in (EXAMPLE.to_json(), json.dumps({"id": 4, "event": 2, **json.loads(EXAMPLE.to_json())})):
        game = import_text(text)
        assert (game.kind, game.position, game.names) == ("record", "6x7:1122334", ("left", "right"))


@pytest.mark.parametrize("seed", range(60))
def test_text_boards_of_random_games(seed: int) -> None:
    """Boards drawn by Fourfall, grids of letters and grids of digits, also of finished games."""
    board = create_random_board(seed)
    texts = [
        str(board),
        render.draw_text(board, values=[0.25] * board.cols),
        render.draw_text(board, values=["wins in 3"] * board.cols),
        draw_grid(board, ".XO#", ""),
        draw_grid(board, ".xo#", " "),
        draw_grid(board, "012#", " "),
        draw_grid(board, "·●◆▒", " "),
    ]
    for text in texts:
        game = import_text(text)
        assert Board.parse(game.position) == board
        assert game.kind == "text_board"


@pytest.mark.parametrize(
    ("text", "code", "problem"),
    [
        ("", "no_text", "empty"),
        ("hello", "unknown_text", "not a position, a link, moves"),
        ("a\nb\nh\nd", "unexpected_character", "unexpected character 'a' in line 1"),
        ("https://example.org/", "unknown_text", "not a position"),
        ("https://example.org/#6x7:4x", "bad_position", "character 6"),
        ("6x7:4444444", "bad_position", "full"),
        ("....\n....\n...?\n....", "unexpected_character", "unexpected character '\\?' in line 3"),
        ("6x7:4x", "bad_position", "character 6"),
        ("99x7", "bad_position", "rows"),
        ("....\n....\n....\n...", "unequal_lines", "have 3 to 4 cells"),
        ("....\n....\n....\nXX..", "impossible_board", "the first player has 2 stones and the second 0"),
        ("X...\n....\n....\n....", "impossible_board", "above a free cell"),
        ("##..\n....\n....\n....", "several_holes", "2 blocked cells"),
        ("...\n...\n...\n...", "impossible_board", "columns"),
        ("{", "invalid_json", "JSON"),
        ('{"a": ' + "[" * 8000, "invalid_json", "JSON"),
        ('{"a": 1}', "no_position_in_json", "'position'"),
        ('{"moves": "", "addresses": 3}', "invalid_record", "the game record is invalid: "),
        ("[1]", "unknown_text", "not a position"),
        ("XXXX\nOOO.\n....\n....", "impossible_board", "above a free cell"),
        ("....\n....\nOOOO\nXXXX", "impossible_board", "the game was over before the last stone"),
    ],
)
def test_error_names_the_problem(text: str, code: str, problem: str) -> None:
    """The error has the right code and a message of one line."""
    with pytest.raises(RequestError, match=problem) as caught:
        import_text(text)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)


@given(st.text(alphabet='.XO#012x \n|>*{}[]:"@,43a', max_size=200))
def test_random_text_is_imported_or_refused(text: str) -> None:
    """The import raises no exception but RequestError."""
    try:
        game = import_text(text)
    except RequestError:
        return
    assert Board.parse(game.position).ply >= len(game.moves)
