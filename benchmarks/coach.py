"""Measures the coach: how many mistakes it explains, and whether its statements are true.

python -m benchmarks.coach coverage [--games 40] [--simulations 1000]
python -m benchmarks.coach check [--positions 20000]
"""

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fourfall import Board, Engine, Limit
from fourfall.agents.levels import LEVELS
from fourfall.arena.move_review import (
    SearchResult,
    compare_move,
    compute_loss,
    score_finished_game,
    score_for_mover,
)
from fourfall.coach import Explanation, FactKind, explain
from fourfall.render import COLUMN_NAMES
from tests.coach.positions import make_position, make_scores
from tests.coach.statements import check_explanation

NUMBERS = (FactKind.RESULT, FactKind.COMPARISON)
"""Kinds of facts that state only a number."""
EXPECTED = (FactKind.EXPECTED_CELL, FactKind.MISSES_EXPECTED_CELL)
"""Kinds of facts about winning cells in the line that the engine expects."""
LINES = (FactKind.LEAVES_CELL, FactKind.FEWER_LINES, FactKind.OPEN_LINES)
"""Kinds of facts that count possible lines; they are weaker reasons than the others."""
SMALL_SHARE = 0.7
"""Share of positions on boards of up to 42 cells, on which the solver decides every fact."""
SCORED_SHARE = 0.5
"""Share of explanations with scores."""
PLAYERS = [f"level-{level}" for level in range(20, 61, 4)]
BANDS = (("inaccuracy", 0.08), ("mistake", 0.16), ("blunder", 0.3))
"""Kinds of mistakes and their smallest loss of win chance, as in the review of the page."""


class Mistake(NamedTuple):
    """A move that lost win chance, with its explanation and the seconds that it took."""

    board: Board
    column: int
    loss: float
    explanation: Explanation
    seconds: float


def play_game(seed: int) -> Board:
    """Play a game between two levels on a random official board."""
    rng = random.Random(seed)  # noqa: S311 (not for cryptography)
    board = Board.random(seed)
    levels = [LEVELS[name] for name in rng.sample(PLAYERS, 2)]
    engines = [Engine(level.preset, seed=seed, memory_mb=32, threads=1) for level in levels]
    while not board.is_over:
        level = levels[board.turn]
        board.push(engines[board.turn].play(board, Limit(simulations=level.simulations)))
    return board


def list_mistakes(board: Board, engine: Engine, limit: Limit) -> Iterator[Mistake]:
    """Review a finished game from its end and explain each move that lost at least 8 % win chance."""
    engine.clear()
    score = score_finished_game(board)
    for _ in range(board.ply):
        column = board.pop()
        analysis = engine.analyse(board, limit)
        result = SearchResult(analysis.score, analysis.move, analysis.pv, analysis.columns)
        best, played = compare_move(board, result, column, score_for_mover(score))
        score = best.score
        loss = compute_loss(best.score, played)
        if loss >= BANDS[0][1]:
            start = time.perf_counter()
            explanation = explain(board, column, analysis=analysis)
            yield Mistake(board.copy(), column, loss, explanation, time.perf_counter() - start)


def measure_coverage(games: int, simulations: int, shown: int) -> None:
    """Print which share of the mistakes is explained by a fact that is not only a number."""
    engine = Engine("fourfall", seed=0, memory_mb=128, threads=1)
    limit = Limit(simulations=simulations)
    mistakes = [mistake for seed in range(games) for mistake in list_mistakes(play_game(seed), engine, limit)]
    print(f"{games} games, {len(mistakes)} moves that lost at least 8 % win chance\n")
    print("| loss of win chance | moves | explained | without possible lines | nor expected moves |")
    print("|---|---:|---:|---:|---:|")
    for name, least in BANDS:
        chosen = [mistake.explanation for mistake in mistakes if mistake.loss >= least]
        shares = [
            100 * sum(is_explained(explanation, kinds) for explanation in chosen) / max(1, len(chosen))
            for kinds in (NUMBERS, NUMBERS + LINES, NUMBERS + LINES + EXPECTED)
        ]
        written = " | ".join(f"{share:.0f} %" for share in shares)
        print(f"| at least {100 * least:.0f} % ({name}) | {len(chosen)} | {written} |")
    print("\n| first fact | moves |\n|---|---:|")
    first = Counter(
        next((fact.kind for fact in mistake.explanation.facts if fact.kind not in NUMBERS), None)
        or next((fact.kind for fact in mistake.explanation.facts), "none")
        for mistake in mistakes
    )
    for kind, count in first.most_common():
        print(f"| {kind} | {count} |")
    seconds = sorted(mistake.seconds for mistake in mistakes)
    print(f"\nmilliseconds: median {1000 * statistics.median(seconds):.1f}, maximum {1000 * seconds[-1]:.1f}")
    for mistake in [mistake for mistake in mistakes if not is_explained(mistake.explanation)][:shown]:
        print(f"\n{mistake.board.notation} {COLUMN_NAMES[mistake.column]} lost {100 * mistake.loss:.0f} %")
        print(*mistake.explanation.write(), sep="\n")


def is_explained(explanation: Explanation, weak: tuple[FactKind, ...] = NUMBERS) -> bool:
    """Whether some fact is of another kind than the weak ones."""
    return any(fact.kind not in weak for fact in explanation.facts)


def check_statements(positions: int, seed: int) -> None:
    """Explain moves in random positions and check every fact; print how many of each kind were true and unproven."""
    rng = random.Random(seed)  # noqa: S311 (not for cryptography)
    found: Counter[FactKind] = Counter()
    unproven: Counter[FactKind] = Counter()
    for _ in range(positions):
        board = make_position(rng, is_small=rng.random() < SMALL_SHARE)
        scores = make_scores(board, rng) if rng.random() < SCORED_SHARE else None
        explanation = explain(board, rng.choice(board.legal_moves), analysis=scores)
        unproven.update(check_explanation(explanation))
        found.update(fact.kind for fact in explanation.facts)
    print(f"{positions} positions, {found.total()} facts, none false; {unproven.total()} the solver could not decide\n")
    print("| kind | facts | not decided |\n|---|---:|---:|")
    for kind in FactKind:
        print(f"| {kind} | {found[kind]} | {unproven[kind]} |")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    coverage = commands.add_parser("coverage", help="share of mistakes that are explained by more than a number")
    coverage.add_argument("--games", type=int, default=40, help="number of games")
    coverage.add_argument("--simulations", type=int, default=1000, help="simulations per position of the review")
    coverage.add_argument("--show", type=int, default=0, help="number of unexplained mistakes to print")
    check = commands.add_parser(
        "check", help="check the facts of explanations in random positions; ends at a false one"
    )
    check.add_argument("--positions", type=int, default=20_000, help="number of positions")
    check.add_argument("--seed", type=int, default=1, help="random seed")
    options = parser.parse_args()
    if options.command == "coverage":
        measure_coverage(options.games, options.simulations, options.show)
    else:
        check_statements(options.positions, options.seed)


if __name__ == "__main__":
    main()
