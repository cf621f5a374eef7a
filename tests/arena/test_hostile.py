"""Owns the hostile set through the judge: the right verdict in time, the right culprit, and nothing happened."""

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
from tests.agents.bots import Rogues, left_running

CONDITIONS = Conditions(move_time_s=0.4, startup_time_s=20.0, memory_mb=300)

BOTH = {
    "segfault": (Ending.CRASH, "killed by SIGSEGV"),
    "abort": (Ending.CRASH, "killed by SIGABRT"),
    "exit0": (Ending.CRASH, "exited with code 0 instead of answering"),
    "exit3": (Ending.CRASH, "exited with code 3"),
    "loop": (Ending.TIMEOUT, "no answer within"),
    "sleep": (Ending.TIMEOUT, "no answer within"),
    "ignores": (Ending.TIMEOUT, "no answer within"),
    "hog": (Ending.MEMORY_EXCEEDED, ""),
    "column": (Ending.ILLEGAL_MOVE, "column 10 is not on the board"),
    "hole": (Ending.ILLEGAL_MOVE, "row 9, column 5 is the hole"),
    "row": (Ending.ILLEGAL_MOVE, "a stone in column 5 lands on row 8, not on row 7"),
}
LIBRARY = {
    "exception": (Ending.CRASH, "exception: thrown on purpose"),
    "closes": (Ending.CRASH, ""),
    "null": (Ending.CRASH, "exception: getPoint returned a null pointer"),
    "wild": (Ending.CRASH, "killed by SIGSEGV"),
    "clears-badly": (Ending.CRASH, "killed by SIGABRT"),
}
PROGRAM = {
    "exception": (Ending.CRASH, "killed by SIGABRT"),
    "closes": (Ending.CRASH, "closed its output"),
    "garbage": (Ending.BROKEN_PROTOCOL, "an answer begins with its length in four bytes, at most 1024, not with"),
    "words": (Ending.BROKEN_PROTOCOL, "an answer is a row and a column such as '5 3', not 'the middle'"),
    "absurd": (Ending.BROKEN_PROTOCOL, "an answer begins with its length in four bytes, at most 1024, not with"),
    "half": (Ending.TIMEOUT, "an answer of 3 bytes was begun and not finished in time"),
    "half-exit": (Ending.CRASH, "exited with code 0 instead of answering"),
}
GUILTY = [
    *(("library", mode, *verdict) for mode, verdict in (BOTH | LIBRARY).items()),
    *(("program", mode, *verdict) for mode, verdict in (BOTH | PROGRAM).items()),
]
# These misbehave in vain and play on.
HARMLESS = [
    *(("library", mode) for mode in ("garbage", "scribbles")),
    *((kind, mode) for kind in ("library", "program") for mode in ("forks", "children", "reads", "writes", "connects")),
]


class Table(NamedTuple):
    """A game that was played: its record, the agents, and how long it took beside start-up and moves."""

    record: GameRecord
    agents: list[Agent]
    overhead_s: float


def play(*addresses: str, conditions: Conditions = CONDITIONS) -> Table:
    """Play one game and keep the agents to look at."""
    agents: list[Agent] = []

    def open_and_keep(address: str, given: Conditions) -> Agent:
        agents.append(open_agent(address, given))
        return agents[-1]

    first, second = (Seat(address, address, conditions) for address in addresses)
    begun = time.perf_counter()
    record = play_game(ScheduledGame(0, 0, (first, second), "10x9@9,4"), open_and_keep)
    spent_ms = sum(record.startup_ms) + sum(record.times_ms)
    return Table(record, agents, time.perf_counter() - begun - spent_ms / 1000)


def address_of(rogues: Rogues, kind: str, mode: str) -> str:
    """Return the address of a bot of this kind that misbehaves in this way."""
    return rogues.library(mode) if kind == "library" else rogues.program(mode)


@pytest.mark.parametrize(("kind", "mode", "ending", "detail"), GUILTY, ids=lambda value: str(value)[:20])
def test_a_bot_that_fails_gets_its_verdict(rogues: Rogues, kind: str, mode: str, ending: Ending, detail: str) -> None:
    """Ending, culprit, words, time, reproducer and last words are right, and the judge goes on."""
    address = address_of(rogues, kind, mode)
    # Filling memory takes its time.
    conditions = replace(CONDITIONS, move_time_s=5.0) if mode == "hog" else CONDITIONS
    record, _, overhead_s = play(address, "level-2", conditions=conditions)
    assert (record.ending, record.culprit, record.winner) == (ending, 0, 1), record.detail
    assert record.detail.startswith(detail)
    assert record.times_ms[-1] <= 1000 * (conditions.move_time_s + 0.5)
    assert overhead_s < 0.5
    assert record.reproducer == shlex.join(
        [
            "fourfall",
            "ask",
            address,
            record.final.notation,
            "--time",
            f"{conditions.move_time_s:g}",
            "--memory-mb",
            "300",
        ]
    )
    assert f"now {mode}\n" in record.stderr
    assert left_running(rogues.folder) == []
    assert play("level-1", "level-2").record.culprit is None


@pytest.mark.parametrize("mode", ["segfault", "loop", "hole"])
def test_the_second_player_can_be_the_culprit(rogues: Rogues, mode: str) -> None:
    """Blame goes to the seat that failed, not to the one that is asked first."""
    record = play("level-2", rogues.library(mode)).record
    assert (record.ending, record.culprit, record.winner) == (BOTH[mode][0], 1, 0)
    assert len(record.moves) == 1


@pytest.mark.parametrize(("kind", "mode"), HARMLESS)
def test_a_bot_that_misbehaves_in_vain_plays_on(rogues: Rogues, kind: str, mode: str) -> None:
    """Nothing is read, written, reached, changed or left running, and the game goes to its natural end."""
    with socket.create_server(("127.0.0.1", rogues.port)) as listener:
        listener.setblocking(False)
        record, (bot, _), _ = play(address_of(rogues, kind, mode), "level-2")
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert record.ending in (Ending.WIN, Ending.TIE), record.detail
    assert record.culprit is None
    assert f"now {mode}\n" in bot.stderr
    assert "SUCCEEDED" not in bot.stderr
    assert "the secret" not in bot.stderr
    if kind == "library" and mode in ("forks", "children"):
        assert "born 0\n" in bot.stderr
    assert rogues.secret.read_text() == "the secret"
    assert not rogues.target.exists()
    assert left_running(rogues.folder) == []


@pytest.mark.parametrize("mode", ["reads", "connects"])
def test_without_the_jail_the_same_bots_have_their_way(rogues: Rogues, mode: str) -> None:
    """The attempts above are real, and the record says that nothing stood in their way."""
    with socket.create_server(("127.0.0.1", rogues.port)):
        record, (bot, _), _ = play(rogues.library(mode), "level-2", conditions=replace(CONDITIONS, sandbox=False))
    assert "SUCCEEDED" in bot.stderr
    assert not record.sandboxed
    assert record.final.is_over


def test_two_hostile_bots_at_one_table(rogues: Rogues) -> None:
    """The first one to fail loses, and both are gone afterwards."""
    record = play(rogues.program("children"), rogues.program("segfault")).record
    assert (record.ending, record.culprit) == (Ending.CRASH, 1)
    assert left_running(rogues.folder) == []


def test_a_failed_launch_is_a_loss(rogues: Rogues) -> None:
    """Also of the second player, who then never saw the board."""
    (rogues.folder / "broken.so").write_bytes(b"\x7fELF nonsense")
    record = play("level-2", f"library:{rogues.folder}/broken.so").record
    assert (record.ending, record.culprit, record.winner, record.moves) == (Ending.CANNOT_LOAD, 1, 0, "")
    assert Board.parse(record.board).ply == 0
