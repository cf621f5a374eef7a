"""Owns the tests of play and analyse."""

import json
import signal
import subprocess
import sys
from pathlib import Path

from fourfall import Board
from tests.cli.conftest import Fourfall

FAST = ["--simulations", "50", "--seed", "1"]


def test_a_game_is_played_to_its_end(fourfall: Fourfall) -> None:
    """A person who wins at once sees the final board and the result."""
    result = fourfall("play", "6x7:112233", *FAST, typed="4\n")
    assert result.returncode == 0
    assert result.stdout.endswith("6x7:1122334  X, the first player, won with stone 7\n")


def test_the_engine_answers_and_can_begin(fourfall: Fourfall) -> None:
    """With --second the engine moves first, and after that in turn."""
    result = fourfall("play", "6x7", "--second", *FAST, typed="1\nq\n")
    assert result.stdout.count("The engine plays") == 2


def test_undo_hint_and_nonsense(fourfall: Fourfall) -> None:
    """Undo takes back both moves, a hint names a column, anything else is explained."""
    result = fourfall("play", "6x7", *FAST, typed="u\nh\n4\nu\nxyz\n9\nq\n")
    assert "There is no move of yours to take back." in result.stdout
    assert "Try " in result.stdout
    assert "'xyz' is not a move; type a column to play" in result.stdout
    assert "'9' is not a move" in result.stdout
    assert result.stdout.endswith("6x7  X, the first player, to move\n")


def test_a_full_column_is_named(fourfall: Fourfall) -> None:
    """A move into a full column is refused with its reason and asked again."""
    assert "Column 1 is full." in fourfall("play", "6x7:111111", *FAST, typed="1\nq\n").stdout


def test_a_game_is_saved_and_goes_on(fourfall: Fourfall, tmp_path: Path) -> None:
    """A saved game is a position in a file, and --load continues it."""
    fourfall("play", "6x7", *FAST, typed="4\ns\nq\n")
    saved = (tmp_path / "game.txt").read_text()
    assert Board.parse(saved.strip()).ply == 2
    assert saved.strip() in fourfall("play", "--load", "game.txt", *FAST, typed="q\n").stdout


def test_saving_names_the_side_and_survives_a_full_disk(fourfall: Fourfall) -> None:
    """The command to go on keeps the person's side, and a file that cannot be written does not end the game."""
    saved = fourfall("play", "6x7", "--second", *FAST, typed="s\nq\n").stdout
    assert "fourfall play --load game.txt -e fourfall --second" in saved
    result = fourfall("play", "6x7", "--save", "no/such/folder/x", *FAST, typed="s\n4\nq\n")
    assert "Not saved: no/such/folder/x: No such file or directory" in result.stdout
    assert result.stdout.count("The engine plays") == 1


def test_a_game_to_load_and_a_position_do_not_go_together(fourfall: Fourfall) -> None:
    """Two places to begin are one too many, and a missing file is a mistake too."""
    both = fourfall("play", "6x7", "--load", "game.txt")
    missing = fourfall("play", "--load", "missing.txt")
    assert (both.returncode, missing.returncode) == (2, 2)
    assert "not both" in both.stderr
    assert "missing.txt: No such file or directory" in missing.stderr


def test_resigning_and_a_closed_input_end_the_game(fourfall: Fourfall) -> None:
    """The letter r resigns, and the end of the input leaves politely."""
    assert "You resigned." in fourfall("play", "6x7", *FAST, typed="r\n").stdout
    assert fourfall("play", *FAST).returncode == 0


def test_analyse_shows_board_table_and_line(fourfall: Fourfall) -> None:
    """The picture holds the board, a row for every column, the best first, and the cost."""
    result = fourfall("analyse", "6x7:112233", "--engine", "seed-004-v12", "--simulations", "200")
    assert str(Board.parse("6x7:112233")) in result.stdout
    assert "> 4" in result.stdout
    assert "wins in 1" in result.stdout
    assert "line   4" in result.stdout


def test_fourfall_is_the_default_engine(fourfall: Fourfall) -> None:
    """Without --engine both commands take the preset of the project's own name."""
    assert "against fourfall." in fourfall("play", "6x7", *FAST, typed="q\n").stdout
    arguments = ["analyse", "9x9", "--simulations", "300", "--json"]
    plain, named = (fourfall(*arguments, *more).stdout for more in ([], ["--engine", "fourfall"]))
    assert plain.split('"simulations_per_second"')[0] == named.split('"simulations_per_second"')[0]


def test_threads_may_be_chosen(fourfall: Fourfall) -> None:
    """Play and analyse take --threads for the default engine."""
    assert fourfall("play", "6x7", "--second", "--threads", "2", *FAST, typed="q\n").returncode == 0
    result = json.loads(fourfall("analyse", "6x7:112233", "--simulations", "200", "--threads", "2", "--json").stdout)
    assert result["move"] == 3


def test_analyse_gives_programs_json(fourfall: Fourfall) -> None:
    """--json prints one object that says what the library says."""
    result = json.loads(fourfall("analyse", "6x7:44", "--simulations", "500", "--json", "-e", "seed-002").stdout)
    assert result["position"] == "6x7:44"
    assert result["simulations"] == 500 == sum(column["visits"] for column in result["columns"])
    assert [column["column"] for column in result["columns"]] == list(range(7))


def test_an_interrupt_shows_what_the_search_has() -> None:
    """Ctrl-C ends an analysis early with its answer and exit code 0."""
    program = Path(sys.executable).with_name("fourfall")
    arguments: list[str | Path] = [program, "analyse", "9x9", "--time", "3600", "--json", "-e", "seed-002"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        try:
            process.wait(5)  # long enough for a busy machine to have begun
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        answer = json.loads(process.stdout.read())
        assert process.wait(10) == 0
    assert answer["stopped_by"] == "stop"
    assert answer["simulations"] > 0


def test_solve_shows_every_column_and_the_line(fourfall: Fourfall) -> None:
    """The picture has the exact worth of each column, of the position, and perfect play."""
    result = fourfall("solve", "4x5:11223")
    assert result.stdout.count("loses in 2") == 4
    assert "worth  draws in 15" in result.stdout
    assert "line   4 " in result.stdout


def test_solve_gives_bounds_when_time_is_up(fourfall: Fourfall) -> None:
    """At the limit the worth is an interval, in text and in JSON."""
    assert "worth  between " in fourfall("solve", "9x9", "--positions", "1000", "--no-columns").stdout
    answer = json.loads(fourfall("solve", "9x9", "--positions", "1000", "--json").stdout)
    assert answer["score"] is None
    assert answer["lower"] != answer["upper"]


def test_a_level_is_an_opponent(fourfall: Fourfall) -> None:
    """A level plays like any engine, and is named in what goes on later."""
    result = fourfall("play", "6x7", "--engine", "level-1", typed="4\ns\nq\n")
    assert "You are X against level-1." in result.stdout
    assert "The engine plays" in result.stdout
    assert "fourfall play --load game.txt -e level-1" in result.stdout
