"""Owns playing one scheduled game: two agents, a board between them, the judge's ruling, and the record of it all."""

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from fourfall._core import Board
from fourfall._core import version as VERSION  # noqa: N812 (a constant)
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions
from fourfall.arena.judge import Verdict, rule_on_answer, rule_on_board, rule_on_failure
from fourfall.arena.record import GameRecord
from fourfall.render import COLUMN_NAMES

OpenAgent = Callable[[str, Conditions], Agent]


@dataclass(frozen=True)
class Seat:
    """One side of a scheduled game: a name for people, the address of the agent, and its conditions."""

    name: str
    address: str
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True)
class ScheduledGame:
    """A game to be played: its number in the schedule, the pair it belongs to, who sits where, and the board."""

    number: int
    pair: int
    seats: tuple[Seat, Seat]
    board: str
    seed: int = 0
    group: str = ""


def play_game(game: ScheduledGame, open_agent: OpenAgent, watch: Callable[[Board], None] | None = None) -> GameRecord:
    """Play a game to its end, whatever the agents do, and write it down.

    `open_agent` makes an agent from an address and conditions. `watch` is shown the board after every move.
    """
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    board = Board.parse(game.board)
    opening = board.ply
    table = _Table(board)
    try:
        verdict = table.play(game, open_agent, watch)
    finally:
        table.close()
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
        times_ms=tuple(table.times_ms),
        scores=tuple(table.scores),
        startup_ms=(table.startup_ms[0], table.startup_ms[1]),
        ending=verdict.ending,
        winner=verdict.winner,
        culprit=culprit,
        detail=verdict.detail,
        stderr="" if culprit is None else table.stderr[culprit],
        reproducer="" if culprit is None else reproducer(game.seats[culprit], board, opening),
        seed=game.seed,
        sandboxed=all(seat.conditions.sandbox for seat in game.seats),
        version=VERSION,
        started=started,
    )


def reproducer(seat: Seat, board: Board, opening: int = 0) -> str:
    """Write the command that asks an agent the same questions again, after the opening and up to the one at this board.

    >>> reproducer(Seat("mine", "library:./my bot.so"), Board.parse("6x7:44"))
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


class _Table:
    """A game in progress: the agents at the board and what they have done so far."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.agents: list[Agent] = []
        self.times_ms: list[float] = []
        self.scores: list[float | None] = []
        self.startup_ms = [0.0, 0.0]
        self.stderr = ["", ""]

    def play(self, game: ScheduledGame, open_agent: OpenAgent, watch: Callable[[Board], None] | None) -> Verdict:
        """Play until there is a verdict. A launch that fails is the failure of whoever was launched."""
        for player, seat in enumerate(game.seats):
            try:
                self.agents.append(open_agent(seat.address, seat.conditions))
                self.startup_ms[player] = _ms(self.agents[player].start(self.board.copy()))
            except AgentError as failure:
                self.startup_ms[player] = _ms(failure.seconds)
                return rule_on_failure(player, failure)
        while True:
            turn = self.board.turn
            verdict = self.move(self.agents[turn], game.seats[turn].conditions.move_time_s)
            if verdict is not None:
                return verdict
            if watch is not None:
                watch(self.board)
            verdict = rule_on_board(self.board)
            if verdict is not None:
                return verdict

    def move(self, agent: Agent, limit_s: float) -> Verdict | None:
        """Ask for a move and make it, if the judge lets it pass."""
        asked = time.perf_counter()
        try:
            answer: AgentMove = agent.play(self.board.copy())
        except AgentError as failure:
            self.times_ms.append(_ms(failure.seconds or time.perf_counter() - asked))
            return rule_on_failure(self.board.turn, failure)
        self.times_ms.append(_ms(answer.seconds))
        verdict = rule_on_answer(self.board, answer, limit_s)
        if verdict is None:
            self.scores.append(None if answer.score is None else round(answer.score.win_chance, 4))
            self.board.push(answer.column)
        return verdict

    def close(self) -> None:
        """Close both agents, then keep what they last said."""
        for player, agent in enumerate(self.agents):
            agent.close()
            self.stderr[player] = agent.stderr


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 3)
