"""Compares the rules of the page's Position class with the native Board."""

import random

from fourfall import Board
from tests.web.browser.conftest import Visit

EVALUATE_POSITIONS = """async (notations) => {
  const { Position } = await import("/model/position.js");
  return notations.map((notation) => {
    const position = Position.parse(notation);
    return {
      notation: position.notation,
      textBoard: position.toTextBoard(),
      legalMoves: position.isOver ? [] : position.openColumns,
      winningCells: (position.winningCells ?? []).map(String).sort(),
      threats: [0, 1].map((player) => position.findThreats(player).map(String).sort()),
    };
  });
}"""


def test_position_agrees_with_the_native_board(visit: Visit) -> None:
    """Notation, text board, legal moves, winning cells and threats agree on 300 random positions."""
    boards = [_play_random_position(seed) for seed in range(300)]
    results = visit("#games").evaluate(EVALUATE_POSITIONS, [board.notation for board in boards])
    for board, result in zip(boards, results, strict=True):
        outcome = board.outcome()
        assert result == {
            "notation": board.notation,
            "textBoard": str(board),
            "legalMoves": board.legal_moves,
            "winningCells": _list_cell_names(outcome.cells if outcome else []),
            "threats": [_list_cell_names(board.threats(player)) for player in (0, 1)],
        }


def _play_random_position(seed: int) -> Board:
    generator = random.Random(seed)  # noqa: S311 (not for cryptography)
    rows, cols = generator.randint(4, 12), generator.randint(4, 12)
    hole = (generator.randrange(rows), generator.randrange(cols)) if seed % 4 else None
    board = Board(rows, cols, hole=hole)
    for _ in range(generator.randint(0, rows * cols)):
        if board.is_over:
            break
        board.push(generator.choice(board.legal_moves))
    return board


def _list_cell_names(cells: list[tuple[int, int]]) -> list[str]:
    return sorted(f"{row},{column}" for row, column in cells)
