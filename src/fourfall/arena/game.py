"""Plays one scheduled game between two agents and returns its record."""

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from fourfall._core import Board, version
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions
from fourfall.arena.judge import Verdict, judge_board, judge_failure, judge_move
from fourfall.arena.record import GameRecord
from fourfall.render import COLUMN_NAMES

OpenAgent = Callable[[str, Conditions], Agent]


@dataclass(frozen=True)
class Seat:
    """One side of a scheduled game: the agent's name in tables, its address and its conditions."""

    name: str
    address: str
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True)
class ScheduledGame:
    """A game to play: its number in the schedule, its pair, the seats (first player first) and the start position."""

    number: int
    pair: int
    seats: tuple[Seat, Seat]
    board: str
    seed: int = 0
    group: str = ""


def play_game(game: ScheduledGame, open_agent: OpenAgent, on_move: Callable[[Board], None] | None = None) -> GameRecord:
    """Play a game to its end and return its record; failures of agents end the game and are recorded.

    `open_agent` makes an agent from an address and conditions. `on_move` is called with the board after every move.
    """
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    board = Board.parse(game.board)
    opening = board.ply
    running = _RunningGame(board)
    try:
        verdict = running.play(game, open_agent, on_move)
    finally:
        running.close()
    culprit = verdict.culprit
    return GameRecord(
        number=game.number,
        pair=game.pair,
        group=game.group,
        names=(game.seats[0].name, game.seats[1].name),
        addresses=(game.seats[0].address, game.seats[1].address),
        move_time_s=(game.seats[0].conditions.move_time_s, game.seats[1].conditions.move_time_s),
        board=game.board,
        moves="".join(COLUMN_NAMES[column] for column in board.moves[opening:]),
        times_ms=tuple(running.times_ms),
        scores=tuple(running.scores),
        startup_ms=(running.startup_ms[0], running.startup_ms[1]),
        ending=verdict.ending,
        winner=verdict.winner,
        culprit=culprit,
        detail=verdict.detail,
        stderr="" if culprit is None else running.stderr[culprit],
        reproducer="" if culprit is None else make_reproducer(game.seats[culprit], board, opening),
        seed=game.seed,
        sandboxed=all(seat.conditions.sandbox for seat in game.seats),
        version=version,
        started=started,
    )


def make_reproducer(seat: Seat, board: Board, opening: int = 0) -> str:
    """Return the command that requests the same moves from an agent again: from the opening to this board.

    >>> make_reproducer(Seat("mine", "library:./my bot.so"), Board.parse("6x7:44"))
    "fourfall ask 'library:./my bot.so' 6x7:44 --time 3"
    """
    conditions = seat.conditions
    words = ["fourfall", "ask", seat.address, board.notation, "--time", f"{conditions.move_time_s:g}"]
    if opening:
        words += ["--opening", str(opening)]
    if conditions.memory_mb != Conditions.memory_mb:
        words += ["--memory-mb", str(conditions.memory_mb)]
    if not conditions.sandbox:
        words += ["--no-sandbox"]
    return shlex.join(words)


class _RunningGame:
    """A game in progress: the agents, the board, and the measurements so far."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.agents: list[Agent] = []
        self.times_ms: list[float] = []
        self.scores: list[float | None] = []
        self.startup_ms = [0.0, 0.0]
        self.stderr = ["", ""]

    def play(self, game: ScheduledGame, open_agent: OpenAgent, on_move: Callable[[Board], None] | None) -> Verdict:
        """Start both agents and play until there is a verdict."""
        for player, seat in enumerate(game.seats):
            try:
                self.agents.append(open_agent(seat.address, seat.conditions))
                self.startup_ms[player] = _to_ms(self.agents[player].start(self.board.copy()))
            except AgentError as failure:
                self.startup_ms[player] = _to_ms(failure.seconds)
                return judge_failure(player, failure)
        while True:
            turn = self.board.turn
            verdict = self.play_move(self.agents[turn], game.seats[turn].conditions.move_time_s)
            if verdict is not None:
                return verdict
            if on_move is not None:
                on_move(self.board)
            verdict = judge_board(self.board)
            if verdict is not None:
                return verdict

    def play_move(self, agent: Agent, move_time_s: float) -> Verdict | None:
        """Request a move and play it unless the judge ends the game."""
        requested = time.perf_counter()
        try:
            move: AgentMove = agent.play(self.board.copy())
        except AgentError as failure:
            self.times_ms.append(_to_ms(failure.seconds or time.perf_counter() - requested))
            return judge_failure(self.board.turn, failure)
        self.times_ms.append(_to_ms(move.seconds))
        verdict = judge_move(self.board, move, move_time_s)
        if verdict is None:
            self.scores.append(None if move.score is None else round(move.score.win_chance, 4))
            self.board.push(move.column)
        return verdict

    def close(self) -> None:
        """Close both agents; their stderr is complete only then."""
        for player, agent in enumerate(self.agents):
            agent.close()
            self.stderr[player] = agent.stderr


def _to_ms(seconds: float) -> float:
    return round(1000 * seconds, 3)
