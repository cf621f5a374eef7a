"""Simulates results of agents with known strengths, and writes databases of such games."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from fourfall.arena.rating_input import RatingInput
from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Entrant, Spec
from fourfall.arena.store import Store

Pairings = Sequence[tuple[int, int]]
_BATCH = 10_000


def make_round_robin(agents: int) -> list[tuple[int, int]]:
    """List the pairings of all agents."""
    return [(one, other) for one in range(agents) for other in range(one)]


def draw_winners(
    difference: float, pairs: int, source: np.random.Generator, *, advantage: float, draws: float, boards: float
) -> list[list[int | None]]:
    """Draw the winners of the two games of each pair; the agents change sides after the first game.

    `difference` is that of the strengths, `advantage` the first-move advantage in the same unit, `draws` the draw
    parameter, and `boards` the standard deviation of the advantage between boards, which makes the two games of a pair
    dependent.
    """
    shift = advantage + boards * source.standard_normal(pairs)
    margins = np.stack([difference + shift, -difference + shift], axis=1)
    wins, losses = np.exp(margins / 2), np.exp(-margins / 2)
    luck = source.random((pairs, 2)) * (wins + losses + draws)
    drawn = (luck >= wins) & (luck < wins + draws)
    winners = np.where(drawn, None, (luck >= wins + draws).astype(int))  # type: ignore[call-overload]
    result: list[list[int | None]] = winners.tolist()
    return result


def simulate_results(
    strengths: Sequence[float],
    pairings: Pairings,
    pairs: int,
    source: np.random.Generator,
    *,
    advantage: float = 0.4,
    draws: float = 0.2,
    boards: float | Sequence[float] = 0.0,
) -> RatingInput:
    """Simulate pairs of games of agents named a0, a1, … with the options of `draw_winners`.

    `boards` may differ between pairings.
    """
    deviations = [boards] * len(pairings) if isinstance(boards, (int, float)) else boards
    results = RatingInput(f"a{at}" for at in range(len(strengths)))
    for number, (one, other) in enumerate(pairings):
        difference = strengths[one] - strengths[other]
        winners = draw_winners(difference, pairs, source, advantage=advantage, draws=draws, boards=deviations[number])
        for pair, (straight, reverse) in enumerate(winners):
            results.add(f"a{one}", f"a{other}", straight, (number, pair))
            results.add(f"a{other}", f"a{one}", reverse, (number, pair))
    return results


def write_simulated_games(path: Path, games: int, agents: int = 50) -> None:
    """Write a database with one event of simulated games; records are as long as those of real games."""
    names = [f"agent-{at:02}" for at in range(agents)]
    entrants = tuple(Entrant(name, "level-2") for name in names)
    spec = Spec.gauntlet(entrants[0], entrants[1:], pairs=1)
    with Store(path) as store:
        event = store.create_event(spec)
        connection = store._connection
        connection.execute("PRAGMA synchronous = OFF")
        rows = _make_rows(event, names, games)
        while batch := [row for row, _ in zip(rows, range(_BATCH), strict=False)]:
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", batch)
            connection.execute("COMMIT")
        connection.execute("UPDATE events SET planned = ?", [games])


def _make_rows(event: int, names: Sequence[str], games: int) -> Iterator[tuple[object, ...]]:
    """Yield the columns of the games of all pairings in turn."""
    source = np.random.default_rng(1)
    strengths = np.linspace(-4, 4, len(names))
    pairings = make_round_robin(len(names))
    template = replace(EXAMPLE, times_ms=(1.234,) * 45, scores=(0.1234,) * 45, moves=EXAMPLE.moves + "." * 38)
    record = json.dumps(json.loads(template.to_json()), separators=(",", ":"))
    winners = {
        pairing: draw_winners(
            strengths[pairing[0]] - strengths[pairing[1]],
            games // 2 // len(pairings) + 1,
            source,
            advantage=0.4,
            draws=0.2,
            boards=0.5,
        )
        for pairing in pairings
    }
    for pair in range(games // 2):
        one, other = pairings[pair % len(pairings)]
        results = winners[one, other][pair // len(pairings)]
        for game, (first, second) in enumerate(((names[one], names[other]), (names[other], names[one]))):
            number = 2 * pair + game
            started = f"2026-11-15T12:{number // 60 % 60:02}:{number % 60:02}+00:00"
            ending = "tie" if results[game] is None else "win"
            yield event, number, pair, "", first, second, ending, results[game], None, 45, started, record
