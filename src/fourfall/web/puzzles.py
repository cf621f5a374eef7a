"""HTTP routes of the puzzles: the shipped set, one puzzle, the puzzle of a position, and the check of a move."""

import asyncio
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from fourfall import Board
from fourfall.coach import LANGUAGES, explain
from fourfall.coach.puzzles import (
    THEMES,
    ProofLimits,
    Puzzle,
    Refutation,
    list_hints,
    load_puzzles,
    prove_only_move,
    refute,
)
from fourfall.coach.puzzles.themes import list_themes
from fourfall.render import COLUMN_NAMES
from fourfall.web.errors import RequestError
from fourfall.web.messages.puzzles import FoundPuzzle, MoveCheck, PuzzleDetails, PuzzleList, Texts, ThemeInfo
from fourfall.web.positions import parse_unfinished_position
from fourfall.web.routes import ERROR_RESPONSES, NOT_FOUND, PositionQuery
from fourfall.web.static_files import StaticFile, create_file_response

PuzzlePath = Annotated[str, Path(pattern="^[0-9a-f]{12}$")]
ColumnQuery = Annotated[int, Query(ge=0, le=11)]

puzzles_api = APIRouter(prefix="/api/puzzles", responses=ERROR_RESPONSES)
_LIMITS = ProofLimits(solver_positions=30_000, solver_free_cells=144, sequence_positions=4000)
_PROVING = asyncio.Semaphore(1)
"""A proof takes up to a second of one core, so only one runs at a time."""
_CHECKING = asyncio.Semaphore(1)
"""The check of a move does not wait for proofs."""
_RATING_IF_NOT_MEASURED = 1500
_MAX_KEPT = 256


@puzzles_api.get("", response_model=PuzzleList)
async def get_puzzles(request: Request) -> Response:
    """Return the shipped puzzles with their solutions; the response is compressed and has an ETag."""
    file = await asyncio.to_thread(_load_file)
    return create_file_response(file, "no-cache", request.headers)


@puzzles_api.get("/find")
async def find_puzzle(position: PositionQuery) -> FoundPuzzle:
    """Prove that a position has exactly one good move and return its puzzle, without a rating."""
    board = parse_unfinished_position(position)
    async with _PROVING:
        return FoundPuzzle(puzzle=await asyncio.to_thread(_find_puzzle, board.notation))


@puzzles_api.get("/check")
async def check_move(position: PositionQuery, column: ColumnQuery) -> MoveCheck:
    """Say what follows a move that is not the solution: its refutation, or that it wins as well."""
    board = parse_unfinished_position(position)
    if column >= board.cols:
        raise RequestError("illegal_move", column=COLUMN_NAMES[column], columns=board.cols)
    if column not in board.legal_moves:
        raise RequestError("column_full", column=COLUMN_NAMES[column])
    async with _CHECKING:
        return await asyncio.to_thread(_check_move, board.notation, column)


@puzzles_api.get("/{puzzle}", responses=NOT_FOUND)
async def get_puzzle(puzzle: PuzzlePath) -> PuzzleDetails:
    """Return a shipped puzzle with its hints and the coach's reasons for the solution."""
    return await asyncio.to_thread(_describe_shipped_puzzle, puzzle)


@cache
def _load_file() -> StaticFile:
    puzzles = load_puzzles()
    values = [puzzle.to_json_value() for puzzle in puzzles]
    found = PuzzleList.model_validate({"puzzles": values, "themes": list_themes_of(puzzles)})
    return StaticFile.create("puzzles.json", found.model_dump_json().encode())


def list_themes_of(puzzles: Sequence[Puzzle]) -> list[ThemeInfo]:
    """Return the themes that occur in some puzzles, with their names."""
    used = {theme for puzzle in puzzles for theme in puzzle.themes}
    return [ThemeInfo(kind=kind, en=en, zh=zh) for kind, (en, zh) in THEMES.items() if kind in used]


@lru_cache(maxsize=_MAX_KEPT)
def _describe_shipped_puzzle(identifier: str) -> PuzzleDetails:
    puzzle = next((puzzle for puzzle in load_puzzles() if puzzle.id == identifier), None)
    if puzzle is None:
        raise RequestError("unknown_puzzle", puzzle=identifier)
    return describe_puzzle(puzzle)


def describe_puzzle(puzzle: Puzzle, *, is_rated: bool = True) -> PuzzleDetails:
    """Describe a puzzle with its hints and the coach's reasons for the solution."""
    value = puzzle.to_json_value()
    explanation = explain(puzzle.board, puzzle.move)
    return PuzzleDetails(
        **(value if is_rated else {**value, "rating": None}),
        hints=_write_texts(lambda language: list_hints(puzzle, language)),
        reasons=_write_texts(explanation.write),
    )


def _write_texts(write: Callable[[Literal["en", "zh"]], list[str]]) -> Texts:
    return Texts(**{language: write(language) for language in LANGUAGES})


@lru_cache(maxsize=_MAX_KEPT)
def _find_puzzle(position: str) -> PuzzleDetails | None:
    board = Board.parse(position)
    proof = prove_only_move(board, _LIMITS)
    if proof is None:
        return None
    themes = list_themes(board, proof.columns[0])
    puzzle = Puzzle(position, proof.columns, proof.result, proof.distance, None, _RATING_IF_NOT_MEASURED, themes)
    return describe_puzzle(puzzle, is_rated=False)


@lru_cache(maxsize=_MAX_KEPT)
def _check_move(position: str, column: int) -> MoveCheck:
    refutation = refute(Board.parse(position), column)
    verdict = judge_refutation(refutation)
    texts = _write_texts(lambda language: [refutation.write(language)] if verdict in ("does_not_win", "loses") else [])
    return MoveCheck(position=position, columns=list(refutation.columns), verdict=verdict, text=texts)


def judge_refutation(refutation: Refutation) -> Literal["wins", "does_not_win", "loses", "unknown"]:
    """Return what is proved about the first move of a refutation, for the player who makes it.

    >>> judge_refutation(refute(Board.parse("6x7:11223"), 0)), judge_refutation(refute(Board.parse("6x7:112233"), 3))
    ('loses', 'wins')
    """
    if refutation.score.is_loss:
        return "loses"
    if not refutation.score.is_win:
        return "does_not_win"
    # A score is only a bound if nothing follows the move and the move does not end the game.
    after = refutation.board.copy()
    after.push(refutation.columns[0])
    return "wins" if len(refutation.columns) > 1 or after.is_over else "unknown"
