"""Tests of running a ladder: pairs of games, restarts, suspension, agents that join and leave."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from fourfall.arena.event_runner import run_event
from fourfall.arena.event_summary import find_event_state
from fourfall.arena.judge import Ending
from fourfall.arena.ladder.history import load_history
from fourfall.arena.ladder.registry import Ladder
from fourfall.arena.ladder.runner import LadderRunner, RunOptions
from fourfall.arena.ladder.settings import LadderSettings
from fourfall.arena.ladder.summary import describe_suspension, summarise_ladder
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Entrant, Spec, SpecError
from fourfall.arena.store import Store, StoreError

AGENTS = [Entrant(name, f"seed-000?simulations={2 ** (at + 1)}") for at, name in enumerate("abc")]
GONE = Entrant("gone", "library:/nonexistent/gone.so")


@pytest.fixture
def ladder(tmp_path: Path) -> Iterator[Ladder]:
    """Create a ladder of three fast agents on small boards."""
    with Store(tmp_path / "ladder.db") as store:
        yield make_ladder(store)


def make_ladder(store: Store) -> Ladder:
    """Create a ladder of three fast agents on small boards."""
    created = Ladder.create(store, settings=LadderSettings(("5x5", "6x7"), opening=2, seed=5))
    created.add_agents(AGENTS)
    return created


def play(ladder: Ladder, pairs: int | None, workers: int = 1) -> list[GameRecord]:
    """Run a ladder for a number of pairs and return the records in the order in which the games ended."""
    return list(LadderRunner(ladder, [None] * workers, RunOptions(pairs)).run())


def get_states(ladder: Ladder) -> dict[str, str]:
    """Return the state of each agent."""
    return {agent.name: agent.state for agent in ladder.list_agents()}


def test_games_are_pairs_of_one_event(ladder: Ladder) -> None:
    """Two workers play pairs on one board with swapped sides; ratings are stored after every pair."""
    records = sorted(play(ladder, 6, workers=2), key=lambda record: record.number)
    assert [(record.number, record.pair) for record in records] == [(number, number // 2) for number in range(12)]
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert first.names == second.names[::-1]
        assert first.board == second.board
    assert {name for record in records for name in record.names} == {"a", "b", "c"}
    store = ladder.store
    event = store.get_event(ladder.event)
    assert (event.games, event.planned, event.is_complete) == (12, None, False)
    assert find_event_state(store, event) == "stopped"
    assert [snapshot.pairs for snapshot in load_history(store, ladder.event)] == [1, 2, 3, 4, 5, 6]
    summary = summarise_ladder(ladder)
    assert sum(row.games for row in summary.agents) == 24
    assert [row.rank for row in summary.agents] == [1, 2, 3]
    ratings = [row.elo.value for row in summary.agents if row.elo is not None and row.elo.value is not None]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 3


def test_run_is_repeatable_and_continues(tmp_path: Path) -> None:
    """With the same seed and one worker two ladders play the same games, also if one of them is run in two parts."""
    played = []
    for name, parts in (("one.db", [4]), ("two.db", [1, 3])):
        with Store(tmp_path / name) as store:
            ladder = make_ladder(store)
            played.append([record.without_times() for pairs in parts for record in play(ladder, pairs)])
    assert played[0] == played[1]


def test_half_pair_is_completed_first(ladder: Ladder) -> None:
    """A game that is missing in a pair is played with the same agents on the same board before new pairs."""
    records = {record.number: record for record in play(ladder, 3)}
    with ladder.store.transact() as connection:
        connection.execute("DELETE FROM games WHERE number IN (2, 5)")
    again = play(ladder, 1)
    assert [record.number for record in again] == [2, 5, 6, 7]
    assert [record.without_times() for record in again[:2]] == [records[at].without_times() for at in (2, 5)]
    ladder.remove_agent(again[3].names[0])
    with ladder.store.transact() as connection:
        connection.execute("DELETE FROM games WHERE number = 7")
    assert play(ladder, 0) == []


def test_interrupted_run_leaves_whole_games(ladder: Ladder) -> None:
    """Closing the generator loses only the running game; the next run completes the pair."""
    records = LadderRunner(ladder, [None]).run()
    first = list(islice(records, 3))
    records.close()
    assert [record.number for record in first] == [0, 1, 2]
    assert [record.number for record in play(ladder, 0)] == [3]


def test_failing_agents_are_suspended_and_others_go_on(ladder: Ladder) -> None:
    """Two agents that cannot be loaded are suspended after four failures each, although they win against each other."""
    ladder.add_agents([GONE, Entrant("gone too", GONE.address)])
    records = play(ladder, 14)
    assert get_states(ladder) == {
        "a": "active",
        "b": "active",
        "c": "active",
        "gone": "suspended",
        "gone too": "suspended",
    }
    failures = [record.names[record.culprit] for record in records if record.culprit is not None]
    assert {name: failures.count(name) for name in failures} == {"gone": 4, "gone too": 4}
    assert len(records) > 20
    [row] = [row for row in summarise_ladder(ladder).agents if row.agent == "gone"]
    assert row.rank is None
    assert row.failures == {Ending.CANNOT_LOAD: 4}
    assert row.suspension is not None
    assert "lost its last 4 games by failures" in describe_suspension(row.suspension)
    assert "gone.so does not exist" in row.suspension.detail
    assert row.suspension.reproducer.startswith("fourfall ask library:/nonexistent/gone.so")


def test_resumed_agent_starts_again(ladder: Ladder) -> None:
    """An agent that is resumed is suspended again only after four new failures."""
    ladder.add_agents([GONE])
    play(ladder, 6)
    assert get_states(ladder)["gone"] == "suspended"
    ladder.resume_agent("gone")
    assert get_states(ladder)["gone"] == "active"
    before = ladder.store.get_event(ladder.event).games
    play(ladder, 8)
    assert get_states(ladder)["gone"] == "suspended"
    failures = [game for game in ladder.store.find_games(agent="gone") if game.id > before]
    assert len(failures) == 4


def test_agents_join_and_leave_while_the_ladder_runs(ladder: Ladder) -> None:
    """A change by another process takes effect at the next pair, and a run without two agents ends."""
    names = []
    with Store(ladder.store.path) as other_process:
        registry = Ladder.open(other_process)
        for record in LadderRunner(ladder, [None]).run():
            names.append(set(record.names))
            if len(names) == 3:
                registry.add_agents([Entrant("d", "level-2")])
            elif len(names) == 12:
                for name in "abc":
                    registry.remove_agent(name)
    assert not any("d" in pair for pair in names[:4])
    assert "d" in names[4] & names[5]
    assert len(names) <= 13
    assert get_states(ladder) == {"a": "removed", "b": "removed", "c": "removed", "d": "active"}
    assert summarise_ladder(ladder).games == len(names)


def test_one_process_runs_a_ladder(ladder: Ladder) -> None:
    """The ladder is claimed while it runs, and a schedule cannot run it."""
    running = LadderRunner(ladder, [None]).run()
    next(running)
    assert find_event_state(ladder.store, ladder.store.get_event()) == "running"
    with pytest.raises(RuntimeError, match="is being run by process"):
        next(LadderRunner(ladder, [None]).run())
    running.close()
    with pytest.raises(StoreError, match="is a ladder; run it with fourfall ladder run"):
        next(run_event(ladder.store, ladder.event, [None]))


@pytest.mark.parametrize(
    ("entrant", "message"),
    [
        (Entrant("a", "level-2"), "has an agent 'a' already"),
        (Entrant("b", "level-2"), "'b' is the name of a removed agent"),
        (AGENTS[1], "activate it with fourfall ladder resume b"),
        (Entrant(" ", "level-2"), "the name of an agent is empty"),
        (Entrant("two\nlines", "level-2"), "name must be one line of text"),
        (Entrant("e", "level-2", memory_mb=1), "memory_mb must be"),
    ],
)
def test_invalid_agent_is_refused(ladder: Ladder, entrant: Entrant, message: str) -> None:
    """Names are unique for good, and limits are checked; nothing is added then."""
    ladder.remove_agent("b")
    with pytest.raises((StoreError, SpecError), match=message):
        ladder.add_agents([Entrant("new", "level-2"), entrant])
    assert set(get_states(ladder)) == {"a", "b", "c"}


def test_requests_that_cannot_be_carried_out(ladder: Ladder, tmp_path: Path) -> None:
    """Unknown agents, missing ladders and ladders with too few agents are said plainly."""
    with pytest.raises(StoreError, match="no agent 'ab'; similar: b, a"):
        ladder.remove_agent("ab")
    with pytest.raises(StoreError, match="'a' is active already"):
        ladder.resume_agent("a")
    for name in "ab":
        ladder.remove_agent(name)
    with pytest.raises(StoreError, match="only one active agent; add at least two agents"):
        play(ladder, 1)
    with pytest.raises(StoreError, match="has a ladder already"):
        Ladder.create(ladder.store)
    with Store(tmp_path / "arena.db") as store:
        store.create_event(Spec.match("level-2", "level-4", pairs=1))
        with pytest.raises(StoreError, match="has no ladder; register agents with fourfall ladder add"):
            Ladder.open(store)
        Ladder.create(store)
        assert [event.planned for event in store.list_events()] == [2, None]


def test_all_agents_suspended(tmp_path: Path) -> None:
    """A run in which all agents fail ends, and the next one says which agents are suspended."""
    with Store(tmp_path / "ladder.db") as store:
        ladder = Ladder.create(store)
        ladder.add_agents([GONE, Entrant("gone too", GONE.address)])
        records = play(ladder, None)
        assert 7 <= len(records) <= 8
        with pytest.raises(StoreError, match=r"the ladder has .* suspended: gone"):
            play(ladder, 1)


def test_damaged_ladder(ladder: Ladder) -> None:
    """An agent with invalid values is an error that names it; damaged games and history are left out."""
    play(ladder, 2)
    with ladder.store.transact() as connection:
        connection.execute("UPDATE games SET first = x'00' WHERE number = 1")
        connection.execute("UPDATE ladder_history SET ratings = 'no JSON' WHERE pairs = 1")
    assert summarise_ladder(ladder).games == 3
    assert [snapshot.pairs for snapshot in load_history(ladder.store, ladder.event)] == [2]
    with ladder.store.transact() as connection:
        connection.execute("UPDATE ladder_agents SET memory_mb = 'much' WHERE name = 'a'")
    with pytest.raises(StoreError, match="the ladder is damaged: agent 'a': memory_mb"):
        ladder.list_agents()
