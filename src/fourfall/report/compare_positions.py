"""Finds the positions in which two versions of an agent differ most, by the evaluation of the built-in engine.

Two kinds of positions are compared. In both games of a pair the same board is played, so up to the first different
move both versions had the same position to move in. And where one version lost much win chance, the other one is asked
for its move in the same position after the match.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from typing import Literal, NamedTuple

from fourfall._core import Board
from fourfall.agents.base import Conditions
from fourfall.arena.move_review import MIN_TURNING_LOSS, MoveLoss
from fourfall.arena.record import GameRecord
from fourfall.render import COLUMN_NAMES
from fourfall.report.compare_statistics import MistakeCount, Pair, SideMistakes
from fourfall.report.turning_points import LossAnalyser, ReviewedMove, SearchStopped
from fourfall.system.cores import count_cores

REVIEW_SIMULATIONS = 100
"""Simulations per position in the review of the games."""
POSITION_SIMULATIONS = 2000
"""Simulations for each move in the positions that are shown."""
_MIN_CHANCE = 0.15  # win chance from which on a move counts in the share of mistakes
_MIN_DIFFERENCE = 0.05  # of win chance; smaller differences are within the error of the evaluation
_MIN_ASKED, _ASKED_PER_POSITION = 12, 3  # positions in which the other version is asked

AskMove = Callable[[str, Board, Conditions], int | None]
"""Requests a move from an agent, given by its address; None if it fails or the move is illegal."""


class PairReview(NamedTuple):
    """The moves of both games of a pair, from the last to the first, and the number of mistakes."""

    pair: Pair
    new_first: list[ReviewedMove]
    old_first: list[ReviewedMove]
    mistakes: SideMistakes


@dataclass(frozen=True)
class Difference:
    """A position in which the versions choose different moves; win chances are of the side to move.

    `source` is "match" if both moves were played, otherwise "asked": the game's move was played by the other version.
    `number` is the schedule number of a game with this position.
    """

    board: str
    new_move: str
    old_move: str
    new_chance: float
    old_chance: float
    source: Literal["match", "asked"]
    number: int

    @property
    def gain(self) -> float:
        """Win chance by which NEW's move is better."""
        return self.new_chance - self.old_chance


def review_pairs(
    pairs: Sequence[Pair],
    *,
    max_time_s: float,
    on_progress: Callable[[int, int], None] | None = None,
    simulations: int = REVIEW_SIMULATIONS,
) -> list[PairReview]:
    """Review pairs in threads, in the order of the schedule, as many as the time allows."""
    if not pairs or max_time_s <= 0:
        return []
    deadline = time.monotonic() + max_time_s
    threads = min(count_cores(), len(pairs))
    analysers = [LossAnalyser(simulations=simulations) for _ in range(threads)]
    free = list(analysers)  # append and pop are atomic

    def review(pair: Pair) -> PairReview | None:
        if time.monotonic() >= deadline:
            return None
        analyser = free.pop()
        try:
            return _review_pair(pair, analyser)
        except SearchStopped:
            return None
        finally:
            free.append(analyser)

    pool = ThreadPoolExecutor(threads)
    try:
        futures = [pool.submit(review, pair) for pair in pairs]
        for done, _ in enumerate(as_completed(futures), 1):
            if on_progress is not None:
                on_progress(done, len(pairs))
        return [found for future in futures if (found := future.result()) is not None]
    finally:
        for analyser in analysers:
            analyser.stop()
        pool.shutdown(cancel_futures=True)


def _review_pair(pair: Pair, analyser: LossAnalyser) -> PairReview:
    new_first, old_first = (list(analyser.review(game)) for game in pair)
    new_as_first, old_as_second = _count_mistakes(pair.new_first, new_first, analyser)
    old_as_first, new_as_second = _count_mistakes(pair.old_first, old_first, analyser)
    mistakes = SideMistakes(new_as_first, old_as_first, new_as_second, old_as_second)
    return PairReview(pair, new_first, old_first, mistakes)


def _count_mistakes(
    game: GameRecord, moves: Iterable[ReviewedMove], analyser: LossAnalyser
) -> tuple[MistakeCount, MistakeCount]:
    """Count the mistakes of each player; a failure counts as a move that loses the whole win chance."""
    losses = [(move.board.turn, move.measure_loss()) for move in moves]
    if game.culprit is not None:
        board = game.final_board
        chance = analyser.evaluate(board).win_chance
        chance = chance if board.turn == game.culprit else 1 - chance
        losses.append((game.culprit, MoveLoss(board.ply, chance, chance)))
    first, second = (
        [loss.loss >= MIN_TURNING_LOSS for player, loss in losses if player == side and loss.win_chance >= _MIN_CHANCE]
        for side in (0, 1)
    )
    return MistakeCount(sum(first), len(first)), MistakeCount(sum(second), len(second))


def find_differences(
    reviews: Sequence[PairReview],
    *,
    count: int,
    addresses: tuple[str, str],
    conditions: Conditions,
    ask_move: AskMove,
    max_time_s: float = math.inf,
    simulations: int = POSITION_SIMULATIONS,
) -> list[Difference]:
    """Return the positions in which the versions differ most, the largest difference first.

    Args:
        reviews: the reviewed pairs of the match.
        count: maximum number of positions.
        addresses: addresses of NEW and OLD, for positions in which one of them has not moved yet.
        conditions: conditions of the match.
        ask_move: requests a move from an agent.
        max_time_s: time after which no agent is asked any more, in seconds.
        simulations: simulations for each of the two moves.
    """
    analyser = LossAnalyser(simulations=simulations)
    played = sorted(filter(None, map(_find_divergence, reviews)), key=lambda found: -abs(found.gain))
    asked_count = max(_MIN_ASKED, _ASKED_PER_POSITION * count)
    deadline = time.monotonic() + max_time_s
    asked = takewhile(
        lambda _: time.monotonic() < deadline,
        _ask_after_mistakes(reviews, asked_count, addresses, conditions, ask_move),
    )
    checked: dict[str, Difference] = {}
    for difference in [*played[: 2 * count], *asked]:
        if difference.board not in checked:
            checked[difference.board] = _evaluate(difference, analyser)
    found = [difference for difference in checked.values() if abs(difference.gain) >= _MIN_DIFFERENCE]
    return sorted(found, key=lambda difference: -abs(difference.gain))[:count]


def _find_divergence(review: PairReview) -> Difference | None:
    """Return the first position of a pair in which the versions chose different moves."""
    for new_first, old_first in zip_longest(reversed(review.new_first), reversed(review.old_first)):
        if new_first is None or old_first is None or new_first.column != old_first.column:
            break
    else:
        return None
    if new_first is None or old_first is None:  # one game ended by a failure
        return None
    is_new = new_first.board.turn == 0
    new, old = (new_first, old_first) if is_new else (old_first, new_first)
    game = review.pair.new_first if is_new else review.pair.old_first
    return Difference(
        board=new.board.notation,
        new_move=COLUMN_NAMES[new.column],
        old_move=COLUMN_NAMES[old.column],
        new_chance=new.played.win_chance,
        old_chance=old.played.win_chance,
        source="match",
        number=game.number,
    )


def _ask_after_mistakes(
    reviews: Sequence[PairReview],
    count: int,
    addresses: tuple[str, str],
    conditions: Conditions,
    ask_move: AskMove,
) -> Iterator[Difference]:
    """Yield the positions of the largest mistakes in which the other version plays another move."""
    mistakes = sorted(_list_mistakes(reviews), key=lambda mistake: -mistake[0].measure_loss().loss)
    for move, game, is_new in mistakes[:count]:
        seed = replace(conditions, seed=game.seed)
        column = ask_move(addresses[1 if is_new else 0], move.board.copy(), seed)
        if column is None or column == move.column:
            continue
        names = COLUMN_NAMES[move.column], COLUMN_NAMES[column]
        new_move, old_move = names if is_new else names[::-1]
        yield Difference(move.board.notation, new_move, old_move, 0.5, 0.5, "asked", game.number)


def _list_mistakes(reviews: Iterable[PairReview]) -> Iterator[tuple[ReviewedMove, GameRecord, bool]]:
    """Yield the largest mistake of each player in each game, with its game and whether NEW made it."""
    for review in reviews:
        games = ((review.pair.new_first, review.new_first, 0), (review.pair.old_first, review.old_first, 1))
        for game, moves, new_side in games:
            for side in (0, 1):
                own = (move for move in moves if move.board.turn == side)
                worst = max(own, key=lambda move: move.measure_loss().loss, default=None)
                if worst is not None and worst.measure_loss().loss >= _MIN_DIFFERENCE:
                    yield worst, game, side == new_side


def _evaluate(difference: Difference, analyser: LossAnalyser) -> Difference:
    """Search the positions after both moves."""
    chances = []
    for name in (difference.new_move, difference.old_move):
        board = Board.parse(difference.board)
        board.push(COLUMN_NAMES.index(name))
        chances.append(round(1 - analyser.evaluate(board).win_chance, 4))
    return replace(difference, new_chance=chances[0], old_chance=chances[1])
