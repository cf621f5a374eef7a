"""Tests of faulty third-party agents: each fault is classified correctly and in time, and no process remains."""

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
from fourfall.arena.judge import describe_illegal_move
from tests.agents.bots import FaultyBots, compile_bot, list_remaining_processes
from tests.agents.conftest import TOLERANCE_S

BOARD = Board.parse("6x7@3,0")
CONDITIONS = Conditions(move_time_s=0.3, startup_time_s=20.0, memory_mb=400)


@contextmanager
def start_agent(address: str, conditions: Conditions = CONDITIONS) -> Iterator[Agent]:
    """Open and start an agent, and close it afterwards."""
    agent = open_agent(address, conditions)
    try:
        agent.start(BOARD.copy())
        yield agent
    finally:
        agent.close()


def catch_agent_failure(address: str, conditions: Conditions = CONDITIONS) -> tuple[AgentError, str]:
    """Ask an agent for at most three moves; return its failure and its stderr."""
    agent = open_agent(address, conditions)

    def ask_until_failure() -> None:
        agent.start(BOARD.copy())
        calls.append((time.perf_counter(), conditions.move_time_s))
        for moves in ("", ":44", ":4455"):
            agent.play(Board.parse(f"{BOARD.geometry}{moves}"))
            calls.append((time.perf_counter(), conditions.move_time_s))

    calls = [(time.perf_counter(), conditions.startup_time_s)]
    try:
        with pytest.raises(AgentError) as caught:
            ask_until_failure()
        begin, allowed_s = calls[-1]
        # Time that a busy machine withheld from the agent does not count.
        assert 0 < caught.value.seconds <= time.perf_counter() - begin
        assert caught.value.seconds < allowed_s + TOLERANCE_S
    finally:
        agent.close()
    return caught.value, agent.stderr


@pytest.mark.parametrize(
    ("function", "fault", "detail"),
    [
        ("raise_exception", Fault.CRASH, "exception: KeyError: 'on purpose'"),
        ("call_sys_exit", Fault.CRASH, "exception: SystemExit: 0"),
        ("call_os_exit", Fault.CRASH, "exited with code 0 instead of answering"),
        ("loop_forever", Fault.TIMEOUT, "no answer within"),
        ("sleep", Fault.TIMEOUT, "no answer within"),
        ("close_descriptors", Fault.CRASH, "closed its output"),
        ("write_to_descriptors", Fault.BROKEN_PROTOCOL, "an answer must begin with its length"),
        ("allocate_memory", Fault.MEMORY_EXCEEDED, ""),
        ("return_text", Fault.BROKEN_PROTOCOL, "a column must be an integer, not a value of type str"),
        ("return_float", Fault.BROKEN_PROTOCOL, "a column must be an integer, not 3.0"),
        ("return_none", Fault.BROKEN_PROTOCOL, "a column must be an integer, not None"),
        ("return_true", Fault.BROKEN_PROTOCOL, "a column must be an integer of 32 bits, not True"),
        (
            "return_huge_integer",
            Fault.BROKEN_PROTOCOL,
            "a column must be an integer of 32 bits, not a value of type int",
        ),
        ("no_such_function", Fault.INTERFACE_MISSING, "there is no function no_such_function in faulty"),
    ],
)
def test_faults_of_python_functions(faulty_bots: FaultyBots, function: str, fault: Fault, detail: str) -> None:
    """Exceptions, exits, timeouts and answers that are not columns are classified."""
    # Allocating the memory takes longer than a move.
    conditions = replace(CONDITIONS, move_time_s=5.0) if function == "allocate_memory" else CONDITIONS
    error, _ = catch_agent_failure(faulty_bots.python(function), conditions)
    assert (error.fault, str(error)[: len(detail)]) == (fault, detail)
    assert list_remaining_processes(faulty_bots.folder) == []


@pytest.mark.parametrize("function", ["print_to_stdout", "read_stdin"])
def test_python_functions_cannot_use_the_judges_pipes(faulty_bots: FaultyBots, function: str) -> None:
    """What a function prints goes to stderr, and its standard input is empty."""
    with start_agent(faulty_bots.python(function)) as agent:
        assert [agent.play(BOARD.copy()).column for _ in range(3)] == [0, 0, 0]
    assert agent.stderr.count("more noise") == (3 if function == "print_to_stdout" else 0)


def test_a_column_off_the_board_is_a_valid_answer(faulty_bots: FaultyBots) -> None:
    """An agent may return any integer; the judge decides that the move is illegal."""
    with start_agent(faulty_bots.python("return_column_off_board")) as agent:
        assert describe_illegal_move(BOARD, agent.play(BOARD.copy())) == "column 8 is not on the board"


def test_stderr_contains_the_traceback_of_a_python_function(faulty_bots: FaultyBots) -> None:
    """The author sees the line that failed."""
    _, stderr = catch_agent_failure(faulty_bots.python("raise_exception"))
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
def test_python_files_that_are_not_agents(tmp_path: Path, source: str, fault: Fault, detail: str) -> None:
    """A failed import and a missing function are different faults."""
    (tmp_path / "bot.py").write_text(source)
    error, _ = catch_agent_failure(f"python:{tmp_path}/bot.py")
    assert (error.fault, str(error)[: len(detail)]) == (fault, detail)


@pytest.mark.parametrize(
    ("source", "column"),
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
def test_the_python_interface_is_recognised(tmp_path: Path, source: str, column: int) -> None:
    """The first parameter's name decides, then the function's name; modules that the address allows can be imported."""
    (tmp_path / "helper.py").write_text("where = 5")
    (tmp_path / "bot.py").write_text(source)
    with start_agent(f"python:{tmp_path}/bot.py?read={tmp_path}") as agent:
        assert agent.play(BOARD.copy()).column == column


@pytest.mark.parametrize("name", ["json.py", "my-bot.py", "fourfall.py"])
def test_a_python_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    """The name may be that of an installed module, or no valid module name."""
    (tmp_path / name).write_text(
        "from fourfall import Board\ndef play(board, limit): return type(board) is Board and 2"
    )
    with start_agent(f"python:{tmp_path}/{name}") as agent:
        assert agent.play(BOARD.copy()).column == 2


def test_timeout_of_a_python_import(tmp_path: Path) -> None:
    """The import has the time limit of the start."""
    (tmp_path / "bot.py").write_text("while True: pass")
    agent = open_agent(f"python:{tmp_path}/bot.py", Conditions(startup_time_s=0.5))
    with pytest.raises(AgentError) as caught:
        agent.start(BOARD.copy())
    agent.close()
    assert caught.value.fault == Fault.TIMEOUT
    assert list_remaining_processes(tmp_path) == []


def write_ugi_engine(folder: Path, lines: str) -> str:
    """Write a UGI engine in Python and return its address.

    In `lines`, `send` prints a line, `receive` reads one, and `initialise` answers until the first question.
    """
    functions = (
        "import sys, time\n"
        "def send(text): print(text, flush=True)\n"
        "def receive():\n"
        "    line = sys.stdin.readline()\n"
        "    if not line: raise SystemExit\n"
        "    return line.strip()\n"
        "def initialise():\n"
        "    receive(); send('ugiok'); receive(); receive(); send('readyok'); receive(); receive()\n"
    )
    (folder / "engine.py").write_text(functions + lines)
    return f"ugi:{sys.executable} {folder}/engine.py"


@pytest.mark.parametrize(
    ("lines", "fault", "detail"),
    [
        ("send('hello')", Fault.CRASH, "exited with code 0 instead of answering"),
        ("raise SystemExit(7)", Fault.CRASH, "exited with code 7"),
        ("initialise(); time.sleep(60)", Fault.TIMEOUT, "no best move within"),
        ("initialise()\nwhile True: send('info string busy')", Fault.TIMEOUT, "no best move within 0.3 s"),
        ("while True: send('hello')", Fault.TIMEOUT, "did not send 'ugiok' in time"),
        (
            "initialise(); send('bestmove')",
            Fault.BROKEN_PROTOCOL,
            "a best move must be a column such as 'bestmove 4', not",
        ),
        ("initialise(); send('bestmove 0')", Fault.BROKEN_PROTOCOL, "a best move must be a column"),
        ("initialise(); send('bestmove 12')", Fault.BROKEN_PROTOCOL, "a best move must be a column"),
        (
            "initialise(); sys.stdout.write('x' * 10**6); time.sleep(60)",
            Fault.BROKEN_PROTOCOL,
            "sent a line longer than 64 KB",
        ),
        ("initialise(); print('bestmove 4', end='', flush=True); receive()", Fault.TIMEOUT, "no best move"),
    ],
)
def test_faults_of_ugi_engines(tmp_path: Path, lines: str, fault: Fault, detail: str) -> None:
    """Silence, endless output and invalid best moves are classified."""
    error, _ = catch_agent_failure(write_ugi_engine(tmp_path, lines), Conditions(move_time_s=0.3, startup_time_s=2.0))
    assert (error.fault, str(error)[: len(detail)]) == (fault, detail)
    assert list_remaining_processes(tmp_path) == []


def test_timeout_of_the_start_of_a_ugi_engine(tmp_path: Path) -> None:
    """Waiting for `ugiok` and `readyok` has the time limit of the start."""
    agent = open_agent(write_ugi_engine(tmp_path, "time.sleep(60)"), Conditions(startup_time_s=0.5))
    with pytest.raises(AgentError) as caught:
        agent.start(BOARD.copy())
    agent.close()
    assert caught.value.fault == Fault.TIMEOUT


@pytest.mark.parametrize(
    ("info", "score"),
    [
        ("info depth 3 score cp 400 nodes 9", "90.9 %"),
        ("info score cp -999999", "0.0 %"),
        ("info score mate 3", "wins in 3"),
        ("info score mate -1", "loses in 1"),
        ("info score cp many", "None"),
        ("info score", "None"),
        ("info score mate 99999", "None"),
        ("nonsense \udcff", "None"),
    ],
)
def test_scores_of_ugi_engines(tmp_path: Path, info: str, score: str) -> None:
    """Centipawns and mates are converted; invalid lines are ignored."""
    line = info.encode(errors="surrogateescape") + b"\n"
    lines = f"initialise(); sys.stdout.buffer.write({line!r}); send('bestmove 4')"
    with start_agent(write_ugi_engine(tmp_path, lines)) as agent:
        move = agent.play(BOARD.copy())
    assert (move.column, str(move.score)) == (3, score)


@pytest.mark.parametrize(
    ("code", "fault", "detail"),
    [
        ("", Fault.INTERFACE_MISSING, "there is no getPoint"),
        ('extern "C" int* getPoint() { return 0; }', Fault.INTERFACE_MISSING, "there is no clearPoint"),
        ("extern int missing; int* use = &missing;", Fault.CANNOT_LOAD, "undefined symbol: missing"),
    ],
)
def test_libraries_that_are_not_strategies(tmp_path: Path, code: str, fault: Fault, detail: str) -> None:
    """A missing function and a library that cannot be loaded are different faults."""
    (tmp_path / "bot.cpp").write_text(code)
    path = compile_bot(str(tmp_path / "bot.cpp"), tmp_path / "bot.so")
    error, _ = catch_agent_failure(f"library:{path}")
    assert error.fault == fault
    assert detail in str(error)


@pytest.mark.parametrize("kind", ["library", "program", "ugi"])
def test_files_that_are_not_programs(tmp_path: Path, kind: str) -> None:
    """A file that the system cannot load is reported at the start."""
    (tmp_path / "bot").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "bot").chmod(0o755)
    error, _ = catch_agent_failure(f"{kind}:{tmp_path}/bot")
    assert error.fault == Fault.CANNOT_LOAD
