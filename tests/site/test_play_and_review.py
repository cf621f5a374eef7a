"""Tests of games, clocks and reviews in JavaScript: the same states, errors and marks as on the server."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fourfall import Board
from fourfall._core import Score
from fourfall.agents.time_control import compute_move_time_s
from fourfall.arena.game_review import GameReviewer, compute_accuracies, find_turning_points
from fourfall.arena.mistakes import DEFAULT_THRESHOLDS, MistakeThresholds
from fourfall.arena.move_review import SearchResult
from fourfall.web.errors import RequestError
from fourfall.web.messages.schemas import ReviewedMove, ScoreInfo
from fourfall.web.play.clock import Clock
from fourfall.web.play.game import Game
from tests.site.requests.request_process import find_node

PROGRAM = Path(__file__).parent / "play_program.mjs"
STARTS = ["6x7", "6x7:44", "4x4", "9x9@4,4:555", "5x5@0,2", "4x4:4314224142331"]
"""Positions at which games start."""
TIMES = [(300.0, 0.0, 42), (2.0, 5.0, 100), (0.001, 0.0, 3)]


class Case:
    """A game with random actions, of which many are not allowed; `expected` are the states on the server."""

    def __init__(self, rng: random.Random) -> None:
        start, you = rng.choice(STARTS), rng.choice([0, 1, None])
        clock = {"initial_s": 60.0, "increment_s": 2.0} if rng.random() < 0.5 else None
        opponent = "human" if you is None else "level-30"
        self.settings = {
            "start": start,
            "you": you,
            "opponent": opponent,
            "move_time_s": None,
            "simulations": None,
            "clock": clock,
        }
        self.game = Game(
            "p0123456789abcdef",
            start,
            you,
            opponent,
            clock=Clock(clock["initial_s"], clock["increment_s"]) if clock else None,
        )
        self.actions: list[list[Any]] = []
        self.expected: list[dict[str, Any]] = []
        for _ in range(40):
            self._act(rng)

    def _act(self, rng: random.Random) -> None:
        game, error = self.game, None
        action = rng.choices(
            ["playPerson", "playOpponent", "undo", "redo", "resign", "endOnTime"], [8, 8, 3, 3, 0.5, 0.2]
        )[0]
        values: list[Any] = []
        try:
            if action == "playPerson":
                ply = max(0, game.board.ply + rng.choice([0, 0, 0, 0, 0, -1, 1]))
                values = [ply, rng.randrange(game.board.cols + 1), 12.5]
                game.play_person(*values)
            elif action == "playOpponent":
                if not game.is_opponents_turn:
                    return
                values = [
                    rng.choice(game.board.legal_moves),
                    7.5,
                    {"win_chance": 0.25, "proof": None, "distance": None},
                ]
                game.play_opponent(values[0], values[1], ScoreInfo(**values[2]))
            elif action == "endOnTime":
                if game.is_over or game.clock is None:
                    return
                game.end_on_time()
            else:
                getattr(game, action)()
        except RequestError as caught:
            error = {"code": caught.code, "params": caught.params}
        self.actions.append([action, *values])
        state = game.describe(turn_ms=5.0).model_dump(mode="json", exclude={"started", "ref"})
        self.expected.append({"error": error, "state": state})


class ReviewCase:
    """A random game with random search results for its positions, from the last to the first."""

    def __init__(self, rng: random.Random) -> None:
        board = Board.parse(rng.choice(STARTS))
        start = board.ply
        while not board.is_over and board.ply < start + 16:
            board.push(rng.choice(board.legal_moves))
        self.thresholds = DEFAULT_THRESHOLDS if rng.random() < 0.7 else MistakeThresholds(0.0, 0.1, 0.9)
        reviewer = GameReviewer(board, start, self.thresholds)
        self.results: list[dict[str, Any]] = []
        while not reviewer.is_complete:
            position = reviewer.board
            result = SearchResult.from_finished_game(position) if position.is_over else _make_result(position, rng)
            self.results.append(_describe_result(result))
            reviewer.add(result)
        self.position, self.start = board.notation, start
        self.expected = {
            "moves": [ReviewedMove.from_review(move).model_dump(mode="json") for move in reviewer.moves],
            "final": ScoreInfo.from_score(reviewer.final or Score.draw(0)).model_dump(),
            "accuracy": list(compute_accuracies(reviewer.moves)),
            "turning_points": list(find_turning_points(reviewer.moves)),
            "finished": True,
        }


def _make_score(rng: random.Random) -> Score:
    kind = rng.randrange(6)
    if kind < 3:
        return [Score.win, Score.draw, Score.loss][kind](rng.randrange(1, 12))
    return Score.estimate(round(2 * rng.randrange(10001) / 10000 - 1, 4))


def _make_result(board: Board, rng: random.Random) -> SearchResult:
    columns = [_Column(column, _make_score(rng), rng.random() < 0.8) for column in board.legal_moves]
    move = rng.choice(board.legal_moves)
    return SearchResult(_make_score(rng), move, [move], columns)  # type: ignore[arg-type]


class _Column:
    """The fields of ColumnAnalysis that a review reads."""

    def __init__(self, column: int, score: Score, has_score: bool) -> None:
        self.column, self.score, self.has_score, self.pv = column, score, has_score, [column]


def _describe_result(result: SearchResult) -> dict[str, Any]:
    columns = [
        {
            **ScoreInfo.from_score(entry.score).model_dump(),
            "column": entry.column,
            "pv": entry.pv,
            **({} if entry.has_score else {"win_chance": None}),
        }
        for entry in result.columns
    ]
    return {
        "score": ScoreInfo.from_score(result.score).model_dump(),
        "move": result.move,
        "pv": result.pv,
        "columns": columns,
    }


@pytest.fixture(scope="module")
def output() -> tuple[list[Case], list[ReviewCase], dict[str, Any]]:
    """Run all cases in Python and in one process of Node."""
    rng = random.Random(5)  # noqa: S311 (test data)
    games = [Case(rng) for _ in range(200)]
    reviews = [ReviewCase(rng) for _ in range(150)]
    data = {
        "games": [{"settings": case.settings, "actions": case.actions} for case in games],
        "reviews": [
            {
                "position": case.position,
                "start": case.start,
                "thresholds": case.thresholds._asdict(),
                "results": case.results,
            }
            for case in reviews
        ],
        "times": TIMES,
    }
    program = [find_node(), str(PROGRAM)]
    found = subprocess.run(program, input=json.dumps(data), capture_output=True, text=True, timeout=60, check=True)
    return games, reviews, json.loads(found.stdout)


def test_games_have_the_states_and_errors_of_the_server(
    output: tuple[list[Case], list[ReviewCase], dict[str, Any]],
) -> None:
    """After every action, allowed or not, the described game is the same, also after it was stored and read."""
    games, _, found = output
    errors = set()
    for case, steps in zip(games, found["games"], strict=True):
        for action, expected, step in zip(case.actions, case.expected, steps, strict=True):
            assert step["error"] == expected["error"], (case.settings, action)
            state = {key: value for key, value in step["state"].items() if key != "started"}
            _sort_cells(state)
            _sort_cells(expected["state"])
            assert state == expected["state"], (case.settings, action)
            assert step["restored"] == step["state"]
            errors.add(expected["error"] and expected["error"]["code"])
    assert errors >= {
        None,
        "column_full",
        "game_over",
        "illegal_move",
        "not_your_turn",
        "nothing_to_redo",
        "nothing_to_undo",
        "out_of_time",
        "stale",
    }
    endings = {case.expected[-1]["state"]["outcome"]["ending"] for case in games if case.game.is_over}
    assert endings >= {"win", "tie", "resignation", "time"}


def _sort_cells(state: dict[str, Any]) -> None:
    if state["outcome"]:
        state["outcome"]["cells"] = sorted(list(cell) for cell in state["outcome"]["cells"])


def test_reviews_have_the_moves_marks_and_turning_points_of_the_server(
    output: tuple[list[Case], list[ReviewCase], dict[str, Any]],
) -> None:
    """Best moves, scores, losses, marks, accuracies and turning points are equal."""
    _, reviews, found = output
    marks = set()
    for case, review in zip(reviews, found["reviews"], strict=True):
        assert _round(review) == _round(case.expected), case.position
        marks |= {(move["mark"], move["missed_win"]) for move in review["moves"]}
    assert {mark for mark, _ in marks} == {"", "inaccuracy", "mistake", "blunder"}
    assert any(is_missed for _, is_missed in marks)


def _round(value: object) -> object:
    """Round numbers: 1 - win_chance has other last digits than the value from which the server computes it."""
    if isinstance(value, float | int) and not isinstance(value, bool):
        return round(float(value), 4)
    if isinstance(value, dict):
        return {key: _round(each) for key, each in value.items()}
    return [_round(each) for each in value] if isinstance(value, list) else value


def test_time_per_move_of_a_clock(output: tuple[list[Case], list[ReviewCase], dict[str, Any]]) -> None:
    """The opponent divides its time as the server's engines do."""
    assert output[2]["times"] == pytest.approx([compute_move_time_s(*values) for values in TIMES])
