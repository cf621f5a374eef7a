"""Owns the tests of agents that misbehave: each fault is named, in time, and nothing is left running."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents.base import Agent, AgentError, Conditions, Fault
from fourfall.agents.registry import open_agent
from fourfall.arena.judge import illegality
from tests.agents.bots import Rogues, compile_bot, left_running

BOARD = Board.parse("6x7@3,0")
CONDITIONS = Conditions(move_time_s=0.3, startup_time_s=20.0, memory_mb=400)


@contextmanager
def started(address: str, conditions: Conditions = CONDITIONS) -> Iterator[Agent]:
    """Open and start an agent, and close it afterwards."""
    agent = open_agent(address, conditions)
    try:
        agent.start(BOARD.copy())
        yield agent
    finally:
        agent.close()


def failure(address: str, conditions: Conditions = CONDITIONS) -> tuple[AgentError, str]:
    """Ask an agent until it fails, a few times at most; the failure and its last words."""
    agent = open_agent(address, conditions)

    def ask_on() -> None:
        agent.start(BOARD.copy())
        clock.append((time.perf_counter(), conditions.move_time_s))
        for moves in ("", ":44", ":4455"):
            agent.play(Board.parse(f"{BOARD.geometry}{moves}"))
            clock.append((time.perf_counter(), conditions.move_time_s))

    clock = [(time.perf_counter(), conditions.startup_time_s)]
    try:
        with pytest.raises(AgentError) as caught:
            ask_on()
        asked, allowed_s = clock[-1]
        assert 0 < caught.value.seconds <= time.perf_counter() - asked < allowed_s + 0.5
    finally:
        agent.close()
    return caught.value, agent.stderr


@pytest.mark.parametrize(
    ("function", "fault", "detail"),
    [
        ("raises", Fault.CRASH, "exception: KeyError: 'on purpose'"),
        ("leaves", Fault.CRASH, "exception: SystemExit: 0"),
        ("vanishes", Fault.CRASH, "exited with code 0 instead of answering"),
        ("hangs", Fault.TIMEOUT, "no answer within"),
        ("sleeps", Fault.TIMEOUT, "no answer within"),
        ("closes", Fault.CRASH, "closed its output"),
        ("scribbles", Fault.BROKEN_PROTOCOL, "an answer begins with its length"),
        ("hogs", Fault.MEMORY_EXCEEDED, ""),
        ("says_text", Fault.BROKEN_PROTOCOL, "a column is a whole number, not a value of type str"),
        ("says_float", Fault.BROKEN_PROTOCOL, "a column is a whole number, not 3.0"),
        ("says_nothing", Fault.BROKEN_PROTOCOL, "a column is a whole number, not None"),
        ("says_true", Fault.BROKEN_PROTOCOL, "a column is a whole number of reasonable size, not True"),
        ("says_huge", Fault.BROKEN_PROTOCOL, "a column is a whole number of reasonable size, not a value of type int"),
        ("no_such_function", Fault.INTERFACE_MISSING, "there is no function no_such_function in rogue"),
    ],
)
def test_a_python_bot_that_fails(rogues: Rogues, function: str, fault: Fault, detail: str) -> None:
    """Exceptions, exits, silence and answers that are no columns get their names."""
    # Filling memory takes its time.
    error, _ = failure(
        rogues.python(function), replace(CONDITIONS, move_time_s=5.0) if function == "hogs" else CONDITIONS
    )
    assert (error.fault, str(error)[: len(detail)]) == (fault, detail)
    assert left_running(rogues.folder) == []


@pytest.mark.parametrize("function", ["shouts", "listens"])
def test_a_python_bot_cannot_get_between_the_judge_and_itself(rogues: Rogues, function: str) -> None:
    """What it prints goes to its error output, and what it reads is empty."""
    with started(rogues.python(function)) as agent:
        assert [agent.play(BOARD.copy()).column for _ in range(3)] == [0, 0, 0]
    assert agent.stderr.count("more noise") == (3 if function == "shouts" else 0)


def test_a_python_bot_that_leaves_the_board_is_for_the_judge(rogues: Rogues) -> None:
    """A whole number is an answer, wherever it points."""
    with started(rogues.python("off_the_board")) as agent:
        assert illegality(BOARD, agent.play(BOARD.copy())) == "column 8 is not on the board"


def test_the_traceback_of_a_python_bot_is_kept(rogues: Rogues) -> None:
    """The author sees the line that failed."""
    _, stderr = failure(rogues.python("raises"))
    assert 'raise KeyError("on purpose")' in stderr


@pytest.mark.parametrize(
    ("source", "fault", "detail"),
    [
        ("def play(:", Fault.CANNOT_LOAD, "SyntaxError: invalid syntax"),
        ("import no_such_module", Fault.CANNOT_LOAD, "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)", Fault.CANNOT_LOAD, "SystemExit: 3"),
        ("raise ValueError('one\\ntwo')", Fault.CANNOT_LOAD, "ValueError: one"),
        ("class Odd(Exception): pass\nraise Odd()", Fault.CANNOT_LOAD, "bot.Odd"),
        ("x = 1", Fault.INTERFACE_MISSING, "there is no function play or agent in bot"),
        ("play = 3", Fault.INTERFACE_MISSING, "there is no function play or agent in bot"),
        ("def play(): return 1", Fault.CRASH, "exception: TypeError: "),
    ],
)
def test_a_python_file_that_is_no_bot(tmp_path: Path, source: str, fault: Fault, detail: str) -> None:
    """What cannot be imported, and what has nothing to call, is told apart."""
    (tmp_path / "bot.py").write_text(source)
    error, _ = failure(f"python:{tmp_path}/bot.py")
    assert (error.fault, str(error)[: len(detail)]) == (fault, detail)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("def play(board, limit): return board.cols - 1", 6),
        ("def play(observation, configuration): return observation.mark", 1),
        ("def agent(board, limit): return board.rows", 6),
        ("def agent(x): return x['step']", 0),
        ("def agent(*all): return all[1].hole[0]", 3),
        ("agent = lambda o, c: int(1000 * c.actTimeout)", 300),
        ("def play(board, limit): return limit.time > 0 and 2", 2),
        ("import numpy\ndef play(board, limit): return numpy.int64(4)", 4),
        ("from helper import where\ndef play(board, limit): return where", 5),
    ],
)
def test_the_two_python_protocols_are_told_apart(tmp_path: Path, source: str, answer: int) -> None:
    """The first parameter's name decides, then the function's; neighbours in the folder can be imported."""
    (tmp_path / "helper.py").write_text("where = 5")
    (tmp_path / "bot.py").write_text(source)
    with started(f"python:{tmp_path}/bot.py") as agent:
        assert agent.play(BOARD.copy()).column == answer


@pytest.mark.parametrize("name", ["json.py", "my-bot.py", "fourfall.py"])
def test_a_python_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    """Also that of a module which everybody uses."""
    (tmp_path / name).write_text(
        "from fourfall import Board\ndef play(board, limit): return type(board) is Board and 2"
    )
    with started(f"python:{tmp_path}/{name}") as agent:
        assert agent.play(BOARD.copy()).column == 2


def test_a_python_bot_that_hangs_while_it_is_imported(tmp_path: Path) -> None:
    """Start-up has its own limit."""
    (tmp_path / "bot.py").write_text("while True: pass")
    agent = open_agent(f"python:{tmp_path}/bot.py", Conditions(startup_time_s=0.5))
    with pytest.raises(AgentError) as caught:
        agent.start(BOARD.copy())
    agent.close()
    assert caught.value.fault == Fault.TIMEOUT
    assert left_running(tmp_path) == []


def script(folder: Path, lines: str) -> str:
    """Write a Python program and return its address as a UGI engine; `say` prints a line, `hear` reads one."""
    top = (
        "import sys, time\n"
        "def say(text): print(text, flush=True)\n"
        "def hear():\n"
        "    line = sys.stdin.readline()\n"
        "    if not line: raise SystemExit\n"
        "    return line.strip()\n"
    )
    polite = "def shake_hands():\n    hear(); say('ugiok'); hear(); hear(); say('readyok'); hear(); hear()\n"
    (folder / "engine.py").write_text(top + polite + lines)
    return f"ugi:{sys.executable} {folder}/engine.py"


@pytest.mark.parametrize(
    ("lines", "fault", "detail"),
    [
        ("say('hello')", Fault.CRASH, "exited with code 0 instead of answering"),
        ("raise SystemExit(7)", Fault.CRASH, "exited with code 7"),
        ("shake_hands(); time.sleep(60)", Fault.TIMEOUT, "no best move within"),
        ("shake_hands()\nwhile True: say('info string busy')", Fault.TIMEOUT, "no best move within 0.3 s"),
        ("while True: say('hello')", Fault.TIMEOUT, "did not say 'ugiok' in time"),
        ("shake_hands(); say('bestmove')", Fault.BROKEN_PROTOCOL, "a best move is a column such as 'bestmove 4', not"),
        ("shake_hands(); say('bestmove 0')", Fault.BROKEN_PROTOCOL, "a best move is a column"),
        ("shake_hands(); say('bestmove 12')", Fault.BROKEN_PROTOCOL, "a best move is a column"),
        ("shake_hands(); sys.stdout.write('x' * 10**6); time.sleep(60)", Fault.BROKEN_PROTOCOL, "sent a line without"),
        ("shake_hands(); print('bestmove 4', end='', flush=True); hear()", Fault.TIMEOUT, "no best move"),
    ],
)
def test_a_ugi_engine_that_fails(tmp_path: Path, lines: str, fault: Fault, detail: str) -> None:
    """Silence, floods and best moves that are none get their names."""
    error, _ = failure(script(tmp_path, lines), Conditions(move_time_s=0.3, startup_time_s=2.0))
    assert (error.fault, str(error)[: len(detail)]) == (fault, detail)
    assert left_running(tmp_path) == []


def test_a_ugi_engine_that_is_never_ready(tmp_path: Path) -> None:
    """The handshake has the start-up's limit."""
    agent = open_agent(script(tmp_path, "time.sleep(60)"), Conditions(startup_time_s=0.5))
    with pytest.raises(AgentError) as caught:
        agent.start(BOARD.copy())
    agent.close()
    assert caught.value.fault == Fault.TIMEOUT


@pytest.mark.parametrize(
    ("info", "score"),
    [
        ("info depth 3 score cp 400 nodes 9", "90.9 %"),
        ("info score cp -999999", "0.0 %"),
        ("info score mate 3", "wins in 5"),
        ("info score mate -1", "loses in 2"),
        ("info score cp many", "None"),
        ("info score", "None"),
        ("info score mate 99999", "None"),
        ("nonsense \udcff", "None"),
    ],
)
def test_what_a_ugi_engine_thinks_becomes_a_score(tmp_path: Path, info: str, score: str) -> None:
    """Centipawns and mates are understood, and what makes no sense is passed over."""
    told = info.encode(errors="surrogateescape") + b"\n"
    lines = f"shake_hands(); sys.stdout.buffer.write({told!r}); say('bestmove 4')"
    with started(script(tmp_path, lines)) as agent:
        answer = agent.play(BOARD.copy())
    assert (answer.column, str(answer.score)) == (3, score)


@pytest.mark.parametrize(
    ("code", "fault", "detail"),
    [
        ("", Fault.INTERFACE_MISSING, "there is no getPoint"),
        ('extern "C" int* getPoint() { return 0; }', Fault.INTERFACE_MISSING, "there is no clearPoint"),
        ("extern int missing; int* use = &missing;", Fault.CANNOT_LOAD, "undefined symbol: missing"),
    ],
)
def test_a_library_that_is_no_strategy(tmp_path: Path, code: str, fault: Fault, detail: str) -> None:
    """A missing function and a library that does not load are told apart."""
    (tmp_path / "bot.cpp").write_text(code)
    path = compile_bot(str(tmp_path / "bot.cpp"), tmp_path / "bot.so")
    error, _ = failure(f"library:{path}")
    assert error.fault == fault
    assert detail in str(error)


@pytest.mark.parametrize("kind", ["library", "program", "ugi"])
def test_a_file_that_is_no_program(tmp_path: Path, kind: str) -> None:
    """What the system cannot load is said so at the start, not a draw."""
    (tmp_path / "bot").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "bot").chmod(0o755)
    error, _ = failure(f"{kind}:{tmp_path}/bot")
    assert error.fault == Fault.CANNOT_LOAD
