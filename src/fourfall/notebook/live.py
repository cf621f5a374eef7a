"""Analyses and reviews that are redrawn while they run."""

import threading
from pathlib import Path

from fourfall import Analysis, Board, Engine, Game, Limit, Preset, Review, StopToken, presets, review_game
from fourfall.games.review import DEFAULT_LIMIT, make_engine, make_game
from fourfall.notebook.live_output import open_live_output
from fourfall.watched_thread import run_watched

ANALYSIS_LIMIT = Limit(time=3.0)
INTERVAL_S = 0.2
"""Time from one drawing to the next in seconds."""


def analyse_live(
    board: Board | str,
    engine: Engine | Preset | str | Path = presets.DEFAULT,
    limit: Limit = ANALYSIS_LIMIT,
    *,
    interval_s: float = INTERVAL_S,
) -> Analysis:
    """Analyse a position as `Engine.analyse` does, and redraw the analysis while it runs.

    In Jupyter the output of the cell is updated; in a terminal the text is. If standard output is neither, nothing is
    drawn. The interrupt of the kernel, or Ctrl-C, ends the search, and the result so far is returned. The drawing
    stays, so assign the result to a name; otherwise Jupyter draws it a second time.

    Args:
        board: the position, as a board or in text.
        engine: an engine or a preset.
        limit: limit of the search.
        interval_s: time from one drawing to the next in seconds.

    >>> analysis = analyse_live("6x7:112233", "seed-002", Limit(simulations=500))
    >>> analysis.move
    3
    """
    if not isinstance(board, Board | str):
        raise TypeError(f"board must be a Board or a position in text such as '6x7:44', not {board!r}")
    position = Board.parse(board) if isinstance(board, str) else board.copy()
    player = make_engine(engine)
    stop_token = StopToken()
    with open_live_output() as output:
        output.show(position)

        def show() -> None:
            snapshot = player.snapshot()
            # Before the first result of this search there is only that of an earlier one, which has stopped.
            if snapshot is not None and not snapshot.stopped_by and snapshot.board == position:
                output.show(snapshot)

        analysis = run_watched(
            lambda: player.analyse(position, limit, stop_token=stop_token), stop_token.stop, show, interval_s
        )
        output.show(analysis)
    return analysis


def review_live(
    game: Game | Board | str,
    engine: Engine | Preset | str | Path = presets.DEFAULT,
    limit: Limit = DEFAULT_LIMIT,
    *,
    interval_s: float = INTERVAL_S,
) -> Review:
    """Review a game as `review_game` does, and redraw the review while it runs, as `analyse_live` does.

    The interrupt of the kernel, or Ctrl-C, ends the review; the moves that were reviewed until then are returned.

    >>> review_live("6x7:4433", "seed-002", Limit(simulations=20)).is_complete
    True
    """
    reviewed = make_game(game)
    player = make_engine(engine)
    stopping = threading.Event()
    results: list[Review] = []
    shown = 0

    def add_result(review: Review) -> bool:
        # A search that was stopped early says too little about its position.
        if not stopping.is_set() or not results:
            results.append(review)
        return not stopping.is_set()

    def stop() -> None:
        stopping.set()
        player.stop()

    with open_live_output() as output:
        output.show(reviewed.board)

        def show() -> None:
            nonlocal shown
            if len(results) > shown:
                shown = len(results)
                output.show(results[-1])

        run_watched(lambda: review_game(reviewed, player, limit, on_progress=add_result), stop, show, interval_s)
        output.show(results[-1])
    return results[-1]
