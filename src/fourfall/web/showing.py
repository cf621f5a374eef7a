"""Owns games as they are shown: stored ones with their moves and review, positions by the rules, files to download."""

import json

from fourfall import Board, render
from fourfall.arena.judge import Verdict
from fourfall.arena.record import GameRecord
from fourfall.web import replies, shapes
from fourfall.web.games import outcome_of
from fourfall.web.refusal import Refusal
from fourfall.web.shapes import Worth
from fourfall.web.shelf import Shelf


def shown_game(shelf: Shelf, name: str) -> replies.GameShown:
    """Describe a stored game with its moves, of the page or of the arena."""
    line, review = shelf.line(name), shelf.review(name)
    if name.startswith("p"):
        game = shelf.game(name)
        state = game.state()
        return replies.GameShown(
            **vars(line),
            start=state.start,
            moves=state.moves,
            position=state.position,
            you=state.you,
            opponent=state.opponent,
            outcome=state.outcome,
            times_ms=state.times_ms,
            scores=state.scores,
            review=review,
        )
    record = shelf.record(name)
    board = record.final
    verdict = Verdict(record.ending, record.winner, record.culprit, record.detail)
    return replies.GameShown(
        **vars(line),
        start=record.board,
        moves=board.moves[Board.parse(record.board).ply :],
        position=board.notation,
        you=None,
        opponent=None,
        outcome=outcome_of(board, verdict),
        times_ms=list(record.times_ms),
        scores=[None if score is None else Worth(win_chance=score) for score in record.scores],
        review=review,
    )


def finished_state(shown: replies.GameShown) -> replies.GameState:
    """Describe a game of the arena in the way of the page."""
    board = Board.parse(shown.position)
    return replies.GameState(
        game=shown.id,
        position=shown.position,
        start=shown.start,
        moves=shown.moves,
        redo=[],
        turn=board.turn,
        you=None,
        opponent=None,
        names=shown.names,
        time_s=None,
        nodes=None,
        thinking=False,
        status="over",
        outcome=shown.outcome,
        times_ms=shown.times_ms,
        scores=shown.scores,
        started=shown.started,
        rematch_of=None,
    )


def shown_position(board: Board) -> shapes.PositionShown:
    """Describe a position by the rules."""
    return shapes.PositionShown(
        position=board.notation,
        rows=board.rows,
        cols=board.cols,
        hole=board.hole,
        ply=board.ply,
        turn=board.turn,
        moves=board.moves,
        legal=board.legal_moves,
        last=board.last_cell,
        outcome=outcome_of(board, None),
        threats=(board.threats(0), board.threats(1)),
    )


def file_of(shelf: Shelf, name: str, kind: str, ply: int | None) -> str:
    """Write a stored game as a file: a picture or a drawing, perhaps after `ply` stones, or a record."""
    if kind == "json":
        return _json(shelf, name)
    board = Board.parse(shown_game(shelf, name).position)
    notation = board.notation
    if ply is not None:
        if ply > board.ply:
            raise Refusal("bad_request", f"ply: the game has {board.ply} stones")
        while board.ply > ply:
            board.pop()
    return render.svg(board) if kind == "svg" else f"{notation}\n\n{render.text(board)}\n"


def _json(shelf: Shelf, name: str) -> str:
    if name.startswith("a"):
        record: GameRecord = shelf.record(name)
        return record.to_json() + "\n"
    game = shelf.game(name)
    if game.is_over:
        return game.record().to_json() + "\n"
    return json.dumps({"position": game.board.notation, "you": game.you, "opponent": game.opponent}) + "\n"
