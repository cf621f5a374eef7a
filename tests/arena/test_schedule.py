"""Tests of the schedule and of random openings."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.agents.base import Conditions
from fourfall.arena.game import ScheduledGame
from fourfall.arena.openings import play_random_opening
from fourfall.arena.schedule import count_games, derive_seed, schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.spec_file import parse_spec


def get_names(game: ScheduledGame) -> tuple[str, str]:
    """Return the names of the first and the second player."""
    return game.seats[0].name, game.seats[1].name


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    """Draw specs with round robins and gauntlets."""
    agents = [f"agent {at}" for at in range(draw(st.integers(2, 6)))]
    groups = []
    for at in range(draw(st.integers(1, 3))):
        gauntlet = draw(st.booleans())
        challenger = agents[: draw(st.integers(1, len(agents) - 1))] if gauntlet else []
        style = "gauntlet" if gauntlet else "round-robin"
        pairs = draw(st.integers(1, 4))
        groups.append({"name": f"{at}", "format": style, "agents": agents, "challenger": challenger, "pairs": pairs})
    return parse_spec(
        {
            "name": "example",
            "seed": draw(st.integers(0, 2**64 - 1)),
            "opening": draw(st.integers(0, 4)),
            "agents": [{"name": name, "address": "seed-000"} for name in agents],
            "groups": groups,
        }
    )


@given(specs())
def test_schedule_consists_of_pairs(spec: Spec) -> None:
    """Games 2k and 2k + 1 have the same agents and board with exchanged sides, and all seeds differ."""
    games = list(schedule_games(spec))
    assert [game.number for game in games] == list(range(count_games(spec)))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.pair, second.pair) == (first.number // 2, first.number // 2)
        assert get_names(first) == get_names(second)[::-1]
        assert (first.board, first.group) == (second.board, second.group)
        seeds = {seat.conditions.seed for game in (first, second) for seat in game.seats}
        assert len(seeds | {first.seed, second.seed}) == 6


@given(specs())
def test_schedule_depends_only_on_the_spec(spec: Spec) -> None:
    """A spec that was converted to plain values and back gives the same games."""
    assert list(schedule_games(spec)) == list(schedule_games(parse_spec(spec.to_dict())))


@given(specs(), st.data())
def test_stopped_tournament_is_balanced(spec: Spec, data: st.DataObject) -> None:
    """After any number of pairs the pairings of a group differ by at most one pair."""
    pairs = list(schedule_games(spec))[::2]
    done = pairs[: data.draw(st.integers(0, len(pairs)))]
    for group in spec.groups:
        played = Counter(frozenset(get_names(game)) for game in done if game.group == group.name)
        counts = [played[frozenset(pairing)] for pairing in group.list_pairings()]
        assert max(counts) - min(counts) <= 1


def test_round_robin() -> None:
    """In a round robin of four agents with three pairs each ordered pairing occurs three times."""
    spec = parse_spec({"name": "x", "pairs": 3, "agents": [{"address": name} for name in "abcd"]})
    counts = Counter(get_names(game) for game in schedule_games(spec))
    assert counts == {(one, other): 3 for one in "abcd" for other in "abcd" if one != other}


def test_boards_do_not_depend_on_names() -> None:
    """Boards depend on the seed and the position in the schedule, and differ between opponents."""
    one, other = (Spec.gauntlet(name, ["seed-000", "seed-001"], pairs=20, seed=5) for name in ("mine", "yours"))
    boards = [game.board for game in schedule_games(one)]
    assert boards == [game.board for game in schedule_games(other)]
    assert len(set(boards)) > 35
    another_seed = Spec.gauntlet("mine", ["seed-000", "seed-001"], pairs=20, seed=6)
    assert boards != [game.board for game in schedule_games(another_seed)]


def test_listed_boards_are_used_in_turn() -> None:
    """Every pairing uses each board once before it repeats one."""
    spec = Spec.gauntlet("mine", ["seed-000", "seed-001"], pairs=3, boards=["6x7", "9x9@3,3:12"])
    first = [game.board for game in schedule_games(spec) if "seed-000" in get_names(game)]
    assert first == ["6x7"] * 2 + ["9x9@3,3:12"] * 2 + ["6x7"] * 2


def test_conditions_of_seats() -> None:
    """Each seat has its agent's limits and the spec's sandbox setting."""
    agents = [{"address": "a", "move_time_s": 0.5}, {"address": "b", "memory_mb": 64, "startup_time_s": 2}]
    spec = parse_spec({"name": "x", "agents": agents, "sandbox": False})
    for game in schedule_games(spec):
        conditions = {seat.name: seat.conditions for seat in game.seats}
        assert conditions["a"] == Conditions(0.5, 10, 1024, False, conditions["a"].seed)
        assert conditions["b"] == Conditions(3, 2, 64, False, conditions["b"].seed)


@pytest.mark.parametrize("start", ["6x7", "4x4@0,0", "9x9@4,4", "12x12@11,3:6655"])
@pytest.mark.parametrize("length", [1, 5, 8])
def test_opening_leaves_no_immediate_win(start: str, length: int) -> None:
    """After an opening the game is not over and no move wins; different seeds give different openings."""
    found = set()
    for seed in range(20):
        board = play_random_opening(Board.parse(start), length, seed)
        assert board.ply == Board.parse(start).ply + length
        assert not board.is_over
        for column in board.legal_moves:
            board.push(column)
            outcome = board.outcome()
            assert outcome is None or outcome.winner is None
            board.pop()
        found.add(board.notation)
    assert len(found) > 1


def test_both_games_of_a_pair_have_the_same_opening() -> None:
    """The board with its random opening is chosen once per pair."""
    games = list(schedule_games(Spec.match("a", "b", pairs=10, opening=6, boards=["6x7"])))
    assert all(one.board == other.board for one, other in zip(games[::2], games[1::2], strict=True))
    assert len({game.board for game in games}) > 5
    assert all(Board.parse(game.board).ply == 6 for game in games)


def test_derived_seeds_are_stable() -> None:
    """Derived seeds and boards must not change, or tournaments could not be repeated."""
    assert derive_seed(0) == 872845860
    assert derive_seed(1, 2, 3) != derive_seed(12, 3)
    assert next(schedule_games(Spec.match("a", "b", pairs=1))).board == "12x9@3,4"
