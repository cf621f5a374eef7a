"""Stores arena games for the browser tests in the database of a running server."""

from dataclasses import replace

from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.store import Store
from tests.web.browser.server import Server

NAMES = ("alpha", "beta")
OWN_VALUE = 0.05
"""Win chance that both players report before each move, whatever the position."""

SHORT = ("6x7", "17171747")
"""Both sides have three stones in a column. alpha plays column 4 instead of winning in column 1, and beta wins."""
LONG = ("9x10@5,4", "64464478886686348668484461111733773991575")
"""alpha wins with the 41st stone."""


def create_record(game: tuple[str, str], winner: int, number: int) -> GameRecord:
    """Create the record of a game that ended with four in a row."""
    board, moves = game
    return replace(
        EXAMPLE,
        number=number,
        pair=number,
        names=NAMES,
        addresses=("fourfall", "fourfall"),
        board=board,
        moves=moves,
        times_ms=(1.0,) * len(moves),
        scores=(OWN_VALUE,) * len(moves),
        ending=Ending.WIN,
        winner=winner,
        culprit=None,
    )


def create_timeout(number: int) -> GameRecord:
    """Create the record of a game that beta lost by exceeding its time before the fourth stone."""
    game = create_record(("6x7", "444"), 0, number)
    return replace(game, times_ms=(1.0,) * 4, ending=Ending.TIMEOUT, culprit=1)


def store_games(server: Server) -> dict[str, str]:
    """Store one game of each kind as an imported event; return their ids by kind, and the number of the `event`.

    Only the game `reviewed` may be reviewed by tests, because the server stores reviews.
    """
    records = {
        "short": create_record(SHORT, 1, 0),
        "long": create_record(LONG, 0, 1),
        "timeout": create_timeout(2),
        "reviewed": create_record(SHORT, 1, 3),
    }
    with Store(server.database) as store:
        store.import_games("test games", records.values())
        event = store.get_event().id
        games = store.read_new_games(event, [])
    ids = {kind: f"a{game.id}" for kind, game in zip(records, games, strict=True)}
    return {**ids, "event": str(event)}
