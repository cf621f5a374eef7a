"""Checks the statement of every kind of fact with the reference rules and the exact solver.

Each check is written from the sentence that people read, not from the code that finds the fact.
"""

from collections.abc import Callable, Iterator

from fourfall import Board
from fourfall.coach import Cell, Explanation, Fact, FactKind
from tests.coach import later_statements, tactical_statements
from tests.coach.later_statements import check_parity
from tests.coach.proof import Unproven
from tests.reference import ReferenceGame
from tests.search.perfect_play import make_reference


def check_explanation(explanation: Explanation) -> list[FactKind]:
    """Check all facts of an explanation; return the kinds that the solver could not prove within its limit."""
    unproven = []
    for fact in explanation.facts:
        try:
            check_fact(explanation.board, explanation.column, fact, explanation.facts)
        except Unproven:
            unproven.append(fact.kind)
    return unproven


def check_fact(board: Board, column: int, fact: Fact, facts: tuple[Fact, ...]) -> None:
    """Raise AssertionError if the statement of a fact about a move is false; `facts` are all of the explanation."""
    game = make_reference(board)
    assert list(_replay(game, fact)) == [(stone.row, stone.col) for stone in fact.moves]
    if fact.kind in (FactKind.PARITY, FactKind.HOLE_PARITY):
        check_parity(board, column, fact, facts)
    else:
        CHECKS[fact.kind](game, board, column, fact)


def _replay(game: ReferenceGame, fact: Fact) -> Iterator[Cell]:
    """Yield the cells of the moves of a fact; the players must alternate from the side to move."""
    for stone in fact.moves:
        assert stone.player == game.turn
        game.push(stone.col)
        yield game.history[-1]
    for _ in fact.moves:
        game.pop()


Check = Callable[[ReferenceGame, Board, int, Fact], None]
CHECKS: dict[FactKind, Check] = {
    kind: (vars(tactical_statements) | vars(later_statements))[f"check_{kind.value}"]
    for kind in FactKind
    if kind not in (FactKind.PARITY, FactKind.HOLE_PARITY)
}
