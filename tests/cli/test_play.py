"""Tests of play, analyse and solve."""

import json
import signal
from pathlib import Path

from fourfall import Board
from tests.cli.conftest import Fourfall, start_computing
from tests.processes import PATIENCE_S

FAST = ["--simulations", "50", "--seed", "1"]


def test_winning_move_ends_the_game(fourfall: Fourfall) -> None:
    """After a winning move the final board and the result are printed."""
    result = fourfall("play", "6x7:112233", *FAST, typed="4\n")
    assert result.returncode == 0
    assert result.stdout.endswith("6x7:1122334  X, the first player, won with stone 7\n")


def test_engine_replies_and_can_move_first(fourfall: Fourfall) -> None:
    """With --second the engine moves first, then both move in turn."""
    result = fourfall("play", "6x7", "--second", *FAST, typed="1\nq\n")
    assert result.stdout.count("The engine plays") == 2


def test_undo_hint_and_unknown_commands(fourfall: Fourfall) -> None:
    """The command u undoes both moves, h names a column, other input prints the commands."""
    result = fourfall("play", "6x7", *FAST, typed="u\nh\n4\nu\nxyz\n9\nq\n")
    assert "There is no move of yours to undo." in result.stdout
    assert "Try " in result.stdout
    assert "'xyz' is not a move; type a column to play" in result.stdout
    assert "'9' is not a move" in result.stdout
    assert result.stdout.endswith("6x7  X, the first player, to move\n")


def test_full_column_is_rejected(fourfall: Fourfall) -> None:
    """A move into a full column prints the reason and asks again."""
    assert "Column 1 is full." in fourfall("play", "6x7:111111", *FAST, typed="1\nq\n").stdout


def test_saved_game_can_be_continued(fourfall: Fourfall, tmp_path: Path) -> None:
    """The command s writes the position to a file, and --load continues from it."""
    fourfall("play", "6x7", *FAST, typed="4\ns\nq\n")
    saved = (tmp_path / "game.txt").read_text()
    assert Board.parse(saved.strip()).ply == 2
    assert saved.strip() in fourfall("play", "--load", "game.txt", *FAST, typed="q\n").stdout


def test_save_keeps_the_side_and_survives_write_errors(fourfall: Fourfall) -> None:
    """The printed command keeps the player's side; a write error does not end the game."""
    saved = fourfall("play", "6x7", "--second", *FAST, typed="s\nq\n").stdout
    assert "fourfall play --load game.txt -e fourfall --second" in saved
    result = fourfall("play", "6x7", "--save", "no/such/folder/x", *FAST, typed="s\n4\nq\n")
    assert "Not saved: no/such/folder/x: No such file or directory" in result.stdout
    assert result.stdout.count("The engine plays") == 1


def test_load_and_position_are_exclusive(fourfall: Fourfall) -> None:
    """Giving both is a usage error; so is a missing file."""
    both = fourfall("play", "6x7", "--load", "game.txt")
    missing = fourfall("play", "--load", "missing.txt")
    assert (both.returncode, missing.returncode) == (2, 2)
    assert "not both" in both.stderr
    assert "missing.txt: No such file or directory" in missing.stderr


def test_resignation_and_end_of_input_end_the_game(fourfall: Fourfall) -> None:
    """The command r resigns; the end of the input quits."""
    assert "You resigned." in fourfall("play", "6x7", *FAST, typed="r\n").stdout
    assert fourfall("play", *FAST).returncode == 0


def test_analyse_prints_board_columns_pv_and_cost(fourfall: Fourfall) -> None:
    """The output contains the board, a row per column with the best first, the pv and the cost."""
    result = fourfall("analyse", "6x7:112233", "--engine", "seed-004-v12", "--simulations", "200")
    assert str(Board.parse("6x7:112233")) in result.stdout
    assert "> 4" in result.stdout
    assert "wins in 1" in result.stdout
    assert "pv     4" in result.stdout


def test_fourfall_is_the_default_engine(fourfall: Fourfall) -> None:
    """Without --engine the commands use the preset fourfall."""
    assert "against fourfall." in fourfall("play", "6x7", *FAST, typed="q\n").stdout
    arguments = ["analyse", "9x9", "--simulations", "300", "--json"]
    plain, named = (fourfall(*arguments, *more).stdout for more in ([], ["--engine", "fourfall"]))
    assert plain.split('"simulations_per_second"')[0] == named.split('"simulations_per_second"')[0]


def test_threads_option(fourfall: Fourfall) -> None:
    """The command analyse accepts --threads for the default engine."""
    assert fourfall("play", "6x7", "--second", "--threads", "2", *FAST, typed="q\n").returncode == 0
    result = json.loads(fourfall("analyse", "6x7:112233", "--simulations", "200", "--threads", "2", "--json").stdout)
    assert result["move"] == 3


def test_analyse_prints_json(fourfall: Fourfall) -> None:
    """--json prints one object that agrees with the library."""
    result = json.loads(fourfall("analyse", "6x7:44", "--simulations", "500", "--json", "-e", "seed-002").stdout)
    assert result["position"] == "6x7:44"
    assert result["simulations"] == 500 == sum(column["visits"] for column in result["columns"])
    assert [column["column"] for column in result["columns"]] == list(range(7))


def test_analyse_prints_a_verdict_for_every_column(fourfall: Fourfall) -> None:
    """The table has one row for each column, with the refutation of moves that lose at once; --json has the lines."""
    arguments = ["analyse", "6x7:11223", "--simulations", "500"]
    rows = [line.split() for line in fourfall(*arguments).stdout.splitlines() if "(refuted by 4)" in line]
    assert sorted(row[0] for row in rows) == ["1", "2", "3", "5", "6", "7"]
    assert all(row[2:5] == ["loses", "in", "1"] for row in rows)
    columns = json.loads(fourfall(*arguments, "--json").stdout)["columns"]
    assert [column["pv"][:2] for column in columns if column["column"] != 3] == [[c, 3] for c in (0, 1, 2, 4, 5, 6)]
    assert {column["distance"] for column in columns if column["column"] != 3} == {2}


def test_interrupt_prints_the_analysis_so_far() -> None:
    """Ctrl-C stops an analysis, prints its result and exits with 0."""
    with start_computing("analyse", "9x9", "--time", "3600", "--json", "-e", "seed-002") as process:
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE_S)
        answer = json.loads(output)
        assert process.returncode == 0
    assert answer["stopped_by"] == "stop"
    assert answer["simulations"] > 0


def test_solve_prints_every_column_and_the_pv(fourfall: Fourfall) -> None:
    """The output contains the exact result of each column and of the position, and the pv."""
    result = fourfall("solve", "4x5:11223")
    assert result.stdout.count("loses in 1") == 4
    assert "result draws" in result.stdout
    assert "pv     4 " in result.stdout


def test_solve_in_two_threads(fourfall: Fourfall) -> None:
    """With --threads the result is that of one thread; 0 threads are refused."""
    result = fourfall("solve", "4x6", "--no-census", "--no-columns", "--threads", "2")
    assert "result loses in 12" in result.stdout
    assert fourfall("solve", "4x6", "--threads", "0").returncode == 2


def test_solve_prints_bounds_at_the_limit(fourfall: Fourfall) -> None:
    """At the limit the result is an interval, in text and in JSON."""
    assert "result between " in fourfall("solve", "9x9", "--positions", "1000", "--no-columns").stdout
    answer = json.loads(fourfall("solve", "9x9", "--positions", "1000", "--json").stdout)
    assert answer["score"] is None
    assert answer["lower"] != answer["upper"]


def test_level_as_opponent(fourfall: Fourfall) -> None:
    """A level can be the engine, and the command that continues the game names it."""
    result = fourfall("play", "6x7", "--engine", "level-2", typed="4\ns\nq\n")
    assert "You are X against level-2." in result.stdout
    assert "The engine plays" in result.stdout
    assert "fourfall play --load game.txt -e level-2" in result.stdout
