"""Tests of ``fourfall puzzles`` and ``fourfall puzzles make``."""

import json
import signal
from pathlib import Path

import pytest

from fourfall.arena.record import EXAMPLE
from fourfall.arena.store import Store
from fourfall.coach.puzzles import read_puzzles
from tests.cli.conftest import Fourfall, start_computing
from tests.processes import PATIENCE_S

LINE = "6x7:431555345367 423 win 3 level-16 1120 double_threat"


@pytest.fixture
def one_puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file with one puzzle; the progress is kept in the test's folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "one.txt"
    path.write_text(LINE + "\n")
    return path


def read_progress(tmp_path: Path) -> dict[str, object]:
    """Return the saved progress."""
    saved: dict[str, object] = json.loads((tmp_path / "data" / "fourfall" / "puzzles.json").read_text())
    return saved


def test_right_move_raises_rating_and_streak(fourfall: Fourfall, one_puzzle: Path, tmp_path: Path) -> None:
    """The solution is confirmed with reason and main line, and the progress is saved and used by the next session."""
    result = fourfall("puzzles", "--file", str(one_puzzle), typed="4\nq\n")
    assert result.returncode == 0
    assert "X to move. Find the only move that wins." in result.stdout
    assert "Right: column 4." in result.stdout
    assert "Main line" in result.stdout
    assert "Main line: 4-2-3" in result.stdout
    assert "streak: 1" in result.stdout
    assert result.stdout.endswith("Longest streak: 1.\n")
    saved = read_progress(tmp_path)
    assert saved["streak"] == 1
    again = fourfall("puzzles", "--file", str(one_puzzle), typed="4\nq\n").stdout
    assert again.startswith(f"Your rating: {saved['rating']:.0f}, streak: 1.")
    assert "streak: 2" in again


def test_wrong_move_is_refuted_and_counts_once(fourfall: Fourfall, one_puzzle: Path, tmp_path: Path) -> None:
    """A wrong move says why; later tries do not change the rating; the end of the input loses nothing."""
    result = fourfall("puzzles", "--file", str(one_puzzle), typed="1\n9\n4\n")
    assert "Wrong: column 1." in result.stdout
    assert "This move loses: the opponent wins in 4 moves." in result.stdout
    assert "It continues: 1-4-" in result.stdout
    assert "X could win" not in result.stdout
    assert "'9' is not a move; type a column to play, h hint" in result.stdout
    assert "Right: column 4." in result.stdout
    assert result.stdout.count("Your rating:") == 3  # greeting, the first try, the end
    assert result.returncode == 0
    assert list(read_progress(tmp_path)["scores"].values()) == [0.0]  # type: ignore[attr-defined]


def test_hints_lower_the_score(fourfall: Fourfall, one_puzzle: Path, tmp_path: Path) -> None:
    """Two hints leave half a point; the third one names the column; then there are no more."""
    result = fourfall("puzzles", "--file", str(one_puzzle), typed="h\nh\n4\nq\n")
    assert "Double threat: Make two threats with one stone." in result.stdout
    assert "The move is in column" in result.stdout
    assert list(read_progress(tmp_path)["scores"].values()) == [0.5]  # type: ignore[attr-defined]
    result = fourfall("puzzles", "--file", str(one_puzzle), typed="h\nh\nh\nh\n4\nq\n")
    assert "The move is column 4." in result.stdout
    assert "There are no more hints." in result.stdout
    assert list(read_progress(tmp_path)["scores"].values()) == [0.0]  # type: ignore[attr-defined]


def test_chinese_session_shows_the_solution(fourfall: Fourfall, one_puzzle: Path) -> None:
    """With --lang zh all texts are Chinese; the command s shows the solution."""
    result = fourfall("puzzles", "--file", str(one_puzzle), "--lang", "zh", typed="s\nq\n")
    assert "找出唯一能取胜的一步。" in result.stdout
    assert "答案是第 4 列。" in result.stdout
    assert "move" not in result.stdout


def test_shipped_puzzles_by_theme_and_rating(fourfall: Fourfall, one_puzzle: Path) -> None:
    """Theme and rating select among the puzzles of the package."""
    result = fourfall("puzzles", "--theme", "parity", "--rating", "3000", "--seed", "1", typed="q\n")
    rating = int(result.stdout.partition("\nRating ")[2].partition(".")[0])
    assert rating > 1500
    assert result.stdout.endswith("No puzzle was tried. Your rating: 1500.\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--theme", "fork"], 2, "'fork' is not a theme of these puzzles"),
        (["--lang", "fr"], 2, "'fr' is not a language; choose en or zh"),
        (["--file", "missing.txt"], 1, "missing.txt: No such file or directory"),
        (["--file", "empty.txt"], 2, "the file has no puzzles"),
        (["--file", "wrong.txt"], 2, "wrong.txt:1: solution '427': the last stone does not complete four"),
        (["make", "-o", "new.txt"], 2, "give either --from DB or --random"),
        (["make", "--from", "a.db", "--random", "-o", "new.txt"], 2, "give either --from DB or --random"),
        (["make", "--from", "missing.db", "-o", "new.txt"], 2, "missing.db"),
        (["make", "--random", "-o", "wrong.txt"], 2, "wrong.txt:1: solution '427'"),
    ],
)
def test_bad_input(
    fourfall: Fourfall, one_puzzle: Path, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    """A wrong option or file is named, without a traceback; nothing is written."""
    (tmp_path / "empty.txt").touch()
    (tmp_path / "wrong.txt").write_text(LINE.replace(" 423 ", " 427 ") + "\n")
    result = fourfall("puzzles", *arguments)
    assert result.returncode == code
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "new.txt").exists()


def test_damaged_progress_is_not_overwritten(fourfall: Fourfall, one_puzzle: Path, tmp_path: Path) -> None:
    """A progress file that cannot be read is an error; it stays as it is."""
    path = tmp_path / "data" / "fourfall" / "puzzles.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    result = fourfall("puzzles", typed="1\n")
    assert result.returncode == 2
    assert "puzzles.json: not JSON" in result.stderr
    assert path.read_text() == "{"


def test_make_appends_and_continues(fourfall: Fourfall, tmp_path: Path) -> None:
    """The second run keeps the puzzles of the first one and gives the same as one long run."""
    assert (
        "few.txt has 1 puzzles, 1 of them new"
        in fourfall("puzzles", "make", "--random", "--count", "1", "-o", "few.txt").stdout
    )
    result = fourfall("puzzles", "make", "--random", "--count", "3", "-o", "few.txt")
    assert result.stdout == "few.txt has 3 puzzles, 2 of them new\n"
    fourfall("puzzles", "make", "--random", "--count", "3", "-o", "all.txt")
    few, complete = (read_puzzles(tmp_path / name) for name in ("few.txt", "all.txt"))
    assert few == complete
    assert "already" in fourfall("puzzles", "make", "--random", "--count", "3", "-o", "few.txt").stdout


def test_make_from_a_database(fourfall: Fourfall, tmp_path: Path) -> None:
    """Puzzles come from the stored games; too few of them is a failure with what was found."""
    with Store(tmp_path / "a.db") as store:
        store.import_games("games", [EXAMPLE])
    result = fourfall("puzzles", "make", "--from", "a.db", "--count", "9", "-o", "mine.txt")
    assert result.returncode == 1
    assert "the database has no more puzzles" in result.stderr
    game = EXAMPLE.final_board
    for puzzle in read_puzzles(tmp_path / "mine.txt"):
        assert game.moves[: puzzle.board.ply] == puzzle.board.moves


def test_interrupted_make_keeps_what_was_found(tmp_path: Path) -> None:
    """Ctrl-C ends the command with 130; the file is complete and says how many games were searched."""
    path = tmp_path / "mine.txt"
    process = start_computing("puzzles", "make", "--random", "--count", "100000", "-o", str(path))
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "run the same command to continue" in output
    assert "Traceback" not in errors
    read_puzzles(path)
    assert path.read_text().splitlines()[-1].startswith("# random seed 0: ")
