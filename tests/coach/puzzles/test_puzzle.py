"""Tests of the text format of puzzles and of their identifiers."""

from pathlib import Path

import pytest

from fourfall import Board
from fourfall.coach.puzzles import Puzzle, PuzzleError, append_puzzles, read_puzzles
from fourfall.coach.puzzles.puzzle import identify_position
from fourfall.coach.puzzles.puzzle_file import append_comment

LINE = "6x7:4455 326 win 3 level-20 700 double_threat"


def test_line_is_read_and_written() -> None:
    """All fields are read, and the line that is written equals the line that was read."""
    puzzle = Puzzle.parse(LINE)
    assert puzzle.board == Board.parse("6x7:4455")
    assert (puzzle.solution, puzzle.result, puzzle.distance) == ((2, 1, 5), "win", 3)
    assert (puzzle.level, puzzle.rating, puzzle.themes) == ("level-20", 700, ("double_threat",))
    assert puzzle.to_line() == LINE
    assert Puzzle.parse(LINE.replace("level-20", "none")).level is None
    assert puzzle.to_json_value() == {
        "id": puzzle.id,
        "position": "6x7:4455",
        "solution": [2, 1, 5],
        "result": "win",
        "distance": 3,
        "level": "level-20",
        "rating": 700,
        "themes": ["double_threat"],
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("6x7:4455", "6x7:4458", "position '6x7:4458': character 8 '8': not a column; the columns are 1..7"),
        ("6x7:4455", "6x7:1212121", "position '6x7:1212121': the game is over"),
        (" 326 ", " 3x6 ", "solution '3x6': 'x' is not a column; the columns are 1..7"),
        (" 326 ", " 327 ", "solution '327': the last stone does not complete four"),
        (" 326 ", " 3261 ", "solution '3261': stone 4: "),
        (" 326 ", "  ", "solution '': must have at least one column"),
        (" win ", " loss ", "result 'loss': must be one of win, draw"),
        (" win 3 ", " draw 38 ", "solution '326': must be one column if the result is draw"),
        (" 326 win 3 ", " 3 draw 3 ", "distance '3': must be 38, the free cells, if the result is draw"),
        (" 3 ", " 5 ", "distance '5': must be 3, the length of the solution"),
        (" 3 ", " -3 ", "distance '-3': must be a whole number from 1 to 42"),
        ("level-20", "level-3", "level 'level-3': must be none or a level; levels are level-2"),
        (" 700 ", " 7e2 ", "rating '7e2': must be a whole number from 0 to 4000"),
        (" 700 ", " 7²0 ", "rating '7²0': must be a whole number"),
        ("double_threat", "fork", "themes 'fork': 'fork' is not a theme"),
        ("double_threat", "blocks,blocks", "themes 'blocks,blocks': must be one to 3 different themes"),
        (" 700 ", " 700  ", "8 fields; must be 7 with one space between"),
        (" 700", "", "6 fields; must be 7"),
    ],
)
def test_wrong_field_is_named_with_file_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The error names the file, the line and the field."""
    path = tmp_path / "set.txt"
    path.write_text(f"# comment\n\n{LINE.replace(old, new)}\n", encoding="utf-8")
    with pytest.raises(PuzzleError) as error:
        read_puzzles(path)
    assert str(error.value).startswith(f"{path}:3: {message}")


def test_repeated_position_and_mirror_image_are_rejected(tmp_path: Path) -> None:
    """The same stones in another order, and the mirror image, are the same puzzle."""
    path = tmp_path / "set.txt"
    for other in ("6x7:5544 326", "6x7:4433 562"):
        path.write_text(f"{LINE}\n{other} win 3 level-20 700 double_threat\n")
        with pytest.raises(PuzzleError, match=r"set.txt:2: position: the same as on line 1, or its mirror image"):
            read_puzzles(path)


def test_binary_file_is_rejected(tmp_path: Path) -> None:
    """A file that is not UTF-8 is an error with its name."""
    path = tmp_path / "set.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PuzzleError, match=r"set.txt: not a text file"):
        read_puzzles(path)


def test_file_is_extended(tmp_path: Path) -> None:
    """Puzzles and comments are appended; a new file begins with the names of the fields."""
    path = tmp_path / "set.txt"
    append_puzzles(path, [Puzzle.parse(LINE)])
    append_comment(path, "random seed 1: 7 games")
    names = "# position solution result distance level rating themes"
    assert path.read_text() == f"{names}\n{LINE}\n# random seed 1: 7 games\n"
    assert read_puzzles(path) == [Puzzle.parse(LINE)]


def test_identifier_depends_on_the_hole_and_the_colours() -> None:
    """Other holes and other colours are other puzzles; a hole is reflected with its board."""
    texts = ("9x9@0,0:55", "9x9@0,1:55", "9x9:55", "9x9@0,0:555", "9x10@0,0:55", "9x9@0,0:45")
    assert len({identify_position(Board.parse(text)) for text in texts}) == len(texts)
    assert identify_position(Board.parse("9x9@2,0:12")) == identify_position(Board.parse("9x9@2,8:98"))
