"""The command ``fourfall bench``: prints a fingerprint that changes when any engine plays differently."""

import time
import zlib

import typer

from fourfall import Analysis, Board, Engine, Limit, Score, presets, solve

_POSITIONS = ("9x9@4,4", "12x12@3,3:66778", "10x11@9,0:6655448", "6x7:4444")
_SIMULATIONS = 1000


def bench() -> None:
    """Print the fingerprint of all engines and the solver: equal numbers mean equal moves and visit counts.

    A refactoring must not change the number; a commit that changes it states the new one. Engines with a network are
    not included, because rounding in the network depends on the processor.

    Examples:

      fourfall bench
    """
    begin = time.perf_counter()
    typer.echo(f"Bench: {compute_fingerprint()}")
    typer.echo(f"{time.perf_counter() - begin:.1f} s")


def compute_fingerprint() -> int:
    """Return a checksum over the searches of every preset on a few positions and over one solved position."""
    total = 0
    for name in presets.list_names():
        engine = Engine(name, seed=1, memory_mb=16)
        if engine.evaluator == "network":  # rounding depends on the processor
            continue
        for position in _POSITIONS:
            total = zlib.crc32(
                _summarise_analysis(engine.search(Board.parse(position), Limit(simulations=_SIMULATIONS))), total
            )
    solution = solve(Board(4, 5), columns=True)
    return zlib.crc32(f"{solution.positions} {solution.pv}".encode(), total)


def _summarise_analysis(analysis: Analysis) -> bytes:
    counts = [(report.column, report.visits, _format_score(report.score)) for report in analysis.columns]
    return f"{analysis.move} {counts} {analysis.pv}".encode()


def _format_score(score: Score) -> str:
    """Write a score with its distance in plies; the fingerprint must not depend on how people read scores."""
    if score.proof is None:
        return f"{100 * score.win_chance:.1f} %"
    return f"{'loses' if score.is_loss else score.proof + 's'} in {score.distance}"
