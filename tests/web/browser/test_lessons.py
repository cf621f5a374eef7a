"""Tests of the lessons: every solution is right, and the page leads through them by mouse and keyboard."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fourfall import Board, solve
from fourfall.coach.forced_win import PositionBudget, find_forced_win, find_forced_win_after
from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import click_column, expect_fragment

MAX_SEQUENCE_POSITIONS = 20_000
MAX_SOLVED_CELLS = 32
"""Largest number of free cells with which the solver is called."""
READ_LESSONS = "async () => (await import('/model/lessons.js')).LESSONS"


def list_wins(board: Board) -> set[int]:
    """Return the columns in which the side to move completes four."""
    outcomes = {column: play(board, column).outcome() for column in board.legal_moves}
    return {column for column, outcome in outcomes.items() if outcome is not None and outcome.winner is not None}


def play(board: Board, column: int) -> Board:
    """Return the position after a move."""
    after = board.copy()
    after.push(column)
    return after


def list_after(board: Board, *, safe: bool) -> set[int]:
    """Return the moves after which the opponent cannot (`safe`) or can complete four at once."""
    return {column for column in board.legal_moves if bool(list_wins(play(board, column))) != safe}


def wins_next(board: Board, column: int) -> bool:
    """Whether, after a move, every reply lets the same player complete four with the next stone."""
    after = play(board, column)
    return not list_wins(after) and all(list_wins(play(after, reply)) for reply in after.legal_moves)


def has_forced_win(board: Board) -> bool:
    """Whether a win of the side to move by force was found."""
    return find_forced_win(board, PositionBudget(MAX_SEQUENCE_POSITIONS)) is not None


def list_solutions(board: Board, goal: str) -> set[int]:
    """Return all solutions of a task, as the goal defines them in model/lessons.js."""
    legal = set(board.legal_moves)
    if goal == "win":
        return list_wins(board)
    assert not list_wins(board)
    if goal == "block":
        [column] = list_after(board, safe=True)
        return {column}
    if goal == "attack":
        return {column for column in legal if wins_next(board, column)}
    if goal == "defend":
        return {column for column in legal if not has_forced_win(play(board, column))}
    if goal == "safe":
        assert list_after(board, safe=False)
        return list_after(board, safe=True)
    if goal == "keep":
        own_cells = set(board.threats(board.turn))
        below = {column for column in legal if _get_cell_above(board, column) in own_cells}
        assert len(below) == 1
        return list_after(board, safe=True) - below
    if goal == "threaten":
        return {column for column in legal if _forces_reply_below_own_cell(board, column)}
    solution = solve(board, columns=True)
    [column] = [entry.column for entry in solution.columns if entry.score is not None and entry.score.is_win]
    assert all(entry.score is not None or not entry.upper.is_win for entry in solution.columns)
    return {column}


def list_other_wins(board: Board, solutions: set[int]) -> set[int]:
    """Return the columns besides the solutions that win: by a forced sequence, or as the solver proves."""
    others = set(board.legal_moves) - solutions
    budget = PositionBudget(MAX_SEQUENCE_POSITIONS)
    forced = {column for column in others if find_forced_win_after(board, column, budget) is not None}
    if board.geometry.cells - board.ply > MAX_SOLVED_CELLS:
        return forced
    entries = solve(board, columns=True).columns
    return forced | {entry.column for entry in entries if entry.column in others and entry.lower.is_win}


def _get_cell_above(board: Board, column: int) -> tuple[int, int]:
    cell = play(board, column).last_cell
    assert cell is not None
    return cell[0] - 1, cell[1]


def _forces_reply_below_own_cell(board: Board, column: int) -> bool:
    """Whether the only reply that does not lose at once is below a winning cell of the player who replies."""
    after = play(board, column)
    replies = [reply for reply in after.legal_moves if not list_wins(play(after, reply))]
    if list_wins(after) or len(replies) != 1:
        return False
    return _get_cell_above(after, replies[0]) in after.threats(after.turn)


def test_solutions_are_right_and_complete(visit: Visit) -> None:
    """The solutions of every task are exactly the moves that its goal defines; the opponent's replies are forced."""
    lessons: list[dict[str, Any]] = visit("#games").evaluate(READ_LESSONS)
    assert [lesson["id"] for lesson in lessons] == [
        "rules",
        "threats",
        "double_threats",
        "opening_cells",
        "parity",
        "hole",
    ]
    for lesson in lessons:
        assert len(lesson["tasks"]) >= 3
        for task in lesson["tasks"]:
            board = Board.parse(task["position"])
            expected = {"123456789abc".index(name) for name in task["solutions"]}
            assert list_solutions(board, task["goal"]) == expected, task["id"]
            if task["goal"] != "win":  # else the coach would say that a move wins which the lesson calls wrong
                assert list_other_wins(board, expected) == set(), task["id"]
            if lesson["id"] == "hole":
                assert board.hole is not None


def answer(page: Page, column: int) -> None:
    """Play a column of a task by its key."""
    page.wait_for_selector(".board.playable")
    page.keyboard.press("123456789abc"[column])


@pytest.mark.both_pages
def test_lesson_by_keyboard(visit: Visit) -> None:
    """A wrong move is explained and taken back; a double threat is played to the end; progress is kept."""
    page = visit("#lesson=3", reduced_motion="reduce")
    expect(page.locator(".status")).to_contain_text("Make three in a row")
    answer(page, 0)
    expect(page.locator(".lesson-feedback")).to_contain_text("Not this move.")
    expect(page.locator(".lesson-feedback .reason")).to_contain_text("Blue could win by force")
    expect(page.locator("#announcements")).to_contain_text("Blue could win by force")
    expect(page.locator(".board-frame .preview-stone")).not_to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator(".board-frame .stone")).to_have_count(4)
    answer(page, 2)
    expect(page.locator(".status")).to_contain_text("Complete your four.")
    expect(page.locator(".lesson-feedback .reason")).to_contain_text("Orange can block only one")
    wins = page.evaluate("() => window.fourfall.views.learn.page.question.findThreats(0).map(([, column]) => column)")
    answer(page, wins[0])
    expect(page.locator(".lesson-feedback")).to_contain_text("four in a row")
    page.keyboard.press("n")
    expect(page.locator(".status")).to_contain_text("two threats with one move")
    page.reload()
    expect(page.locator(".lesson-tasks [aria-current]")).to_have_text("2")
    page.get_by_role("link", name="All lessons").click()
    expect(page.locator(".lesson-list a").nth(2)).to_contain_text("1 of 4")


def test_all_lessons_can_be_completed(visit: Visit) -> None:
    """A visitor who finds all moves gets through all lessons to the set-up of a game, by mouse."""
    page = visit("#learn", reduced_motion="reduce")
    lessons: list[dict[str, Any]] = page.evaluate(READ_LESSONS)
    page.locator(".lesson-list a").first.click()
    for number, lesson in enumerate(lessons, 1):
        for index, task in enumerate(lesson["tasks"], 1):
            expect(page.locator(".lesson-card")).to_contain_text(f"Lesson {number} of 6")
            expect(page.locator(".lesson-tasks [aria-current]")).to_have_text(str(index))
            click_column(page, "123456789abc".index(task["solutions"][0]))
            if task["goal"] in ("attack", "threaten"):
                page.wait_for_function("() => window.fourfall.views.learn.page.phase === 'second'")
                board = Board.parse(page.evaluate("() => window.fourfall.views.learn.page.question.notation"))
                [column, *_] = sorted(list_wins(board) or list_after(board, safe=True))
                click_column(page, column)
            page.locator(".lesson-feedback [data-action=next], [data-action=play-level]").click()
    expect(page.locator("main[data-view=play]")).to_be_visible()
    assert page.evaluate("() => window.fourfall.views.play.setup.opponent") == "level-10"


def test_unknown_lesson_shows_the_first(visit: Visit) -> None:
    """An address with a lesson that does not exist shows the first lesson."""
    page = visit("#lesson=9")
    expect(page.locator(".lesson-card h2")).to_have_text("The rules")
    expect_fragment(page, "lesson=1")


def test_rules_lead_to_the_lessons(visit: Visit) -> None:
    """The rules, which a new visitor sees first, have a link to the lessons."""
    page = visit(settings={"rules_seen": False})
    page.get_by_role("link", name="six short lessons").click()
    expect(page.locator(".lesson-list a")).to_have_count(6)
    expect(page.locator("dialog[open]")).to_have_count(0)
