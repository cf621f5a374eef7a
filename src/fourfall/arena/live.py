"""Owns the games that are being played right now, for whoever wants to watch: small files beside the database.

They are no part of the store's promise: not synced, written at most a few times a second, and given up silently when
the disk refuses. A worker writes its own game, so watching costs the others nothing. What a killed run leaves behind is
not shown, because its event is claimed by nobody, and the next run sweeps it away.
"""

import json
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from fourfall._core import Board
from fourfall.arena.claim import holder
from fourfall.arena.game import ScheduledGame

INTERVAL_S = 0.25


@dataclass(frozen=True)
class LiveGame:
    """A game in progress: its number in the schedule, who plays, and the board as it was a moment ago."""

    number: int
    group: str
    names: tuple[str, str]
    board: str


def watcher(database: Path, event: int, game: ScheduledGame) -> Callable[[Board], None]:
    """Make a function that `play_game` calls after every move, to show the board while the game goes on."""
    names = (game.seats[0].name, game.seats[1].name)
    due = 0.0

    def watch(board: Board) -> None:
        nonlocal due
        now = time.monotonic()
        if now < due:
            return
        due = now + INTERVAL_S
        _write(_folder(database, event), LiveGame(game.number, game.group, names, board.notation))

    return watch


def forget(database: Path, event: int, number: int | None = None) -> None:
    """Remove a game that has ended, or all of an event."""
    folder = _folder(database, event)
    if number is None:
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            folder.parent.rmdir()
    else:
        with suppress(OSError):
            (folder / str(number)).unlink()


def live(database: Path, event: int) -> list[LiveGame]:
    """List the games in progress of an event that some process is running, in the order of the schedule."""
    folder = _folder(database, event)
    if not folder.is_dir() or holder(database, event) is None:
        return []
    games = []
    for file in folder.iterdir():
        with suppress(OSError, ValueError):  # ended while we looked
            if file.suffix == "":
                values = json.loads(file.read_text(encoding="utf-8"))
                games.append(LiveGame(values["number"], values["group"], tuple(values["names"]), values["board"]))
    return sorted(games, key=lambda game: game.number)


def _write(folder: Path, game: LiveGame) -> None:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / str(game.number)
        half = file.with_suffix(".half")
        half.write_text(json.dumps(asdict(game), ensure_ascii=False), encoding="utf-8")
        half.replace(file)


def _folder(database: Path, event: int) -> Path:
    return Path(f"{database.resolve()}-live") / str(event)
