"""Tests the position notation: round trips and errors that name the wrong character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board, NotationError
from tests.strategies import Game, games

CHARACTERS = st.one_of(st.sampled_from("0123456789abcx@,:"), st.characters())


@given(games())
def test_parse_is_the_inverse_of_notation(game: Game) -> None:
    """Parsing a board's notation gives an equal board with the same moves and the same notation."""
    board = game.board()
    again = Board.parse(board.notation)
    assert again == board
    assert again.moves == game.moves
    assert again.notation == board.notation


@given(games())
def test_notation_follows_its_definition(game: Game) -> None:
    """A position is the size, the hole from the top-left, and the columns as 1 to 9 and a to c."""
    rows, cols, hole = game.shape
    moves = "".join("123456789abc"[col] for col in game.moves)
    size = f"{rows}x{cols}" if hole is None else f"{rows}x{cols}@{hole[0]},{hole[1]}"
    assert game.board().notation == (f"{size}:{moves}" if moves else size)


@given(games())
def test_repr_evaluates_to_an_equal_board(game: Game) -> None:
    """The repr of a board is an expression that creates it."""
    board = game.board()
    assert eval(repr(board), {"Board": Board}) == board  # noqa: S307


@given(games(), st.data())
def test_changed_notation_is_parsed_exactly_or_refused(game: Game, data: st.DataObject) -> None:
    """After a change of one character the text is either the exact notation of a position or a NotationError."""
    text = game.board().notation
    at = data.draw(st.integers(0, len(text)))
    changed = text[:at] + data.draw(st.text(CHARACTERS, max_size=2)) + text[at + 1 :]
    try:
        board = Board.parse(changed)
    except NotationError:
        return
    assert board.notation == changed.removesuffix(":")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "character 1"),
        (" 6x7", "character 1 ' '"),
        (":44", "character 1 ':'"),
        ("x7", "character 1 'x'"),
        ("-6x7", "character 1 '-'"),
        ("06x7", "character 1 '0'"),
        ("6", "character 2"),
        ("6X7", "character 2 'X'"),
        ("6 x7", "character 2 ' '"),
        ("6x", "character 3"),
        ("6x:4", "character 3 ':'"),
        ("6x07", "character 3 '0'"),
        ("100x7", "character 3 '0'"),
        ("6x7 ", "character 4 ' '"),
        ("6x7x", "character 4 'x'"),
        ("6x7,4", "character 4 ','"),
        ("6x7@", "character 5"),
        ("6x7@:", "character 5 ':'"),
        ("6x7@-1,2", "character 5 '-'"),
        ("6x7@01,2", "character 5 '0'"),
        ("6x7@1", "character 6"),
        ("6x7@1.2", "character 6 '.'"),
        ("6x7@1,", "character 7"),
        ("6x7@1,2,3", "character 8 ','"),
        ("6x7::", "character 5 ':'"),
        ("6x7:0", "character 5 '0'"),
        ("6x7:8", "character 5 '8'"),
        ("6x7:4x", "character 6 'x'"),
        ("6x7:44 55", "character 7 ' '"),
        ("9x10:b", "character 6 'b'"),
        ("9x12:A", "character 6 'A'"),
        ("12x12:d", "character 7 'd'"),
    ],
)
def test_error_names_the_wrong_character(text: str, message: str) -> None:
    """The message has the number of the wrong or missing character and the character."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x7", "character 1 '3'"),
        ("13x7", "character 1 '1'"),
        ("6x3", "character 3 '3'"),
        ("6x99:4", "character 3 '9'"),
        ("6x7@6,0", "character 5 '6'"),
        ("6x7@0,7", "character 7 '7'"),
        ("6x7@100,1", "character 5 '1'"),
    ],
)
def test_number_out_of_range_is_refused(text: str, message: str) -> None:
    """The message names the first digit of the wrong number."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6x7:4444444", "character 11 '4': ply 7 goes into a full column"),
        ("6x7@0,0:111111", "character 14 '1': ply 6 goes into a full column"),
        ("6x7:12121211", "character 12 '1': ply 8 follows the end of the game"),
        ("4x4:44333342222111141", "character 21 '1': ply 17 follows the end of the game"),
    ],
)
def test_illegal_move_is_refused_with_its_ply(text: str, message: str) -> None:
    """A move into a full column or after the end of the game is named by character and ply."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6x7:4\x00", "character 6 control character 0"),
        ("6\tx7", "character 2 control character 9"),
        ("6x7:44\n", "character 7 control character 10"),
        ("6x7\x7f", "character 4 control character 127"),
        ("\x1b[31m6x7", "character 1 control character 27"),
    ],
)
def test_control_characters_are_shown_by_number(text: str, message: str) -> None:
    """The message contains no control character that could affect the terminal."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("character", ["é", "列", "\uff17", "🂡"])
def test_characters_outside_ascii_are_shown_completely(character: str) -> None:
    """A character of several bytes counts as one and is shown unchanged, also if it looks like a digit."""
    with pytest.raises(NotationError, match=f"character 5 '{character}'"):
        Board.parse(f"6x7:{character}4")
    with pytest.raises(NotationError, match=f"character 1 '{character}'"):
        Board.parse(f"{character}x7")


@pytest.mark.parametrize("text", ["\ud800", "6x7:\udfff", "6x7:4\ud83d"])
def test_lone_surrogate_is_a_notation_error(text: str) -> None:
    """Text that cannot be encoded raises NotationError."""
    with pytest.raises(NotationError):
        Board.parse(text)


@pytest.mark.parametrize("start", ["", "6x7", "6x7:", "6x7@1,2:", "列"])
@pytest.mark.parametrize("filler", ["1", "x", "\x00", "列"])
def test_ten_megabytes_are_refused_with_a_short_message(start: str, filler: str) -> None:
    """A very long text is refused at its first wrong character; the message does not repeat the text."""
    with pytest.raises(NotationError) as caught:
        Board.parse(start + filler * (10_000_000 // len(filler.encode())))
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("thing", [None, 67, b"6x7", ["6x7"]])
def test_only_strings_are_parsed(thing: object) -> None:
    """An argument that is not a string raises TypeError."""
    with pytest.raises(TypeError):
        Board.parse(thing)  # type: ignore[arg-type]
