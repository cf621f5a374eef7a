"""Owns short tactics: positions with one right answer, and the presets that must find it, with and without a hole."""

from typing import NamedTuple

import pytest

from fourfall import Board, Engine, Limit
from fourfall._core import Proofs
from tests.kinds import GRAPHS, NAMES, tree_config
from tests.reference import Cell, ReferenceGame
from tests.search.perfect_play import reference_of

MODEST = Limit(simulations=3000)
NOTHING, PAST, LINE = "no hole", "past the hole", "the hole in a line"


class Puzzle(NamedTuple):
    """A position, what there is to find in it, and what the hole has to do with it."""

    kind: str
    hole: str
    text: str


PUZZLES = [
    Puzzle("win in one", NOTHING, "6x7:112233"),
    Puzzle("win in one", NOTHING, "6x7:1223343441"),
    Puzzle("win in one", PAST, "7x7@5,2:42263246442452"),
    Puzzle("win in one", LINE, "6x7@4,3:64464346"),
    Puzzle("block", NOTHING, "6x7:11223"),
    Puzzle("block", PAST, "6x7@4,2:26625224634"),
    Puzzle("block", LINE, "7x7@6,3:643464"),
    Puzzle("double threat", NOTHING, "6x7:4152"),
    Puzzle("double threat", PAST, "9x9@6,4:44353645"),
    Puzzle("double threat", LINE, "9x9@7,3:733434746"),
    Puzzle("poisoned cell", NOTHING, "6x7:5224465"),
    Puzzle("poisoned cell", PAST, "6x7@4,3:52535523"),
    Puzzle("poisoned cell", LINE, "9x9@7,3:654743534"),
    Puzzle("stacked pair", NOTHING, "6x7:2343622426663"),
    Puzzle("stacked pair", PAST, "7x7@5,2:6556245455665546"),
    Puzzle("stacked pair", PAST, "9x9@6,2:6764455745"),
    Puzzle("stacked pair", LINE, "6x8@4,3:3436644754765755"),
]


def wins_in_three(game: ReferenceGame) -> list[int]:
    """Return the moves after which the side to move makes four with its next stone, whatever the reply."""
    found = []
    for column in game.legal_moves():
        game.push(column)
        if not game.is_over() and not game.winning_moves():
            replies = []
            for reply in game.legal_moves():
                game.push(reply)
                replies.append(bool(game.winning_moves()))
                game.pop()
            if all(replies):
                found.append(column)
        game.pop()
    return found


def opened_cell(game: ReferenceGame, column: int) -> Cell | None:
    """Return the cell that a stone in this column opens, past the hole where it lies between."""
    free = sorted((cell for cell in game.free_cells() if cell[1] == column), reverse=True)
    return free[1] if len(free) > 1 else None


def winning_cells(game: ReferenceGame, player: int) -> list[Cell]:
    """Return the cells on which this player would make four with a stone dropped now."""
    return [cell for cell in game.landing_cells() if game.completes_four(cell, player)]


def decisive_cells(puzzle: Puzzle, game: ReferenceGame) -> list[Cell]:
    """Check that a position is of its kind, and return the cells that decide it."""
    me, opponent = game.turn, 1 - game.turn
    if puzzle.kind == "win in one":
        assert len(winning_cells(game, me)) == 1
        return winning_cells(game, me)
    assert not winning_cells(game, me)
    if puzzle.kind == "block":
        blocks = winning_cells(game, opponent)
        assert game.safe_moves() == [column for _, column in blocks]
        return blocks
    assert not winning_cells(game, opponent)
    if puzzle.kind == "poisoned cell":
        poisoned = [column for column in game.legal_moves() if column not in game.safe_moves()]
        above = [cell for column in poisoned if (cell := opened_cell(game, column))]
        assert len(above) == 1
        assert game.completes_four(above[0], opponent)
        return above
    (column,) = wins_in_three(game)
    game.push(column)
    now = winning_cells(game, me)
    above_now = opened_cell(game, column)
    game.pop()
    if puzzle.kind == "double threat":
        assert len(now) == 2
        return now
    assert [cell[1] for cell in now] == [column]
    assert above_now is not None
    assert game.completes_four(above_now, me)
    return [*now, above_now]


def right_moves(puzzle: Puzzle, game: ReferenceGame) -> list[int]:
    """Return the moves that solve a puzzle."""
    if puzzle.kind == "win in one":
        return game.winning_moves()
    if puzzle.kind in ("block", "poisoned cell"):
        return game.safe_moves()
    return wins_in_three(game)


def claims(name: str, kind: str) -> bool:
    """Whether a preset must solve puzzles of a kind.

    What is over after one or two stones any tree sees. A win in three is claimed by proofs, and by the rule for double
    threats; without either another promising move may look as good. A graph search proves.
    """
    if name in GRAPHS:
        return True
    config = tree_config(name)
    if kind == "double threat":
        return config.root_double_threat or config.proofs != Proofs.NONE
    return kind != "stacked pair" or config.proofs != Proofs.NONE


def has_rule(name: str, kind: str) -> bool:
    """Whether a tree preset answers puzzles of a kind by a rule before the search."""
    if name in GRAPHS:
        return False
    config = tree_config(name)
    rules = {"win in one": config.root_win, "block": config.root_block, "double threat": config.root_double_threat}
    return rules.get(kind, False)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_a_position_is_what_it_says(puzzle: Puzzle) -> None:
    """The reference rules confirm every puzzle, and that its hole matters.

    Past the hole: a decisive cell stands right on it. In a line: a stone there would make four for the side whose
    lines decide, if only stones could lie there.
    """
    board = Board.parse(puzzle.text)
    game = reference_of(board)
    cells = decisive_cells(puzzle, game)
    attacker = 1 - game.turn if puzzle.kind in ("block", "poisoned cell") else game.turn
    assert (board.hole is None) == (puzzle.hole == NOTHING)
    if puzzle.hole == PAST:
        assert board.hole in [(row + 1, column) for row, column in cells]
    if puzzle.hole == LINE:
        assert board.hole is not None
        assert game.completes_four(board.hole, attacker)


@pytest.mark.parametrize(
    ("name", "puzzle"),
    [(name, puzzle) for name in NAMES for puzzle in PUZZLES if claims(name, puzzle.kind)],
    ids=str,
)
def test_a_preset_finds_what_it_claims(name: str, puzzle: Puzzle) -> None:
    """The right move comes out, and where a rule or a proof stands behind it the analysis says so."""
    board = Board.parse(puzzle.text)
    analysis = Engine(name, seed=1, memory_mb=16).analyse(board, MODEST)
    assert analysis.move in right_moves(puzzle, reference_of(board))
    if has_rule(name, puzzle.kind):
        assert analysis.stopped_by == puzzle.kind.removesuffix(" in one")
        assert analysis.simulations == 0
    elif puzzle.kind in ("win in one", "double threat", "stacked pair"):
        assert analysis.score.is_win
        assert analysis.score.distance == (1 if puzzle.kind == "win in one" else 3)
