"""Owns the tests of the protocols' messages: what each side sees, what is accepted, and what is not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board, Geometry
from fourfall.agents import protocol
from fourfall.agents.base import AgentError, Fault
from tests.reference import ReferenceGame
from tests.strategies import Game, games


def replayed_tops(game: Game) -> list[int]:
    """Follow `top` through a game by the protocol's own words."""
    rows, cols, hole = game.shape
    top = [rows] * cols
    if hole is not None and hole[0] == rows - 1:
        top[hole[1]] = rows - 1
    for col in game.moves:
        row = top[col] - 1
        top[col] -= 2 if hole is not None and (row, col) == (hole[0] + 1, hole[1]) else 1
    return top


def seen(game: ReferenceGame) -> list[int]:
    """Return the side to move's view of a game: 2 its own stones, 1 the others, 0 elsewhere."""
    cells = [0] * (game.rows * game.cols)
    for (row, col), player in game.stones.items():
        cells[row * game.cols + col] = 2 if player == game.turn else 1
    return cells


@given(games())
def test_top_and_view_follow_the_words_of_the_protocol(game: Game) -> None:
    """On every board, with the hole anywhere, both arrays are what the rules of the interface give move by move."""
    board = game.board()
    assert protocol.compute_tops(board) == replayed_tops(game)
    assert protocol.encode_cells(board) == seen(game.reference())


@given(games())
def test_a_question_can_be_read_back_in_both_forms(game: Game) -> None:
    """What the judge writes an agent reads: geometry, arrays and the last cell, as text and as JSON."""
    board = game.board()
    asked = protocol.make_question(board)
    assert protocol.read_start(protocol.write_start(board.geometry).decode()) == board.geometry
    assert protocol.read_question(board.geometry, protocol.write_question(board).decode()) == asked
    for message, meaning in (
        (protocol.write_json_start(board.geometry), board.geometry),
        (protocol.write_json_question(board), asked),
        (protocol.JSON_END, None),
    ):
        assert protocol.parse_json_length(message[:4]) == len(message) - 4
        assert protocol.read_json_message(board.geometry, message[4:]) == meaning


@given(games())
def test_stones_without_a_past_get_one(game: Game) -> None:
    """From the arrays alone a board is built that asks the same question."""
    board = game.board()
    asked = protocol.make_question(board)
    if board.is_over:
        with pytest.raises(protocol.ProtocolError, match="over"):
            protocol.build_board(board.geometry, asked)
        return
    rebuilt = protocol.build_board(board.geometry, asked)
    assert protocol.make_question(rebuilt) == asked
    assert rebuilt.geometry == board.geometry


@given(games(), st.integers(0, 11))
def test_an_agent_follows_the_game_move_by_move(game: Game, col: int) -> None:
    """After one's own move the next question leads to the very board, history included."""
    board = game.board()
    if board.is_over or not board.is_legal(col):
        return
    after = board.copy()
    after.push(col)
    assert protocol.update_board(board, protocol.make_question(after)).moves == after.moves


def test_a_judge_that_jumps_is_followed_too() -> None:
    """A question that does not follow from the board before starts from its own stones."""
    jumped = Board.parse("6x7:1234")
    found = protocol.update_board(Board.parse("6x7:44"), protocol.make_question(jumped))
    assert protocol.make_question(found) == protocol.make_question(jumped)


def cells(text: str) -> list[int]:
    """Read a 4x4 view drawn with mine as o, theirs as x."""
    return [".xo".index(cell) for cell in text.replace(" ", "")]


@pytest.mark.parametrize(
    ("view", "last", "complaint"),
    [
        ("......o.........", None, "hangs in the air"),
        ("............xx..", None, "0 stones of mine and 2 of the opponent's"),
        ("............o...", None, "1 stones of mine and 0"),
        ("............x...", (3, 1), "last move 3 1 is not the topmost"),
        ("............x...", (9, 99), "last move 9 99 is not the topmost"),
        (".... x... x... o...", (1, 0), "no game of alternating moves"),
        (".... .... .ooo xxxx", None, "the game is over"),
    ],
)
def test_stones_that_no_game_leads_to_are_refused(view: str, last: tuple[int, int] | None, complaint: str) -> None:
    """Impossible arrays are named, not played on."""
    stones = cells(view)
    top = [min([row for row in range(4) if stones[4 * row + col]], default=4) for col in range(4)]
    with pytest.raises(protocol.ProtocolError, match=complaint):
        protocol.build_board(Geometry(4, 4), protocol.Question(tuple(top), tuple(stones), last))


def test_a_top_that_contradicts_the_stones_is_refused() -> None:
    """Both arrays have to tell the same story."""
    with pytest.raises(protocol.ProtocolError, match="top says 4 for column 0, the stones say 3"):
        protocol.build_board(Geometry(4, 4), protocol.Question((4, 4, 4, 4), tuple(cells("............x...")), (3, 0)))


@pytest.mark.parametrize("line", ["", "9 10 4", "9 10 4 x", "3 10 4 4", "9 10 9 4", "9 10 4 4 4", "9 10 -1 4"])
def test_a_first_line_that_makes_no_sense_is_refused(line: str) -> None:
    """Too few, too many, not numbers, off the board: all are complaints in words."""
    with pytest.raises(protocol.ProtocolError):
        protocol.read_start(line)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"type":3}',
        b'{"type":1,"top":[4,4,4,4],"board":[0],"lastx":-1,"lasty":-1}',
        b'{"type":1,"top":["a"],"board":[0],"lastx":-1,"lasty":-1}',
        b'{"type":0,"row":6,"col":7}',
        b"[" * 100_000,
    ],
)
def test_a_json_message_that_makes_no_sense_is_refused(body: bytes) -> None:
    """Whatever is no message of the older form is a complaint in words."""
    with pytest.raises(protocol.ProtocolError):
        protocol.read_json_message(Geometry(4, 4), body)


def test_lengths_in_digits_are_read_strictly() -> None:
    """Four digits, nothing else."""
    assert protocol.parse_json_length(b"0042") == 42
    for header in (b"42", b"+042", b" 042", b"\xb200\xb2"):
        with pytest.raises(protocol.ProtocolError):
            protocol.parse_json_length(header)


@given(st.integers(-(10**9) + 1, 10**9 - 1), st.integers(-(10**9) + 1, 10**9 - 1))
def test_any_cell_can_be_answered_in_both_forms(row: int, col: int) -> None:
    """Also cells off the board, about which the judge decides."""
    for write, read in (
        (protocol.format_cell, protocol.parse_cell),
        (protocol.format_json_cell, protocol.parse_json_cell),
    ):
        message = protocol.frame_message(write((row, col)))
        assert protocol.parse_frame_length(message[:4]) == len(message) - 4
        assert read(message[4:]) == (row, col)


@pytest.mark.parametrize(
    "body",
    [b"", b"5", b"5 3 ", b" 5 3", b"5  3", b"5\t3", b"5 3 4", b"5 3\nhello", b"5.0 3", b"+5 3", b"five 3", b"\xff\xfe",
     b"5 3\x00", b"99999999999 1", "٣ ٣".encode(), b'{"X":5,"Y":3}'],
)  # fmt: skip
def test_an_answer_in_text_is_read_strictly(body: bytes) -> None:
    """Anything but a row and a column breaks the protocol, and the complaint shows it."""
    with pytest.raises(AgentError) as failure:
        protocol.parse_cell(body)
    assert failure.value.fault == Fault.BROKEN_PROTOCOL
    assert protocol.quote_bytes(body) in str(failure.value)


@pytest.mark.parametrize(
    "body",
    [b"", b"5 3", b"{}", b'{"X":5}', b'{"X":5,"Y":3.0}', b'{"X":5,"Y":true}', b'{"X":5,"Y":3,"Z":1}', b"[5,3]",
     b'{"x":5,"y":3}', b'{"X":"5","Y":"3"}', b'{"X":5,"Y":3}{}', b"\xff", b"[" * 1000],
)  # fmt: skip
def test_an_answer_in_json_is_read_strictly(body: bytes) -> None:
    """Anything but an object with X and Y breaks the protocol."""
    with pytest.raises(AgentError) as failure:
        protocol.parse_json_cell(body)
    assert failure.value.fault == Fault.BROKEN_PROTOCOL


@pytest.mark.parametrize("header", [b"hell", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\x04\x01"])
def test_absurd_lengths_break_the_protocol(header: bytes) -> None:
    """No answer is empty or longer than a kilobyte."""
    with pytest.raises(AgentError, match="at most 1024") as failure:
        protocol.parse_frame_length(header)
    assert failure.value.fault == Fault.BROKEN_PROTOCOL


def test_the_older_form_counts_its_bytes_in_four_digits() -> None:
    """Also the largest question fits into them."""
    message = protocol.write_json_question(Board.parse("12x12@3,3:66778"))
    assert int(message[:4]) == len(message) - 4
    assert json.loads(message[4:])["type"] == 1
