"""Databases for the tests of the report: events whose games were played by random legal moves."""

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fourfall import Board
from fourfall.arena.judge import Ending, judge_board
from fourfall.arena.record import EXAMPLE, GameRecord, join_moves
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Entrant, Group, Spec
from fourfall.arena.store import Store

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><!--{count}",
    "\u202emoor\u2066 =1+1",
    "x" * 500,
    "=cmd|' /C calc'!A0",
)
STDERR = "warning\n</pre><script>alert(2)</script>\nSegmentation fault"


def make_spec(names: tuple[str, ...], *, pairs: int = 3, challenger: bool = False, **options: object) -> Spec:
    """Return a round robin of agents, or a gauntlet of the first one."""
    entrants = tuple(Entrant(name.replace("\u202e", "").replace("\u2066", ""), "seed-000") for name in names)
    shown = tuple(entrant.name for entrant in entrants)
    form = "gauntlet" if challenger else "round-robin"
    group = Group("", form, shown, shown[:1] if challenger else (), pairs)  # type: ignore[arg-type]
    return Spec("test event", entrants, (group,), **options)  # type: ignore[arg-type]


def play_event(spec: Spec, seed: int = 0) -> Iterator[GameRecord]:
    """Yield the records of all games; every eleventh game ends with a crash, every thirteenth with a timeout."""
    source = random.Random(seed)  # noqa: S311 (tests must be repeatable)
    for game in schedule_games(spec):
        board = Board.parse(game.board)
        opening = board.ply
        crashes, is_late = game.number % 11 == 10, game.number % 13 == 12
        stop = opening + source.randrange(1, 7) if crashes or is_late else 1000
        while not board.is_over and board.ply < stop:
            board.push(source.choice(board.winning_moves or board.legal_moves))
        moves = board.notation.partition(":")[2][opening:]
        record = replace(
            EXAMPLE,
            number=game.number,
            pair=game.pair,
            group=game.group,
            names=(game.seats[0].name, game.seats[1].name),
            board=game.board,
            moves=moves,
            times_ms=tuple(round(source.lognormvariate(3, 1), 3) for _ in moves),
            scores=(None,) * len(moves),
            seed=game.seed,
        )
        yield _end_game(record, board, Ending.CRASH if crashes else Ending.TIMEOUT)


def _end_game(record: GameRecord, board: Board, failure: Ending) -> GameRecord:
    verdict = judge_board(board)
    if verdict is not None:
        return replace(record, ending=verdict.ending, winner=verdict.winner)
    culprit = board.turn
    return replace(
        record,
        times_ms=(*record.times_ms, 3100.0),
        ending=failure,
        culprit=culprit,
        winner=1 - culprit,
        detail="killed <by> signal 11",
        stderr=STDERR,
        reproducer=f"fourfall ask bot {join_moves(record.board, record.moves).notation}",
    )


def store_event(path: Path, spec: Spec, *, games: int | None = None) -> list[GameRecord]:
    """Create the event in a database, with the first `games` games of its schedule; return their records."""
    records = list(play_event(spec))[:games]
    with Store(path) as store:
        event = store.create_event(spec)
        for record in records:
            store.add_game(event, record)
    return records


def rename_agent(path: Path, old: str, new: str) -> None:
    """Rename an agent in all games, as an import could: the names of a spec must be printable."""
    with sqlite3.connect(path) as connection:
        for column in ("first", "second"):
            connection.execute(f"UPDATE games SET {column} = ? WHERE {column} = ?", [new, old])  # noqa: S608
        for game, text in connection.execute("SELECT id, record FROM games").fetchall():
            record = GameRecord.from_json(text)
            first, second = (new if name == old else name for name in record.names)
            renamed = replace(record, names=(first, second)).to_json()
            connection.execute("UPDATE games SET record = ? WHERE id = ?", [renamed, game])
    connection.close()
