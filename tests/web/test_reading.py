"""Owns the tests of reading what people paste."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board, render
from fourfall.arena.record import EXAMPLE
from fourfall.web.reading import read_text
from fourfall.web.refusal import Refusal

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


def random_board(seed: int) -> Board:
    """Play at random for a while, on the classic board or an official one."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    board = Board(6, 7) if seed % 2 else Board.random(seed)
    for _ in range(rng.randrange(90)):
        if board.is_over:
            break
        board.push(rng.choice(board.legal_moves))
    return board


def grid(board: Board, symbols: str, between: str) -> str:
    """Draw a board plainly: free, first, second, hole."""
    drawn = {None: symbols[0], 0: symbols[1], 1: symbols[2]}
    return "\n".join(
        between.join(
            symbols[3] if board.hole == (row, col) else drawn[board.stone_at(row, col)] for col in range(board.cols)
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
        "6x7:445\n\n" + render.text(Board.parse("6x7:445")),
    ],
)
def test_many_texts_tell_the_same_game(text: str) -> None:
    """A position, links, JSON, and drawings with and without a frame."""
    read = read_text(text)
    assert Board.parse(read.position) == Board.parse("6x7:445")
    assert len(read.moves) == 3
    assert read.start == "6x7"


@pytest.mark.parametrize("text", ["445", "4 4 5", "4,4,5", "4, 4,\n5"])
def test_bare_moves_are_played_on_the_board_that_is_shown(text: str) -> None:
    """Columns alone mean the classic board, or the one of the request; its own moves are left out."""
    assert read_text(text).position == "6x7:445"
    assert read_text(text, "9x10@3,3:12").position == "9x10@3,3:445"
    assert read_text(text).kind == "moves"


def test_a_record_is_read_with_its_names() -> None:
    """A game of the arena as the commands print it, alone or from the list."""
    for text in (EXAMPLE.to_json(), json.dumps({"id": 4, "event": 2, **json.loads(EXAMPLE.to_json())})):
        read = read_text(text)
        assert (read.kind, read.position, read.names) == ("record", "6x7:1122334", ("left", "right"))


@pytest.mark.parametrize("seed", range(60))
def test_every_drawing_of_a_random_game_leads_to_its_stones(seed: int) -> None:
    """Our own drawings, plain grids of letters and of digits; finished games too."""
    board = random_board(seed)
    drawings = [
        str(board),
        render.text(board, values=[0.25] * board.cols),
        render.text(board, values=["wins in 3"] * board.cols),
        grid(board, ".XO#", ""),
        grid(board, ".xo#", " "),
        grid(board, "012#", " "),
        grid(board, "·●◆▒", " "),
    ]
    for drawing in drawings:
        read = read_text(drawing)
        assert Board.parse(read.position) == board
        assert read.kind == "printout"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "nothing"),
        ("hello", "'h' is no cell"),
        ("6x7:4x", "character 6"),
        ("99x7", "rows"),
        ("....\n....\n....\n...", "equally long"),
        ("....\n....\n....\nXX..", "2 stones of the first player and 0 of the second"),
        ("X...\n....\n....\n....", "hangs in the air"),
        ("##..\n....\n....\n....", "one hole"),
        ("...\n...\n...\n...", "columns"),
        ("{", "JSON"),
        ('{"a": ' + "[" * 8000, "JSON"),
        ('{"moves": "", "addresses": 3}', "field"),
        ("[1]", "no cell"),
        ("XXXX\nOOO.\n....\n....", "no game"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, complaint: str) -> None:
    """One line says what was not understood."""
    with pytest.raises(Refusal, match=complaint) as refused:
        read_text(text)
    assert "\n" not in str(refused.value)


@given(st.text(alphabet='.XO#012x \n|>*{}[]:"@,43a', max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing that people paste breaks anything."""
    try:
        read = read_text(text)
    except Refusal:
        return
    assert Board.parse(read.position).ply >= len(read.moves)
