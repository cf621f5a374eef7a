"""Moves that the coach explains in Python and in JavaScript, and the comparison of the two.

`python -m tests.site.coach_cases 20000 7` compares 20,000 random moves with the random seed 7 and the default budget.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fourfall import Analysis, Board, Score
from fourfall._core import solve
from fourfall.coach import Budget, ColumnScore, Explanation, Fact, evaluation, explain
from fourfall.web.analysis.explain_job import describe_explanation
from tests.coach.positions import make_position, make_scores, play_random_game

PROGRAM = Path(__file__).with_name("coach_program.mjs")
NODE = Path(sys.executable).with_name("node")


@dataclass(frozen=True)
class Case:
    """A move to explain."""

    board: Board
    column: int
    analysis: Analysis | Sequence[ColumnScore]
    budget: Budget


@dataclass(frozen=True)
class Expected:
    """What Python says about a case: the explanation and the calls of the solver with their solutions."""

    explanation: Explanation
    requests: list[dict[str, Any]]
    solution: dict[str, Any] | None


def make_cases(count: int, seed: int, budget: Budget) -> Iterator[Case]:
    """Yield moves at random positions of all sizes, with the scores of no, some or all columns."""
    rng = random.Random(seed)  # noqa: S311 (not for cryptography)
    while count > 0:
        board = _make_board(rng)
        scores = _make_scores(board, rng)
        columns = rng.sample(board.legal_moves, min(2, len(board.legal_moves), count))
        yield from (Case(board, column, scores, budget) for column in columns)
        count -= len(columns)


def _make_board(rng: random.Random) -> Board:
    kind = rng.random()
    if kind < 0.7:
        return make_position(rng, is_small=kind < 0.45)
    rows, cols = rng.randint(4, 12), rng.randint(4, 12)
    board = Board(rows, cols, (rng.randrange(rows), rng.randrange(cols)) if kind < 0.9 else None)
    return play_random_game(board, rng, rng.randrange(board.geometry.cells))


def _make_scores(board: Board, rng: random.Random) -> list[ColumnScore]:
    """Return scores of some columns: estimates, some of them equal, and results, which need not be true."""
    if rng.random() < 0.3:
        return []
    scores = []
    for entry in rng.sample(make_scores(board, rng), len(board.legal_moves)):
        choice = rng.random()
        proven = rng.choice([Score.win, Score.draw, Score.loss])(rng.randint(1, 30))
        score = proven if choice < 0.1 else Score.estimate(rng.randint(-3, 3) / 3) if choice < 0.3 else entry.score
        if choice < 0.9:
            scores.append(entry._replace(score=score, pv=entry.pv[: rng.randint(1, 10)]))
    return scores


def explain_case(case: Case) -> Expected:
    """Explain a case in Python and record the calls of the solver."""
    requests: list[dict[str, Any]] = []
    solutions: list[dict[str, Any]] = []

    def record(board: Board, **options: Any) -> Any:  # noqa: ANN401 (passes everything on)
        solution = solve(board, **options)
        requests.append({"position": board.notation, **options})
        solutions.append({"columns": [_describe_solved(entry) for entry in solution.columns]})
        return solution

    with patch.object(evaluation, "solve", record):
        explanation = explain(case.board, case.column, analysis=case.analysis, budget=case.budget)
    return Expected(explanation, requests, solutions[0] if solutions else None)


def _describe_solved(entry: Any) -> dict[str, Any]:  # noqa: ANN401 (a type of the native module)
    scores = {name: describe_score(getattr(entry, name)) for name in ("score", "lower", "upper")}
    return {"column": entry.column, **scores}


def describe_score(score: Score | None) -> dict[str, Any] | None:
    """Return a score as the page knows it, not rounded."""
    if score is None:
        return None
    return {"win_chance": score.win_chance, "proof": score.proof, "distance": score.distance}


def describe_fact(fact: Fact) -> dict[str, Any]:
    """Return all fields of a fact under their names in JavaScript."""
    return fact.to_json_value() | {
        "other": fact.other,
        "count": fact.count,
        "otherCount": fact.other_count,
        "isAbove": fact.is_above,
        "ending": fact.ending,
        "score": describe_score(fact.score),
        "otherScore": describe_score(fact.other_score),
    }


def _describe_case(case: Case, expected: Expected) -> dict[str, Any]:
    """Return a case for the program in JavaScript."""
    value: dict[str, Any] = {
        "position": case.board.notation,
        "column": case.column,
        "budget": {
            "sequencePositions": case.budget.sequence_positions,
            "solverPositions": case.budget.solver_positions,
        },
        "solution": expected.solution,
    }
    if not isinstance(case.analysis, Analysis):
        return value | {"columns": [_describe_column(entry) for entry in case.analysis]}
    columns = [
        _describe_column(ColumnScore(entry.column, entry.score, entry.pv))
        | ({} if entry.has_score else {"win_chance": None})
        for entry in case.analysis.columns
    ]
    analysis = {"move": case.analysis.move, "score": describe_score(case.analysis.score), "columns": columns}
    return value | {"analysis": analysis}


def _describe_column(entry: ColumnScore) -> dict[str, Any]:
    return {"column": entry.column, **(describe_score(entry.score) or {}), "pv": entry.pv}


def run_program(cases: Sequence[tuple[Case, Expected]], errors: Sequence[tuple[str, int]] = ()) -> dict[str, Any]:
    """Explain all cases in one process of Node."""
    data = {
        "cases": [_describe_case(case, expected) for case, expected in cases],
        "errors": [{"position": position, "column": column} for position, column in errors],
    }
    completed = subprocess.run(
        [NODE, PROGRAM], input=json.dumps(data), capture_output=True, text=True, encoding="utf-8", timeout=600
    )
    assert completed.returncode == 0, completed.stderr
    value: dict[str, Any] = json.loads(completed.stdout)
    return value


def compare(case: Case, expected: Expected, found: dict[str, Any]) -> None:
    """Raise AssertionError if JavaScript says something else than Python about a case."""
    where = f"{case.board.notation} column {case.column}"
    explanation = expected.explanation
    assert found["facts"] == [describe_fact(fact) for fact in explanation.facts], where
    reply = describe_explanation(explanation).model_dump(mode="json", exclude={"ref"})
    assert found["reply"] == reply, where
    assert found["requests"] == expected.requests, where
    assert found["isUnchanged"], where


def _run_campaign(count: int, seed: int) -> None:
    """Compare random moves with the default budget; print the kinds of facts and the processor time in JavaScript."""
    cases = [(case, explain_case(case)) for case in make_cases(count, seed, Budget())]
    found = run_program(cases)["cases"]
    for (case, expected), result in zip(cases, found, strict=True):
        compare(case, expected, result)
    kinds = Counter(fact.kind.value for _, expected in cases for fact in expected.explanation.facts)
    times = sorted(result["milliseconds"] for result in found)
    median, high = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"{len(cases)} moves agree; facts: {dict(kinds.most_common())}")
    print(f"Processor time in JavaScript in ms: median {median:.3f}, 99 % {high:.1f}, greatest {times[-1]:.1f}")


if __name__ == "__main__":
    _run_campaign(int(sys.argv[1]), int(sys.argv[2]))
