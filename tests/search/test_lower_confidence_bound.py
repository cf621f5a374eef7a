"""Tests of the choice of the move in a graph search: most visits, or greatest lower confidence bound of the value."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfall import Analysis, Board, ColumnAnalysis, Engine, Limit
from fourfall.arena.openings import play_random_opening

VISITS_DIVISOR = 5
"""A move needs at least the most visits divided by this."""


def search_positions(preset: Path, factor: float) -> Iterator[Analysis]:
    """Search random positions, each with an empty graph; leave out those in which a move is proven."""
    preset = preset.with_name(f"factor_{factor}.toml")
    preset.write_text(f'base = "./network.toml"\n[root]\nlower_confidence_bound = {factor}\n')
    engine = Engine(preset, seed=1, memory_mb=16)
    for seed in range(60):
        board = play_random_opening(Board.random(seed), seed % 12, seed)
        engine.clear()
        analysis = engine.search(board, Limit(simulations=60))
        if not any(column.score.is_exact for column in analysis.columns):
            yield analysis


def compute_bound(column: ColumnAnalysis, factor: float) -> float:
    """Compute the lower confidence bound of a column."""
    return float(column.score.value - factor / column.visits**0.5)


def find_most_visits(analysis: Analysis) -> int:
    """Return the visits of the most visited column."""
    return max(column.visits for column in analysis.columns)


@pytest.mark.parametrize("factor", [0.3, 1])
def test_move_has_the_greatest_lower_bound(network_preset: Path, factor: float) -> None:
    """Of the moves with a fifth of the most visits it has the greatest bound, and it is not always the most visited."""
    differences = count = 0
    for analysis in search_positions(network_preset, factor):
        (chosen,) = (column for column in analysis.columns if column.column == analysis.move)
        most = find_most_visits(analysis)
        candidates = [column for column in analysis.columns if column.visits >= max(1, most // VISITS_DIVISOR)]
        assert chosen in candidates
        greatest = max(compute_bound(column, factor) for column in candidates)
        assert compute_bound(chosen, factor) == pytest.approx(greatest, abs=1e-6)
        differences += chosen.visits < most
        count += 1
    assert count >= 30
    assert differences > 0


def test_without_a_bound_the_most_visited_move_is_played(network_preset: Path) -> None:
    """A factor of 0 ranks moves by visits."""
    analyses = list(search_positions(network_preset, 0))
    assert len(analyses) >= 30
    for analysis in analyses:
        (chosen,) = (column for column in analysis.columns if column.column == analysis.move)
        assert chosen.visits == find_most_visits(analysis)
