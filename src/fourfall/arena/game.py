"""Plays one scheduled game between two agents and returns its record."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from fourfall._core import Board, version
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions
from fourfall.arena.judge import Verdict, judge_board, judge_failure, judge_move
from fourfall.arena.record import GameRecord
from fourfall.render import COLUMN_NAMES
from fourfall.system.command_line import join_command
from fourfall.system.cores import pin_to_cores

OpenAgent = Callable[[str, Conditions], Agent]

MAX_REPEATS = 2  # of a game that the machine disturbed
_MIN_DELAY_S = 0.05
_MIN_DELAY_SHARE = 0.02  # of the time per move


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

    If the machine withholds processor time from an agent and a move comes after its time limit for this reason, it
    counts as in time. If the delay is long, the game is repeated, at most MAX_REPEATS times.

    `open_agent` makes an agent from an address and conditions. `on_move` is called with the board after every move.
    """
    for repeats in range(MAX_REPEATS + 1):
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        running = _RunningGame(Board.parse(game.board), accepts_delays=repeats == MAX_REPEATS)
        try:
            verdict = running.play(game, open_agent, on_move)
        except _DisturbedError:
            continue
        finally:
            running.close()
        break
    board, opening = running.board, Board.parse(game.board).ply
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
        ponder=any(seat.conditions.ponder for seat in game.seats),
        repeats=repeats,
        delays_ms=(_to_ms(running.delays_s[0]), _to_ms(running.delays_s[1])),
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
    return join_command(words)


class _DisturbedError(Exception):
    """The machine delayed an agent beyond its time limit, so that the game must be repeated."""


class _RunningGame:
    """A game in progress: the agents, the board, and the measurements so far."""

    def __init__(self, board: Board, *, accepts_delays: bool) -> None:
        self.board = board
        self.accepts_delays = accepts_delays
        self.delays_s = [0.0, 0.0]
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
            verdict = self.play_move(self.agents[turn], game.seats[turn].conditions)
            if verdict is not None:
                return verdict
            if on_move is not None:
                on_move(self.board)
            verdict = judge_board(self.board)
            if verdict is not None:
                return verdict

    def play_move(self, agent: Agent, conditions: Conditions) -> Verdict | None:
        """Request a move and play it unless the judge ends the game."""
        if conditions.core is not None:
            pin_to_cores([conditions.core])  # built-in engines run in this process
        requested = time.perf_counter()
        try:
            move: AgentMove = agent.play(self.board.copy())
        except AgentError as failure:
            self.times_ms.append(_to_ms(failure.seconds or time.perf_counter() - requested))
            self.delays_s[self.board.turn] += failure.delay_s
            return judge_failure(self.board.turn, failure)
        self.times_ms.append(_to_ms(move.seconds))
        verdict = judge_move(self.board, move, conditions.move_time_s)
        self.delays_s[self.board.turn] += move.delay_s
        # Short delays are always there. If they repeated a game, an agent could wait for one when it is about to lose.
        if move.delay_s > max(_MIN_DELAY_S, _MIN_DELAY_SHARE * conditions.move_time_s) and not self.accepts_delays:
            raise _DisturbedError
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
