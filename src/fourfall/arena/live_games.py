"""Publishes the positions of games in progress as small files beside the database.

The files are only for viewers: they are not synced, a game writes at most four times a second, and a failed write is
ignored. Each worker writes its own game. Files of a killed run are not listed, because no process claims their event;
the next run of the event removes them.
"""

import json
import shutil
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from fourfall._core import Board
from fourfall.arena.event_claims import find_claim_holder
from fourfall.arena.game import ScheduledGame

INTERVAL_S = 0.25


@dataclass(frozen=True)
class LiveGame:
    """A game in progress: its number in the schedule, its players and the position at the last write."""

    number: int
    group: str
    names: tuple[str, str]
    position: str


def make_live_game_writer(database: Path, event: int, game: ScheduledGame) -> Callable[[Board], None]:
    """Return a function that writes the position of a game; `play_game` calls it after every move."""
    names = (game.seats[0].name, game.seats[1].name)
    due = 0.0

    def write(board: Board) -> None:
        nonlocal due
        now = time.monotonic()
        if now < due:
            return
        due = now + INTERVAL_S
        _write(_get_folder(database, event), LiveGame(game.number, game.group, names, board.notation))

    return write


def remove_live_games(database: Path, event: int, number: int | None = None) -> None:
    """Remove the file of one game, or of all games of an event."""
    folder = _get_folder(database, event)
    if number is None:
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            folder.parent.rmdir()
    else:
        with suppress(OSError):
            (folder / str(number)).unlink()


def list_live_games(database: Path, event: int, finished: Collection[int] = ()) -> list[LiveGame]:
    """List the games in progress in schedule order; the list is empty if no process runs the event.

    Games with a number in `finished` are left out: the file of a game exists until shortly after its end.
    """
    folder = _get_folder(database, event)
    if not folder.is_dir() or find_claim_holder(database, event) is None:
        return []
    games = []
    for file in folder.iterdir():
        with suppress(OSError, ValueError):  # the game ended after the folder was listed
            if file.suffix == "":
                values = json.loads(file.read_text(encoding="utf-8"))
                games.append(LiveGame(values["number"], values["group"], tuple(values["names"]), values["position"]))
    return sorted((game for game in games if game.number not in finished), key=lambda game: game.number)


def _write(folder: Path, game: LiveGame) -> None:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / str(game.number)
        partial = file.with_suffix(".partial")
        partial.write_text(json.dumps(asdict(game), ensure_ascii=False), encoding="utf-8")
        partial.replace(file)


def _get_folder(database: Path, event: int) -> Path:
    return Path(f"{database.resolve()}-live") / str(event)
