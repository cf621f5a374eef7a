"""Compares the GIFs of the page without a server with those of the package, frame by frame."""

import io

import pytest
from PIL import Image, ImageChops, ImageColor, ImageStat

from fourfall import Board, render
from fourfall.render.animation import rewind
from fourfall.render.svg import BLUE, EMPTY, ORANGE
from tests.site.requests.request_process import RequestProcess

COLORS = {player: ImageColor.getrgb(color) for player, color in ((None, EMPTY), (0, BLUE), (1, ORANGE))}
MARGIN, CELL = 22, 32
MAX_DIFFERENCE = 6.0
"""Largest mean difference of a channel; the letters and the smoothing of edges differ."""


@pytest.mark.parametrize(("position", "start"), [("6x7:1122334", 0), ("12x11@4,7:6655b1", 3), ("4x4", 0)])
def test_frames(worker: RequestProcess, position: str, start: int) -> None:
    """Size, times and stones of every frame are equal; the colours of stones are exact."""
    board = Board.parse(position)
    status, found, media_type = worker.request(f"/api/animation?position={position}&start={start}&format=gif")
    assert (status, media_type) == (200, "image/gif")
    expected = Image.open(io.BytesIO(render.draw_gif(board, start=start)))
    image = Image.open(io.BytesIO(found))
    assert (image.size, image.info["loop"]) == (expected.size, 0)
    for frame in range(board.ply - start + 1):
        image.seek(frame)
        expected.seek(frame)
        assert image.info["duration"] == (700 if start + frame < board.ply else 3000)
        pixels = image.convert("RGB")
        check_stones(pixels, rewind(board, start + frame))
        difference = ImageStat.Stat(ImageChops.difference(pixels, expected.convert("RGB")))
        assert max(difference.mean) < MAX_DIFFERENCE
    with pytest.raises(EOFError):
        image.seek(board.ply - start + 1)


def check_stones(pixels: Image.Image, board: Board) -> None:
    """Compare the colour near the middle of every cell, beside the dot on the last move and a winning line."""
    for row in range(board.rows):
        for col in range(board.cols):
            if (row, col) != board.hole:
                place = (MARGIN + CELL * col + CELL // 2, MARGIN + CELL * row + CELL // 2 - 7)
                assert pixels.getpixel(place) == COLORS[board.stone_at(row, col)]


def test_long_game(worker: RequestProcess) -> None:
    """A long game on the largest board has all frames, so that the code table of the compression is used up."""
    columns = "".join("123456789abc"[(3 * ply + ply // 12) % 12] for ply in range(60))
    board = Board(12, 12)
    for name in columns:
        if not board.is_over:
            board.push("123456789abc".index(name))
    found = worker.request(f"/api/animation?position={board.notation}&format=gif")[1]
    image = Image.open(io.BytesIO(found))
    for frame in range(board.ply + 1):
        image.seek(frame)
    check_stones(image.convert("RGB"), board)
