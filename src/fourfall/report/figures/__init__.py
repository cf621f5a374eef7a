"""Figures of the report as SVG, drawn with classes whose colours the page or the file's own style defines."""

from fourfall.report.figures.drawing import Figure
from fourfall.report.figures.heat_maps import draw_holes, draw_sizes
from fourfall.report.figures.lengths import draw_lengths
from fourfall.report.figures.sides import draw_sides
from fourfall.report.figures.standings import draw_standings
from fourfall.report.figures.times import draw_times
from fourfall.report.model import Report
from fourfall.report.words import Words

__all__ = ["Figure", "draw_figures", "draw_holes", "draw_lengths", "draw_sides", "draw_sizes", "draw_standings"]


def draw_figures(report: Report, words: Words) -> list[Figure]:
    """Draw all figures of a report, in the order in which the report shows them."""
    return [
        *draw_standings(report, words),
        *draw_sides(report, words),
        *draw_sizes(report, words),
        *draw_holes(report, words),
        *draw_lengths(report, words),
        *draw_times(report, words),
    ]
