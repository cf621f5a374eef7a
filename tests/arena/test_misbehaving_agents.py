"""Tests of games with misbehaving agents: verdict, culprit, time, and no effect outside the sandbox."""

import shlex
import socket
import time
from dataclasses import replace
from typing import NamedTuple

import pytest

from fourfall import Board
from fourfall.agents.base import Agent, Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.arena.judge import Ending
from fourfall.arena.record import GameRecord
from tests.agents.bots import FaultyBots, list_remaining_processes
from tests.agents.conftest import TOLERANCE_S

CONDITIONS = Conditions(move_time_s=0.4, startup_time_s=20.0, memory_mb=300)

VERDICTS_OF_BOTH = {
    "segfault": (Ending.CRASH, "killed by SIGSEGV"),
    "abort": (Ending.CRASH, "killed by SIGABRT"),
    "exit-0": (Ending.CRASH, "exited with code 0 instead of answering"),
    "exit-3": (Ending.CRASH, "exited with code 3"),
    "loop": (Ending.TIMEOUT, "no answer within"),
    "sleep": (Ending.TIMEOUT, "no answer within"),
    "ignore-signals": (Ending.TIMEOUT, "no answer within"),
    "allocate": (Ending.MEMORY_EXCEEDED, ""),
    "column-off-board": (Ending.ILLEGAL_MOVE, "column 10 is not on the board"),
    "play-hole": (Ending.ILLEGAL_MOVE, "row 9, column 5 is the hole"),
    "wrong-row": (Ending.ILLEGAL_MOVE, "a stone in column 5 lands on row 8, not on row 7"),
}
VERDICTS_OF_LIBRARIES = {
    "throw": (Ending.CRASH, "exception: thrown on purpose"),
    "close-descriptors": (Ending.CRASH, ""),
    "return-null": (Ending.CRASH, "exception: getPoint returned a null pointer"),
    "return-invalid-pointer": (Ending.CRASH, "killed by SIGSEGV"),
    "abort-in-clear-point": (Ending.CRASH, "killed by SIGABRT"),
}
VERDICTS_OF_PROGRAMS = {
    "throw": (Ending.CRASH, "killed by SIGABRT"),
    "close-descriptors": (Ending.CRASH, "closed its output"),
    "print-to-stdout": (
        Ending.BROKEN_PROTOCOL,
        "an answer must begin with its length in four bytes (1 to 1024), not with",
    ),
    "text-answer": (Ending.BROKEN_PROTOCOL, "an answer must be a row and a column such as '5 3', not 'the middle'"),
    "huge-length": (Ending.BROKEN_PROTOCOL, "an answer must begin with its length in four bytes (1 to 1024), not with"),
    "partial-answer": (Ending.TIMEOUT, "only a part of an answer of 3 bytes arrived in time"),
    "partial-answer-and-exit": (Ending.CRASH, "exited with code 0 instead of answering"),
}
FAILING = [
    *(("library", mode, *verdict) for mode, verdict in (VERDICTS_OF_BOTH | VERDICTS_OF_LIBRARIES).items()),
    *(("program", mode, *verdict) for mode, verdict in (VERDICTS_OF_BOTH | VERDICTS_OF_PROGRAMS).items()),
]
# Their attempts have no effect, and they continue to play.
CONTINUING = [
    *(("library", mode) for mode in ("print-to-stdout", "overwrite-arrays")),
    *(
        (kind, mode)
        for kind in ("library", "program")
        for mode in ("fork-bomb", "leave-children", "read-file", "write-file", "connect")
    ),
]


class PlayedGame(NamedTuple):
    """A played game: its record, the agents, and the time it took in addition to start-up, moves and delays."""

    record: GameRecord
    agents: list[Agent]
    overhead_s: float


def play(*addresses: str, conditions: Conditions = CONDITIONS) -> PlayedGame:
    """Play one game and return it with its agents."""
    agents: list[Agent] = []

    def open_and_keep(address: str, given: Conditions) -> Agent:
        agents.append(open_agent(address, given))
        return agents[-1]

    first, second = (Seat(address, address, conditions) for address in addresses)
    started = time.perf_counter()
    record = play_game(ScheduledGame(0, 0, (first, second), "10x9@9,4"), open_and_keep)
    spent_ms = sum(record.startup_ms) + sum(record.times_ms) + sum(record.delays_ms)
    return PlayedGame(record, agents, time.perf_counter() - started - spent_ms / 1000)


def get_address(faulty_bots: FaultyBots, kind: str, mode: str) -> str:
    """Return the address of an agent of this kind with this misbehaviour."""
    return faulty_bots.library(mode) if kind == "library" else faulty_bots.program(mode)


@pytest.mark.parametrize(("kind", "mode", "ending", "detail"), FAILING, ids=lambda value: str(value)[:20])
def test_verdict_on_a_failing_agent(faulty_bots: FaultyBots, kind: str, mode: str, ending: Ending, detail: str) -> None:
    """Ending, culprit, detail, time, reproducer and stderr are right, and later games are not affected."""
    address = get_address(faulty_bots, kind, mode)
    # Filling the memory takes longer than the usual limit.
    conditions = replace(CONDITIONS, move_time_s=5.0) if mode == "allocate" else CONDITIONS
    record, _, overhead_s = play(address, "level-2", conditions=conditions)
    assert (record.ending, record.culprit, record.winner) == (ending, 0, 1), record.detail
    assert record.detail.startswith(detail)
    assert record.times_ms[-1] <= 1000 * (conditions.move_time_s + TOLERANCE_S)
    assert overhead_s < TOLERANCE_S
    assert record.reproducer == shlex.join(
        [
            "fourfall",
            "ask",
            address,
            record.final_board.notation,
            "--time",
            f"{conditions.move_time_s:g}",
            "--memory-mb",
            "300",
        ]
    )
    assert f"mode {mode}\n" in record.stderr
    assert list_remaining_processes(faulty_bots.folder) == []
    assert play("level-1", "level-2").record.culprit is None


@pytest.mark.parametrize("mode", ["segfault", "loop", "play-hole"])
def test_second_player_can_be_the_culprit(faulty_bots: FaultyBots, mode: str) -> None:
    """The culprit is the player that failed, not the first player."""
    record = play("level-2", faulty_bots.library(mode)).record
    assert (record.ending, record.culprit, record.winner) == (VERDICTS_OF_BOTH[mode][0], 1, 0)
    assert len(record.moves) == 1


@pytest.mark.parametrize(("kind", "mode"), CONTINUING)
def test_sandbox_prevents_effects(faulty_bots: FaultyBots, kind: str, mode: str) -> None:
    """Nothing is read, written, connected to, changed or left running, and the game ends by a win or a tie."""
    with socket.create_server(("127.0.0.1", faulty_bots.port)) as listener:
        listener.setblocking(False)
        record, (bot, _), _ = play(get_address(faulty_bots, kind, mode), "level-2")
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert record.ending in (Ending.WIN, Ending.TIE), record.detail
    assert record.culprit is None
    assert f"mode {mode}\n" in bot.stderr
    assert "SUCCEEDED" not in bot.stderr
    assert "the secret" not in bot.stderr
    if kind == "library" and mode in ("fork-bomb", "leave-children"):
        assert "forks 0\n" in bot.stderr
    assert faulty_bots.secret.read_text() == "the secret"
    assert not faulty_bots.target.exists()
    assert list_remaining_processes(faulty_bots.folder) == []


@pytest.mark.parametrize("mode", ["read-file", "connect"])
def test_attempts_succeed_without_the_sandbox(faulty_bots: FaultyBots, mode: str) -> None:
    """The attempts above are real, and the record says that there was no sandbox."""
    with socket.create_server(("127.0.0.1", faulty_bots.port)):
        record, (bot, _), _ = play(faulty_bots.library(mode), "level-2", conditions=replace(CONDITIONS, sandbox=False))
    assert "SUCCEEDED" in bot.stderr
    assert not record.sandboxed
    assert record.final_board.is_over


def test_two_misbehaving_agents(faulty_bots: FaultyBots) -> None:
    """The first agent that fails loses, and no process is left."""
    record = play(faulty_bots.program("leave-children"), faulty_bots.program("segfault")).record
    assert (record.ending, record.culprit) == (Ending.CRASH, 1)
    assert list_remaining_processes(faulty_bots.folder) == []


def test_failed_start_loses(faulty_bots: FaultyBots) -> None:
    """An agent that cannot be started loses, also as second player before the first move."""
    (faulty_bots.folder / "broken.so").write_bytes(b"\x7fELF nonsense")
    record = play("level-2", f"library:{faulty_bots.folder}/broken.so").record
    assert (record.ending, record.culprit, record.winner, record.moves) == (Ending.CANNOT_LOAD, 1, 0, "")
    assert Board.parse(record.board).ply == 0
