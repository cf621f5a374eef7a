"""Tests of the protocol messages: their content, what is accepted, and the errors of the rest."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board, Geometry
from fourfall.agents import protocol
from fourfall.agents.base import AgentError, Fault
from tests.reference import ReferenceGame
from tests.strategies import Game, games


def replay_tops(game: Game) -> list[int]:
    """Compute `top` move by move, as the documentation of the interface describes it."""
    rows, cols, hole = game.shape
    top = [rows] * cols
    if hole is not None and hole[0] == rows - 1:
        top[hole[1]] = rows - 1
    for col in game.moves:
        row = top[col] - 1
        top[col] -= 2 if hole is not None and (row, col) == (hole[0] + 1, hole[1]) else 1
    return top


def list_cells(game: ReferenceGame) -> list[int]:
    """Return the cells as the side to move sees them: 2 its own stones, 1 the opponent's, 0 all others."""
    cells = [0] * (game.rows * game.cols)
    for (row, col), player in game.stones.items():
        cells[row * game.cols + col] = 2 if player == game.turn else 1
    return cells


@given(games())
def test_tops_and_cells_agree_with_a_reference(game: Game) -> None:
    """On every board, with the hole anywhere, both arrays are what the rules of the interface give move by move."""
    board = game.board()
    assert protocol.compute_tops(board) == replay_tops(game)
    assert protocol.encode_cells(board) == list_cells(game.reference())


@given(games())
def test_messages_can_be_read_back(game: Game) -> None:
    """An agent reads what the judge writes: the geometry, the arrays and the last cell, as text and as JSON."""
    board = game.board()
    question = protocol.make_question(board)
    assert protocol.read_start(protocol.write_start(board.geometry).decode()) == board.geometry
    assert protocol.read_question(board.geometry, protocol.write_question(board).decode()) == question
    for message, content in (
        (protocol.write_json_start(board.geometry), board.geometry),
        (protocol.write_json_question(board), question),
        (protocol.JSON_END, None),
    ):
        assert protocol.parse_json_length(message[:4]) == len(message) - 4
        assert protocol.read_json_message(board.geometry, message[4:]) == content


@given(games())
def test_a_board_is_built_from_a_question(game: Game) -> None:
    """The board built from the arrays alone has the same question; a finished game is an error."""
    board = game.board()
    question = protocol.make_question(board)
    if board.is_over:
        with pytest.raises(protocol.ProtocolError, match="over"):
            protocol.build_board(board.geometry, question)
        return
    rebuilt = protocol.build_board(board.geometry, question)
    assert protocol.make_question(rebuilt) == question
    assert rebuilt.geometry == board.geometry


@given(games())
def test_the_value_of_the_hole_is_ignored(game: Game) -> None:
    """A judge may put any value into the hole's cell."""
    board = game.board()
    if board.is_over or board.hole is None:
        return
    question = protocol.make_question(board)
    cells = list(question.cells)
    cells[board.hole[0] * board.cols + board.hole[1]] = 9
    changed = protocol.Question(question.top, tuple(cells), question.last)
    assert protocol.make_question(protocol.build_board(board.geometry, changed)) == question


@given(games(), st.integers(0, 11))
def test_a_board_is_updated_with_the_next_question(game: Game, col: int) -> None:
    """After the own move, the next question gives the board with its whole history."""
    board = game.board()
    if board.is_over or not board.is_legal(col):
        return
    after = board.copy()
    after.push(col)
    assert protocol.update_board(board, protocol.make_question(after)).moves == after.moves


def test_a_question_of_another_game_replaces_the_board() -> None:
    """A question that does not follow from the last board is built from its own stones."""
    other = Board.parse("6x7:1234")
    updated = protocol.update_board(Board.parse("6x7:44"), protocol.make_question(other))
    assert protocol.make_question(updated) == protocol.make_question(other)


def parse_cells(text: str) -> tuple[int, ...]:
    """Read the cells of a 4x4 board: `o` is an own stone, `x` one of the opponent."""
    return tuple(".xo?".index(cell) for cell in text.replace(" ", ""))


@pytest.mark.parametrize(
    ("text", "last", "message"),
    [
        ("......o. ........", None, "1 own and 0 opposing stones, but it is our turn"),
        ("......x. ........", None, r"invalid position: stone \(1, 2\) is above a free cell"),
        ("............xx..", None, "invalid position: 0 own and 2 opposing stones, but it is our turn"),
        ("............o...", None, "1 own and 0 opposing stones, but it is our turn"),
        ("............?...", None, r"cell \(3, 0\) is 3; cells are 0, 1 or 2"),
        ("............x...", (3, 1), r"invalid position: the last stone \(3, 1\) is not one of the stones"),
        ("............x...", (9, 99), r"invalid position: the last stone \(9, 99\) is not one of the stones"),
        ("............ox..", (3, 0), r"the last stone \(3, 0\) belongs to the first player, but"),
        (".... x... x... o...", (1, 0), "no legal order of moves leads to these stones"),
        (".... .... .ooo xxxx", None, "invalid position: the game is over"),
    ],
)
def test_errors_of_unreachable_positions(text: str, last: tuple[int, int] | None, message: str) -> None:
    """The error says why no game leads to the stones."""
    cells = parse_cells(text)
    top = tuple(min([row for row in range(4) if cells[4 * row + col]], default=4) for col in range(4))
    with pytest.raises(protocol.ProtocolError, match=message):
        protocol.build_board(Geometry(4, 4), protocol.Question(top, cells, last))


def test_error_of_a_top_that_contradicts_the_stones() -> None:
    """The error names the column, the given value and the expected one."""
    question = protocol.Question((4, 4, 4, 4), parse_cells("............x..."), (3, 0))
    with pytest.raises(protocol.ProtocolError, match=r"top\[0\] is 4, but by the stones it must be 3"):
        protocol.build_board(Geometry(4, 4), question)


@pytest.mark.parametrize(
    "line", ["", "9 10 4", "9 10 4 x", "3 10 4 4", "9 10 9 4", "9 10 4 4 4", "9 10 -1 4", f"4 5 1 {2**40}"]
)
def test_invalid_first_lines_are_refused(line: str) -> None:
    """Wrong numbers, too few or too many of them, and other words raise ProtocolError."""
    with pytest.raises(protocol.ProtocolError):
        protocol.read_start(line)


def test_error_of_a_question_with_missing_numbers() -> None:
    """The error has the expected and the given number of numbers, and the line."""
    with pytest.raises(protocol.ProtocolError, match=r"a question for 4x4 has 22 numbers, not 3: '1 2 3'"):
        protocol.read_question(Geometry(4, 4), "1 2 3")


def test_error_of_a_number_that_is_too_large() -> None:
    """A number of more than 32 bits is named."""
    numbers = " ".join(["0"] * 21)
    with pytest.raises(protocol.ProtocolError, match="a number of the message is too large: '1099511627776'"):
        protocol.read_question(Geometry(4, 4), f"{2**40} {numbers}")


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
        b'{"type":0,"row":1099511627776,"col":7,"nox":-1,"noy":-1}',
        b"[" * 100_000,
    ],
)
def test_invalid_json_messages_are_refused(body: bytes) -> None:
    """Everything that is not a message of the older protocol raises ProtocolError."""
    with pytest.raises(protocol.ProtocolError):
        protocol.read_json_message(Geometry(4, 4), body)


def test_json_lengths_are_four_digits() -> None:
    """Signs, blanks, other digits and other lengths are refused."""
    assert protocol.parse_json_length(b"0042") == 42
    for header in (b"42", b"+042", b" 042", b"\xb200\xb2"):
        with pytest.raises(protocol.ProtocolError):
            protocol.parse_json_length(header)


@given(st.integers(-(10**9) + 1, 10**9 - 1), st.integers(-(10**9) + 1, 10**9 - 1))
def test_answers_can_be_read_back(row: int, col: int) -> None:
    """Cells off the board are valid answers too; the judge decides about them."""
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
def test_invalid_text_answers_break_the_protocol(body: bytes) -> None:
    """Only a row and a column are accepted; the error quotes the answer."""
    with pytest.raises(AgentError) as failure:
        protocol.parse_cell(body)
    assert failure.value.fault == Fault.BROKEN_PROTOCOL
    assert protocol.quote_bytes(body) in str(failure.value)


@pytest.mark.parametrize(
    "body",
    [b"", b"5 3", b"{}", b'{"X":5}', b'{"X":5,"Y":3.0}', b'{"X":5,"Y":true}', b'{"X":5,"Y":3,"Z":1}', b"[5,3]",
     b'{"x":5,"y":3}', b'{"X":"5","Y":"3"}', b'{"X":5,"Y":3}{}', b"\xff", b"[" * 1000],
)  # fmt: skip
def test_invalid_json_answers_break_the_protocol(body: bytes) -> None:
    """Only an object with X and Y is accepted."""
    with pytest.raises(AgentError) as failure:
        protocol.parse_json_cell(body)
    assert failure.value.fault == Fault.BROKEN_PROTOCOL


@pytest.mark.parametrize("header", [b"hell", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\x04\x01"])
def test_invalid_lengths_break_the_protocol(header: bytes) -> None:
    """An answer has 1 to 1024 bytes."""
    with pytest.raises(AgentError, match="1 to 1024") as failure:
        protocol.parse_frame_length(header)
    assert failure.value.fault == Fault.BROKEN_PROTOCOL


def test_the_largest_json_question_fits_four_digits() -> None:
    """The length before the message is right."""
    message = protocol.write_json_question(Board.parse("12x12@3,3:66778"))
    assert int(message[:4]) == len(message) - 4
    assert json.loads(message[4:])["type"] == 1
