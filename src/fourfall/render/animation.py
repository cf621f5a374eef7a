"""Draws a whole game as an animated SVG image, which browsers play without a script."""

from fourfall._core import Board
from fourfall.render.svg import (
    CAPTION_HEIGHT,
    CELL,
    MARGIN,
    center_y,
    cover_cell,
    draw_caption,
    draw_cell,
    draw_frame,
    draw_marks,
    draw_stone,
)

MOVE_TIME_S = 0.7
"""Seconds from one stone to the next."""
PAUSE_S = 3.0
"""Seconds that the last position is shown before the animation begins again."""

MIN_TIME_S, MAX_TIME_S = 0.02, 600.0
_FALL_S = 0.25


def draw_animated_svg(
    board: Board,
    *,
    start: int = 0,
    move_time_s: float = MOVE_TIME_S,
    pause_s: float = PAUSE_S,
    title: str | None = None,
    caption: str | None = None,
    background: str | None = None,
) -> str:
    """Draw the moves of a board, beginning after `start` stones; the animation repeats without end.

    A program that cannot show animations shows the last position. `title` replaces the description of the
    position for screen readers, `caption` is a line below the board, `background` is the colour behind the image, which
    is otherwise transparent.

    >>> draw_animated_svg(Board.parse("6x7:44")).count("<animateTransform")
    2
    """
    check_animation_times(move_time_s, pause_s)
    opening = rewind(board, start)
    height = board.rows * CELL + 2 * MARGIN
    fall_s = min(_FALL_S, move_time_s)
    total = move_time_s * (board.ply - opening.ply + 1) + pause_s
    parts = [
        *draw_frame(board, height + (CAPTION_HEIGHT if caption else 0), title, background=background),
        *(draw_cell(opening, row, col) for row in range(board.rows) for col in range(board.cols)),
    ]
    shown = opening.copy()
    for index, column in enumerate(board.moves[opening.ply :], 1):
        stone = (shown.turn, shown.landing_row(column) or 0, column)
        shown.push(column)
        parts.append(_draw_falling_stone(stone, index * move_time_s / total, fall_s, total))
    marks = "".join(draw_marks(board))
    landed = (move_time_s * (board.ply - opening.ply) + fall_s) / total
    parts.append(f"<g>{_appear(landed, total)}{marks}</g>")
    if caption:
        parts.append(draw_caption(board, caption, height))
    return "\n".join([*parts, "</svg>"])


def check_animation_times(move_time_s: float, pause_s: float) -> None:
    """Raise ValueError if a time is not from 0.02 to 600 seconds, which is what GIF files and browsers can show.

    >>> check_animation_times(0.7, -1)
    Traceback (most recent call last):
    ValueError: pause_s must be from 0.02 to 600 seconds, not -1
    """
    for name, value in (("move_time_s", move_time_s), ("pause_s", pause_s)):
        if not MIN_TIME_S <= value <= MAX_TIME_S:
            raise ValueError(f"{name} must be from {MIN_TIME_S:g} to {MAX_TIME_S:g} seconds, not {value:g}")


def rewind(board: Board, ply: int) -> Board:
    """Return the board after its first `ply` stones."""
    if not 0 <= ply <= board.ply:
        raise ValueError(f"start must be from 0 to {board.ply}, the number of stones, not {ply}")
    earlier = board.copy()
    while earlier.ply > ply:
        earlier.pop()
    return earlier


def _draw_falling_stone(stone: tuple[int, int, int], at: float, fall_s: float, total: float) -> str:
    """Return a stone that appears above the board at a share of the total time and falls to its row."""
    player, row, col = stone
    height = center_y(row) - MARGIN // 2
    landed = at + fall_s / total
    fall = (
        f'<animateTransform attributeName="transform" type="translate" dur="{total:g}s" repeatCount="indefinite"'
        f' values="0 -{height};0 -{height};0 0;0 0" keyTimes="0;{at:.5f};{landed:.5f};1"/>'
    )
    stone_group = f"<g>{_appear(at, total)}{fall}{draw_stone(player, row, col)}</g>"
    return stone_group if player == 0 else cover_cell(row, col, _appear(landed, total)) + stone_group


def _appear(at: float, total: float) -> str:
    """Return the animation that shows an element from a share of the total time on."""
    return (
        f'<animate attributeName="visibility" values="hidden;visible" keyTimes="0;{at:.5f}" calcMode="discrete"'
        f' dur="{total:g}s" repeatCount="indefinite"/>'
    )
