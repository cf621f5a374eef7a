"""Calibrates the levels: Elo curves of presets over simulations, choice of fifty steps, tournament, fitted ratings.

README.md in this folder has the commands in their order.
"""

import argparse
import csv
import json
import statistics
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from fourfall.arena.rating_input import RatingInput
from fourfall.arena.rating_model import RatingModel, fit_rating_model
from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store
from fourfall.experiments.records import read_records, write_records

HERE = Path(__file__).parent
LEVELS = range(2, 101, 2)
RANDOM = ("seed-002", 1)  # one simulation: a random legal move

# Weak candidates, whose games take milliseconds: all play each other.
WEAK_CANDIDATES = (
    RANDOM,
    *(("seed-004-v1", simulations) for simulations in (2, 3, 4, 6, 8)),
    *(("seed-002", simulations) for simulations in (2, 3, 4, 6, 8, 12, 16, 24, 32, 64)),
)
# All others in the expected order of strength, so that neighbours are worth playing.
CANDIDATES = (
    RANDOM,
    ("seed-004-v1", 2),
    *(("seed-002", simulations) for simulations in (2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512)),
    *(("fourfall-classic", simulations) for simulations in (4, 8, 16, 32, 64, 128, 256)),
    ("fourfall-value", 12),
    ("fourfall-classic", 512),
    ("fourfall-value", 24),
    ("fourfall-value", 48),
    *(("fourfall-float32", simulations) for simulations in (1, 4, 16, 64)),
)
# Degree of the polynomial for the rating of a preset in the logarithm of the simulations, and its range of simulations.
CURVES = {
    "seed-004-v1": (1, range(2, 9)),
    "seed-002": (5, range(1, 451)),
    "fourfall-classic": (2, range(4, 513)),
    "fourfall-value": (1, range(24, 65)),
    "fourfall-float32": (2, range(1, 401)),
}
# The levels from level-80 on were chosen a second time, from the ratings of all games until then.
STRONGEST = (
    ("fourfall-classic", 1000),
    *(("fourfall-value", simulations) for simulations in (30, 45, 80)),
    *(("fourfall-float32", simulations) for simulations in (1, 3, 6, 25, 100, 400, 1500)),
)
STRONGEST_OPPONENT = 32  # index of the first level that plays against them
MANY_GAMES = 200
TOP = 36  # index of the first level of the additional tournament
CANDIDATE_DISTANCES = (1, 2, 3)
LEVEL_DISTANCES = (1, 2, 4, 8)
SECONDS_PER_SIMULATION = {
    "seed-002": 1e-6,
    "seed-004-v1": 6e-6,
    "fourfall-classic": 6e-6,
    "fourfall-value": 2.6e-4,
    "fourfall-float32": 2.6e-4,
}


@dataclass(frozen=True)
class Player:
    """An agent of the calibration: a preset with a number of simulations, and its name in the tables."""

    name: str
    preset: str
    simulations: int

    @property
    def address(self) -> str:
        """The address of the agent."""
        return f"{self.preset}?simulations={self.simulations}"

    @property
    def game_s(self) -> float:
        """Estimated time for 30 moves."""
        return 0.01 + 30 * self.simulations * SECONDS_PER_SIMULATION[self.preset]


def write_spec(
    file: Path, players: Sequence[Player], distances: Sequence[int], pairs: int, game_s: float, seed: int
) -> None:
    """Write a tournament in which each player meets those at the given distances above it.

    `pairs` is the number of pairs of a pairing; pairings whose games take longer than `game_s` get fewer.
    """
    lines = [f'name = "{file.stem}"', f"seed = {seed}", "", "[limits]", "move_time_s = 60.0", ""]
    for player in players:
        lines += ["[[agents]]", f'name = "{player.name}"', f'address = "{player.address}"', ""]
    for at, player in enumerate(players[:-1]):
        others = [players[at + distance] for distance in distances if at + distance < len(players)]
        cost_s = statistics.mean(player.game_s + other.game_s for other in others)
        count = max(4, min(pairs, round(pairs * game_s / cost_s)))
        lines += ["[[groups]]", f'name = "{file.stem}: from {player.name}"', 'format = "gauntlet"', f"pairs = {count}"]
        lines += [f'challenger = "{player.name}"']
        lines += [f"agents = {json.dumps([each.name for each in (player, *others)])}", ""]
    file.write_text("\n".join(lines), encoding="utf-8")


def list_candidates() -> list[Player]:
    """Return the candidates of all presets."""
    return [Player(f"{preset} {simulations}", preset, simulations) for preset, simulations in CANDIDATES]


def read_events(*names: str) -> list[GameRecord]:
    """Read the records of several events; their agents are named by their addresses."""
    records = [record for name in names for record in read_records(HERE / f"{name}.jsonl.xz")]
    return [replace(record, names=record.addresses) for record in records]


def pack_records(database: Path, event: int, file: Path) -> int:
    """Write the records of an event to a compressed file; times are 0, and scores are left out."""
    with Store(database, create=False) as store:
        return write_records(file, store.find_records(event))


def fit(records: Sequence[GameRecord]) -> RatingModel:
    """Fit the ratings of all agents, in Elo with mean 0."""
    return fit_rating_model(RatingInput.from_records(records))


def fit_curves(model: RatingModel, games: Mapping[str, int]) -> dict[str, dict[int, float]]:
    """Return the rating of each preset for every number of simulations in its range.

    The curve of a preset is a polynomial in the logarithm of the simulations, made to never fall; an agent has the
    weight of its number of games. An agent with many games keeps its own rating.
    """
    curves = {}
    for preset, (degree, every) in CURVES.items():
        agents = [name for name in games if name.startswith(f"{preset}?")]
        counts = [int(name.rpartition("=")[2]) for name in agents]
        used = [at for at, count in enumerate(counts) if every[0] / 2 <= count <= 4 * every[-1]]
        curve = np.polynomial.Polynomial.fit(
            np.log2([counts[at] for at in used]),
            [model.ratings[agents[at]].value for at in used],
            degree,
            w=np.sqrt([games[agents[at]] for at in used]),
        )
        curves[preset] = dict(zip(every, np.maximum.accumulate(curve(np.log2(every))).tolist(), strict=True))
        curves[preset] |= {
            counts[at]: model.ratings[agents[at]].value
            for at in used
            if games[agents[at]] >= MANY_GAMES and counts[at] in every
        }
    return curves


def choose_levels(curves: Mapping[str, Mapping[int, float]]) -> list[Player]:
    """Choose fifty players at even steps of Elo, from random to the last preset with its largest number of simulations.

    Of the players within a tenth of a step of the wanted rating, the one whose moves take least time is used.
    """
    low, high = curves[RANDOM[0]][RANDOM[1]], max(curves[list(curves)[-1]].values())
    size = (high - low) / (len(LEVELS) - 1)
    players: list[Player] = []
    for step, level in enumerate(LEVELS):
        wanted = low + size * step
        used = {(player.preset, player.simulations) for player in players}
        options = [
            (abs(elo - wanted), Player(f"level-{level}", preset, simulations))
            for preset, curve in curves.items()
            for simulations, elo in curve.items()
            if (preset, simulations) not in used
        ]
        nearest = min(distance for distance, _ in options)
        near = [player for distance, player in options if distance <= max(nearest, size / 10)]
        players.append(min(near, key=lambda player: player.game_s))
    return players


def list_levels() -> list[Player]:
    """Return the fifty levels: those of the tournament below level-80, and the strongest ones."""
    agents = tomllib.loads((HERE / "tournament.toml").read_text(encoding="utf-8"))["agents"]
    played = [(agent["address"].split("?simulations=")) for agent in agents[: len(LEVELS) - len(STRONGEST)]]
    chosen = [*((preset, int(simulations)) for preset, simulations in played), *STRONGEST]
    return [Player(f"level-{level}", *each) for level, each in zip(LEVELS, chosen, strict=True)]


def report_fit(records: Sequence[GameRecord], file: Path) -> None:
    """Print and write the ratings of the levels; print whether they rise within the error, and the spread of steps.

    The agents of the records are named by their addresses.
    """
    model = fit(records)
    games = Counter(name for record in records for name in record.names)
    players = list_levels()
    names = [player.address for player in players]
    base = model.ratings[names[0]].value
    rows = []
    for player in players:
        rating = model.ratings[player.address]
        error = round((rating.high - rating.low) / 2)
        number = games[player.address]
        rows.append((player.name, player.preset, player.simulations, round(rating.value - base), error, number))
        print(f"{player.name:10} {player.address:38} {rows[-1][3]:+6} ± {error:<4} {number:5} games")
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(
            [("level", "preset", "simulations", "elo", "error", "games"), *rows]
        )
    steps = [model.compute_difference(upper, lower) for lower, upper in pairwise(names)]
    for (lower, upper), step in zip(pairwise(names), steps, strict=True):
        if step.value < 0:
            print(f"{upper} is below {lower}: {step.value:+.0f} ({step.low:+.0f} to {step.high:+.0f}) Elo")
    sizes = [step.value for step in steps]
    print(
        f"{len(records)} games, first-move advantage {model.first_advantage.value:.0f} Elo, draws "
        f"{sum(record.winner is None for record in records)}"
    )
    print(f"falls that are significant: {sum(step.high < 0 for step in steps)}")
    print(
        f"steps: mean {statistics.mean(sizes):.1f}, standard deviation {statistics.stdev(sizes):.1f}, "
        f"min {min(sizes):.1f}, max {max(sizes):.1f} Elo"
    )
    errors = [(step.high - step.low) / 2 / 1.96 for step in steps]
    print(f"standard error of a step: mean {statistics.mean(errors):.1f} Elo")


def main() -> None:
    """Run one step of the calibration."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("candidates", help="write candidates.toml: the tournament that measures the curves")
    choose = steps.add_parser(
        "choose", help="choose the levels from the games of the candidates; write tournament.toml"
    )
    choose.add_argument("--pairs", type=int, default=20, help="pairs of games of a pairing, fewer for slow agents")
    steps.add_parser("strongest", help="write strongest.toml: the tournament of the levels from level-80 on")
    steps.add_parser("fit", help="fit the ratings of the levels to the records of their tournaments")
    pack = steps.add_parser("pack", help="write the records of an event to a compressed file")
    pack.add_argument("database", type=Path)
    pack.add_argument("event", type=int)
    pack.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.step == "candidates":
        write_spec(HERE / "candidates.toml", list_candidates(), CANDIDATE_DISTANCES, 10, 0.1, seed=1700)
    elif arguments.step == "pack":
        print(f"{pack_records(arguments.database, arguments.event, arguments.file)} games")
    elif arguments.step == "choose":
        records = read_events("weak_candidates", "candidates", "first_tournament")
        games = Counter(name for record in records for name in record.names)
        curves = fit_curves(fit(records), games)
        players = choose_levels(curves)
        for player in players:
            print(f"{player.name:10} {player.address:38} {curves[player.preset][player.simulations]:+6.0f}")
        write_spec(HERE / "tournament.toml", players, LEVEL_DISTANCES, arguments.pairs, 0.1, seed=1702)
        # The slow pairings of the strongest levels get further games.
        write_spec(HERE / "top.toml", players[TOP:], LEVEL_DISTANCES, 6, 2.0, seed=1703)
    elif arguments.step == "strongest":
        write_spec(HERE / "strongest.toml", list_levels()[STRONGEST_OPPONENT:], LEVEL_DISTANCES, 24, 5.0, seed=1704)
    else:
        report_fit(read_events("tournament", "top", "strongest"), HERE / "ratings.csv")


if __name__ == "__main__":
    main()
