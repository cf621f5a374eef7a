"""Trains a player with reinforcement learning on the Gymnasium environment, and measures it against a level.

The learner is MaskablePPO of sb3-contrib, which chooses only among the legal columns. Run it with:

    pip install "fourfall[gymnasium]" sb3-contrib
    python examples/reinforcement_learning.py

The default trains on 6x7 against level-2, which plays random moves. Before and after the training the player plays
games against the level, half of them as the first player. Against a stronger level, or on official boards:

    python examples/reinforcement_learning.py --opponent level-10 --steps 1000000
    python examples/reinforcement_learning.py --board official --steps 1000000 --save player.zip
"""

import argparse
import math
import time
from pathlib import Path
from typing import NamedTuple

try:
    import gymnasium
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env
except ModuleNotFoundError as missing:
    install = 'pip install "fourfall[gymnasium]" sb3-contrib'
    raise SystemExit(f"this example needs the package {missing.name}; install it with: {install}") from None

from fourfall.environments.gymnasium import ENVIRONMENT_ID

EVALUATION_SEED = 2**31
"""Added to the seed in measurements, so that the opponent's games there are not those of the training."""


class Score(NamedTuple):
    """Results of games, from the player's view."""

    wins: int
    draws: int
    losses: int

    def __str__(self) -> str:
        low, high = compute_interval(self.wins, sum(self))
        share = self.wins / sum(self)
        return (
            f"{self.wins} wins, {self.draws} draws, {self.losses} losses: "
            f"wins {share:.1%} (95 % interval {low:.1%} to {high:.1%})"
        )


def compute_interval(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion, by default with 95 % confidence.

    >>> [round(bound, 3) for bound in compute_interval(90, 100)]
    [0.826, 0.945]
    """
    share, spread = successes / trials, z * z / trials
    center = (share + spread / 2) / (1 + spread)
    width = math.sqrt(spread * share * (1 - share) + spread * spread / 4) / (1 + spread)
    return center - width, center + width


def evaluate(model: MaskablePPO, environment: gymnasium.Env, games: int, seed: int) -> Score:
    """Play games with the most probable move of the model, alternately as the first and as the second player."""
    results = []
    for game in range(games):
        observation, info = environment.reset(seed=seed if game == 0 else None, options={"player": game % 2})
        terminated = False
        while not terminated:
            action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
            observation, reward, terminated, _, info = environment.step(action)
        results.append(reward)
    return Score(*(results.count(reward) for reward in (1, 0, -1)))


def parse_arguments() -> argparse.Namespace:
    """Read the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--board", default="6x7", help="board such as 6x7 or 9x10@4,7, or official (default: 6x7)")
    parser.add_argument("--opponent", default="level-2", help="address of the opponent (default: level-2)")
    parser.add_argument("--steps", type=int, default=300_000, help="moves of the learner in training (default: 300000)")
    parser.add_argument("--games", type=int, default=400, help="games of each measurement, even (default: 400)")
    parser.add_argument("--environments", type=int, default=8, help="games at a time in training (default: 8)")
    parser.add_argument("--seed", type=int, default=0, help="random seed, 0 to 2147483647 (default: 0)")
    parser.add_argument("--save", type=Path, help="file for the trained model, .zip")
    arguments = parser.parse_args()
    if arguments.games < 2 or arguments.games % 2:
        parser.error(f"--games {arguments.games}: expected an even number of at least 2")
    if not 0 <= arguments.seed < EVALUATION_SEED:
        parser.error(f"--seed {arguments.seed}: expected 0 to {EVALUATION_SEED - 1}")
    for name in ("steps", "environments"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} {getattr(arguments, name)}: expected at least 1")
    return arguments


def main() -> None:
    """Train a model, measure it before and after, and save it."""
    arguments = parse_arguments()
    torch.set_num_threads(1)  # the network is too small for more
    is_official = arguments.board == "official"
    options = {
        "board": None if is_official else arguments.board,
        "padded": is_official,
        "opponent": arguments.opponent,
    }
    try:
        environment = gymnasium.make(ENVIRONMENT_ID, **options)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    training = make_vec_env(ENVIRONMENT_ID, arguments.environments, seed=arguments.seed, env_kwargs=options)
    model = MaskablePPO(
        "MlpPolicy",
        training,
        n_steps=256,
        batch_size=256,
        n_epochs=4,
        gamma=0.98,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        device="cpu",
        seed=arguments.seed,
    )
    evaluation_seed = EVALUATION_SEED + arguments.seed
    print(f"before training: {evaluate(model, environment, arguments.games, evaluation_seed)}", flush=True)
    begin = time.perf_counter()
    model.learn(arguments.steps)
    seconds = time.perf_counter() - begin
    print(f"trained for {model.num_timesteps} steps in {seconds:.0f} s ({model.num_timesteps / seconds:.0f} steps/s)")
    print(f"after training:  {evaluate(model, environment, arguments.games, evaluation_seed)}")
    if arguments.save is not None:
        model.save(arguments.save)
        print(f"saved to {arguments.save}")
    training.close()
    environment.close()


if __name__ == "__main__":
    main()
