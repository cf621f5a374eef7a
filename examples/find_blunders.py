"""Finds the blunders in recorded games: moves that lose much win chance, with the best move in their place.

The record is a JSON Lines file (fourfall export games) or a database of the arena. Run it with:

    python examples/find_blunders.py
    python examples/find_blunders.py arena.db --event 3 --player my_bot --min-loss 0.2

The win chance of a player is that of the engine's search, from 0 to 100 %; a proven win is 100 %.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from fourfall import PresetError
from fourfall.arena.jsonl import read_games
from fourfall.arena.record import GameRecord, RecordError
from fourfall.arena.store import Store, StoreError, StoreFailure
from fourfall.render import COLUMN_NAMES
from fourfall.report.turning_points import LossAnalyser, ReviewedMove

GAMES = Path(__file__).with_name("games.jsonl")
SQLITE = b"SQLite format 3\0"


def read_records(file: Path, event: int | None) -> Iterator[tuple[str, GameRecord]]:
    """Yield the games of a file with the text that names each."""
    with file.open("rb") as opened:
        is_database = opened.read(len(SQLITE)) == SQLITE
    if not is_database:
        for record in read_games(file):
            yield f"game {record.number}", record
        return
    with Store(file, read_only=True) as store:
        for game in store.find_games(store.get_event(event).id):
            yield f"game {game.id}", game.record


def find_blunders(analyser: LossAnalyser, record: GameRecord, min_loss: float) -> list[ReviewedMove]:
    """Return the moves of a game that lost at least this win chance, in the order in which they were played."""
    return [move for move in analyser.review(record) if move.measure_loss().loss >= min_loss][::-1]


def describe_blunder(move: ReviewedMove) -> str:
    """Return the move, the best move in its place, and both win chances."""
    played, best = COLUMN_NAMES[move.column], COLUMN_NAMES[move.best.move]
    before, after = 100 * move.best.score.win_chance, 100 * move.played.win_chance
    return f"move {move.board.ply + 1}: column {played} instead of {best}, win chance {before:.0f} % to {after:.0f} %"


def main() -> None:
    """Run the example."""
    parser = argparse.ArgumentParser(description="Find the blunders in recorded games.")
    parser.add_argument("file", type=Path, nargs="?", default=GAMES, help="JSON Lines file or database")
    parser.add_argument("--event", type=int, help="event of the database (default: the latest)")
    parser.add_argument("--player", help="name of an agent: only its games and moves (default: all)")
    parser.add_argument("--min-loss", type=float, default=0.3, help="win chance that a blunder loses (default: 0.3)")
    parser.add_argument("--engine", default="fourfall", help="engine that evaluates (default: fourfall)")
    parser.add_argument("--simulations", type=int, default=400, help="simulations for each position (default: 400)")
    arguments = parser.parse_args()
    if not 0 < arguments.min_loss <= 1:
        parser.error("--min-loss must be above 0 and at most 1")
    if arguments.simulations < 1:
        parser.error("--simulations must be at least 1")
    count = games = 0
    try:
        analyser = LossAnalyser(arguments.engine, simulations=arguments.simulations)
        for title, record in read_records(arguments.file, arguments.event):
            if arguments.player not in (None, *record.names):
                continue
            games += 1
            print(f"{title}: {record.names[0]} against {record.names[1]} on {record.board}")
            for move in find_blunders(analyser, record, arguments.min_loss):
                player = record.names[move.board.turn]
                if arguments.player in (None, player):
                    count += 1
                    print(f"  {player}, {describe_blunder(move)}")
                    print(f"    fourfall analyse {move.board.notation}")
    except (PresetError, RecordError, StoreError, StoreFailure) as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{arguments.file}: {error.strerror}")
    if games == 0:
        parser.error(f"{arguments.file} has no games" + (f" of {arguments.player}" if arguments.player else ""))
    print(f"{count} blunders in {games} games")


if __name__ == "__main__":
    main()
