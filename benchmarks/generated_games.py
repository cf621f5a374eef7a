"""Writes databases with any number of generated games, for the benchmarks of ratings and reports.

The games are legal: every board and every move sequence was played by the rules, results follow the strengths of the
agents, and one game in two hundred ends with a failure. They are assembled from a pool of some hundred games, so that a
million records take less than a minute.

python -m benchmarks.generated_games games.db --games 10000
"""

import argparse
import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fourfall import Board
from fourfall.arena.database import connect, transaction
from fourfall.arena.judge import Ending, judge_board
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.spec import Entrant, Group, Spec
from fourfall.arena.store import Store

MOVE_TIME_S = 3.0
FIRST_ADVANTAGE_ELO = 40.0
_STEP_ELO = 30.0  # difference of neighbouring agents
_DRAW_SHARE = 0.04
_FAILURE_SHARE = 0.005
_POOL_GAMES, _POOL_DRAWS, _POOL_FAILURES = 600, 8, 12
_OF_THE_SCHEDULE = ("number", "pair", "group", "names", "addresses", "started")

Row = tuple[int, int, int, str, str, str, str, int | None, int | None, int, str, str]


def main() -> None:
    """Write a database with the given number of games."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("database", type=Path, help="database to create")
    parser.add_argument("--games", type=int, default=10_000, help="number of games")
    parser.add_argument("--agents", type=int, default=12, help="number of agents")
    parser.add_argument("--seed", type=int, default=0, help="random seed")
    arguments = parser.parse_args()
    generate_database(arguments.database, arguments.games, arguments.agents, arguments.seed)


def generate_database(path: Path, games: int, agents: int = 12, seed: int = 0) -> int:
    """Create a database with one round robin of `games` games (even) and return the number of its event."""
    spec = make_spec(games, agents, seed)
    with Store(path) as store:
        event = store.create_event(spec)
    connection = connect(path, create=False, read_only=False)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        places = ", ".join("?" * 12)
        columns = 'event, number, pair, "group", first, second, ending, winner, culprit, moves, started, record'
        rows = _generate_rows(event, spec, games, random.Random(seed))  # noqa: S311 (a benchmark must be repeatable)
        with transaction(connection):
            connection.executemany(f"INSERT INTO games ({columns}) VALUES ({places})", rows)  # noqa: S608 (fixed names)
            connection.execute("UPDATE events SET planned = ? WHERE id = ?", [games, event])
    finally:
        connection.close()
    return event


def make_spec(games: int, agents: int, seed: int) -> Spec:
    """Return the round robin that the generated games seem to belong to."""
    entrants = tuple(Entrant(f"agent-{at:02}", f"seed-002?simulations={10 * at}") for at in range(1, agents + 1))
    pairings = agents * (agents - 1) // 2
    group = Group("", "round-robin", tuple(agent.name for agent in entrants), (), math.ceil(games / (2 * pairings)))
    return Spec(f"{games} generated games", entrants, (group,), seed=seed)


def list_strengths(agents: int) -> dict[str, float]:
    """Return the Elo rating from which the results of each agent are drawn; the mean is 0."""
    return {f"agent-{at:02}": _STEP_ELO * (at - (agents + 1) / 2) for at in range(1, agents + 1)}


def _generate_rows(event: int, spec: Spec, games: int, source: random.Random) -> Iterator[Row]:
    pool = _GamePool(source)
    strengths = list_strengths(len(spec.agents))
    addresses = {agent.name: agent.address for agent in spec.agents}
    pairings = spec.groups[0].list_pairings()
    for number in range(games):
        pair = number // 2
        one, other = pairings[pair % len(pairings)]
        first, second = (one, other) if number % 2 == 0 else (other, one)
        ending, winner, culprit, moves, rest = pool.draw(strengths[first] - strengths[second] + FIRST_ADVANTAGE_ELO)
        started = (
            f"2026-11-{1 + number // 100_000:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}+00:00"
        )
        head = {
            "number": number,
            "pair": pair,
            "group": "",
            "names": [first, second],
            "addresses": [addresses[first], addresses[second]],
            "started": started,
        }
        record = f"{json.dumps(head, separators=(',', ':'))[:-1]},{rest}"
        yield event, number, pair, "", first, second, ending, winner, culprit, moves, started, record


class _GamePool:
    """Games of each result, of which `draw` returns one: ending, winner, culprit, moves and the rest of its JSON."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self._decided: dict[int, list[tuple[str, int | None, int | None, int, str]]] = {0: [], 1: []}
        self._drawn = [self._pack(play_drawn_game(source)) for _ in range(_POOL_DRAWS)]
        self._failed = [self._pack(play_failed_game(source)) for _ in range(_POOL_FAILURES)]
        for _ in range(_POOL_GAMES):
            game = play_random_game(source)
            if game.winner is not None:
                self._decided[game.winner].append(self._pack(game))

    def draw(self, elo: float) -> tuple[str, int | None, int | None, int, str]:
        """Return a game whose result is drawn for an Elo difference of the first player to the second."""
        kind = self._source.random()
        if kind < _FAILURE_SHARE:
            return self._source.choice(self._failed)
        if kind < _FAILURE_SHARE + _DRAW_SHARE:
            return self._source.choice(self._drawn)
        first_wins = self._source.random() < 1 / (1 + 10 ** (-elo / 400))
        return self._source.choice(self._decided[0 if first_wins else 1])

    @staticmethod
    def _pack(game: GameRecord) -> tuple[str, int | None, int | None, int, str]:
        values = json.loads(game.to_json())
        rest = {key: value for key, value in values.items() if key not in _OF_THE_SCHEDULE}
        text = json.dumps(rest, ensure_ascii=False, separators=(",", ":"))[1:]
        return game.ending.value, game.winner, game.culprit, len(game.moves), text


def play_random_game(source: random.Random) -> GameRecord:
    """Play random moves on an official board to the end; a player that can win at once does."""
    board = Board.random(source.getrandbits(32))
    start = board.notation
    while not board.is_over:
        board.push(source.choice(board.winning_moves or board.legal_moves))
    return _make_record(start, board, source)


def play_drawn_game(source: random.Random) -> GameRecord:
    """Play random moves that win nothing until the board is full; repeated until there is such a game."""
    while True:
        board = Board.random(source.getrandbits(32))
        start = board.notation
        while not board.is_over:
            quiet = [column for column in board.legal_moves if column not in board.winning_moves]
            if not quiet:
                break
            board.push(source.choice(quiet))
        if board.is_over:
            return _make_record(start, board, source)


def play_failed_game(source: random.Random) -> GameRecord:
    """Play a random game that ends with a crash or a timeout after some moves."""
    game = play_random_game(source)
    kept = source.randrange(1, len(game.moves))
    culprit = kept % 2
    is_crash = source.random() < 0.5
    return replace(
        game,
        moves=game.moves[:kept],
        times_ms=(*game.times_ms[:kept], 12.0 if is_crash else 1000 * MOVE_TIME_S + 40),
        scores=game.scores[:kept],
        ending=Ending.CRASH if is_crash else Ending.TIMEOUT,
        winner=1 - culprit,
        culprit=culprit,
        detail="killed by signal 11"
        if is_crash
        else f"{MOVE_TIME_S + 0.04:.3f} s for a move, {MOVE_TIME_S:g} s allowed",
        stderr="Segmentation fault\n" if is_crash else "",
        reproducer=f"fourfall ask 'agent' '{game.board}:{game.moves[:kept]}'",
    )


def _make_record(start: str, board: Board, source: random.Random) -> GameRecord:
    verdict = judge_board(board)
    assert verdict is not None
    moves = board.notation.partition(":")[2]
    return replace(
        EXAMPLE,
        board=start,
        moves=moves,
        move_time_s=(MOVE_TIME_S, MOVE_TIME_S),
        times_ms=tuple(round(min(source.lognormvariate(6, 0.8), 950 * MOVE_TIME_S), 3) for _ in moves),
        scores=tuple(round(source.random(), 4) for _ in moves),
        ending=verdict.ending,
        winner=verdict.winner,
    )


if __name__ == "__main__":
    main()
