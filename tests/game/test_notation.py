"""Owns the notation: what is written is read back, and what is malformed is refused by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board, NotationError
from tests.strategies import Game, games

CHARACTERS = st.one_of(st.sampled_from("0123456789abcx@,:"), st.characters())


@given(games())
def test_every_position_is_read_back_as_it_was_written(game: Game) -> None:
    """Parsing a board's notation gives an equal board with the same moves and the same notation."""
    board = game.board()
    again = Board.parse(board.notation)
    assert again == board
    assert again.moves == game.moves
    assert again.notation == board.notation


@given(games())
def test_the_notation_is_spelled_as_the_rules_say(game: Game) -> None:
    """A position is the size, the hole from the top-left and the columns as 1 to 9 and a to c."""
    rows, cols, hole = game.shape
    moves = "".join("123456789abc"[col] for col in game.moves)
    size = f"{rows}x{cols}" if hole is None else f"{rows}x{cols}@{hole[0]},{hole[1]}"
    assert game.board().notation == (f"{size}:{moves}" if moves else size)


@given(games())
def test_the_repr_evaluates_to_an_equal_board(game: Game) -> None:
    """The repr of a board is an expression for it."""
    board = game.board()
    assert eval(repr(board), {"Board": Board}) == board  # noqa: S307


@given(games(), st.data())
def test_a_cut_or_damaged_position_is_read_exactly_or_refused(game: Game, data: st.DataObject) -> None:
    """One character changed anywhere gives either another position, spelled just so, or a NotationError."""
    text = game.board().notation
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.text(CHARACTERS, max_size=2)) + text[at + 1 :]
    try:
        board = Board.parse(damaged)
    except NotationError:
        return
    assert board.notation == damaged.removesuffix(":")


@pytest.mark.parametrize(
    ("text", "place"),
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
def test_a_malformed_position_names_the_character(text: str, place: str) -> None:
    """What does not belong, or is missing, is named by its place and shown."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
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
def test_a_number_out_of_range_names_the_character(text: str, place: str) -> None:
    """A board that cannot be is refused, and the first digit of the number that is wrong is named."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("6x7:4444444", "character 11 '4': ply 7 goes into a full column"),
        ("6x7@0,0:111111", "character 14 '1': ply 6 goes into a full column"),
        ("6x7:12121211", "character 12 '1': ply 8 follows the end of the game"),
        ("4x4:44333342222111141", "character 21 '1': ply 17 follows the end of the game"),
    ],
)
def test_an_illegal_move_names_its_ply(text: str, place: str) -> None:
    """A move into a full column or after the end is named by character and ply."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert str(caught.value) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("6x7:4\x00", "character 6 control character 0"),
        ("6\tx7", "character 2 control character 9"),
        ("6x7:44\n", "character 7 control character 10"),
        ("6x7\x7f", "character 4 control character 127"),
        ("\x1b[31m6x7", "character 1 control character 27"),
    ],
)
def test_control_characters_are_named_not_echoed(text: str, place: str) -> None:
    """A control character is named by its number, so that it cannot act on the terminal that shows the error."""
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert place in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("character", ["é", "列", "\uff17", "🂡"])
def test_characters_outside_ascii_are_shown_whole(character: str) -> None:
    """A character of several bytes is counted as one and shown as it is, also where it looks like a digit."""
    with pytest.raises(NotationError, match=f"character 5 '{character}'"):
        Board.parse(f"6x7:{character}4")
    with pytest.raises(NotationError, match=f"character 1 '{character}'"):
        Board.parse(f"{character}x7")


@pytest.mark.parametrize("text", ["\ud800", "6x7:\udfff", "6x7:4\ud83d"])
def test_a_lone_surrogate_is_a_notation_error(text: str) -> None:
    """Text that cannot be encoded is bad notation like any other."""
    with pytest.raises(NotationError):
        Board.parse(text)


@pytest.mark.parametrize("start", ["", "6x7", "6x7:", "6x7@1,2:", "列"])
@pytest.mark.parametrize("filler", ["1", "x", "\x00", "列"])
def test_ten_megabytes_are_refused_in_one_short_line(start: str, filler: str) -> None:
    """A very long text is refused at its first wrong character with a message that does not repeat it."""
    with pytest.raises(NotationError) as caught:
        Board.parse(start + filler * (10_000_000 // len(filler.encode())))
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("thing", [None, 67, b"6x7", ["6x7"]])
def test_only_text_is_parsed(thing: object) -> None:
    """Anything but a string is a TypeError."""
    with pytest.raises(TypeError):
        Board.parse(thing)  # type: ignore[arg-type]
