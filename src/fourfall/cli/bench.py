"""Owns ``fourfall bench``: one number that changes whenever the engines play differently."""

import time
import zlib

import typer

from fourfall import Analysis, Board, Engine, Limit, presets, solve

_POSITIONS = ("9x9@4,4", "12x12@3,3:66778", "10x11@9,0:6655448", "6x7:4444")
_NODES = 1000


def bench() -> None:
    """Print the fingerprint of all engines and the solver: the same number means the same moves and counts.

    A change that should not alter play must not alter it; one that does says the new number. Engines with a network are
    left out: how it rounds depends on the processor.

    Examples:

      fourfall bench
    """
    begin = time.perf_counter()
    typer.echo(f"Bench: {fingerprint()}")
    typer.echo(f"{time.perf_counter() - begin:.1f} s")


def fingerprint() -> int:
    """Boil the searches of every preset on a few positions, and one solved game, down to a number."""
    total = 0
    for name in presets.names():
        engine = Engine(name, seed=1, memory_mb=16)
        if engine.evaluator == "network":  # its last digits are the processor's
            continue
        for position in _POSITIONS:
            total = zlib.crc32(_summary(engine.analyse(Board.parse(position), Limit(simulations=_NODES))), total)
    solution = solve(Board(4, 5), columns=True)
    return zlib.crc32(f"{solution.positions} {solution.pv}".encode(), total)


def _summary(analysis: Analysis) -> bytes:
    counts = [(report.column, report.visits, str(report.score)) for report in analysis.columns]
    return f"{analysis.move} {counts} {analysis.pv}".encode()
