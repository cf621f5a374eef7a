"""Checks of the facts about the next stones, forced sequences and attacks."""

from fourfall import Board
from fourfall.coach import Cell, Fact
from tests.coach.proof import after, check_lines, prove
from tests.reference import ReferenceGame


def wins_with(game: ReferenceGame, column: int) -> bool:
    """Whether the side to move completes four in this column."""
    return column in game.winning_moves()


def check_wins(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the side to move wins with this stone."""
    assert fact.player == game.turn
    check_lines(game, fact)
    game.push(column)
    assert game.winner() == fact.player
    assert fact.cells == (game.history[-1],)
    assert {cell for line in fact.lines for cell in line} == set(game.winning_cells())


def check_misses_win(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the side to move could win in each of the columns, and does not win here."""
    assert [cell[1] for cell in fact.cells] == game.winning_moves()
    assert not wins_with(game, column)
    assert fact.column in game.winning_moves()
    check_lines(game, fact)


def check_blocks(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the opponent wins in this column after every other move, none of which wins."""
    assert fact.cells == (game.landing_cell(column),)
    assert not game.winning_moves()
    for other in game.legal_moves():
        if other != column:
            game.push(other)
            assert wins_with(game, column)
            game.pop()
    assert all(game.completes_four(cell, 1 - game.turn) for cell in fact.cells)


def check_cannot_block(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that after every move, none of which wins, the opponent wins on one of the cells."""
    assert not game.winning_moves()
    assert len({col for _, col in fact.cells}) > 1
    check_lines(game, fact)
    for other in game.legal_moves():
        game.push(other)
        assert any(wins_with(game, col) and game.landing_cell(col) == (row, col) for row, col in fact.cells)
        game.pop()


def check_misses_block(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the opponent wins in the named column now, and after every move that is not in it."""
    assert not game.winning_moves()
    assert fact.column is not None
    assert fact.column != column
    check_lines(game, fact)
    for other in game.legal_moves():
        if other != fact.column:
            game.push(other)
            assert wins_with(game, fact.column)
            game.pop()


def check_opens_win(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the opponent wins with the next stone in the same column; nobody could win there before."""
    below = game.landing_cell(column)
    assert below is not None
    check_lines(game, fact)
    game.push(column)
    assert game.winner() is None
    assert wins_with(game, column)
    assert (game.landing_cell(column),) == fact.cells
    above = [cell for cell in game.free_cells() if cell[1] == column]
    assert max(above) == fact.cells[0]
    assert fact.cells[0][0] < below[0]


def check_next_stone_wins(game: ReferenceGame, column: int, cells: tuple[Cell, ...] | None) -> None:
    """Check that the opponent cannot win after the move, and that every reply loses to a stone on one of the cells."""
    game.push(column)
    assert game.winner() is None
    assert not game.winning_moves()
    assert game.legal_moves()
    for reply in game.legal_moves():
        game.push(reply)
        wins = [game.landing_cell(col) for col in game.winning_moves()]
        assert any(cells is None or cell in cells for cell in wins)
        game.pop()
    game.pop()


def check_double_threat(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that two cells in different columns can be occupied now and complete four, and one is always left."""
    check_next_stone_wins(game, column, fact.cells)
    game.push(column)
    assert len({col for _, col in fact.cells}) > 1
    assert all(game.landing_cell(col) == (row, col) for row, col in fact.cells)
    check_lines(game, fact)


def check_stacked_threat(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that when the opponent blocks the lower cell, the player completes four on the upper one."""
    check_next_stone_wins(game, column, fact.cells)
    lower, upper = fact.cells
    game.push(column)
    check_lines(game, fact)
    assert game.landing_cell(lower[1]) == lower
    game.push(lower[1])
    assert game.landing_cell(upper[1]) == upper
    assert wins_with(game, upper[1])


def check_no_safe_reply(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that whatever the opponent plays, the next stone wins."""
    check_next_stone_wins(game, column, None)


def check_sequence(game: ReferenceGame, fact: Fact, attacker: int) -> None:
    """Check that each reply except the last is the only one that does not lose at once, and that all last ones do."""
    assert fact.player == attacker
    assert sum(stone.player == attacker for stone in fact.moves) == fact.count
    for number, stone in enumerate(fact.moves):
        if game.turn != attacker and number:
            assert not game.winning_moves()
            is_last = number == len(fact.moves) - 2
            losing = [reply for reply in game.legal_moves() if loses_at_once(game, reply)]
            assert losing == [reply for reply in game.legal_moves() if is_last or reply != stone.col]
        game.push(stone.col)
    assert game.winner() == attacker


def loses_at_once(game: ReferenceGame, column: int) -> bool:
    """Whether the opponent wins with the stone after this move."""
    game.push(column)
    loses = bool(game.winning_moves())
    game.pop()
    return loses


def check_forced_sequence(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the move begins a forced win."""
    assert fact.moves[0].col == column
    assert fact.count is not None
    assert fact.count > 2
    check_sequence(game, fact, game.turn)


def check_allows_sequence(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the opponent has a forced win after the move, which begins in the named column."""
    assert fact.moves[0].col == column
    assert fact.moves[1].col == fact.column
    check_sequence(game, fact, 1 - game.turn)


def check_misses_sequence(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that another move begins a forced win."""
    assert fact.moves[0].col == fact.column != column
    check_sequence(game, fact, game.turn)


def check_no_defence(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that every reply loses."""
    assert prove(after(board, column)).is_loss


def check_few_replies(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that every reply loses, except those in the named columns."""
    reached = after(board, column)
    others = [reply for reply in reached.legal_moves if reply not in [cell[1] for cell in fact.cells]]
    assert others
    assert fact.cells
    assert all(prove(after(reached, reply)).is_win for reply in others)


def check_allows_attack(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that after the reply in the named column every move loses."""
    assert fact.column is not None
    assert prove(after(board, column, fact.column)).is_loss


def check_misses_attack(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that after another move every reply loses."""
    assert fact.column is not None
    assert fact.column != column
    assert prove(after(board, fact.column)).is_loss


def check_allows_few_replies(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that after the reply in the named column every move loses, except those in the columns of the cells."""
    assert fact.column is not None
    check_few_replies(game, after(board, column), fact.column, fact)


def check_only_move(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that every other column loses."""
    others = [other for other in board.legal_moves if other != column]
    assert others
    assert all(prove(after(board, other)).is_win for other in others)
