"""Analyses and reviews that are redrawn while they run, in Jupyter and in a terminal.

Boards, analyses, solutions, games and reviews draw themselves in Jupyter without this module.
"""

from fourfall.notebook.live import analyse_live, review_live

__all__ = ["analyse_live", "review_live"]
