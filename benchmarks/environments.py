"""Measures random games per second in the environments, compared with those of PettingZoo and OpenSpiel.

All games are on 6x7 without a hole. Every environment plays the same loop: read the mask or the legal actions, choose
one at random, step. The environments alternate within every round; a figure is the median of the rounds, in games per
second of processor time, so that other processes disturb it little. Run it with `python benchmarks/environments.py`;
PettingZoo's connect_four needs the package pygame and is left out without it.
"""

import importlib
import importlib.metadata
import importlib.util
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import gymnasium
import numpy as np

import fourfall.environments.gymnasium
import fourfall.environments.openspiel
import fourfall.environments.pettingzoo

ROUNDS = 9
SECONDS = 0.2

PlayGame = Callable[[random.Random], None]
"""Plays one game with random actions."""


def prepare_gymnasium(environment: gymnasium.Env[Any, Any]) -> PlayGame:
    """Play a Gymnasium environment; its opponent moves inside the step."""
    environment.reset(seed=1)

    def play(source: random.Random) -> None:
        _, info = environment.reset()
        terminated = False
        while not terminated:
            action = source.choice(np.flatnonzero(info["action_mask"]))
            _, _, terminated, _, info = environment.step(action)

    return play


def prepare_pettingzoo(environment: Any) -> PlayGame:  # noqa: ANN401
    """Play a PettingZoo environment, both players."""
    environment.reset(seed=1)

    def play(source: random.Random) -> None:
        environment.reset()
        for _ in environment.agent_iter():
            observation, _, terminated, truncated, _ = environment.last()
            is_over = terminated or truncated
            environment.step(None if is_over else source.choice(np.flatnonzero(observation["action_mask"])))

    return play


def prepare_openspiel(game: Any) -> PlayGame:  # noqa: ANN401
    """Play an OpenSpiel game, both players."""

    def play(source: random.Random) -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(source.choice(state.legal_actions()))

    return play


def measure_rate(play: PlayGame, seed: int) -> float:
    """Return games per second of processor time."""
    source = random.Random(seed)  # noqa: S311
    games = 0
    begin = time.process_time()
    while (seconds := time.process_time() - begin) < SECONDS:
        play(source)
        games += 1
    return games / seconds


def list_environments() -> dict[str, PlayGame]:
    """Return the environments to compare, by name."""
    ours = fourfall.environments
    pyspiel = importlib.import_module("pyspiel")
    source = random.Random(1)  # noqa: S311
    environments = {
        "Gymnasium, against level-2": prepare_gymnasium(
            gymnasium.make(ours.gymnasium.ENVIRONMENT_ID, board="6x7", disable_env_checker=True)
        ),
        "Gymnasium, against a random Python function": prepare_gymnasium(
            gymnasium.make(
                ours.gymnasium.ENVIRONMENT_ID,
                board="6x7",
                opponent=lambda board: source.choice(board.legal_moves),
                disable_env_checker=True,
            )
        ),
        "PettingZoo, env": prepare_pettingzoo(ours.pettingzoo.env("6x7")),
        "PettingZoo, raw_env": prepare_pettingzoo(ours.pettingzoo.raw_env("6x7")),
        "OpenSpiel, gravity_four": prepare_openspiel(ours.openspiel.load_game("6x7")),
    }
    if importlib.util.find_spec("pygame") is not None:
        theirs = importlib.import_module("pettingzoo.classic.connect_four_v3")
        environments["PettingZoo's connect_four_v3, env"] = prepare_pettingzoo(theirs.env())
        environments["PettingZoo's connect_four_v3, raw_env"] = prepare_pettingzoo(theirs.raw_env())
    else:
        print("PettingZoo's connect_four_v3 is left out; install it with: pip install pygame\n")
    environments["OpenSpiel's connect_four (C++)"] = prepare_openspiel(pyspiel.load_game("connect_four"))
    return environments


def main() -> None:
    """Measure all environments in turn and print a table."""
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("gymnasium", "pettingzoo", "open_spiel")
    )
    print(f"{versions}; median of {ROUNDS} rounds\n")
    environments = list_environments()
    rates: dict[str, list[float]] = {name: [] for name in environments}
    for seed in range(ROUNDS):
        for name, play in environments.items():
            rates[name].append(measure_rate(play, seed))
    print("| environment | games/s |\n|---|---:|")
    for name, values in rates.items():
        print(f"| {name} | {median(values):,.0f} |")


if __name__ == "__main__":
    main()
