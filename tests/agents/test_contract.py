"""Owns the contract that every kind of agent passes: whole legal games, on either side, and nothing left behind."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from fourfall import Board, Limit
from fourfall.agents.address import parse_address
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions, Fault
from fourfall.agents.registry import check_address, is_third_party, open_agent, resolve_paths
from fourfall.arena.judge import rule_on_answer
from tests.agents.bots import Bots, list_remaining_processes

KINDS = [
    "preset", "preset file", "level", "library", "program", "program+json", "python file", "python module", "kaggle",
    "ugi",
]  # fmt: skip
THIRD_PARTY = KINDS[3:]
TALKATIVE = THIRD_PARTY
BOARDS = ["6x7", "9x10@8,4", "10x9@0,4", "4x5@1,2:1"]
CONDITIONS = Conditions(move_time_s=3.0, startup_time_s=20.0, seed=7)


@contextmanager
def opened(bots: Bots, kind: str, conditions: Conditions = CONDITIONS) -> Iterator[Agent]:
    """Open a sample agent and close it afterwards."""
    agent = open_agent(bots.addresses[kind], conditions, bots.folder)
    try:
        yield agent
    finally:
        agent.close()


def ask(agent: Agent, board: Board) -> AgentMove:
    """Ask for a move, and see that it is legal, in time and leaves the board alone."""
    before = board.notation
    answer = agent.play(board)
    assert board.notation == before
    assert rule_on_answer(board, answer, CONDITIONS.move_time_s) is None
    return answer


@pytest.mark.parametrize("start", BOARDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_against_itself_is_legal(bots: Bots, kind: str, start: str) -> None:
    """Two agents of one address play a game to its end, one on each side, at once and without waiting for the limit."""
    board = Board.parse(start)
    with opened(bots, kind) as first, opened(bots, kind) as second:
        agents = (first, second)
        for agent in agents:
            assert 0 <= agent.start(board.copy()) < CONDITIONS.startup_time_s
        seconds = 0.0
        while not board.is_over:
            answer = ask(agents[board.turn], board)
            seconds += answer.seconds
            board.push(answer.column)
        assert seconds < CONDITIONS.move_time_s
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", ["6x7:112233", "9x10@8,4:515253", "6x7@3,0:1213141"])
def test_an_obvious_win_is_taken(bots: Bots, kind: str, position: str) -> None:
    """Asked for the first time in the middle of a game, it sees the same stones that we see."""
    board = Board.parse(position)
    with opened(bots, kind) as agent:
        agent.start(Board(board.rows, board.cols, board.hole))
        assert ask(agent, board).column in board.winning_moves


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_questions_get_the_same_answers(bots: Bots, kind: str) -> None:
    """A seed and a limit in simulations repeat a built-in engine's moves and scores; the samples draw no lots."""
    answers = []
    for _ in range(2):
        with opened(bots, kind) as agent:
            agent.start(Board.parse("9x10@4,4"))
            told = [agent.play(Board.parse(f"9x10@4,4{moves}")) for moves in ("", ":55", ":5566")]
            answers.append([(answer.column, answer.row, str(answer.score)) for answer in told])
    assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", TALKATIVE)
def test_what_a_bot_writes_to_stderr_is_kept(bots: Bots, kind: str) -> None:
    """It is there after the end, and shows that the bot remembers the game."""
    with opened(bots, kind) as agent:
        agent.start(Board(6, 7))
        agent.play(Board.parse("6x7"))
        agent.play(Board.parse("6x7:44"))
    assert "question 1" in agent.stderr
    assert "question 2" in agent.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_closing_twice_or_without_a_start_is_fine(bots: Bots, kind: str) -> None:
    """Whoever tidies up does not have to know how far an agent came."""
    agent = open_agent(bots.addresses[kind], CONDITIONS, bots.folder)
    agent.close()
    assert agent.stderr == ""
    with opened(bots, kind) as started:
        started.start(Board(6, 7))
        started.close()
        started.close()
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", THIRD_PARTY)
def test_it_runs_without_the_jail_too(bots: Bots, kind: str) -> None:
    """On a machine without protections, and if asked for."""
    with opened(bots, kind, Conditions(startup_time_s=20.0, sandbox=False)) as agent:
        agent.start(Board(6, 7))
        ask(agent, Board.parse("6x7:44"))
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_address_can_be_checked_and_made_absolute(bots: Bots, kind: str) -> None:
    """A good address passes the check, also from another folder once it is resolved."""
    address = bots.addresses[kind]
    check_address(address, bots.folder)
    assert is_third_party(address) == (kind in THIRD_PARTY)
    assert str(parse_address(address)) == address
    if kind != "python module":
        check_address(resolve_paths(address, bots.folder))


@pytest.mark.parametrize("kind", ["preset", "preset file", "level", "ugi"])
def test_engines_say_what_they_think(bots: Bots, kind: str) -> None:
    """A win in one is told as such."""
    with opened(bots, kind) as agent:
        agent.start(Board(6, 7))
        score = agent.play(Board.parse("6x7:112233")).score
    assert score is not None
    assert score.win_chance > 0.9


SLOW_BOARD = Board(5, 12)
"""The sample bots wait for a minute on this board."""

SLOW_ENGINES = {"preset": "seed-002?time=60", "preset file": "fourfall?time=60"}
"""In the place of the engines that are limited by few simulations."""

PATIENT = Conditions(move_time_s=60.0, startup_time_s=20.0)
PROMPT_S = 3.0
"""A stop takes milliseconds; the rest is for busy machines."""


@contextmanager
def opened_slow(bots: Bots, kind: str) -> Iterator[Agent]:
    """Open an agent that needs a minute for a move on the slow board; a level needs less."""
    agent = open_agent(SLOW_ENGINES.get(kind, bots.addresses[kind]), PATIENT, bots.folder)
    try:
        yield agent
    finally:
        agent.close()


def assert_stopped(kind: str, use: Callable[[], AgentMove | float]) -> None:
    """Check the end of a stopped call: a legal move of an engine, Fault.STOPPED of a third-party agent; promptly."""
    begin = time.perf_counter()
    if kind in THIRD_PARTY:
        with pytest.raises(AgentError, match="stopped by the caller") as failure:
            use()
        assert failure.value.fault == Fault.STOPPED
    else:
        move = use()
        assert isinstance(move, AgentMove)
        assert SLOW_BOARD.is_legal(move.column)
    assert time.perf_counter() - begin < PROMPT_S


@pytest.mark.parametrize("kind", KINDS)
def test_stop_ends_a_running_play(bots: Bots, kind: str) -> None:
    """An engine returns its best move so far; a third-party agent is killed with all its processes."""
    with opened_slow(bots, kind) as agent, ThreadPoolExecutor(1) as pool:
        agent.start(SLOW_BOARD.copy())
        future = pool.submit(agent.play, SLOW_BOARD.copy())
        time.sleep(0.2)
        assert future.done() == (kind == "level")
        agent.stop()
        assert_stopped(kind, lambda: future.result(timeout=30)) if kind != "level" else future.result()
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_stop_before_play_ends_the_next_play(bots: Bots, kind: str) -> None:
    """A stop is not lost when the thread has not called `play` yet."""
    with opened_slow(bots, kind) as agent:
        agent.start(SLOW_BOARD.copy())
        agent.stop()
        assert_stopped(kind, lambda: agent.play(SLOW_BOARD.copy()))


@pytest.mark.parametrize("kind", KINDS)
def test_one_stop_at_any_moment_is_enough(bots: Bots, kind: str) -> None:
    """One stop at a random moment around the beginning of `play` always ends it."""
    for attempt in range(8 if kind in THIRD_PARTY else 30):
        with opened_slow(bots, kind) as agent:
            agent.start(SLOW_BOARD.copy())
            future: Future[AgentMove] = Future()

            def play(agent: Agent = agent, future: Future[AgentMove] = future) -> None:
                try:
                    future.set_result(agent.play(SLOW_BOARD.copy()))
                except AgentError as failure:
                    future.set_exception(failure)

            thread = threading.Thread(target=play)
            thread.start()
            time.sleep(attempt * 0.0003)
            agent.stop()
            assert_stopped(kind, lambda future=future: future.result(timeout=30))  # type: ignore[misc]
            thread.join()


@pytest.mark.parametrize("kind", THIRD_PARTY)
def test_a_stopped_third_party_agent_stays_stopped(bots: Bots, kind: str) -> None:
    """Before the start no process is launched; afterwards every call fails in the same way."""
    with opened_slow(bots, kind) as agent:
        agent.stop()
        for _ in range(2):
            assert_stopped(kind, lambda: agent.start(SLOW_BOARD.copy()))
            assert_stopped(kind, lambda: agent.play(SLOW_BOARD.copy()))
        assert list_remaining_processes(bots.folder, patience_s=0) == []


@pytest.mark.parametrize("kind", KINDS)
def test_stop_after_close_or_twice_has_no_effect(bots: Bots, kind: str) -> None:
    """The caller need not know whether the agent is still open."""
    with opened_slow(bots, kind) as agent:
        agent.start(SLOW_BOARD.copy())
        agent.stop()
        agent.stop()
        agent.close()
        agent.stop()
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_limit_replaces_the_time_per_move(bots: Bots, kind: str) -> None:
    """Its time holds for this call, and a third-party agent that needs longer gets a timeout."""
    with opened_slow(bots, kind) as agent:
        agent.start(SLOW_BOARD.copy())
        begin = time.perf_counter()
        if kind in THIRD_PARTY:
            with pytest.raises(AgentError) as failure:
                agent.play(SLOW_BOARD.copy(), Limit(time=0.3))
            assert failure.value.fault == Fault.TIMEOUT
        else:
            assert agent.play(SLOW_BOARD.copy(), Limit(time=0.3)).seconds < 0.3
        assert time.perf_counter() - begin < PROMPT_S


@pytest.mark.parametrize("kind", ["python file", "kaggle", "ugi"])
def test_an_agent_is_told_the_time_of_each_move(bots: Bots, kind: str) -> None:
    """The interfaces that give the time per move give that of the call, else that of the conditions."""
    with opened(bots, kind) as agent:
        agent.start(Board(6, 7))
        agent.play(Board(6, 7), Limit(time=1.5))
        agent.play(Board(6, 7), Limit(simulations=5))
    times = ("1.42", "2.89") if kind == "ugi" else ("1.5", "3.0")
    assert [f"question {number}, time {seconds}\n" in agent.stderr for number, seconds in enumerate(times, 1)] == [
        True,
        True,
    ]
