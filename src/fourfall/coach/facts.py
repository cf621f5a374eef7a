"""Facts about a move: what the sentences of an explanation state and what a board can draw of them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from fourfall._core import Score

Cell = tuple[int, int]
"""A cell as (row, column) from the top left, as everywhere in the library."""
Line = tuple[Cell, ...]
"""Adjacent cells in one direction, four or more."""


class FactKind(StrEnum):
    """What a fact states; `docs/coach.md` defines every kind and says how it is checked.

    Names that begin with "allows" are about what the opponent can do after the move, names that begin with "misses"
    about another move that was possible.
    """

    WINS = "wins"
    MISSES_WIN = "misses_win"
    BLOCKS = "blocks"
    CANNOT_BLOCK = "cannot_block"
    MISSES_BLOCK = "misses_block"
    OPENS_WIN = "opens_win"
    DOUBLE_THREAT = "double_threat"
    STACKED_THREAT = "stacked_threat"
    NO_SAFE_REPLY = "no_safe_reply"
    FORCED_SEQUENCE = "forced_sequence"
    ALLOWS_SEQUENCE = "allows_sequence"
    MISSES_SEQUENCE = "misses_sequence"
    NO_DEFENCE = "no_defence"
    ALLOWS_ATTACK = "allows_attack"
    MISSES_ATTACK = "misses_attack"
    ONLY_MOVE = "only_move"
    FEW_REPLIES = "few_replies"
    ALLOWS_FEW_REPLIES = "allows_few_replies"
    GIVES_UP_CELL = "gives_up_cell"
    PARITY = "parity"
    ALLOWS_PARITY = "allows_parity"
    MISSES_PARITY = "misses_parity"
    HOLE_PARITY = "hole_parity"
    HOLE_LINE = "hole_line"
    THREAT = "threat"
    WINNING_CELL = "winning_cell"
    PREVENTS_DOUBLE_THREAT = "prevents_double_threat"
    TAKES_CELL = "takes_cell"
    ALLOWS_CELL = "allows_cell"
    MISSES_CELL = "misses_cell"
    EXPECTED_CELL = "expected_cell"
    MISSES_EXPECTED_CELL = "misses_expected_cell"
    LEAVES_CELL = "leaves_cell"
    FEWER_LINES = "fewer_lines"
    OPEN_LINES = "open_lines"
    RESULT = "result"
    COMPARISON = "comparison"


class Stone(NamedTuple):
    """A stone of a sequence that a board can draw with its number."""

    row: int
    col: int
    player: int


@dataclass(frozen=True)
class Fact:
    """A statement about a move that was checked.

    Attributes:
        kind: what is stated.
        player: the player who has the advantage that the fact states, 0 or 1.
        cells: the cells that the statement names, for example the winning cells.
        lines: lines of four or more that a stone on one of the cells completes, or that the hole breaks.
        moves: stones of a sequence in order; the first one is a move in the explained position.
        column: the column that the statement names besides the explained one: a better move or a reply.
        other: the better move, if `column` is a reply.
        count: in kinds about a sequence, the number of stones that the winner needs; in kinds about parity, the number
            of cells that are filled before; in kinds about lines, their number.
        other_count: in `leaves_cell` the lines of the other player, in `fewer_lines` those of the better move.
        is_above: in kinds about parity, whether the winner answers every stone directly above it.
        ending: how a sequence ends: the kind of fact after the last move but two.
        score: score of the explained column for the side to move, in the kinds `result` and `comparison`.
        other_score: score of `column`, in the kind `comparison`.
    """

    kind: FactKind
    player: int
    cells: tuple[Cell, ...] = ()
    lines: tuple[Line, ...] = ()
    moves: tuple[Stone, ...] = ()
    column: int | None = None
    other: int | None = None
    count: int | None = None
    other_count: int | None = None
    is_above: bool = False
    ending: FactKind | None = None
    score: Score | None = None
    other_score: Score | None = None

    def to_json_value(self) -> dict[str, Any]:
        """Return the fact as plain data for JSON.

        >>> Fact(FactKind.BLOCKS, 0, cells=((5, 3),)).to_json_value()
        {'kind': 'blocks', 'player': 0, 'cells': [[5, 3]], 'lines': [], 'moves': [], 'column': None}
        """
        return {
            "kind": self.kind.value,
            "player": self.player,
            "cells": [list(cell) for cell in self.cells],
            "lines": [[list(cell) for cell in line] for line in self.lines],
            "moves": [stone._asdict() for stone in self.moves],
            "column": self.column,
        }
