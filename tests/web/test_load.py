"""Owns the short form of the soak: a hundred games and twenty analyses on whatever this machine has."""

import asyncio
from pathlib import Path

from benchmarks.soak import Figures, served, soak

SECONDS, ATTEMPTS = 8.0, 3


def test_every_move_is_answered_in_its_time_under_load(tmp_path: Path) -> None:
    """A hundred players and twenty analyses: no answer later than its time and half a second, no errors.

    The machine may be busy with other things for a moment: one of three attempts has to be clean.
    """
    tried: list[Figures] = []
    for attempt in range(ATTEMPTS):
        with served(tmp_path / f"{attempt}.db") as (address, pid):
            figures = asyncio.run(soak(address, pid, SECONDS, games=100, analysing=20, pause_s=5.0))
        assert not figures.errors
        assert len(figures.answers) > 100
        assert figures.analyses > 20
        assert figures.queued > 20
        if not figures.late:
            return
        tried.append(figures)
    raise AssertionError("; ".join(map(str, tried)))
