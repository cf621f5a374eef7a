"""Owns the tests of the order of games and of opening moves."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.agents.base import Conditions
from fourfall.arena.game import ScheduledGame
from fourfall.arena.opening import opened
from fourfall.arena.schedule import count, derived, schedule
from fourfall.arena.spec import Spec, gauntlet_spec, match_spec


def names(game: ScheduledGame) -> tuple[str, str]:
    """Return who sits where."""
    return game.seats[0].name, game.seats[1].name


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    """Draw round robins, gauntlets, and specs of both."""
    agents = [f"agent {at}" for at in range(draw(st.integers(2, 6)))]
    groups = []
    for at in range(draw(st.integers(1, 3))):
        gauntlet = draw(st.booleans())
        challenger = agents[: draw(st.integers(1, len(agents) - 1))] if gauntlet else []
        style = "gauntlet" if gauntlet else "round-robin"
        pairs = draw(st.integers(1, 4))
        groups.append({"name": f"{at}", "format": style, "agents": agents, "challenger": challenger, "pairs": pairs})
    return Spec.from_dict(
        {
            "name": "drawn",
            "seed": draw(st.integers(0, 2**64 - 1)),
            "opening": draw(st.integers(0, 4)),
            "agents": [{"name": name, "address": "seed-000"} for name in agents],
            "groups": groups,
        }
    )


@given(specs())
def test_every_schedule_is_made_of_pairs(spec: Spec) -> None:
    """Games 2k and 2k + 1 have the same agents on the same board, each once first, and other seeds; none is missing."""
    games = list(schedule(spec))
    assert [game.number for game in games] == list(range(count(spec)))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.pair, second.pair) == (first.number // 2, first.number // 2)
        assert names(first) == names(second)[::-1]
        assert (first.board, first.group) == (second.board, second.group)
        seeds = {seat.conditions.seed for game in (first, second) for seat in game.seats}
        assert len(seeds | {first.seed, second.seed}) == 6


@given(specs())
def test_a_schedule_is_a_function_of_its_spec(spec: Spec) -> None:
    """The same spec, also after the way through plain data, gives the same games."""
    assert list(schedule(spec)) == list(schedule(Spec.from_dict(spec.to_dict())))


@given(specs(), st.data())
def test_a_stopped_tournament_is_balanced(spec: Spec, data: st.DataObject) -> None:
    """After any number of pairs no pairing of a group is more than one pair ahead of another."""
    pairs = list(schedule(spec))[::2]
    done = pairs[: data.draw(st.integers(0, len(pairs)))]
    for group in spec.groups:
        played = Counter(frozenset(names(game)) for game in done if game.group == group.name)
        counts = [played[frozenset(pairing)] for pairing in group.pairings()]
        assert max(counts) - min(counts) <= 1


def test_the_complete_schedule_has_every_pairing_equally_often() -> None:
    """In a round robin of four with three pairs each ordered meeting happens three times."""
    spec = Spec.from_dict({"name": "x", "pairs": 3, "agents": [{"address": name} for name in "abcd"]})
    counts = Counter(names(game) for game in schedule(spec))
    assert counts == {(one, other): 3 for one in "abcd" for other in "abcd" if one != other}


def test_two_challengers_of_one_field_get_the_same_boards() -> None:
    """Boards come from the seed and the place in the schedule, not from names, and differ between opponents."""
    one, other = (gauntlet_spec(name, ["seed-000", "seed-001"], 20, seed=5) for name in ("mine", "yours"))
    boards = [game.board for game in schedule(one)]
    assert boards == [game.board for game in schedule(other)]
    assert len(set(boards)) > 35
    assert boards != [game.board for game in schedule(gauntlet_spec("mine", ["seed-000", "seed-001"], 20, seed=6))]


def test_listed_boards_are_used_in_turn() -> None:
    """Every pairing begins once from each board before one comes again."""
    spec = gauntlet_spec("mine", ["seed-000", "seed-001"], 3, boards={"list": ["6x7", "9x9@3,3:12"]})
    first = [game.board for game in schedule(spec) if "seed-000" in names(game)]
    assert first == ["6x7"] * 2 + ["9x9@3,3:12"] * 2 + ["6x7"] * 2


def test_terms_are_those_of_the_agent() -> None:
    """Each seat carries its agent's limits and whether it is jailed."""
    agents = [{"address": "a", "move_time_s": 0.5}, {"address": "b", "memory_mb": 64, "startup_time_s": 2}]
    spec = Spec.from_dict({"name": "x", "agents": agents, "sandbox": False})
    for game in schedule(spec):
        conditions = {seat.name: seat.conditions for seat in game.seats}
        assert conditions["a"] == Conditions(0.5, 10, 1024, False, conditions["a"].seed)
        assert conditions["b"] == Conditions(3, 2, 64, False, conditions["b"].seed)


@pytest.mark.parametrize("start", ["6x7", "4x4@0,0", "9x9@4,4", "12x12@11,3:6655"])
@pytest.mark.parametrize("length", [1, 5, 8])
def test_openings_are_quiet(start: str, length: int) -> None:
    """After an opening the game goes on and whoever is next has no win at once; seeds make different ones."""
    found = set()
    for seed in range(20):
        board = opened(Board.parse(start), length, seed)
        assert board.ply == Board.parse(start).ply + length
        assert not board.is_over
        for column in board.legal_moves:
            board.push(column)
            outcome = board.outcome()
            assert outcome is None or outcome.winner is None
            board.pop()
        found.add(board.notation)
    assert len(found) > 1


def test_the_same_opening_for_both_games_of_a_pair() -> None:
    """Random moves are made once for a pair."""
    games = list(schedule(match_spec("a", "b", 10, opening=6, boards={"list": ["6x7"]})))
    assert all(one.board == other.board for one, other in zip(games[::2], games[1::2], strict=True))
    assert len({game.board for game in games}) > 5
    assert all(Board.parse(game.board).ply == 6 for game in games)


def test_seeds_are_the_same_on_every_machine() -> None:
    """A derived seed is part of what makes a tournament repeatable, so it must not change."""
    assert derived(0) == 872845860
    assert derived(1, 2, 3) != derived(12, 3)
    assert next(schedule(match_spec("a", "b", 1))).board == "12x9@3,4"
