"""Analyses many lost games in threads, within a total time; results are cached."""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from fourfall.arena.record import GameRecord
from fourfall.report.analysis_cache import AnalysisCache
from fourfall.report.turning_points import (
    ENGINE,
    SIMULATIONS,
    LossAnalyser,
    LossAnalysis,
    SearchStopped,
    classify_without_search,
)
from fourfall.system.cores import count_cores

_POLL_S = 0.1


def analyse_losses(
    games: Sequence[GameRecord],
    *,
    max_time_s: float | None = None,
    engine: str = ENGINE,
    simulations: int = SIMULATIONS,
    threads: int | None = None,
    cache: Path | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    stopping: threading.Event | None = None,
) -> list[LossAnalysis]:
    """Return the analysis of each game, in the order of `games`.

    Games are searched in this order, so the most interesting ones should be first. The result does not depend on the
    number of threads, except for games that the time did not suffice for: their state is "open".

    Args:
        games: the games; those that were not lost on the board need no search.
        max_time_s: total time in seconds; without it all games are analysed.
        engine: preset that evaluates the positions.
        simulations: number of simulations per position.
        threads: number of games searched at once; without it, the number of cores of this process.
        cache: file of the cache, see `analysis_cache`; without it nothing is stored.
        on_progress: called in the calling thread with the numbers of analysed games and of all games.
        stopping: ends the analysis when it is set; what was found so far is returned.

    >>> from fourfall.arena.record import EXAMPLE
    >>> [analysis.state for analysis in analyse_losses([EXAMPLE], simulations=20)]
    ['found']
    """
    first = LossAnalyser(engine, simulations=simulations)
    known = AnalysisCache(cache, f"{engine} {first.evaluator} {simulations}")
    analyses: list[LossAnalysis | None] = [classify_without_search(game) or known.find(game) for game in games]
    missing = [number for number, analysis in enumerate(analyses) if analysis is None]
    done = len(games) - len(missing)
    report = on_progress or (lambda _done, _total: None)
    report(done, len(games))
    count = min(threads or count_cores(), len(missing))
    analysers = [first, *(LossAnalyser(engine, simulations=simulations) for _ in range(count - 1))]
    with _ThreadPool(analysers[:count]) as pool:
        pending = {pool.submit(games[number]): number for number in missing}
        deadline = None if max_time_s is None else time.monotonic() + max_time_s
        while pending:
            finished, _ = wait(pending, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            for future in finished:
                number = pending.pop(future)
                analysis = analyses[number] = future.result()
                known.add(games[number], analysis)
                done += 1
            if finished:
                report(done, len(games))
            is_late = deadline is not None and time.monotonic() >= deadline
            if is_late or (stopping is not None and stopping.is_set()):
                break
    return [analysis or LossAnalysis("open") for analysis in analyses]


class _ThreadPool:
    """Threads that analyse games, each with one of the analysers; leaving the context stops running searches."""

    def __init__(self, analysers: list[LossAnalyser]) -> None:
        self._analysers = analysers
        self._free: queue.SimpleQueue[LossAnalyser] = queue.SimpleQueue()
        for analyser in analysers:
            self._free.put(analyser)
        self._pool = ThreadPoolExecutor(max(1, len(analysers)))

    def __enter__(self) -> "_ThreadPool":
        return self

    def __exit__(self, *_: object) -> None:
        for analyser in self._analysers:
            analyser.stop()
        self._pool.shutdown(cancel_futures=True)

    def submit(self, game: GameRecord) -> Future[LossAnalysis]:
        """Analyse a game as soon as a thread is free."""
        return self._pool.submit(self._analyse, game)

    def _analyse(self, game: GameRecord) -> LossAnalysis:
        analyser = self._free.get()
        try:
            return analyser.analyse(game)
        except SearchStopped:
            return LossAnalysis("open")
        finally:
            self._free.put(analyser)
