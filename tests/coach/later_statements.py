"""Checks of the facts about parity, the hole, winning cells, possible lines and scores."""

from fourfall import Board, Score
from fourfall.coach import Cell, Fact, FactKind
from tests.coach.proof import after, check_lines, prove
from tests.coach.tactical_statements import loses_at_once
from tests.reference import DIRECTIONS, ReferenceGame
from tests.search.perfect_play import make_reference


def check_gives_up_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the cell directly above the stone completes four for the player, and the opponent can occupy it."""
    player = game.turn
    game.push(column)
    (cell,) = fact.cells
    assert game.landing_cell(column) == cell
    assert game.completes_four(cell, player)
    assert column in game.legal_moves()
    assert fact.player == 1 - player


def check_parity(board: Board, column: int, fact: Fact, facts: tuple[Fact, ...]) -> None:
    """Check that the player wins after the move by parity and, in a fact about the hole, that the hole decides it."""
    parity = next(other for other in facts if other.kind == FactKind.PARITY)
    reached = after(board, column)
    check_follow_up(reached, parity)
    if fact.kind == FactKind.HOLE_PARITY:
        assert board.hole is not None
        assert fact.cells == (board.hole,)
        without = ReferenceGame(board.rows, board.cols)
        without.stones = make_reference(reached).stones
        assert count_cells_before(without, parity.cells) == (parity.count or 0) + 1


def check_allows_parity(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the opponent wins by parity after its reply."""
    assert fact.column is not None
    check_follow_up(after(board, column, fact.column), fact)


def check_misses_parity(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the player wins by parity after another move."""
    assert fact.column is not None
    assert fact.column != column
    check_follow_up(after(board, fact.column), fact)


def check_follow_up(board: Board, fact: Fact) -> None:
    """Check that the side to move loses: it cannot win before it must play below one of the cells.

    If the fact says that every stone is answered directly above it, all games in which this happens are played. The
    others are checked with the solver.
    """
    game = make_reference(board)
    assert fact.player == 1 - game.turn
    assert all(game.completes_four(cell, fact.player) for cell in fact.cells)
    count = count_cells_before(game, fact.cells)
    assert count == fact.count
    assert count % 2 == 0
    if fact.is_above and count <= 12:
        follow(game, fact.player)
    else:
        assert prove(board).is_loss


def count_cells_before(game: ReferenceGame, cells: tuple[Cell, ...]) -> int:
    """Return the number of free cells that are neither above nor directly below one of the cells, nor one of them."""
    free = game.free_cells()
    for row, col in cells:
        below = min(cell for cell in free if cell[1] == col and cell[0] > row)
        free = [cell for cell in free if cell[1] != col or cell[0] > below[0]]
    return len(free)


def follow(game: ReferenceGame, follower: int) -> None:
    """Play all moves of the side to move; the follower wins if it can, and otherwise answers directly above."""
    assert game.legal_moves(), "the board is full without a win of the follower"
    for column in game.legal_moves():
        game.push(column)
        assert game.winner() is None, "the opponent of the follower wins"
        if not game.winning_moves():
            assert column in game.legal_moves()
            game.push(column)
            follow(game, follower)
            game.pop()
        game.pop()


def check_hole_line(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that three stones and the hole are on a line, and no four contains the three stones."""
    player = game.turn
    game.push(column)
    (window,) = fact.lines
    stones = {cell for cell in window if cell != board.hole}
    assert len(window) == 4
    assert len(stones) == 3
    assert fact.cells == (board.hole,)
    assert game.history[-1] in stones
    assert all(game.stones.get(cell) == player for cell in stones)
    for other in list_windows(game):
        if stones < set(other):
            assert board.hole in other or any(game.stones.get(cell) == 1 - player for cell in other)


def check_threat(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the opponent loses at once unless it plays in the named column."""
    game.push(column)
    assert game.winner() is None
    assert not game.winning_moves()
    check_lines(game, fact)
    for reply in game.legal_moves():
        if reply != fact.column:
            assert loses_at_once(game, reply)


def check_winning_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the cells complete four for the player, but did not before the move."""
    check_new_cells(game, column, fact)


def check_misses_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that another move would make the cells."""
    assert fact.column is not None
    assert fact.column != column
    check_new_cells(game, fact.column, fact)


def check_new_cells(game: ReferenceGame, column: int, fact: Fact) -> None:
    """Check that after the column the cells are winning cells, and not before."""
    player = game.turn
    assert fact.cells
    assert not any(game.completes_four(cell, player) for cell in fact.cells)
    game.push(column)
    assert set(fact.cells) <= set(game.threats(player))
    check_lines(game, fact)
    game.pop()


def check_takes_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that a stone of the opponent on the same cell would make the cells."""
    opponent = 1 - game.turn
    landing = game.landing_cell(column)
    assert landing is not None
    assert fact.cells
    assert not any(game.completes_four(cell, opponent) for cell in fact.cells)
    game.stones[landing] = opponent
    assert set(fact.cells) <= set(game.threats(opponent))


def check_prevents_double_threat(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that a stone of the opponent on the same cell would threaten four in several columns."""
    check_takes_cell(game, board, column, fact)
    assert set(fact.cells) <= set(game.landing_cells())
    assert len({col for _, col in fact.cells}) > 1


def check_allows_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the reply makes the cell, and after the other move no reply does."""
    assert fact.column is not None
    assert fact.other is not None
    assert fact.other != column
    game.push(column)
    check_new_cells(game, fact.column, fact)
    game.pop()
    game.push(fact.other)
    before = game.threats(fact.player)
    for reply in game.legal_moves():
        game.push(reply)
        assert not any(cell in game.threats(fact.player) and cell not in before for cell in fact.cells)
        game.pop()


def check_expected_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the last of the moves, which begin with the explained one, makes the cells for the opponent."""
    assert fact.moves[0].col == column
    assert fact.player == 1 - board.turn
    check_line_makes_cells(game, fact)


def check_misses_expected_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the last of the moves, which begin with the named column, makes the cells for the player."""
    assert fact.moves[0].col == fact.column != column
    assert fact.player == board.turn
    check_line_makes_cells(game, fact)


def check_line_makes_cells(game: ReferenceGame, fact: Fact) -> None:
    """Check that the cells are new after the last move, and that no move in between made a winning cell."""
    assert len(fact.moves) > 1
    for number, stone in enumerate(fact.moves[:-1]):
        before = set(game.threats(stone.player))
        game.push(stone.col)
        assert number == 0 or set(game.threats(stone.player)) <= before
    assert game.turn == fact.player
    check_new_cells(game, fact.moves[-1].col, fact)


def list_windows(game: ReferenceGame) -> list[list[Cell]]:
    """Return all lines of four cells of the board."""
    lines = [
        [(row + at * down, col + at * right) for at in range(4)]
        for row in range(game.rows)
        for col in range(game.cols)
        for down, right in DIRECTIONS
    ]
    return [line for line in lines if all(0 <= row < game.rows and 0 <= col < game.cols for row, col in line)]


def count_lines(game: ReferenceGame, cell: Cell | None, player: int) -> int:
    """Return the number of lines of four through a cell without the hole and stones of the other player."""
    return sum(
        cell in line and game.hole not in line and all(game.stones.get(other) != 1 - player for other in line)
        for line in list_windows(game)
    )


def check_open_lines(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that no other column has more possible lines."""
    counts = {col: count_lines(game, game.landing_cell(col), game.turn) for col in game.legal_moves()}
    assert fact.count == counts[column] == max(counts.values())


def check_fewer_lines(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the cell of the named column has more possible lines."""
    assert fact.column is not None
    assert fact.count == count_lines(game, game.landing_cell(column), game.turn)
    assert fact.other_count == count_lines(game, game.landing_cell(fact.column), game.turn) > fact.count


def check_leaves_cell(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the opponent can take the cell, and the possible lines of both players are counted."""
    assert fact.column is not None
    game.push(column)
    (cell,) = fact.cells
    assert fact.column in game.legal_moves()
    assert game.landing_cell(fact.column) == cell
    assert fact.count == count_lines(game, cell, game.turn)
    assert fact.other_count == count_lines(game, cell, 1 - game.turn)


def check_result(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that the solver finds the same result, at the latest after the stated number of plies."""
    assert fact.score is not None
    check_score(board, column, fact.score)


def check_comparison(game: ReferenceGame, board: Board, column: int, fact: Fact) -> None:
    """Check that proven results are right; estimates are only reported."""
    assert fact.column is not None
    assert fact.score is not None
    assert fact.other_score is not None
    for compared, score in ((column, fact.score), (fact.column, fact.other_score)):
        if score.is_exact:
            check_score(board, compared, score)


def check_score(board: Board, column: int, score: Score) -> None:
    """Check that the solver proves the result of a column, with at most the stated distance to a win."""
    found = -prove(after(board, column))
    assert found.proof == score.proof
    assert score.is_draw or (found.distance or 0) + 1 <= (score.distance or 0)
