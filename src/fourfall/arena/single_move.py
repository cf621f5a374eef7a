"""Requests one move from an agent that is started for it, under the judge's rules."""

from fourfall._core import Board
from fourfall.agents.base import AgentError, Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.judge import Verdict, judge_failure, judge_move


class MoveFailure(Exception):  # noqa: N818 (a failure of the agent, not of the program)
    """An agent failed to start or to give a legal move in time: the verdict, and what it wrote to standard error."""

    def __init__(self, verdict: Verdict, stderr: str) -> None:
        super().__init__(f"{verdict.ending}: {verdict.detail}" if verdict.detail else f"{verdict.ending}")
        self.verdict = verdict
        self.stderr = stderr


def request_move(address: str, board: Board, conditions: Conditions) -> int:
    """Return the column that an agent plays in a position; MoveFailure if the judge would end the game.

    >>> request_move("seed-002?simulations=500", Board.parse("6x7:112233"), Conditions())
    3
    """
    agent = open_agent(address, conditions)
    verdict: Verdict | None
    column = -1
    try:
        agent.start(board.copy())
        move = agent.play(board.copy())
        verdict, column = judge_move(board, move, conditions.move_time_s), move.column
    except AgentError as failure:
        verdict = judge_failure(board.turn, failure)
    finally:
        agent.close()
    if verdict is not None:
        raise MoveFailure(verdict, agent.stderr)
    return column
