"""Draws a game as HTML that is stepped through move by move, without a script.

Every position of the game has a radio button, which is not visible; buttons and moves are its labels. Every stone is
drawn inside the group of the stone before it, so that one rule of the style sheet hides all stones after the position.
Where style sheets are removed, the last position is shown.
"""

import secrets
from collections.abc import Iterator, Mapping
from html import escape
from typing import NamedTuple

from fourfall._core import Board
from fourfall.render.animation import rewind
from fourfall.render.labels import COLUMN_NAMES
from fourfall.render.score_labels import PLAYER_NAMES
from fourfall.render.svg import (
    BLUE,
    CELL,
    MARGIN,
    cover_cell,
    draw_cell,
    draw_dot,
    draw_frame,
    draw_outline,
    draw_stone,
    draw_winning_marks,
)

_HIDDEN = ' display="none"'
SYMBOLS = ("●", "◆")
"""Characters that look like the stones of the players."""


class MoveNote(NamedTuple):
    """What the drawing says about a move: a sign such as "??", a text, and a better column to outline, if any."""

    sign: str = ""
    text: str = ""
    better: int | None = None


def draw_stepper(
    board: Board, *, start: int = 0, notes: Mapping[int, MoveNote] | None = None, shown: int | None = None
) -> str:
    """Draw the game from the position after `start` stones; at first it shows the position after `shown` stones.

    Args:
        board: the game.
        start: number of stones of the opening, which are always on the board.
        notes: notes about moves by stone number; the first stone of the game is 1.
        shown: number of stones of the position that is shown first; by default all.

    >>> draw_stepper(Board.parse("6x7:44")).count('type="radio"')
    3
    """
    opening = rewind(board, start)
    shown = board.ply if shown is None else shown
    if not start <= shown <= board.ply:
        raise ValueError(f"shown must be from {start} to {board.ply}, not {shown}")
    notes = notes or {}
    key = f"f4-{secrets.token_hex(4)}"  # outputs of one page must not share names
    steps = range(start, board.ply + 1)
    parts = [
        f'<div class="{key}"><style>{_write_style(key, steps)}</style>',
        *(
            f'<input type="radio" name="{key}" id="{key}-{step}" aria-label="after {step} stones"'
            f"{' checked' if step == shown else ''}>"
            for step in steps
        ),
        f'<div style="max-width:100%">{"".join(_draw_board(board, opening, notes))}</div>',
        f'<div class="steps">{"".join(_draw_step(key, board, step, steps, notes) for step in steps)}</div>',
        f'<div class="moves">{"".join(_draw_move(key, board, step, notes) for step in steps[1:])}</div></div>',
    ]
    return "\n".join(parts)


def _write_style(key: str, steps: range) -> str:
    rules = [
        f".{key}{{position:relative}}",
        f".{key} input{{position:absolute;bottom:0;left:0;opacity:0;pointer-events:none}}",
        f".{key} .now{{display:none}}",
        f".{key} label{{cursor:pointer;display:inline-block;margin:0;padding:0 5px;border-radius:4px}}",
        f".{key} .steps label{{border:1px solid #84929e;margin-right:4px}}",
        f".{key} .moves{{max-width:{12 * CELL + 2 * MARGIN}px;margin-top:4px}}",
        f".{key} small{{opacity:0.75}}",
        f".{key} input:focus-visible~.steps{{outline:2px solid currentColor;outline-offset:2px}}",
    ]
    for step in steps:
        here = f"#{key}-{step}:checked~*"
        rules.append(f"{here} .at{step}{{display:inline}}")
        if step > steps.start:
            rules.append(f"{here} .move{step}{{background:{BLUE};color:#fff}}")
        if step < steps[-1]:
            rules.append(f"{here} .stone{step + 1}{{display:none}}")
    return "".join(rules)


def _draw_board(board: Board, opening: Board, notes: Mapping[int, MoveNote]) -> Iterator[str]:
    """Yield the image: the opening, then each stone in the group of the one before it."""
    yield from draw_frame(board, board.rows * CELL + 2 * MARGIN, text_color="currentColor")
    yield from (draw_cell(opening, row, col) for row in range(board.rows) for col in range(board.cols))
    position = opening.copy()
    for column in board.moves[opening.ply :]:
        player, row = position.turn, position.landing_row(column) or 0
        position.push(column)
        step = position.ply
        better = notes.get(step, MoveNote()).better
        hint = ""
        if better is not None and better != column:
            hint = draw_outline(player, position.landing_row(better) or 0, better, dashed=True)
        is_last = step == board.ply
        yield f'<g class="stone{step}">{cover_cell(row, column)}{draw_stone(player, row, column)}'
        yield f'<g class="now at{step}"{"" if is_last else _HIDDEN}>{hint}{draw_dot(row, column)}</g>'
    yield from draw_winning_marks(board)
    yield "</g>" * (board.ply - opening.ply) + "</svg>"


def _draw_step(key: str, board: Board, step: int, steps: range, notes: Mapping[int, MoveNote]) -> str:
    """Return the buttons and the text of one position; only those of the shown position are visible."""
    first, last = steps.start, steps[-1]
    targets = (("|◀", "start", first), ("◀", "back", step - 1), ("▶", "forward", step + 1), ("▶|", "end", last))
    buttons = "".join(
        f'<label for="{key}-{min(max(target, first), last)}" title="{name}">{symbol}</label>'
        for symbol, name, target in targets
    )
    hidden = "" if step == last else " hidden"
    return (
        f'<span class="now at{step}"{hidden}>{buttons} {step}/{last} {_describe_move(board, step, first, notes)}</span>'
    )


def _describe_move(board: Board, step: int, first: int, notes: Mapping[int, MoveNote]) -> str:
    if step == first:
        return "start"
    note = notes.get(step, MoveNote())
    player = (step - 1) % 2
    move = f"{SYMBOLS[player]} {PLAYER_NAMES[player]} plays {COLUMN_NAMES[board.moves[step - 1]]}{escape(note.sign)}"
    return move + (f": {escape(note.text)}" if note.text else "")


def _draw_move(key: str, board: Board, step: int, notes: Mapping[int, MoveNote]) -> str:
    name = COLUMN_NAMES[board.moves[step - 1]]
    sign = escape(notes.get(step, MoveNote()).sign)
    return f'<label for="{key}-{step}" class="move{step}"><small>{step}</small> {name}{sign}</label>'
