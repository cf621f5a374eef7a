"""Tests that the results of the census are right: brute force, published results, reflection and consistency."""

import pytest

from fourfall import Board, Score, Solver
from fourfall.census import find_solved, list_boards, list_sizes, list_solved
from fourfall.census.notation import format_score, parse_line
from fourfall.census.verification import find_contradictions
from fourfall.experiments.census_published import agrees_with_published, find_last_stone, find_tromp_result
from tests.census.brute_force import BruteForce


def get_score(board: Board) -> str:
    """Return the score of a board in the census."""
    solved = find_solved(board)
    assert solved is not None, board
    return format_score(solved.score)


@pytest.mark.parametrize("hole", [None, *((row, col) for row in range(4) for col in range(4))], ids=str)
def test_all_columns_of_4x4_agree_with_brute_force(hole: tuple[int, int] | None) -> None:
    """With every hole, those of the right half included, the board and its columns have the results of brute force."""
    brute = BruteForce(4, 4, hole)
    solved = find_solved(Board(4, 4, hole=hole))
    assert solved is not None
    assert format_score(solved.score) == brute.solve()
    assert [format_score(column.score) for column in solved.columns] == [brute.solve_column(col) for col in range(4)]


@pytest.mark.parametrize("board", [*list_boards(4, 5), *list_boards(5, 4)], ids=lambda board: board.notation)
def test_boards_of_twenty_cells_agree_with_brute_force(board: Board) -> None:
    """Every hole of 4x5 and 5x4 has the result of brute force."""
    assert get_score(board) == BruteForce(board.rows, board.cols, board.hole).solve()


def test_brute_force_knows_the_rules_of_the_hole() -> None:
    """Without these two results the comparison would prove little: a hole changes the result, and so does its place."""
    assert [BruteForce(4, 4, hole).solve() for hole in (None, (0, 0), (3, 0))] == ["=", "=", "+13"]


def test_boards_without_a_hole_agree_with_published_results() -> None:
    """Winner and last stone agree for every size of the census; both published tables have all of them up to 6x7."""
    compared = 0
    for solved in list_solved():
        board = solved.board
        if board.hole is None:
            assert agrees_with_published(board.rows, board.cols, solved.score), solved.position
            compared += find_tromp_result(board.rows, board.cols) is not None
    assert compared >= 12


def test_published_tables_are_read_by_rows_and_columns() -> None:
    """Tromp's table is by width and height: 5 rows and 8 columns is a win, 8 rows and 5 columns a draw."""
    assert [find_tromp_result(5, 8), find_tromp_result(8, 5), find_last_stone(5, 8)] == ["+", "=", 39]
    assert not agrees_with_published(5, 8, Score.draw(40))
    assert not agrees_with_published(5, 8, Score.win(37))


def test_every_board_is_consistent() -> None:
    """All lines are legal and end as the scores say, and the best column has the score of the board."""
    assert [text for solved in list_solved() for text in find_contradictions(solved)] == []


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("4x4 -8:12121212", "the game is over"),
        ("4x4 +7:121212", "does not end the game"),
        ("4x4 =:1212121", "ends with win after 7 plies, not with draw after 16"),
        ("4x4 +7:1212121 +7:2121212 ? ? ?", "does not begin with it"),
        ("4x4@0,0 -8:21212343 +7:1212121 ? ? ?", "better than the board"),
    ],
)
def test_contradictions_are_found(line: str, part: str) -> None:
    """A line that is illegal, too short or has another result, and a column above the board's score are reported."""
    found = find_contradictions(parse_line(line))
    assert any(part in text for text in found), found


def test_solver_agrees_on_reflected_boards() -> None:
    """Boards with the hole in the right half, which the file does not have, have the results of the solver."""
    for notation in ("4x5@3,4", "5x4@3,2", "4x6@2,3", "6x4@1,3"):
        board = Board.parse(notation)
        solved, solution = find_solved(board), Solver(memory_mb=4).solve(board, columns=True)
        assert solved is not None
        assert solved.score == solution.score
        assert [column.score for column in solved.columns] == [column.score for column in solution.columns]


def test_first_moves_of_the_classic_board_agree_with_published_values() -> None:
    """Pascal Pons' solver gives -2 -1 0 1 0 -1 -2: 1 is a win with the winner's last stone, 2 one earlier."""
    solved = find_solved(Board(6, 7))
    assert solved is not None
    scores = [format_score(column.score) for column in solved.columns]
    assert scores == ["-40", "-42", "=", "+41", "=", "-42", "-40"]


def test_every_board_up_to_30_cells_is_solved_with_all_columns() -> None:
    """The census has every size, every hole and every column up to 30 cells."""
    for size in list_sizes(30):
        for board in list_boards(*size):
            solved = find_solved(board)
            assert solved is not None, board
            assert solved.has_all_columns, board
