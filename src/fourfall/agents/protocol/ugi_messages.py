"""Positions and scores as text of the Universal Game Interface, for the judge and for the engine.

Columns are written as in our notation (1..9 a b c). The position contains the geometry: `position startpos` is the
empty 6x7 board; any other board is `position fen ROWSxCOLS[@row,col]`. The moves follow.
"""

import math
from collections.abc import Sequence

from fourfall._core import Board, Geometry, Score
from fourfall.render import COLUMN_NAMES

START_GEOMETRY = Geometry(6, 7)
"""The board of `position startpos`."""

_MAX_DISTANCE = 144
_CENTIPAWNS_FOR_10_TO_1 = 400.0
_MAX_CENTIPAWNS = 4000


def format_position(board: Board) -> str:
    """Return the line that sets up a board.

    >>> format_position(Board.parse("6x7:44"))
    'position startpos moves 4 4'
    >>> format_position(Board.parse("10x11@4,7"))
    'position fen 10x11@4,7'
    """
    start = "startpos" if board.geometry == START_GEOMETRY else f"fen {board.geometry}"
    moves = " ".join(COLUMN_NAMES[column] for column in board.moves)
    return f"position {start}" + (f" moves {moves}" if moves else "")


def parse_score(words: Sequence[str]) -> Score | None:
    """Return the score of the best move in the words of an info line, or None if there is no valid one.

    Centipawns are converted to a win probability by the Elo formula (400 centipawns are 10 to 1). `mate N` counts the
    winner's moves; a negative N is a loss.

    >>> parse_score("depth 9 score cp 0 nodes 5".split())
    <Score: 50.0 %>
    >>> parse_score("score mate 2".split()), parse_score("score mate -2".split())
    (<Score: wins in 2>, <Score: loses in 2>)
    >>> parse_score("multipv 2 score cp -50".split()), parse_score("string score cp 0".split())
    (None, None)
    """
    is_other_move = "multipv" in words and "1" not in words[words.index("multipv") + 1 :][:1]
    if is_other_move or words[:1] == ["string"]:
        return None
    try:
        kind, number = words[(index := words.index("score")) + 1], int(words[index + 2])
    except (ValueError, IndexError):
        return None
    if kind == "cp":
        centipawns = max(-_MAX_CENTIPAWNS, min(number, _MAX_CENTIPAWNS))
        probability = 1 / (1 + 10 ** (-centipawns / _CENTIPAWNS_FOR_10_TO_1))
        return Score.estimate(2 * probability - 1)
    distance = 2 * number - 1 if number > 0 else -2 * number
    if kind != "mate" or distance > _MAX_DISTANCE:
        return None
    return Score.win(distance) if number > 0 else Score.loss(distance)


def format_score(score: Score) -> str:
    """Return a score as the words of an info line; `parse_score` is the inverse.

    A proven win or loss is `mate`, an estimate `cp` (rounded, at most 4000). A proven draw is `cp 0`.

    >>> format_score(Score.estimate(9 / 11)), format_score(Score.draw(12))
    ('cp 400', 'cp 0')
    >>> format_score(Score.win(3)), format_score(Score.loss(4))
    ('mate 2', 'mate -2')
    """
    if score.distance is not None and not score.is_draw:
        winner_moves = (score.distance + 1) // 2
        return f"mate {winner_moves if score.is_win else -winner_moves}"
    if not 0 < score.win_chance < 1:
        return f"cp {_MAX_CENTIPAWNS if score.win_chance > 0 else -_MAX_CENTIPAWNS}"
    centipawns = _CENTIPAWNS_FOR_10_TO_1 * math.log10(score.win_chance / (1 - score.win_chance))
    return f"cp {round(max(-_MAX_CENTIPAWNS, min(centipawns, _MAX_CENTIPAWNS)))}"
