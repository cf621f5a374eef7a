"""A game for OpenSpiel, with its rules in the native board.

The import of this module registers the game `gravity_four` with the parameters rows, columns, hole_row, hole_column and
padded. `make_game_string` writes them for a board, `load_game` loads the game of a board.

>>> game = load_game("9x10@4,7")
>>> str(game)
'gravity_four(columns=10,hole_column=7,hole_row=4,padded=True,rows=9)'
>>> state = game.new_initial_state()
>>> state.apply_action(3)
>>> state.current_player(), state.legal_actions()
(1, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from fourfall._core import Board, Geometry
from fourfall.environments.boards import parse_board
from fourfall.environments.observations import BoardEncoder
from fourfall.extras import describe_missing_package

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as missing:
    raise ImportError(describe_missing_package("the OpenSpiel game", "openspiel", missing)) from None

SHORT_NAME = "gravity_four"

_NO_HOLE = -1
_DEFAULTS = {"rows": 6, "columns": 7, "hole_row": _NO_HOLE, "hole_column": _NO_HOLE, "padded": True}

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Gravity Four",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class GravityFourGame(pyspiel.Game):
    """Gravity four on one board.

    Parameters: `rows` and `columns` (4 to 12, default 6 and 7, as connect_four has them), `hole_row` and `hole_column`
    (the blocked cell, counted from the top-left; -1, the default, for none), `padded` (whether the observation tensor
    has 12 rows and columns on every board; default true).
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = {**_DEFAULTS, **(params or {})}
        self.geometry = _make_geometry(parameters)
        self.padded = bool(parameters["padded"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.geometry.cols,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.geometry.cells,
        )
        super().__init__(GAME_TYPE, info, dict(params or {}))

    def new_initial_state(self, state: object = None) -> "GravityFourState":
        """Return the empty board."""
        if state is not None:
            raise ValueError(f"{SHORT_NAME}: a game begins with the empty board, not with {state!r}")
        return GravityFourState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> "BoardObserver | IIGObserverForPublicInfoGame":
        """Return an observer of the board, or of the history where the type asks for perfect recall."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.geometry, padded=self.padded, params=params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class GravityFourState(pyspiel.State):
    """A position with its history; `board` is the native board."""

    def __init__(self, game: GravityFourGame) -> None:
        super().__init__(game)
        self.board = Board.from_geometry(game.geometry)

    def current_player(self) -> int:
        """Return the player to move, 0 or 1, or `PlayerId.TERMINAL` after the end of the game."""
        return int(pyspiel.PlayerId.TERMINAL) if self.board.is_over else self.board.turn

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.board.is_over

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser; zeros for a draw and during the game."""
        outcome = self.board.outcome()
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.board)

    def _legal_actions(self, player: int) -> list[int]:
        return self.board.legal_moves if player == self.board.turn else []

    def _apply_action(self, action: int) -> None:
        self.board.push(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{'XO'[player]}{action}"


class BoardObserver:
    """Observes the board: the planes of `BoardEncoder`, as the given player sees them, and the position in text."""

    def __init__(self, geometry: Geometry, *, padded: bool, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"{SHORT_NAME}: the observer has no parameters, not {dict(params)!r}")
        self._encoder = BoardEncoder(geometry, padded=padded)
        shape = self._encoder.shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: GravityFourState, player: int) -> None:
        """Write the planes into `tensor`, of which `dict["observation"]` is a view of shape (4, rows, columns)."""
        self.dict["observation"][:] = self._encoder.encode(state.board, player)

    def string_from(self, state: GravityFourState, player: int) -> str:
        """Return the board in text."""
        return str(state.board)


def make_game_string(board: str | Board | Geometry, *, padded: bool = True) -> str:
    """Return the text that `pyspiel.load_game` accepts, for an empty board.

    >>> make_game_string("6x7@0,3")
    'gravity_four(rows=6,columns=7,hole_row=0,hole_column=3)'
    """
    parsed = parse_board(board)
    if parsed is None:
        raise TypeError("board = None: a game has a fixed board; Board.random() draws an official one")
    if parsed.ply:
        raise ValueError(f"board = {parsed.notation!r}: a game begins with the empty board; apply the moves as actions")
    text = f"rows={parsed.rows},columns={parsed.cols}"
    if parsed.hole is not None:
        text += f",hole_row={parsed.hole[0]},hole_column={parsed.hole[1]}"
    return f"{SHORT_NAME}({text}{'' if padded else ',padded=False'})"


def load_game(board: str | Board | Geometry, *, padded: bool = True) -> pyspiel.Game:
    """Load the game of an empty board, given as text such as "9x10@4,7", as Board or as Geometry.

    >>> load_game("6x7").num_distinct_actions()
    7
    """
    return pyspiel.load_game(make_game_string(board, padded=padded))


def _make_geometry(parameters: Mapping[str, Any]) -> Geometry:
    row, column = parameters["hole_row"], parameters["hole_column"]
    if (row == _NO_HOLE) != (column == _NO_HOLE):
        raise ValueError(f"hole_row = {row}, hole_column = {column}: give both, or neither for a board without a hole")
    return Geometry(parameters["rows"], parameters["columns"], None if row == _NO_HOLE else (row, column))


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, GravityFourGame)
