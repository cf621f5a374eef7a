"""A Gymnasium environment: one player against any agent.

The import of this module registers the environment as `fourfall/GravityFour-v0`.

>>> env = gymnasium.make("fourfall/GravityFour-v0", board="6x7", opponent="level-2", player=0)
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"]
((4, 12, 12), array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], dtype=int8))
>>> observation, reward, terminated, truncated, info = env.step(3)
>>> reward, terminated, truncated
(0.0, False, False)
"""

from collections.abc import Mapping
from typing import Any, Literal, SupportsFloat

import numpy as np
from numpy.typing import NDArray

from fourfall._core import Board
from fourfall.agents.base import Conditions
from fourfall.arena.judge import Ending, Verdict, judge_board
from fourfall.environments.actions import ActionError, parse_action
from fourfall.environments.boards import BoardSource, choose_start, draw_board, draw_seed, parse_board
from fourfall.environments.observations import Array, BoardEncoder, compute_shape
from fourfall.environments.opponents import OpponentError, OpponentSource, open_opponent
from fourfall.environments.options import check_flag, check_memory, check_options, check_time
from fourfall.environments.rendering import RENDER_MODES, check_render_mode, render_board
from fourfall.extras import describe_missing_package
from fourfall.render.pixels import Pixels

try:
    import gymnasium
    from gymnasium import error, spaces
    from gymnasium.utils import EzPickle
except ModuleNotFoundError as missing:
    raise ImportError(describe_missing_package("the Gymnasium environment", "gymnasium", missing)) from None

ENVIRONMENT_ID = "fourfall/GravityFour-v0"

_ILLEGAL_ACTIONS = ("lose", "raise")


class GravityFourEnv(gymnasium.Env[Array, np.int64], EzPickle):
    """Gravity four against an opponent, from the view of one player.

    The action is a column, counted from 0. The observation is an int8 array of shape (4, 12, 12): own stones, the
    opponent's stones, the hole, the cells of the board (`BoardEncoder`). The reward is 1 for a win, -1 for a loss and 0
    otherwise; it comes with the last step of the episode. `info["action_mask"]` and `action_masks` say which columns
    are legal.

    Args:
        board: Start position: text such as "6x7" or "9x10@4,7", a Board, a Geometry; None for a random official board
            in every episode.
        opponent: Address of an agent as `fourfall match` accepts it, an agent, or a function that returns a column for
            a Board. Third-party agents of addresses run in the sandbox, in a new process for every episode.
        player: Side of the learner: 0 moves first, 1 moves second, "random" draws it for every episode.
        padded: Whether observations and actions have the size of the largest board, 12x12. Otherwise they have the size
            of `board`, which must be fixed.
        illegal_action: What a column that is full or not on the board does: "lose" ends the episode with a loss,
            "raise" raises `gymnasium.error.InvalidAction`.
        move_time_s: Time per move of the opponent in seconds.
        memory_mb: Memory of a third-party opponent in megabytes.
        sandbox: Whether a third-party opponent runs in the sandbox.
        render_mode: "ansi" for text, "rgb_array" for pixels, "human" for text that is printed after every step, or
            None.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        board: BoardSource = None,
        opponent: OpponentSource = "level-2",
        player: int | str = "random",
        *,
        padded: bool = True,
        illegal_action: Literal["lose", "raise"] = "lose",
        move_time_s: float = 3.0,
        memory_mb: int = 1024,
        sandbox: bool = True,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(
            self,
            board,
            opponent,
            player,
            padded=padded,
            illegal_action=illegal_action,
            move_time_s=move_time_s,
            memory_mb=memory_mb,
            sandbox=sandbox,
            render_mode=render_mode,
        )
        self._start = parse_board(board)
        self._player_choice = _check_player(player)
        if illegal_action not in _ILLEGAL_ACTIONS:
            raise ValueError(f'illegal_action = {illegal_action!r}: expected "lose" or "raise"')
        self._padded = check_flag("padded", padded)
        self._illegal_action = illegal_action
        self.render_mode = check_render_mode(render_mode)
        conditions = Conditions(
            move_time_s=check_time("move_time_s", move_time_s),
            memory_mb=check_memory("memory_mb", memory_mb),
            sandbox=check_flag("sandbox", sandbox),
        )
        self._opponent = open_opponent(opponent, conditions)
        self._board: Board | None = None
        self._player = 0
        self._verdict: Verdict | None = None
        self._encoder: BoardEncoder | None = None
        shape = compute_shape(self._start, padded=self._padded)
        self.observation_space = spaces.Box(0, 1, shape, np.int8)
        self.action_space = spaces.Discrete(shape[2])
        self._actions = shape[2]

    @property
    def board(self) -> Board:
        """A copy of the current board. Raises ResetNeeded before the first reset."""
        return self._get_board().copy()

    @property
    def player(self) -> int:
        """Side of the learner in this episode: 0 moves first, 1 second."""
        return self._player

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin an episode; return the first observation in which the learner is to move, and its info.

        `options` may contain "board" and "player", which replace those of the constructor for this episode. Raises
        OpponentError if the opponent cannot start or fails at a move before the learner's first one.
        """
        super().reset(seed=seed)
        start, player = self._parse_options(check_options(options))
        self._board = None  # there is no game if the opponent fails
        board = draw_board(self.np_random) if start is None else start.copy()
        self._player = int(self.np_random.integers(2)) if player == "random" else player
        if self._encoder is None or self._encoder.geometry != board.geometry:
            self._encoder = BoardEncoder(board.geometry, padded=self._padded)
        self._opponent.start(board, draw_seed(self.np_random))
        if board.turn != self._player:
            self._begin(board)
        self._board, self._verdict = board, None
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._make_info()

    def step(self, action: object) -> tuple[Array, SupportsFloat, bool, bool, dict[str, Any]]:
        """Play a column and the opponent's answer; return observation, reward, terminated, truncated (False), info."""
        board = self._get_board()
        if self._verdict is not None:
            raise error.ResetNeeded(f"the episode is over ({self._verdict.ending}); call reset before the next step")
        try:
            column = parse_action(action, self._actions)
        except ActionError as wrong:
            raise error.InvalidAction(str(wrong)) from None
        if board.is_legal(column):
            self._verdict = self._play(board, column)
        else:
            self._verdict = self._reject(board, column)
        if self._verdict is not None:
            self._opponent.close()
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._compute_reward(), self._verdict is not None, False, self._make_info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, as MaskablePPO of sb3-contrib asks for it: one boolean for each action."""
        return self._make_mask().astype(np.bool_)

    def render(self) -> str | Pixels | None:
        """Return the board as text or pixels, as the render mode says; "human" prints it and returns None."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render needs a render mode: give render_mode='ansi' or 'rgb_array' to the constructor"
            )
            return None
        return render_board(self._get_board(), self.render_mode)

    def close(self) -> None:
        """End the opponent with all its processes."""
        self._opponent.close()

    def _get_board(self) -> Board:
        if self._board is None:
            raise error.ResetNeeded("there is no game yet; call reset first")
        return self._board

    def _parse_options(self, options: Mapping[str, Any]) -> tuple[Board | None, int | Literal["random"]]:
        """Return start position and side of an episode."""
        unknown = [name for name in options if name not in ("board", "player")]
        if unknown:
            raise ValueError(f"options: unknown option {unknown[0]!r}; known: 'board', 'player'")
        start = choose_start(options, self._start, padded=self._padded)
        return start, _check_player(options.get("player", self._player_choice))

    def _begin(self, board: Board) -> None:
        """Let the opponent move first; the learner has not moved, so that an end of the game is an error."""
        start = board.notation
        verdict = self._play_opponent(board)
        if verdict is None:
            return
        self._opponent.close()
        if verdict.culprit is None:
            raise ValueError(f"board = {start!r}: the opponent's first move ends the game, before the learner's first")
        raise OpponentError(f"the opponent failed at its first move: {verdict.ending}: {verdict.detail}")

    def _play(self, board: Board, column: int) -> Verdict | None:
        """Play a column and the opponent's answer; an exception of the opponent takes the column back."""
        board.push(column)
        try:
            return judge_board(board) or self._play_opponent(board)
        except BaseException:
            board.pop()
            raise

    def _play_opponent(self, board: Board) -> Verdict | None:
        return self._opponent.play(board) or judge_board(board)

    def _reject(self, board: Board, column: int) -> Verdict:
        """Return the verdict on an illegal column, or raise the error for it."""
        detail = f"column {column} is full" if column < board.cols else f"column {column} is not on the board"
        if self._illegal_action == "raise":
            raise error.InvalidAction(f"action {column} is illegal: {detail}; legal: {board.legal_moves}")
        return Verdict(Ending.ILLEGAL_MOVE, 1 - self._player, self._player, detail)

    def _compute_reward(self) -> float:
        if self._verdict is None or self._verdict.winner is None:
            return 0.0
        return 1.0 if self._verdict.winner == self._player else -1.0

    def _observe(self) -> Array:
        assert self._encoder is not None  # noqa: S101
        return self._encoder.encode(self._get_board(), self._player)

    def _make_mask(self) -> Array:
        board = self._get_board()
        assert self._encoder is not None  # noqa: S101
        return self._encoder.make_mask(board)

    def _make_info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._make_mask(), "player": self._player}
        if self._verdict is not None:
            info["ending"] = self._verdict.ending.value
            info["winner"] = -1 if self._verdict.winner is None else self._verdict.winner
            info["notation"] = self._get_board().notation
            info["detail"] = self._verdict.detail
        return info


def _check_player(player: object) -> int | Literal["random"]:
    if isinstance(player, str) and player == "random":
        return "random"
    if isinstance(player, int | np.integer) and not isinstance(player, bool) and player in (0, 1):
        return int(player)
    raise ValueError(f"player = {player!r}: expected 0 (moves first), 1 (moves second) or 'random'")


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(ENVIRONMENT_ID, entry_point="fourfall.environments.gymnasium:GravityFourEnv")
