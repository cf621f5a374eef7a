"""Formats the replies of the UGI engine. All functions are pure."""

from collections.abc import Iterator

from fourfall import Analysis, Board, __version__
from fourfall.agents.protocol.ugi_messages import format_score
from fourfall.render import COLUMN_NAMES
from fourfall.ugi.commands import Subject
from fourfall.ugi.options import Options, list_options

NO_MOVE = "(none)"
"""The best move if there is none, because the game is over or the engine failed."""


def list_identification(options: Options) -> list[str]:
    """Return the reply to `ugi`."""
    return [f"id name Fourfall {__version__}", "id author the Fourfall authors", *list_options(options), "ugiok"]


def format_error(message: str) -> str:
    r"""Return the line that reports an error. It is one line of printable characters.

    >>> format_error("a\nb")
    'info string error: a b'
    """
    return "info string error: " + "".join(letter if letter.isprintable() else " " for letter in message)


def answer_query(board: Board, subject: Subject) -> str:
    """Return the reply to a query.

    >>> answer_query(Board.parse("6x7:1212121"), "result"), answer_query(Board(6, 7), "gameover")
    ('response p1win', 'response false')
    """
    match subject:
        case "p1turn":
            return f"response {str(board.turn == 0).lower()}"
        case "gameover":
            return f"response {str(board.is_over).lower()}"
        case "result":
            outcome = board.outcome()
            if outcome is None:
                return "response none"
            return "response draw" if outcome.winner is None else f"response p{outcome.winner + 1}win"


def list_info(analysis: Analysis, options: Options) -> list[str]:
    """Return the info lines of a search: one for each of the best `options.multipv` moves, the best first."""
    time_ms = round(1000 * analysis.seconds)
    nps = round(analysis.simulations / analysis.seconds) if analysis.seconds > 0 else 0
    hashfull = min(1000, 1000 * analysis.memory_bytes // (options.memory_mb << 20))
    cost = f"nodes {analysis.simulations} nps {nps} hashfull {hashfull} time {time_ms}"
    return [
        f"info depth {analysis.depth} {rank}score {score} {cost} pv {' '.join(COLUMN_NAMES[column] for column in pv)}"
        for rank, score, pv in _list_variations(analysis, options.multipv)
    ]


def _list_variations(analysis: Analysis, multipv: int) -> Iterator[tuple[str, str, list[int]]]:
    """Yield rank, score and moves of the best moves; the rank is empty if only one is wanted."""
    best = (format_score(analysis.score), analysis.pv or [analysis.move])
    if multipv == 1:
        yield "", *best
        return
    yield "multipv 1 ", *best
    others = [column for column in analysis.columns if column.column != analysis.move and column.has_score]
    others.sort(key=lambda column: column.score, reverse=True)
    for rank, column in enumerate(others[: multipv - 1], 2):
        yield f"multipv {rank} ", format_score(column.score), column.pv or [column.column]


def format_details(analysis: Analysis) -> str:
    """Return the line that `debug on` adds to each search: why it ended and what it cost."""
    return (
        f"info string stopped by {analysis.stopped_by}; {analysis.evaluations} evaluations, "
        f"{analysis.nodes} stored positions, {analysis.reused_visits} reused visits, "
        f"{analysis.memory_bytes / 2**20:.1f} MiB"
    )


def format_best_move(move: int | None) -> str:
    """Return the line that ends a search.

    >>> format_best_move(9), format_best_move(None)
    ('bestmove a', 'bestmove (none)')
    """
    return f"bestmove {NO_MOVE if move is None else COLUMN_NAMES[move]}"
