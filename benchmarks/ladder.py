"""Compares the pairings of a ladder with random pairings in simulated ladders.

The agents have evenly spaced ratings. Each result is drawn from the logistic curve, with an advantage of the first
player. The error is the mean absolute difference between the estimated and the true ratings, both relative to their
mean. The order counts the neighbours in the true ranking that are estimated in the wrong order. ± is one standard error
of the mean over the simulations.
"""

import argparse
import random
import statistics
from collections import Counter
from itertools import pairwise

from fourfall.arena.ladder.pairing import choose_pairing
from fourfall.arena.ladder.pairing_model import PairingModel
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.rating_model import fit_rating_model
from fourfall.arena.ratings import Interval

FIRST_ADVANTAGE = 60.0  # Elo


def simulate_ladder(true: dict[str, float], pairs: int, seed: int, *, is_random: bool) -> tuple[float, float, int]:
    """Return the error of the ratings, the share of neighbours in the wrong order, and the fewest pairs of an agent.

    `true` are the ratings of the agents, the lowest first.
    """
    generator = random.Random(seed)  # noqa: S311 (a simulation)
    results, played = RatingInput(), Counter(dict.fromkeys(true, 0))
    for pair in range(pairs):
        if is_random:
            one, other = generator.sample(sorted(true), 2)
        else:
            model = PairingModel(results)
            candidates = [model.make_candidate(name, played[name]) for name in true]
            one, other = choose_pairing(candidates, generator, model.compute_error)
        for first, second in ((one, other), (other, one)):
            difference = true[first] - true[second] + FIRST_ADVANTAGE
            is_won = generator.random() < 1 / (1 + 10 ** (-difference / 400))
            results.add(first, second, 0 if is_won else 1, pair)
        played.update((one, other))
    ratings = fit_rating_model(results).ratings
    wrong = [ratings[low].value > ratings[high].value for low, high in pairwise(true)]
    return compute_error(true, ratings), sum(wrong) / len(wrong), min(played.values())


def compute_error(true: dict[str, float], ratings: dict[str, Interval]) -> float:
    """Return the mean absolute difference between ratings relative to their mean."""
    errors = [ratings[name].value - value for name, value in true.items()]
    mean = sum(errors) / len(errors)
    return sum(abs(error - mean) for error in errors) / len(errors)


def main() -> None:
    """Print the error with random pairings and with those of the ladder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--agents", type=int, default=20)
    parser.add_argument(
        "--spread", type=float, default=1600.0, help="difference of the best and the worst agent in Elo"
    )
    parser.add_argument("--pairs", type=int, nargs="+", default=[100, 200, 400])
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    step = arguments.spread / (arguments.agents - 1)
    true = {f"agent {at}": step * at for at in range(arguments.agents)}
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.simulations)
    print(f"{arguments.agents} agents, {arguments.spread:g} Elo, {len(seeds)} simulations from seed {seeds[0]}")
    print("       error in Elo                  wrong order of neighbours, %  fewest pairs of an agent")
    print("pairs  random         ladder         random         ladder         random  ladder")
    for pairs in arguments.pairs:
        runs = [[simulate_ladder(true, pairs, seed, is_random=way) for seed in seeds] for way in (True, False)]
        errors = [format_mean([error for error, _, _ in each]) for each in runs]
        orders = [format_mean([100 * wrong for _, wrong, _ in each]) for each in runs]
        fewest = [min(played for _, _, played in each) for each in runs]
        print(f"{pairs:5}  {'  '.join(errors + orders)}  {fewest[0]:6}  {fewest[1]:6}", flush=True)


def format_mean(values: list[float]) -> str:
    """Format the mean with its standard error.

    >>> format_mean([1.0, 2.0, 3.0])
    '  2.0 ±   0.6'
    """
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return f"{statistics.fmean(values):5.1f} ± {error:5.1f}"


if __name__ == "__main__":
    main()
