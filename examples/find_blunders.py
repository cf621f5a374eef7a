"""Finds the blunders in recorded games: moves that lose much win chance, with the best move in their place.

The record is a JSON Lines file (fourfall export games) or a database of the arena. Run it with:

    python examples/find_blunders.py
    python examples/find_blunders.py arena.db --event 3 --player my_bot --min-loss 0.2

The win chance of a player is that of the engine's search, from 0 to 100 %; a proven win is 100 %.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from fourfall import Engine, Game, Limit, MoveReview, PresetError, review_game
from fourfall.arena.record import RecordError
from fourfall.arena.store import Store, StoreError, StoreFailure
from fourfall.arena.tables import replace_control_characters
from fourfall.render import COLUMN_NAMES

GAMES = Path(__file__).with_name("games.jsonl")
SQLITE = b"SQLite format 3\0"


def read_records(file: Path, event: int | None) -> Iterator[tuple[str, Game]]:
    """Yield the games of a file with the text that names each."""
    with file.open("rb") as opened:
        is_database = opened.read(len(SQLITE)) == SQLITE
    if not is_database:
        for line, game in enumerate(Game.read_jsonl(file), 1):
            yield f"game {line} of the file", game
        return
    with Store(file, read_only=True) as store:
        for stored in store.find_games(store.get_event(event).id):
            yield f"game {stored.id}", Game.from_record(stored.record)


def describe_blunder(game: Game, move: MoveReview) -> str:
    """Return the move, the best move in its place, both win chances, and a command that analyses the position."""
    before, after = 100 * move.score_before.win_chance, 100 * move.score_after.win_chance
    player = replace_control_characters(game.names[move.player])
    played, best = COLUMN_NAMES[move.column], COLUMN_NAMES[move.best]
    return (
        f"  {player}, move {move.ply + 1}: column {played} instead of {best}, "
        f"win chance {before:.0f} % to {after:.0f} %\n    fourfall analyse {game.get_board(move.ply).notation}"
    )


def print_blunders(arguments: argparse.Namespace) -> None:
    """Review the games one after the other and print their blunders."""
    engine = Engine(arguments.engine, seed=0, threads=1)  # the same games give the same blunders
    count = games = 0
    for title, game in read_records(arguments.file, arguments.event):
        if arguments.player not in (None, *game.names):
            continue
        games += 1
        print(f"{title}, {game.describe()}")
        for move in review_game(game, engine, Limit(simulations=arguments.simulations)).moves:
            if move.loss >= arguments.min_loss and arguments.player in (None, game.names[move.player]):
                count += 1
                print(describe_blunder(game, move), flush=True)
    if games == 0:
        raise RecordError(f"{arguments.file} has no games" + (f" of {arguments.player}" if arguments.player else ""))
    print(f"{count} blunders in {games} games")


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
    try:
        print_blunders(arguments)
    except (PresetError, RecordError, StoreError, StoreFailure) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        raise SystemExit("Stopped.") from None
    except BrokenPipeError:  # the reader of the output has closed it
        raise SystemExit(1) from None
    except OSError as error:
        parser.error(f"{arguments.file}: {error.strerror}")


if __name__ == "__main__":
    main()
