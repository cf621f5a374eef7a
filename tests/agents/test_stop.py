"""The contract suite of `Agent.stop` and of the limit per move, for every kind of agent."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from fourfall import Board, Limit
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions, Fault
from fourfall.agents.native import EngineAgent
from fourfall.agents.registry import open_agent, open_engine
from tests.agents.bots import KINDS, THIRD_PARTY_KINDS, Bots, list_remaining_processes
from tests.processes import wait_until

SLOW_BOARD = Board(5, 12)
"""The sample agents wait for a minute on this board."""

SLOW_ENGINES = {"preset": "seed-002?time=60", "preset file": "fourfall?time=60"}
"""Replace the sample engines, which need few simulations. A level always needs few."""

SLOW_KINDS = [kind for kind in KINDS if kind != "level"]
CONDITIONS = Conditions(move_time_s=60.0, startup_time_s=20.0)
TOLERANCE_S = 20.0
"""A stop takes milliseconds; the tolerance is for busy machines."""


@contextmanager
def open_slow_agent(bots: Bots, kind: str) -> Iterator[Agent]:
    """Open an agent that needs a minute for a move on the slow board; close it afterwards."""
    address = SLOW_ENGINES.get(kind, bots.addresses[kind])
    without_overage = "?overage=0" if kind == "kaggle file" else ""
    agent = open_agent(address + without_overage, CONDITIONS, bots.folder)
    try:
        yield agent
    finally:
        agent.close()


def check_stopped(kind: str, use: Callable[[], object]) -> None:
    """Check that a stopped call ends at once: an engine returns a legal move, other agents raise Fault.STOPPED."""
    begin = time.perf_counter()
    if kind in THIRD_PARTY_KINDS:
        with pytest.raises(AgentError, match="stopped by the caller") as failure:
            use()
        assert failure.value.fault == Fault.STOPPED
    else:
        move = use()
        assert isinstance(move, AgentMove)
        assert SLOW_BOARD.is_legal(move.column)
    assert time.perf_counter() - begin < TOLERANCE_S


@pytest.mark.parametrize("kind", SLOW_KINDS)
def test_stop_ends_a_running_play(bots: Bots, kind: str) -> None:
    """An engine returns its best move so far; a third-party agent is killed with all its processes."""
    with open_slow_agent(bots, kind) as agent, ThreadPoolExecutor(1) as pool:
        agent.start(SLOW_BOARD.copy())
        future = pool.submit(agent.play, SLOW_BOARD.copy())
        time.sleep(0.2)
        assert not future.done()
        agent.stop()
        check_stopped(kind, future.result)
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_stop_before_play_ends_the_next_play(bots: Bots, kind: str) -> None:
    """A stop is not lost if `play` begins later."""
    with open_slow_agent(bots, kind) as agent:
        agent.start(SLOW_BOARD.copy())
        agent.stop()
        check_stopped(kind, lambda: agent.play(SLOW_BOARD.copy()))


@pytest.mark.parametrize("kind", SLOW_KINDS)
def test_one_stop_is_enough_at_any_moment(bots: Bots, kind: str) -> None:
    """One stop ends `play` whether it comes before, during or after the beginning."""
    for attempt in range(8 if kind in THIRD_PARTY_KINDS else 30):
        with open_slow_agent(bots, kind) as agent, ThreadPoolExecutor(1) as pool:
            agent.start(SLOW_BOARD.copy())
            future = pool.submit(agent.play, SLOW_BOARD.copy())
            time.sleep(attempt * 0.0003)
            agent.stop()
            check_stopped(kind, future.result)


@pytest.mark.parametrize("kind", THIRD_PARTY_KINDS)
def test_a_stopped_third_party_agent_stays_stopped(bots: Bots, kind: str) -> None:
    """After a stop, `start` launches no process, and every later call fails."""
    with open_slow_agent(bots, kind) as agent:
        agent.stop()
        for _ in range(2):
            check_stopped(kind, lambda: agent.start(SLOW_BOARD.copy()))
            check_stopped(kind, lambda: agent.play(SLOW_BOARD.copy()))
        assert list_remaining_processes(bots.folder, patience_s=0) == []


@pytest.mark.parametrize("kind", THIRD_PARTY_KINDS)
def test_stop_ends_a_running_start(bots: Bots, kind: str) -> None:
    """A stop during the start ends it, or the next call if the start has already ended."""
    for attempt in range(4):
        with open_slow_agent(bots, kind) as agent, ThreadPoolExecutor(1) as pool:
            future = pool.submit(agent.start, SLOW_BOARD.copy())
            time.sleep(attempt * 0.002)
            agent.stop()
            try:
                future.result()
            except AgentError as failure:
                assert failure.fault == Fault.STOPPED  # noqa: PT017 (the start may also have ended in time)
            check_stopped(kind, lambda: agent.play(SLOW_BOARD.copy()))
        assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_stop_is_allowed_twice_and_after_close(bots: Bots, kind: str) -> None:
    """The caller does not have to know the state of the agent."""
    with open_slow_agent(bots, kind) as agent:
        agent.start(SLOW_BOARD.copy())
        agent.stop()
        agent.stop()
        agent.close()
        agent.stop()
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_limit_replaces_the_time_per_move(bots: Bots, kind: str) -> None:
    """An engine keeps to the limit; a third-party agent that needs longer gets a timeout."""
    with open_slow_agent(bots, kind) as agent:
        agent.start(SLOW_BOARD.copy())
        begin = time.perf_counter()
        if kind in THIRD_PARTY_KINDS:
            with pytest.raises(AgentError) as failure:
                agent.play(SLOW_BOARD.copy(), Limit(time=0.3))
            assert failure.value.fault == Fault.TIMEOUT
        else:
            agent.play(SLOW_BOARD.copy(), Limit(time=0.3))
        assert time.perf_counter() - begin < 0.3 + TOLERANCE_S


@pytest.fixture
def engine_agent() -> Iterator[EngineAgent]:
    """Open an engine that searches for a minute."""
    agent = open_engine("fourfall", CONDITIONS, threads=1, memory_mb=64)
    yield agent
    agent.close()


def wait_for_snapshot(agent: EngineAgent) -> None:
    """Wait until a running search has simulations, and fail if it never has."""

    def has_simulations() -> bool:
        snapshot = agent.snapshot()
        return snapshot is not None and snapshot.simulations > 0

    assert wait_until(has_simulations)


def test_an_engine_plays_on_after_a_stop(engine_agent: EngineAgent) -> None:
    """A stop ends one search; the next one has its full limit and reuses the tree."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(engine_agent.analyse, SLOW_BOARD.copy(), Limit(time=60))
        wait_for_snapshot(engine_agent)
        engine_agent.stop()
        stopped = future.result()
    analysis = engine_agent.analyse(SLOW_BOARD.copy(), Limit(simulations=500))
    assert (stopped.stopped_by, analysis.stopped_by) == ("stop", "simulations")
    assert analysis.reused_visits > 0


def test_a_late_stop_can_be_discarded(engine_agent: EngineAgent) -> None:
    """A stop that came after the end of its search does not end the next one after `clear_stop`."""
    engine_agent.stop()
    engine_agent.clear_stop()
    assert engine_agent.analyse(SLOW_BOARD.copy(), Limit(simulations=500)).stopped_by == "simulations"


def test_a_running_engine_has_snapshots(engine_agent: EngineAgent) -> None:
    """The snapshot of a running search has its simulations so far; there is none before the first search."""
    assert engine_agent.snapshot() is None
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(engine_agent.play, SLOW_BOARD.copy())
        wait_for_snapshot(engine_agent)
        engine_agent.stop()
        future.result()
