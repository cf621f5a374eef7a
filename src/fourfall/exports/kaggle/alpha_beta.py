"""Alpha-beta search with iterative deepening: solves late positions, and plays where the network cannot.

The network knows only lines of four on boards of its training; this search knows any size and any length of line.
Scores are for the side to move: a win with the e-th stone of the game is `WIN - e`, a draw 0.
"""

import time

from fourfall.exports.kaggle.rules import Rules, split_cells

WIN = 1_000_000
"""Greater than any score; scores from `WIN` / 2 on are proven wins."""

_WINNING_CELL, _CENTER = 20, 1  # values of a free cell that completes a line, and of a stone near the center
_NODES_PER_CHECK = 128
_MAX_ENTRIES = 1_000_000  # about 350 bytes each


class OutOfTimeError(Exception):
    """The search reached its time limit."""


class AlphaBeta:
    """Searches positions of one board; results are kept in a table from move to move."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._table: dict[tuple[int, int], tuple[int, int, int]] = {}  # position: depth, least and greatest score
        self._until = 0.0
        self.nodes = 0

    def solve(self, own: int, opponent: int, moves: list[int], until: float) -> tuple[int, int] | None:
        """Return the result (1, 0, -1) and a move that achieves it; None if the time was too short.

        `moves` are safe moves of a position without an immediate win, the most promising first.
        """
        self._until = until
        free = self._rules.cells - (own | opponent).bit_count()
        wins = self._find_wins(opponent, own)
        try:
            for result, bound in ((1, 0), (0, -1)):
                for move in moves:
                    if self._play(own, opponent, wins, move, free, bound, bound + 1) > bound:
                        return result, move
        except OutOfTimeError:
            return None
        return -1, moves[0]

    def choose(self, own: int, opponent: int, moves: list[int], until: float) -> tuple[int, int]:
        """Return the score and the best of the safe moves, searched deeper and deeper until the time is over."""
        self._until = until
        free = self._rules.cells - (own | opponent).bit_count()
        wins = self._find_wins(opponent, own)
        best = (0, moves[0])
        order = sorted(moves, key=lambda move: (-(move & self._rules.center != 0), move))
        try:
            for depth in range(1, free + 1):
                alpha = -WIN
                for move in order:
                    score = self._play(own, opponent, wins, move, depth, alpha, WIN)
                    if score > alpha:
                        alpha, leader = score, move
                best = alpha, leader
                order = [leader, *(move for move in order if move != leader)]
                if abs(alpha) >= WIN // 2:
                    break
        except OutOfTimeError:
            pass
        return best

    def _check_limits(self) -> None:
        """Raise OutOfTimeError if the time is over; forget the results if the table is full."""
        if time.perf_counter() >= self._until:
            raise OutOfTimeError
        if len(self._table) > _MAX_ENTRIES:
            self._table.clear()

    def _find_wins(self, own: int, opponent: int) -> int:
        return self._rules.completing_cells(own) & self._rules.playable & ~(own | opponent)

    def _play(self, own: int, opponent: int, opposing_wins: int, move: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a safe move for the side that makes it."""
        moved = own | move
        wins = self._find_wins(moved, opponent)
        return -self._search(opponent, moved, opposing_wins & ~move, wins, depth - 1, -beta, -alpha)

    def _search(
        self, own: int, opponent: int, own_wins: int, opposing_wins: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of a position in which the side to move cannot win at once; exact between alpha and beta.

        `own_wins` and `opposing_wins` are the free cells that complete a line.
        """
        rules = self._rules
        self.nodes += 1
        if self.nodes % _NODES_PER_CHECK == 0:
            self._check_limits()
        occupied = own | opponent
        landing = rules.landing_cells(occupied)
        if not landing:
            return 0
        stones = occupied.bit_count()
        safe = rules.safe_moves(landing, opposing_wins)
        if not safe:
            return stones + 2 - WIN
        depth = min(depth + (landing & opposing_wins != 0), rules.cells - stones)  # a forced move is free
        if depth <= 0:
            return self._estimate(own, opponent, own_wins.bit_count() - opposing_wins.bit_count())
        greatest = WIN - stones - 3
        beta = min(beta, greatest)
        if alpha >= beta:
            return beta
        key = (own, opponent)
        known = self._table.get(key)
        if known is not None and known[0] >= depth:
            alpha, beta = max(alpha, known[1]), min(beta, known[2])
            if alpha >= beta:
                return alpha
        best, start = -WIN, alpha
        for _, move, wins in self._order(own, opponent, safe):
            score = -self._search(opponent, own | move, opposing_wins & ~move, wins, depth - 1, -beta, -alpha)
            best, alpha = max(best, score), max(alpha, score)
            if alpha >= beta:
                break
        self._table[key] = depth, (best if best > start else -WIN), (best if best < beta else WIN)
        return best

    def _order(self, own: int, opponent: int, moves: int) -> list[tuple[int, int, int]]:
        """Return the moves, those that make most winning cells first, each as (order, move, own winning cells)."""
        ordered = []
        for move in split_cells(moves):
            wins = self._find_wins(own | move, opponent)
            ordered.append((-2 * wins.bit_count() - (move & self._rules.center != 0), move, wins))
        ordered.sort()
        return ordered

    def _estimate(self, own: int, opponent: int, wins: int) -> int:
        """Return a score for a position at the end of the search; `wins` is the difference of the winning cells."""
        center = self._rules.center
        return _WINNING_CELL * wins + _CENTER * ((own & center).bit_count() - (opponent & center).bit_count())
