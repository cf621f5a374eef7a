"""Hypothesis strategies for boards and games."""

from typing import NamedTuple

from hypothesis import strategies as st

from fourfall import Board
from tests.reference import Cell, ReferenceGame

STYLES = ("any", "peaceful", "patterned")


class Shape(NamedTuple):
    """Rows, columns and hole of a board."""

    rows: int
    cols: int
    hole: Cell | None = None

    @property
    def cells(self) -> int:
        """Number of cells that stones can occupy."""
        return self.rows * self.cols - (self.hole is not None)


class Game(NamedTuple):
    """A legal game, finished or not."""

    shape: Shape
    moves: list[int]

    def board(self) -> Board:
        """Play the game on a native board."""
        board = Board(*self.shape)
        for col in self.moves:
            board.push(col)
        return board

    def reference(self) -> ReferenceGame:
        """Play the game on the reference."""
        game = ReferenceGame(*self.shape)
        for col in self.moves:
            game.push(col)
        return game


@st.composite
def shapes(draw: st.DrawFn, max_side: int = 12) -> Shape:
    """Draw any size, without a hole or with one in a corner, on the bottom row, on the top row or anywhere."""
    rows = draw(st.integers(4, max_side))
    cols = draw(st.integers(4, max_side))
    row = st.integers(0, rows - 1)
    col = st.integers(0, cols - 1)
    corner = st.tuples(st.sampled_from((0, rows - 1)), st.sampled_from((0, cols - 1)))
    bottom = st.tuples(st.just(rows - 1), col)
    top = st.tuples(st.just(0), col)
    return Shape(rows, cols, draw(st.one_of(st.none(), corner, bottom, top, st.tuples(row, col))))


def choose_preferred_moves(game: ReferenceGame, style: str) -> list[int]:
    """Return the legal columns that fit a style of play.

    Uniform random games ("any") end on average before half of the board is full. "peaceful" players win only if every
    move wins, which fills most of the board. "patterned" players also prefer the cells of a colouring without three in
    a row, and nearly always fill the board.
    """
    legal = game.legal_moves()
    if style == "any":
        return legal
    wins = game.winning_moves()
    peaceful = [col for col in legal if col not in wins] or legal
    if style == "peaceful":
        return peaceful
    patterned = [col for row, col in game.landing_cells() if (row + col // 2) % 2 == game.turn]
    return [col for col in peaceful if col in patterned] or peaceful


@st.composite
def finished_games(draw: st.DrawFn, max_side: int = 12) -> Game:
    """Draw finished games: early wins, late wins and full boards."""
    shape = draw(shapes(max_side))
    style = draw(st.sampled_from(STYLES))
    choices = draw(st.binary(min_size=shape.cells, max_size=shape.cells))
    game = ReferenceGame(*shape)
    for choice in choices:
        if game.is_over():
            break
        columns = choose_preferred_moves(game, style)
        game.push(columns[choice % len(columns)])
    return Game(shape, game.moves)


@st.composite
def games(draw: st.DrawFn, max_side: int = 12) -> Game:
    """Draw games that stop anywhere between the first move and the end."""
    whole = draw(finished_games(max_side))
    length = st.integers(0, len(whole.moves))
    # Hypothesis prefers small numbers, so half of the lengths are counted from the end.
    kept = draw(st.one_of(length, length.map(lambda taken_back: len(whole.moves) - taken_back)))
    return Game(whole.shape, whole.moves[:kept])
