"""Describes stored games of page and arena for the page, and exports them as files."""

import json
from typing import Literal

from fourfall import Board, render
from fourfall.arena.judge import Verdict
from fourfall.web.errors import RequestError
from fourfall.web.game_repository import GameRepository
from fourfall.web.messages.replies import GameDetails, GameReply
from fourfall.web.messages.schemas import ScoreInfo
from fourfall.web.positions import describe_outcome

FileFormat = Literal["svg", "text", "json"]


def describe_game(repository: GameRepository, game_id: str) -> GameDetails:
    """Describe a stored game with its moves and its review."""
    summary, review = repository.load_summary(game_id), repository.load_review(game_id)
    if game_id.startswith("p"):
        state = repository.load_game(game_id).describe()
        return GameDetails(
            **vars(summary) | {"position": state.position},
            event_name=None,
            start=state.start,
            moves=state.moves,
            you=state.you,
            opponent=state.opponent,
            outcome=state.outcome,
            times_ms=state.times_ms,
            scores=state.scores,
            review=review,
        )
    record = repository.load_record(game_id)
    board = record.final_board
    verdict = Verdict(record.ending, record.winner, record.culprit, record.detail)
    return GameDetails(
        **vars(summary) | {"position": board.notation},
        event_name=repository.load_event_name(summary.event),
        start=record.board,
        moves=board.moves[Board.parse(record.board).ply :],
        you=None,
        opponent=None,
        outcome=describe_outcome(board, verdict),
        times_ms=list(record.times_ms),
        scores=[None if score is None else ScoreInfo(win_chance=score) for score in record.scores],
        review=review,
    )


def describe_arena_game(repository: GameRepository, game_id: str) -> GameReply:
    """Describe a game of the arena by the same message as a game of the page."""
    game = describe_game(repository, game_id)
    return GameReply(
        game=game.id,
        position=game.position,
        start=game.start,
        moves=game.moves,
        redo=[],
        turn=Board.parse(game.position).turn,
        you=None,
        opponent=None,
        names=game.names,
        move_time_s=None,
        simulations=None,
        thinking=False,
        status="over",
        outcome=game.outcome,
        times_ms=game.times_ms,
        scores=game.scores,
        started=game.started,
        rematch_of=None,
    )


def list_moves(repository: GameRepository, game_id: str) -> tuple[Board, list[int]]:
    """Return the start position and the moves of a stored game."""
    game = describe_game(repository, game_id)
    return Board.parse(game.start), game.moves


def export_game(repository: GameRepository, game_id: str, file_format: FileFormat, ply: int | None) -> str:
    """Convert a stored game to a file: SVG or text of the board after `ply` stones, or a record as JSON."""
    if file_format == "json":
        return _export_json(repository, game_id)
    board = Board.parse(describe_game(repository, game_id).position)
    notation = board.notation
    if ply is not None:
        if ply > board.ply:
            raise RequestError("bad_request", problem=f"ply must be at most {board.ply}, the number of stones")
        while board.ply > ply:
            board.pop()
    return render.draw_svg(board) if file_format == "svg" else f"{notation}\n\n{render.draw_text(board)}\n"


def _export_json(repository: GameRepository, game_id: str) -> str:
    if game_id.startswith("a"):
        return repository.load_record(game_id).to_json() + "\n"
    game = repository.load_game(game_id)
    if game.is_over:
        return game.to_record().to_json() + "\n"
    return json.dumps({"position": game.board.notation, "you": game.you, "opponent": game.opponent}) + "\n"
