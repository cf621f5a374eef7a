"""Tests that the statistics, which are computed game by game, agree with the functions that use all records."""

import json
import statistics
import tracemalloc
from pathlib import Path

import pytest

from fourfall.arena.ratings import ResultCounts, tally_games
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.standings import make_cross_table, rank_groups
from fourfall.arena.store import Store, StoreError
from fourfall.report import move_times
from fourfall.report.collect import ReportCollector, ReportLimits, load_records, read_event
from fourfall.report.failures import STDERR_CHARACTERS, shorten_stderr
from fourfall.report.game_rows import DamagedGames, parse_row, read_rows
from fourfall.report.model import Focus, Report
from tests.report.generated_event import make_spec, store_event

NAMES = ("mine", "one", "two", "three")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[GameRecord]]:
    """Store a round robin that was cut short, with an opening of an odd number of stones."""
    path = tmp_path_factory.mktemp("report") / "arena.db"
    return path, store_event(path, make_spec(NAMES, pairs=4, opening=1), games=41)


@pytest.fixture(scope="module")
def report(stored: tuple[Path, list[GameRecord]]) -> Report:
    """Make the report about all agents."""
    return make_report(stored[0])


def make_report(path: Path, agent: str | None = None, games: int = 100) -> Report:
    """Make the report about the latest event without turning points."""
    with Store(path, read_only=True) as store:
        collector = read_event(store, store.get_event(), agent, ReportLimits(games=games, failures=5))
        return collector.make_report(store, [])


def test_standings_equal_those_of_all_records(stored: tuple[Path, list[GameRecord]], report: Report) -> None:
    """Results, pairs, failures and ratings equal those of `rank_groups`."""
    expected = rank_groups(stored[1], {"": NAMES})[""]
    [group] = report.groups
    assert [row.agent for row in group.standings] == [row.name for row in expected]
    for row, standing in zip(group.standings, expected, strict=True):
        tally = standing.tally
        assert row.first == (tally.first.wins, tally.first.draws, tally.first.losses)
        assert row.second == (tally.second.wins, tally.second.draws, tally.second.losses)
        assert row.failures == {ending.value: count for ending, count in tally.failures.items()}
        assert row.score.low == pytest.approx(tally.score.low, abs=1e-4)
        assert row.elo.value == pytest.approx(standing.rating.value, abs=0.1)


def test_pairings_equal_the_cross_table(stored: tuple[Path, list[GameRecord]], report: Report) -> None:
    """Results and pairs of each pairing equal those counted from all records."""
    table = make_cross_table(stored[1])
    pairings = {(pairing.agent, pairing.opponent): pairing for pairing in report.groups[0].pairings}
    assert set(pairings) == set(table)
    assert sum(pairing.unpaired for pairing in pairings.values()) == 2  # one game lacks its pair, seen from both sides
    for (agent, opponent), pairing in pairings.items():
        tally = tally_games(stored[1], agent, opponent)
        assert pairing.results == table[agent, opponent]
        assert (pairing.pairs, pairing.unpaired) == (tally.pairs, tally.unpaired)


def test_boards_lengths_and_endings_count_every_game(stored: tuple[Path, list[GameRecord]], report: Report) -> None:
    """The results by size, hole, length and ending add up to all games."""
    records = stored[1]
    first = [result for result in report.sizes if result.agent is None]
    assert sum(result.games for result in first) == len(records)
    mine = [result for result in report.holes if result.agent == "mine"]
    total = sum((ResultCounts(result.won, result.drawn, result.lost) for result in mine), ResultCounts())
    assert total == tally_games(records, "mine").total
    lengths = {count.stones: count.first_won + count.drawn + count.second_won for count in report.lengths}
    stones = [record.final_board.ply for record in records]
    assert lengths == {length: stones.count(length) for length in sorted(set(stones))}
    assert sum(report.endings.values()) == len(records)


def test_times_belong_to_the_agent_that_moved(stored: tuple[Path, list[GameRecord]], report: Report) -> None:
    """The second player moves first after an opening of one stone; mean and slowest move are exact."""
    times = [
        time for record in stored[1] for at, time in enumerate(record.times_ms) if record.names[(at + 1) % 2] == "mine"
    ]
    [mine] = [row for row in report.times if row.agent == "mine"]
    assert mine.moves == len(times)
    assert mine.mean_ms == pytest.approx(statistics.fmean(times), abs=0.001)
    assert mine.max_ms == max(times)
    assert mine.median_ms == pytest.approx(statistics.median_low(times), rel=0.06)
    slowest = mine.slowest[0]
    with Store(stored[0], read_only=True) as store:
        record = store.get_record(slowest.game)
    assert record.times_ms[slowest.stone - 2] == slowest.time_ms


def test_failures_are_counted_and_limited(stored: tuple[Path, list[GameRecord]], report: Report) -> None:
    """All failures are counted; at most the limit is kept with stderr, of every agent in turn."""
    failed = [record for record in stored[1] if record.culprit is not None]
    assert report.failures_total == len(failed) > 5 == len(report.failures)
    assert all(failure.stderr.endswith("Segmentation fault") for failure in report.failures)
    assert len({(failure.agent, failure.ending) for failure in report.failures}) >= 4


def test_lost_games_come_first(stored: tuple[Path, list[GameRecord]]) -> None:
    """With a limit, lost games of the focus are chosen, from every opponent."""
    with Store(stored[0], read_only=True) as store:
        collector = read_event(store, store.get_event(), "mine", ReportLimits(games=6))
        chosen = [record for _, record in load_records(store, collector)]
    assert len(chosen) == 6
    assert all(record.winner == 1 - record.names.index("mine") for record in chosen)
    assert {name for record in chosen for name in record.names} == set(NAMES)
    assert collector.selection.lost_total == tally_games(stored[1], "mine").total.losses


def test_focus_is_the_challenger_of_a_gauntlet(tmp_path: Path) -> None:
    """Without --agent the first challenger is in focus; another agent can be chosen; an unknown one is an error."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "one", "two"), pairs=1, challenger=True))
    assert make_report(path).focus.agent == "mine"
    assert make_report(path, "one").focus.agent == "one"
    with pytest.raises(StoreError, match="no games of agent 'min' in event 1; similar: mine"):
        make_report(path, "min")


def test_memory_does_not_grow_with_the_games(
    stored: tuple[Path, list[GameRecord]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the first thousand games, seven thousand more need less memory than their tuples would (152 bytes each).

    The interpreter itself keeps up to 2000 freed tuples for later use.
    """
    monkeypatch.setattr(move_times, "_BUFFER", 100)
    with Store(stored[0], read_only=True) as store:
        event = store.get_event()
    collector = ReportCollector(event, Focus(None, "all"), ReportLimits(games=10, failures=5))
    rows = list(read_rows(stored[0], event.id, DamagedGames()))[:40]

    def add_games(rounds: range) -> None:
        for number in rounds:
            for at, row in enumerate(rows):
                collector.add(row._replace(id=40 * number + at, pair=20 * number + row.pair))

    add_games(range(25))
    tracemalloc.start()
    add_games(range(25, 200))
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert collector.games == 8000
    assert grown < 400_000


@pytest.mark.parametrize(
    "change",
    [
        {"names": ["a", 5]},
        {"board": "6x77"},
        {"board": 7},
        {"times_ms": ["x"]},
        {"times_ms": [float("nan")]},
        {"times_ms": [-1.0]},
        {"winner": 2},
        {"move_time_s": [0, 1]},
        {"move_time_s": 3},
        {"number": "1"},
        {"moves": None},
        {"group": []},
    ],
)
def test_damaged_rows_are_counted_and_left_out(tmp_path: Path, change: dict[str, object]) -> None:
    """A record with an invalid field is left out and counted; the others are read."""
    path = tmp_path / "arena.db"
    records = store_event(path, make_spec(("mine", "one"), pairs=1))
    values = json.loads(records[0].to_json()) | change
    with Store(path) as store:
        store._connection.execute("UPDATE games SET record = ? WHERE number = 0", [json.dumps(values)])
    damaged = DamagedGames()
    assert [row.number for row in read_rows(path, 1, damaged)] == [1]
    assert (damaged.count, damaged.examples) == (1, [1])


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "7", '"x"', "[" * 100_000])
def test_text_that_is_no_record_is_rejected(text: str) -> None:
    """Text that is not a JSON object raises one of the exceptions that `read_rows` handles."""
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError, RecursionError)):
        parse_row(1, text)


def test_long_stderr_keeps_its_end() -> None:
    """The excerpt ends with the last line and has a bounded length."""
    text = "".join(f"line {number}\n" for number in range(10_000))
    assert shorten_stderr(text).endswith("line 9999")
    assert len(shorten_stderr(text)) <= STDERR_CHARACTERS + 2


def test_example_is_read_like_a_record() -> None:
    """Fields of a row equal those of the record."""
    row = parse_row(1, EXAMPLE.to_json())
    assert (row.names, row.winner, row.moves, tuple(row.times_ms)) == (EXAMPLE.names, 0, 7, EXAMPLE.times_ms)
