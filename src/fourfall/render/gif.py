"""Draws a whole game as an animated GIF, with Pillow (in the extra `web`)."""

import io
from typing import TYPE_CHECKING

from fourfall._core import Board
from fourfall.render.animation import MOVE_TIME_S, PAUSE_S, check_animation_times, rewind
from fourfall.render.labels import COLUMN_NAMES
from fourfall.render.svg import BLUE, EMPTY, FAINT, FRAME, INK, ORANGE, OUTLINE
from fourfall.render.winning_lines import find_winning_lines

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_CELL = 32
_MARGIN = 22
_SCALE = 3
"""Frames are drawn this much larger and reduced, which smooths the edges."""


def draw_gif(board: Board, *, start: int = 0, move_time_s: float = MOVE_TIME_S, pause_s: float = PAUSE_S) -> bytes:
    """Draw the moves of a board as a GIF that repeats without end, beginning after `start` stones.

    Raises ModuleNotFoundError if Pillow is not installed.

    >>> draw_gif(Board.parse("6x7:44"))[:6]
    b'GIF89a'
    """
    check_animation_times(move_time_s, pause_s)
    shown = rewind(board, start)
    columns = board.moves[shown.ply :]
    frames = [_draw_frame(shown)]
    for column in columns:
        shown.push(column)
        frames.append(_draw_frame(shown))
    from PIL.Image import Dither

    palette = frames[-1].quantize(64)
    first, *others = (frame.quantize(palette=palette, dither=Dither.NONE) for frame in frames)
    durations = [round(1000 * move_time_s)] * len(columns) + [round(1000 * pause_s)]
    data = io.BytesIO()
    first.save(data, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False)
    return data.getvalue()


def _draw_frame(board: Board) -> "Image":
    """Return the image of one position."""
    from PIL import Image, ImageDraw

    size = (board.cols * _CELL + 2 * _MARGIN, board.rows * _CELL + 2 * _MARGIN)
    large = Image.new("RGB", (size[0] * _SCALE, size[1] * _SCALE), EMPTY)
    draw = ImageDraw.Draw(large)
    edge = (_MARGIN - 4) * _SCALE
    draw.rounded_rectangle((edge, edge, large.width - edge, large.height - edge), radius=8 * _SCALE, fill=FRAME)
    for row in range(board.rows):
        for col in range(board.cols):
            _draw_cell(draw, board, row, col)
    _draw_marks(draw, board)
    image = large.resize(size, Image.Resampling.LANCZOS)
    _draw_column_names(ImageDraw.Draw(image), board)
    return image


def _draw_cell(draw: "ImageDraw", board: Board, row: int, col: int) -> None:
    x, y = _center(col), _center(row)
    radius = 13 * _SCALE
    box = (x - radius, y - radius, x + radius, y + radius)
    player = board.stone_at(row, col)
    if board.hole == (row, col):
        step = 6 * _SCALE
        draw.rectangle(box, outline=FAINT, width=_SCALE)
        for at in range(step, 4 * radius, step):
            near, far = max(at - 2 * radius, 0), min(at, 2 * radius)
            draw.line((box[0] + near, box[1] + far, box[0] + far, box[1] + near), fill=FAINT, width=_SCALE)
    elif player is None:
        draw.ellipse(box, fill=EMPTY, outline=OUTLINE, width=_SCALE)
    elif player == 0:
        draw.ellipse(box, fill=BLUE)
    else:
        reach = 14 * _SCALE
        draw.polygon([(x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach)], fill=ORANGE)


def _draw_marks(draw: "ImageDraw", board: Board) -> None:
    """Draw the winning lines and a dot on the last move."""
    for (top, left), (bottom, right) in find_winning_lines(board):
        ends = (_center(left), _center(top), _center(right), _center(bottom))
        draw.line(ends, fill=INK, width=4 * _SCALE)
    if board.last_cell:
        y, x = map(_center, board.last_cell)
        radius = 4 * _SCALE
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=EMPTY, outline=INK, width=_SCALE)


def _draw_column_names(draw: "ImageDraw", board: Board) -> None:
    for col in range(board.cols):
        place = (_MARGIN + col * _CELL + _CELL // 2, _MARGIN // 2 - 1)
        draw.text(place, COLUMN_NAMES[col], fill=INK, anchor="mm")


def _center(index: int) -> int:
    """Return the middle of a row or column in the large image."""
    return (_MARGIN + index * _CELL + _CELL // 2) * _SCALE
