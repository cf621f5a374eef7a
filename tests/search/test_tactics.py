"""Tests that presets solve short tactical puzzles, with and without a hole."""

from typing import NamedTuple

import pytest

from fourfall import Board, Engine, Limit
from fourfall._core import Proofs, TerminalTest
from tests.kinds import GRAPHS, NAMES, load_tree_config
from tests.reference import Cell, ReferenceGame
from tests.search.perfect_play import make_reference

LIMIT = Limit(simulations=3000)
NO_HOLE, ABOVE_HOLE, HOLE_IN_LINE = "no hole", "above the hole", "hole in a line"


class Puzzle(NamedTuple):
    """A position, the kind of the puzzle, and the role of the hole in it."""

    kind: str
    hole: str
    text: str


PUZZLES = [
    Puzzle("win in one", NO_HOLE, "6x7:112233"),
    Puzzle("win in one", NO_HOLE, "6x7:1223343441"),
    Puzzle("win in one", ABOVE_HOLE, "7x7@5,2:42263246442452"),
    Puzzle("win in one", HOLE_IN_LINE, "6x7@4,3:64464346"),
    Puzzle("block", NO_HOLE, "6x7:11223"),
    Puzzle("block", ABOVE_HOLE, "6x7@4,2:26625224634"),
    Puzzle("block", HOLE_IN_LINE, "7x7@6,3:643464"),
    Puzzle("double threat", NO_HOLE, "6x7:4152"),
    Puzzle("double threat", ABOVE_HOLE, "9x9@6,4:44353645"),
    Puzzle("double threat", HOLE_IN_LINE, "9x9@7,3:733434746"),
    Puzzle("poisoned cell", NO_HOLE, "6x7:5224465"),
    Puzzle("poisoned cell", ABOVE_HOLE, "6x7@4,3:52535523"),
    Puzzle("poisoned cell", HOLE_IN_LINE, "9x9@7,3:654743534"),
    Puzzle("stacked pair", NO_HOLE, "6x7:2343622426663"),
    Puzzle("stacked pair", ABOVE_HOLE, "7x7@5,2:6556245455665546"),
    Puzzle("stacked pair", ABOVE_HOLE, "9x9@6,2:6764455745"),
    Puzzle("stacked pair", HOLE_IN_LINE, "6x8@4,3:3436644754765755"),
]


def find_wins_in_three(game: ReferenceGame) -> list[int]:
    """Return the moves after which the side to move wins with its next stone against every reply."""
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


def find_cell_above(game: ReferenceGame, column: int) -> Cell | None:
    """Return the landing cell after a stone in this column, above the hole if that comes next."""
    free = sorted((cell for cell in game.free_cells() if cell[1] == column), reverse=True)
    return free[1] if len(free) > 1 else None


def winning_cells(game: ReferenceGame, player: int) -> list[Cell]:
    """Return the landing cells on which this player completes four."""
    return [cell for cell in game.landing_cells() if game.completes_four(cell, player)]


def find_decisive_cells(puzzle: Puzzle, game: ReferenceGame) -> list[Cell]:
    """Check that a position is of its kind, and return the decisive cells."""
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
        opened = [cell for column in poisoned if (cell := find_cell_above(game, column))]
        assert len(opened) == 1
        assert game.completes_four(opened[0], opponent)
        return opened
    (column,) = find_wins_in_three(game)
    game.push(column)
    now = winning_cells(game, me)
    above = find_cell_above(game, column)
    game.pop()
    if puzzle.kind == "double threat":
        assert len(now) == 2
        return now
    assert [cell[1] for cell in now] == [column]
    assert above is not None
    assert game.completes_four(above, me)
    return [*now, above]


def find_solutions(puzzle: Puzzle, game: ReferenceGame) -> list[int]:
    """Return the moves that solve a puzzle."""
    if puzzle.kind == "win in one":
        return game.winning_moves()
    if puzzle.kind in ("block", "poisoned cell"):
        return game.safe_moves()
    return find_wins_in_three(game)


def must_solve(name: str, kind: str) -> bool:
    """Whether a preset must solve puzzles of a kind.

    Every tree search finds what one or two stones decide. A win in three is found by presets with proofs, and double
    threats by presets with the rule for them; for other presets, another move may seem as good. A graph search has
    proofs.
    """
    if name in GRAPHS:
        return True
    config = load_tree_config(name)
    if kind == "double threat":
        return config.root_double_threat or config.proofs != Proofs.NONE
    if kind == "win in one":
        return config.root_win or config.terminal_test != TerminalTest.INVERTED
    return kind != "stacked pair" or config.proofs != Proofs.NONE


def has_rule(name: str, kind: str) -> bool:
    """Whether a tree preset solves puzzles of a kind by a rule, without a search."""
    if name in GRAPHS:
        return False
    config = load_tree_config(name)
    rules = {"win in one": config.root_win, "block": config.root_block, "double threat": config.root_double_threat}
    return rules.get(kind, False)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_puzzle_is_of_its_kind(puzzle: Puzzle) -> None:
    """The reference rules confirm the kind of each puzzle and the role of its hole.

    Above the hole: a decisive cell is directly above it. Hole in a line: if the hole were a free cell, a stone there
    would complete four for the attacker.
    """
    board = Board.parse(puzzle.text)
    game = make_reference(board)
    cells = find_decisive_cells(puzzle, game)
    attacker = 1 - game.turn if puzzle.kind in ("block", "poisoned cell") else game.turn
    assert (board.hole is None) == (puzzle.hole == NO_HOLE)
    if puzzle.hole == ABOVE_HOLE:
        assert board.hole in [(row + 1, column) for row, column in cells]
    if puzzle.hole == HOLE_IN_LINE:
        assert board.hole is not None
        assert game.completes_four(board.hole, attacker)


@pytest.mark.parametrize(
    ("name", "puzzle"),
    [(name, puzzle) for name in NAMES for puzzle in PUZZLES if must_solve(name, puzzle.kind)],
    ids=str,
)
def test_preset_solves_puzzle(name: str, puzzle: Puzzle) -> None:
    """The preset plays a solution, and the analysis names the rule or has the proven distance."""
    board = Board.parse(puzzle.text)
    analysis = Engine(name, seed=1, memory_mb=16).search(board, LIMIT)
    assert analysis.move in find_solutions(puzzle, make_reference(board))
    if has_rule(name, puzzle.kind):
        assert analysis.stopped_by == puzzle.kind.removesuffix(" in one")
        assert analysis.simulations == 0
    elif puzzle.kind in ("win in one", "double threat", "stacked pair"):
        assert analysis.score.is_win
        assert analysis.score.distance == (1 if puzzle.kind == "win in one" else 3)
