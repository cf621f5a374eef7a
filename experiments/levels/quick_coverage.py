"""Plays quick gauntlets of agents with known ratings and counts how often the stated interval contains the rating.

The agents are levels themselves: `python experiments/levels/quick_coverage.py --runs 8 level-10 level-30 level-50`.
"""

import argparse
import statistics

from fourfall.agents.levels import LEVELS, get_level_number
from fourfall.agents.registry import open_agent
from fourfall.arena.game import play_game
from fourfall.arena.level_estimate import LevelEstimate
from fourfall.arena.quick_gauntlet import QUICK_GAMES, QuickSchedule, make_quick_spec
from fourfall.arena.spec import Spec


def run_quick_gauntlet(address: str, seed: int, games: int) -> LevelEstimate:
    """Play a quick gauntlet in this process and return its estimate."""
    spec = make_quick_spec(Spec.gauntlet(address, list(LEVELS), pairs=1, move_time_s=60.0, seed=seed), games)
    schedule = QuickSchedule(spec, games)
    for game in schedule:
        schedule.add(play_game(game, open_agent))
    return schedule.posterior.estimate()


def main() -> None:
    """Print the estimates of every run, and the share of intervals that contain the rating."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("levels", nargs="+", metavar="LEVEL", choices=list(LEVELS))
    parser.add_argument("--runs", type=int, default=8, help="quick gauntlets of each level")
    parser.add_argument("--games", type=int, default=QUICK_GAMES, help="games of a quick gauntlet")
    arguments = parser.parse_args()
    errors, level_errors, covered = [], [], 0
    for name in arguments.levels:
        level = LEVELS[name]
        for seed in range(arguments.runs):
            estimate = run_quick_gauntlet(
                f"{level.preset}?simulations={level.simulations}", 9000 + seed, arguments.games
            )
            elo = estimate.elo
            is_covered = elo.low <= level.elo <= elo.high
            covered += is_covered
            errors.append(elo.value - level.elo)
            level_errors.append(estimate.level - get_level_number(name))
            print(
                f"{name} {level.elo}: {elo.value:.0f} ({elo.low:.0f} to {elo.high:.0f}), level {estimate.level} "
                f"({estimate.low} to {estimate.high}){'' if is_covered else ', outside'}",
                flush=True,
            )
    print(
        f"{covered} of {len(errors)} intervals contain the rating; error mean {statistics.mean(errors):+.0f}, standard "
        f"deviation {statistics.pstdev(errors):.0f} Elo; mean distance to the level "
        f"{statistics.mean(map(abs, level_errors)):.1f}"
    )


if __name__ == "__main__":
    main()
