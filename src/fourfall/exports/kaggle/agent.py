"""The function that Kaggle calls for every move of ConnectX."""

import time
from typing import Any

from fourfall.exports.kaggle.embedded_weights import WEIGHTS
from fourfall.exports.kaggle.network import Weights
from fourfall.exports.kaggle.player import Player
from fourfall.exports.kaggle.rules import Rules

ACT_TIMEOUT_S = 2.0
"""Kaggle's time per move, if the configuration does not say it."""

_MARGIN_S, _STRICT_MARGIN_S = 0.1, 0.25  # with and without a reserve of overage time
_RESERVE_S = 30.0  # of the overage time; never planned for searches
_LOADING_S = 0.3  # Kaggle counts the loading of the file as part of the first move
_MAX_TIME_S = 60.0

_weights: Weights | None = None
_players: dict[tuple[int, int, int, int], Player] = {}


def limit_time(act_timeout_s: float, overage_s: float, *, is_first: bool) -> float:
    """Return the time for a search in seconds.

    Kaggle takes time beyond the limit of a move from the overage time of the game, at first 60 s. A search uses up to
    twice the time per move while more than a reserve is left; then it ends before the limit.

    >>> limit_time(2.0, 60.0, is_first=False), limit_time(2.0, 30.0, is_first=False)
    (3.9, 1.9)
    >>> limit_time(2.0, 0.0, is_first=False), limit_time(2.0, 0.0, is_first=True)
    (1.75, 1.45)
    """
    margin_s = (_MARGIN_S if overage_s >= _RESERVE_S / 2 else _STRICT_MARGIN_S) + (_LOADING_S if is_first else 0)
    extra_s = min(act_timeout_s, max(0.0, overage_s - _RESERVE_S) / 5)
    return min(max(act_timeout_s - margin_s, act_timeout_s / 2) + extra_s, _MAX_TIME_S)


def _read(values: Any, name: str, default: Any) -> Any:  # noqa: ANN401 (Kaggle's objects are dictionaries)
    """Return an entry of an observation or configuration, which may lack it."""
    value = values.get(name) if isinstance(values, dict) else getattr(values, name, None)
    return default if value is None else value


def _find_player(rules: Rules) -> Player:
    """Return the player of this board; only the latest is kept."""
    global _weights
    key = rules.rows, rules.columns, rules.inarow, rules.blocked
    if key not in _players:
        if _weights is None and WEIGHTS:
            _weights = Weights(WEIGHTS)
        _players.clear()
        _players[key] = Player(rules, _weights)
    return _players[key]


def _choose_column(observation: Any, configuration: Any, begin: float) -> int:  # noqa: ANN401
    rows, columns = int(_read(configuration, "rows", 6)), int(_read(configuration, "columns", 7))
    board, mark = list(_read(observation, "board", [])), int(_read(observation, "mark", 1))
    others = [index for index, value in enumerate(board) if value not in (0, 1, 2)]
    blocked = [(rows - 1 - index // columns, index % columns) for index in others]
    is_first = not _players
    player = _find_player(Rules(rows, columns, int(_read(configuration, "inarow", 4)), blocked))
    act_timeout_s = float(_read(configuration, "actTimeout", _read(configuration, "timeout", ACT_TIMEOUT_S)))
    overage_s = float(_read(observation, "remainingOverageTime", 0.0))
    own, opponent = player.rules.read(board, mark)
    return player.choose(own, opponent, begin + limit_time(act_timeout_s, overage_s, is_first=is_first))


def _choose_any(observation: Any, configuration: Any) -> int:  # noqa: ANN401
    """Return the open column nearest to the center."""
    columns = int(_read(configuration, "columns", 7))
    board = list(_read(observation, "board", []))
    opened = [column for column in range(columns) if column >= len(board) or board[column] == 0]
    return min(opened, key=lambda column: abs(2 * column - columns + 1), default=0)


def agent(observation: Any, configuration: Any) -> int:  # noqa: ANN401
    """Return the column to play, counted from 0.

    >>> board = [0] * 35 + [1, 1, 1, 0, 2, 2, 2]
    >>> agent({"board": board, "mark": 1}, {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2})
    3
    """
    begin = time.perf_counter()
    try:
        column = _choose_column(observation, configuration, begin)
        if _read(observation, "board", [])[column] not in (1, 2):
            return column
    except Exception as error:  # a legal move is better than a lost game; the message appears in the log of the episode
        print(f"Fourfall: {type(error).__name__}: {error}")
    return _choose_any(observation, configuration)
