"""Opponents of an environment: agents by their addresses, agent objects, and Python functions.

Agents of addresses and agent objects play by the rules of the arena: one that fails or makes an illegal move loses the
game. A Python function is code of the caller: its exceptions reach the caller, and an illegal move is a ValueError.
"""

import operator
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from fourfall._core import Board
from fourfall.agents.base import Agent, AgentError, Conditions
from fourfall.agents.registry import check_address, is_third_party, open_agent, open_engine, resolve_paths
from fourfall.agents.third_party import ThirdPartyAgent
from fourfall.arena.judge import Ending, Verdict, describe_illegal_move, judge_failure

OpponentSource = str | Agent | Callable[[Board], int]
"""An address as `fourfall match` accepts it, an agent, or a function that returns a column for a board."""


class OpponentError(RuntimeError):
    """The opponent cannot start, or fails before the learner's first move."""


class Opponent(Protocol):
    """The other player of an environment, for any number of games."""

    def start(self, board: Board, seed: int) -> None:
        """Prepare for a game that begins at `board`; built-in engines repeat a game with the same seed."""
        ...

    def play(self, board: Board) -> Verdict | None:
        """Make a move on `board`; a verdict means that the opponent made none and that the game is over."""
        ...

    def close(self) -> None:
        """End the current game; `start` may begin another one."""
        ...


def open_opponent(source: object, conditions: Conditions) -> Opponent:
    """Create an opponent; an address is checked, but no third-party code runs yet.

    >>> opponent = open_opponent("level-2", Conditions())
    >>> board = Board(6, 7)
    >>> opponent.start(board, seed=1)
    >>> opponent.play(board) is None, board.ply
    (True, 1)
    >>> open_opponent("level-3", Conditions())
    Traceback (most recent call last):
    fourfall.agents.address.AddressError: there is no level 'level-3'; levels are level-2, level-4, ..., level-100; \
similar: level-2, level-4
    """
    if isinstance(source, str):
        kind = _ThirdPartyOpponent if is_third_party(source) else _EngineOpponent
        return kind(source, conditions)
    if isinstance(source, ThirdPartyAgent):
        raise TypeError("opponent: a third-party agent plays only one game; give its address instead of the agent")
    if all(callable(getattr(source, name, None)) for name in ("start", "play", "close")):
        return _AgentOpponent(cast(Agent, source))
    if callable(source):
        return _FunctionOpponent(source)
    expected = 'an address such as "level-20" or "python:bot.py", an agent, or a function of a board'
    raise TypeError(f"opponent = {source!r}: expected {expected}, not {type(source).__name__}")


class _EngineOpponent:
    """A built-in engine; a new one for every game, because an engine with the same seed repeats its moves."""

    def __init__(self, address: str, conditions: Conditions) -> None:
        self._agent = open_engine(address, conditions)

    def start(self, board: Board, seed: int) -> None:
        self.close()
        self._agent = self._agent.with_seed(seed)

    def play(self, board: Board) -> Verdict | None:
        board.push(self._agent.search_move(board).move)
        return None

    def close(self) -> None:
        self._agent.close()


class _ThirdPartyOpponent:
    """Third-party code in the sandbox; a new process for every game, as in the arena.

    The process also ends with the environment, if nobody has closed it.
    """

    def __init__(self, address: str, conditions: Conditions) -> None:
        check_address(address)
        self._address = resolve_paths(address, Path())
        self._conditions = conditions
        self._agent: Agent | None = None
        self._finalizer: weakref.finalize[[], _ThirdPartyOpponent] | None = None

    def start(self, board: Board, seed: int) -> None:
        self.close()
        self._agent = open_agent(self._address, replace(self._conditions, seed=seed))
        self._finalizer = weakref.finalize(self, self._agent.close)
        try:
            _start_agent(self._agent, board, self._address)
        except OpponentError:
            self.close()
            raise

    def play(self, board: Board) -> Verdict | None:
        if self._agent is None:
            raise RuntimeError("the opponent is closed; call reset first")
        return _play_agent(self._agent, board)

    def close(self) -> None:
        if self._finalizer is not None:
            self._finalizer()  # closes the agent, once
        self._agent = self._finalizer = None


class _AgentOpponent:
    """An agent of the caller, which plays all games; the caller closes it."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def start(self, board: Board, seed: int) -> None:
        _start_agent(self._agent, board, type(self._agent).__name__)

    def play(self, board: Board) -> Verdict | None:
        return _play_agent(self._agent, board)

    def close(self) -> None:
        pass


class _FunctionOpponent:
    """A Python function of the caller."""

    def __init__(self, function: Callable[[Board], int]) -> None:
        self._function = function

    def start(self, board: Board, seed: int) -> None:
        pass

    def play(self, board: Board) -> Verdict | None:
        column = self._function(board.copy())
        try:
            board.push(operator.index(column))
        except (TypeError, ValueError) as error:
            reason = error if isinstance(error, ValueError) else "not an integer"
            raise ValueError(f"the opponent's function returned {column!r} on {board.notation}: {reason}") from None
        return None

    def close(self) -> None:
        pass


def _start_agent(agent: Agent, board: Board, name: str) -> None:
    try:
        agent.start(board.copy())
    except AgentError as failure:
        raise OpponentError(f"the opponent {name!r} cannot start: {failure.fault}: {failure}") from None


def _play_agent(agent: Agent, board: Board) -> Verdict | None:
    try:
        move = agent.play(board.copy())
    except AgentError as failure:
        return judge_failure(board.turn, failure)
    if (reason := describe_illegal_move(board, move)) is not None:
        return Verdict(Ending.ILLEGAL_MOVE, 1 - board.turn, board.turn, reason)
    board.push(move.column)
    return None
