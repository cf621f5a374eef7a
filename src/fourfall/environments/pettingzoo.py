"""A PettingZoo environment: two players, one after the other (AEC).

`env` creates the environment with PettingZoo's usual wrappers, `raw_env` without them, `parallel_env` as a parallel
environment. The import of this module registers `fourfall/gravity_four-v0` for `pettingzoo.make`.

>>> environment = env(board="6x7")
>>> environment.reset(seed=1)
>>> for agent in environment.agent_iter():
...     observation, reward, terminated, truncated, info = environment.last()
...     mask = observation["action_mask"]
...     environment.step(None if terminated or truncated else int(mask.argmax()))
>>> agent, reward
('player_0', 1.0)
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from fourfall._core import Board
from fourfall.environments.actions import ActionError, parse_action
from fourfall.environments.boards import BoardSource, choose_start, draw_board, parse_board
from fourfall.environments.observations import Array, BoardEncoder, compute_shape
from fourfall.environments.options import check_flag, check_options
from fourfall.environments.rendering import RENDER_MODES, check_render_mode, render_board
from fourfall.extras import describe_missing_package
from fourfall.render.pixels import Pixels

try:
    import pettingzoo
    from gymnasium import logger, spaces
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ModuleNotFoundError as missing:
    raise ImportError(describe_missing_package("the PettingZoo environment", "pettingzoo", missing)) from None

ENVIRONMENT_ID = "fourfall/gravity_four-v0"

_AGENTS = ("player_0", "player_1")


class GravityFourAEC(pettingzoo.AECEnv, EzPickle):
    """Gravity four for two players without PettingZoo's wrappers.

    The players are "player_0", which moves first on an empty board, and "player_1". The action is a column, counted
    from 0. The observation is a dictionary: "observation", an int8 array of shape (4, 12, 12) from the view of the
    player (`BoardEncoder`), and "action_mask", the legal columns, all zeros for the player that is not to move. The
    rewards are 1 for the winner and -1 for the loser, 0 for a draw.

    Args:
        board: Start position: text such as "6x7" or "9x10@4,7", a Board, a Geometry; None for a random official board
            in every episode.
        padded: Whether observations and actions have the size of the largest board, 12x12. Otherwise they have the size
            of `board`, which must be fixed.
        render_mode: "ansi" for text, "rgb_array" for pixels, "human" for text that is printed after every step, or
            None.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gravity_four_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(self, board: BoardSource = None, *, padded: bool = True, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, board, padded=padded, render_mode=render_mode)
        super().__init__()
        self._start = parse_board(board)
        self._padded = check_flag("padded", padded)
        self.render_mode = check_render_mode(render_mode)
        shape = compute_shape(self._start, padded=self._padded)
        self._actions = shape[2]
        self.possible_agents = list(_AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in _AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
                }
            )
            for agent in _AGENTS
        }
        self._np_random: np.random.Generator | None = None
        self._board: Board | None = None
        self._encoder: BoardEncoder | None = None

    @property
    def board(self) -> Board:
        """A copy of the current board."""
        return self._get_board().copy()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of a player, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of a player, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode. `options` may contain "board", the start position; other options are ignored."""
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        start = choose_start(check_options(options), self._start, padded=self._padded)
        self._board = draw_board(self._np_random) if start is None else start.copy()
        if self._encoder is None or self._encoder.geometry != self._board.geometry:
            self._encoder = BoardEncoder(self._board.geometry, padded=self._padded)
        self.agents = list(_AGENTS)
        self.rewards = dict.fromkeys(_AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(_AGENTS, 0.0)
        self.terminations = dict.fromkeys(_AGENTS, False)
        self.truncations = dict.fromkeys(_AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in _AGENTS}
        self.agent_selection = _AGENTS[self._board.turn]
        self._skip_agent_selection = None
        if self.render_mode == "human":
            self.render()

    def step(self, action: object) -> None:
        """Play a column for the selected player; None removes a player from a game that is over."""
        board = self._get_board()
        if not self.agents:
            raise RuntimeError("the game is over and both players have left it; call reset before the next step")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        column = parse_action(action, self._actions)
        mover = self.agent_selection
        board.push(column)
        self._cumulative_rewards[mover] = 0.0
        self.agent_selection = _AGENTS[board.turn]
        outcome = board.outcome()
        if outcome is not None:
            if outcome.winner is not None:
                self.rewards = {agent: 1.0 if agent == mover else -1.0 for agent in _AGENTS}
            self.terminations = dict.fromkeys(_AGENTS, True)
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Array]:
        """Return what a player sees: the planes and the mask of its legal actions."""
        if agent not in _AGENTS:
            raise ValueError(f"agent = {agent!r}: the players are 'player_0' and 'player_1'")
        board = self._get_board()
        assert self._encoder is not None  # noqa: S101
        mask = self._encoder.make_mask(board)
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": self._encoder.encode(board, _AGENTS.index(agent)), "action_mask": mask}

    def render(self) -> str | Pixels | None:
        """Return the board as text or pixels, as the render mode says; "human" prints it and returns None."""
        if self.render_mode is None:
            logger.warn("render needs a render mode: give render_mode='ansi' or 'rgb_array' to the constructor")
            return None
        return render_board(self._get_board(), self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def _get_board(self) -> Board:
        if self._board is None:
            raise RuntimeError("there is no game yet; call reset first")
        return self._board


class CheckActionsWrapper(wrappers.TerminateIllegalWrapper):
    """PettingZoo's AssertOutOfBoundsWrapper and TerminateIllegalWrapper in one, with errors that name the action.

    An action that is not in the action space raises AssertionError. An illegal one ends the game: the reward is -1 for
    the player and 0 for the other one.
    """

    def __init__(self, environment: GravityFourAEC) -> None:
        super().__init__(environment, illegal_reward=-1)

    def step(self, action: object) -> None:
        """Check the action and play it."""
        agent = self.env.agent_selection
        if not (self.env.terminations[agent] or self.env.truncations[agent]):
            try:
                action = parse_action(action, self.env.action_space(agent).n)
            except ActionError as wrong:
                raise AssertionError(f"{agent}: {wrong}") from None
        super().step(action)


raw_env = GravityFourAEC


def env(board: BoardSource = None, *, padded: bool = True, render_mode: str | None = None) -> pettingzoo.AECEnv:
    """Create the environment with PettingZoo's usual wrappers; `GravityFourAEC` describes the arguments.

    An action that is not in the action space raises AssertionError. A column that is full or not on the board ends the
    game: the reward is -1 for the player and 0 for the other one, as in PettingZoo's own board games.
    """
    environment = raw_env(board, padded=padded, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(CheckActionsWrapper(environment))


def parallel_env(
    board: BoardSource = None, *, padded: bool = True, render_mode: str | None = None
) -> pettingzoo.ParallelEnv:
    """Create a parallel environment: both players give an action in every step, and only the selected one is played.

    `GravityFourAEC` describes the arguments. The mask of the player that is not to move is all zeros.
    """
    return turn_based_aec_to_parallel(env(board, padded=padded, render_mode=render_mode))


if ENVIRONMENT_ID not in pettingzoo.aec_registry:
    pettingzoo.register("aec", ENVIRONMENT_ID, "fourfall.environments.pettingzoo:env")
    pettingzoo.register("parallel", ENVIRONMENT_ID, "fourfall.environments.pettingzoo:parallel_env")
