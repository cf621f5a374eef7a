"""Chooses the moves of a game within the time limit: tactics, graph search with the network, alpha-beta search."""

import time

from fourfall.exports.kaggle.alpha_beta import AlphaBeta
from fourfall.exports.kaggle.graph_search import GraphSearch, rank_moves
from fourfall.exports.kaggle.network import Network, Weights
from fourfall.exports.kaggle.rules import Rules, split_cells

SIDES = range(4, 13)
"""Numbers of rows and columns for which the network was trained."""

_SOLVER_CELLS = 30  # free cells from which the solver is tried
_SOLVER_SHARE = 0.6  # of the time of a move


class Player:
    """Plays on one board, by alpha-beta search alone where there are no weights or the network does not apply."""

    def __init__(self, rules: Rules, weights: Weights | None) -> None:
        self.rules = rules
        self.alpha_beta = AlphaBeta(rules)
        self.graph: GraphSearch | None = None
        if weights is not None and rules.inarow == 4 and rules.rows in SIDES and rules.columns in SIDES:
            self.graph = GraphSearch(rules, Network(weights, rules))

    def choose(self, own: int, opponent: int, until: float, simulations: int | None = None) -> int:
        """Return the column to play; the search ends at a time of `time.perf_counter()` or after the simulations.

        `own` are the stones of the side to move. The board must not be full.
        """
        rules = self.rules
        occupied = own | opponent
        free, landing = rules.playable & ~occupied, rules.landing_cells(occupied)
        wins = rules.completing_cells(own) & landing
        opposing_wins = rules.completing_cells(opponent) & free
        safe = rules.safe_moves(landing, opposing_wins)
        if wins or not safe:
            return rules.column(split_cells(wins or landing & opposing_wins or landing)[0])
        moves = split_cells(safe)
        if len(moves) == 1:
            return rules.column(moves[0])
        if self.graph is None:
            return rules.column(self.alpha_beta.choose(own, opponent, moves, until)[1])
        return rules.column(self._search(self.graph, own, opponent, until, simulations))

    def _search(self, graph: GraphSearch, own: int, opponent: int, until: float, simulations: int | None) -> int:
        """Return the best of several safe moves: the graph search orders them, and the solver tries to decide."""
        begin = time.perf_counter()
        is_late = self.rules.cells - (own | opponent).bit_count() <= _SOLVER_CELLS
        graph_until = until - (_SOLVER_SHARE * (until - begin) if is_late else 0)
        root = graph.search(own, opponent, graph_until, simulations)
        ranked = rank_moves(root)
        if not is_late or (root.result is not None and root.result >= 0):
            return ranked[0]
        solved = self.alpha_beta.solve(own, opponent, ranked, until)
        return ranked[0] if solved is None or solved[0] < 0 else solved[1]
