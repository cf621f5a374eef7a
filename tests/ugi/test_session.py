"""Tests the session in this process: searches, state and errors."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board, Engine, Limit
from fourfall.agents.protocol.ugi_messages import format_score, parse_score
from fourfall.render import COLUMN_NAMES
from fourfall.ugi import Options
from tests.ugi.recorded_session import FAST, RecordedSession

BUSY = "info string error: a search is running; send stop first"


@pytest.fixture
def session() -> Iterator[RecordedSession]:
    """Return a session with a fast preset."""
    opened = RecordedSession()
    yield opened
    opened.close()


@pytest.mark.parametrize("preset", ["fourfall", "seed-002"])
def test_same_moves_as_the_engine(preset: str) -> None:
    """With the same preset, seed and simulations, each move of a game and its score are those of `Engine`."""
    engine = Engine(preset, seed=5, memory_mb=64)
    session = RecordedSession(Options(preset, seed=5, memory_mb=64))
    board = Board.parse("9x10@4,4")
    for _ in range(4):
        analysis = engine.search(board, Limit(simulations=60))
        moves = " ".join(COLUMN_NAMES[column] for column in board.moves)
        *_, info, best = session.search(f"position fen 9x10@4,4 {moves and 'moves'} {moves}", "go nodes 60")
        assert best == f"bestmove {COLUMN_NAMES[analysis.move]}"
        assert f" score {format_score(analysis.score)} nodes 60 " in info
        board.push(analysis.move)


def test_new_game_forgets_the_old_one() -> None:
    """After `uginewgame` the position is empty, and the same search gives the same result as the first one."""
    session = RecordedSession(Options("fourfall-classic", memory_mb=16))
    first = session.search("position fen 9x9@4,4", "go nodes 300")
    second = session.search("go nodes 300")
    third = session.search("uginewgame", "position fen 9x9@4,4", "go nodes 300")
    scores = [parse_score(lines[-2].split()) for lines in (first, second, third)]
    assert scores[0] == scores[2] != scores[1]
    assert session.send("moves 4", "uginewgame", "query p1turn") == ["response true"]


def test_proof_is_a_mate(session: RecordedSession) -> None:
    """A win in one is mate 1, and a forced loss is negative."""
    assert " score mate 1 " in session.search("position startpos moves 1 1 2 2 3 3", "go nodes 100")[-2]
    session.send("setoption name Preset value fourfall-classic", "setoption name Memory value 64")
    assert " score mate -1 " in session.search("position startpos moves 4 1 3 1 5", "go nodes 500")[-2]


def test_stop_ends_an_infinite_search(session: RecordedSession) -> None:
    """The best move is written before `stop` returns. Further `stop` commands are not errors."""
    session.send("position fen 12x12@5,5", "go infinite")
    assert session.send("isready") == ["readyok"]
    assert session.send("stop")[-1].startswith("bestmove ")
    assert session.send("stop", "stop") == []


def test_commands_during_a_search(session: RecordedSession) -> None:
    """The position cannot change, questions are answered, and the search continues."""
    session.send("position fen 12x12@5,5", "go infinite")
    for command in ("go nodes 5", "position startpos", "moves 1", "uginewgame", "setoption name Seed value 3"):
        assert session.send(command) == [BUSY]
    assert session.send("query p1turn") == ["response true"]
    assert session.send("sing")[0].startswith("info string error: unknown command")
    assert [line for line in session.send("stop") if line.startswith("bestmove")]
    assert session.send("query gameover") == ["response false"]


def test_info_lines_of_a_running_search(session: RecordedSession) -> None:
    """They come at intervals and belong to this search, not to the one before; each has all fields."""
    session.search("position fen 12x12@5,5", "go nodes 5000")
    begin = len(session.lines)
    session.send("uginewgame", "position fen 4x4", "setoption name Preset value seed-001", "go infinite")
    assert session.wait_for("info", begin)
    session.send("stop")
    info = r"info depth \d+ score cp -?\d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [1-4])+"
    assert re.fullmatch(info, session.lines[begin])


def test_multipv_gives_every_column_a_value(session: RecordedSession) -> None:
    """The best move is that of the first line."""
    lines = session.search("setoption name MultiPV value 7", "position startpos moves 1 1 2 2 3", "go nodes 300")
    assert [line.split()[4] for line in lines[-8:-1]] == list("1234567")
    assert lines[-1] == "bestmove 4"


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_depth_ends_the_search(session: RecordedSession, depth: int) -> None:
    """The search ends by itself."""
    lines = session.search("position fen 9x9@4,4", f"go depth {depth}")
    assert int(lines[-2].split()[2]) >= depth


def test_level_keeps_its_strength(session: RecordedSession) -> None:
    """A level searches its number of simulations even if it may search longer."""
    lines = session.search("setoption name Preset value level-30", "position fen 9x9@4,4", "go movetime 60000")
    assert " nodes 93 " in lines[-2]


def test_finished_game(session: RecordedSession) -> None:
    """There is no best move; the client is not left waiting."""
    assert session.send("position startpos moves 1 2 1 2 1 2 1", "go nodes 5") == [
        "info string error: go: the game is over",
        "bestmove (none)",
    ]


def test_errors_change_nothing(session: RecordedSession) -> None:
    """After an invalid position or option the old one is still valid."""
    session.send("position startpos moves 4")
    for command in ("position fen 99x9", "position startpos moves 9", "moves 1 1 1 1 1 1 1"):
        assert session.send(command)[0].startswith("info string error: ")
    assert session.send("query p1turn") == ["response false"]
    assert session.send("setoption name Threads value 4") == [
        "info string error: seed-002 is a tree search, which runs in one thread, not in 4"
    ]
    assert " nodes 20 " in session.search("go nodes 20")[-2]


def test_engine_that_cannot_be_created() -> None:
    """A client that waits for `readyok` or `bestmove` gets it, after the error."""
    session = RecordedSession(replace(FAST, preset="nothing"))
    assert session.send("isready")[1:] == ["readyok"]
    error, best = session.send("go nodes 5")
    assert error.startswith("info string error: there is no preset 'nothing'")
    assert best == "bestmove (none)"


def test_more_memory_than_there_is() -> None:
    """The search fails with an error that names the option; after a change the engine searches."""
    session = RecordedSession(Options("fourfall-classic", memory_mb=2**20))
    assert session.search("go nodes 20") == [
        "info string error: the search failed: not enough memory; set the option Memory to a smaller value",
        "bestmove (none)",
    ]
    assert session.search("setoption name Memory value 16", "go nodes 20")[-1] == "bestmove 4"


def test_preset_file(session: RecordedSession, tmp_path: Path) -> None:
    """The value may be a path, also with blanks and with characters that are not ASCII."""
    file = tmp_path / "棋 1.toml"
    file.write_text('base = "seed-002"\n')
    assert session.send(f"setoption name Preset value {file}") == []
    file.write_text("speed = 1\n")
    (error,) = session.send("setoption name Seed value 1")
    assert "speed" in error
    assert " nodes 20 " in session.search("go nodes 20")[-2]


def test_debug_adds_a_line(session: RecordedSession) -> None:
    """It says why the search ended."""
    lines = session.search("debug on", "go nodes 20")
    assert lines[0].startswith("info string stopped by simulations; ")
    assert len(session.search("debug off", "go nodes 20")) == 2
