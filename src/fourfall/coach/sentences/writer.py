"""Base of the two languages: names of players, columns and rows, and one method for each kind of fact."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar

from fourfall._core import Board, Score
from fourfall.coach.facts import Cell, Fact
from fourfall.render import COLUMN_NAMES


class SentenceWriter(ABC):
    """Writes facts about one move as sentences.

    Args:
        board: the position before the move.
        column: the explained move.
        text_board: name the players X and O and count rows from 0 at the top, as in drawings with text. Otherwise they
            are named by their colours, and rows count from 1 at the bottom, as on the page.
    """

    colours: ClassVar[tuple[str, str]]

    def __init__(self, board: Board, column: int, *, text_board: bool = False) -> None:
        self.board = board
        self.column = column
        self._is_text_board = text_board
        self.mover = self.name_player(board.turn)
        self.opponent = self.name_player(1 - board.turn)
        self.here = COLUMN_NAMES[column]

    def write(self, fact: Fact) -> list[str]:
        """Return the sentences about a fact, one or two."""
        method: Callable[[Fact], str | list[str]] = getattr(self, f"_write_{fact.kind.value}")
        text = method(fact)
        return [text] if isinstance(text, str) else text

    @abstractmethod
    def write_nothing(self) -> str:
        """Return the sentence about a move without facts."""

    def name_player(self, player: int) -> str:
        """Return the name of a player inside a sentence."""
        return ("X", "O")[player] if self._is_text_board else self.colours[player]

    def name_row(self, cell: Cell) -> str:
        """Return the name of the cell's row."""
        return str(cell[0] if self._is_text_board else self.board.rows - cell[0])

    @staticmethod
    def name_column(cell: Cell) -> str:
        """Return the name of the cell's column."""
        return COLUMN_NAMES[cell[1]]

    @staticmethod
    def get_column(fact: Fact) -> str:
        """Return the name of the column that a fact names."""
        return "" if fact.column is None else COLUMN_NAMES[fact.column]

    @staticmethod
    def list_moves(fact: Fact, start: int = 0) -> str:
        """Return the columns of a sequence, for example "4-5-3", from the given stone on."""
        return "-".join(COLUMN_NAMES[stone.col] for stone in fact.moves[start:])

    def is_above_hole(self, cell: Cell) -> bool:
        """Whether the cell is directly above the hole."""
        return self.board.hole == (cell[0] + 1, cell[1])


def list_columns(cells: Iterable[Cell]) -> list[str]:
    """Return the names of the columns of some cells, each once, from left to right."""
    return [COLUMN_NAMES[column] for column in sorted({cell[1] for cell in cells})]


def count_winner_moves(score: Score) -> int:
    """Return in how many moves of the winner a proven score ends the game.

    >>> count_winner_moves(Score.win(5)), count_winner_moves(Score.loss(4))
    (3, 2)
    """
    return ((score.distance or 0) + 1) // 2


def get_score(score: Score | None) -> Score:
    """Return the score that a fact of this kind always has."""
    if score is None:
        raise AssertionError("the fact has no score")
    return score


def percent(score: Score) -> str:
    """Return the win chance of a score.

    >>> percent(Score.estimate(0.25))
    '63 %'
    """
    return f"{100 * score.win_chance + 1e-9:.0f} %"
