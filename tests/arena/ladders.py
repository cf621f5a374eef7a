"""Fills ladders with stored games for tests that do not play."""

from dataclasses import replace

from fourfall.arena.ladder.history import store_snapshot
from fourfall.arena.ladder.registry import Ladder
from fourfall.arena.ladder.results import LadderResults
from fourfall.arena.rating_model import fit_rating_model
from fourfall.arena.record import EXAMPLE


def add_pairs(ladder: Ladder, pairs: int, names: tuple[str, str] = ("left", "right"), first_pair: int = 0) -> None:
    """Store pairs of games of two agents, of which the first player wins all and every third pair has a draw."""
    results = LadderResults(ladder.event)
    for pair in range(first_pair, first_pair + pairs):
        for game, order in enumerate((names, names[::-1])):
            is_draw = pair % 3 == 0 and game == 1
            record = replace(EXAMPLE, number=2 * pair + game, pair=pair, names=order, winner=None if is_draw else 0)
            ladder.store.add_game(ladder.event, record)
        results.update(ladder.store)
        if pair % 5 == 4:
            store_snapshot(ladder.store, ladder.event, results.pairs, fit_rating_model(results.rating_input).ratings)
