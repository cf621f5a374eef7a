"""Plots with Matplotlib: evaluation graphs, ratings and rating curves. Needs the extra `plots`.

Every function draws into `ax`, or into new axes, and returns the axes.
"""

from fourfall.plots.evaluation import plot_evaluation
from fourfall.plots.ratings import plot_rating_history, plot_ratings

__all__ = ["plot_evaluation", "plot_rating_history", "plot_ratings"]
