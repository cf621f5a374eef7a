"""Tests of the puzzles: solving, refutation, hints, own mistakes, rating, storage, accessibility."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from fourfall.coach.puzzles import Puzzle, load_puzzles, refute
from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import click_column, expect_fragment
from tests.web.browser.test_review import SETTINGS, run_review

COLUMN_NAMES = "123456789abc"
READ_OWN_MISTAKES = "JSON.parse(localStorage.getItem('fourfall.own_mistakes'))"
HAS_NO_SCROLLBAR = "document.documentElement.scrollWidth <= innerWidth"
GLICKMAN_EXAMPLE = """async () => {
  const { updateRating } = await import("/model/glicko2.js");
  const games = [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]];
  return updateRating(
    { rating: 1500, deviation: 200, volatility: 0.06 },
    games.map(([rating, deviation, score]) => ({ rating, deviation, score })),
  );
}"""
CHOOSE_PUZZLES = """async () => {
  const { choosePuzzle } = await import("/model/puzzle_choice.js");
  const { addScore, loadProgress } = await import("/model/puzzle_progress.js");
  const puzzles = Array.from({ length: 40 }, (_, index) => (
    { id: String(index), rating: 800 + 20 * index, themes: [index % 2 ? "odd" : "even"] }
  ));
  let progress = { ...loadProgress(), rating: { rating: 1200, deviation: 60, volatility: 0.06 } };
  const first = Array.from({ length: 50 }, () => choosePuzzle(puzzles, progress, "", []).rating);
  const odd = Array.from({ length: 20 }, () => choosePuzzle(puzzles, progress, "odd", []).themes[0]);
  const ids = [];
  for (let count = 0; count < 100; count += 1) {
    const puzzle = choosePuzzle(puzzles, progress, "", []);
    ids.push(puzzle.id);
    progress = { ...addScore(progress, puzzle, 1), rating: progress.rating };
  }
  return { first, odd, ids, none: choosePuzzle(puzzles, progress, "other", []) };
}"""

PLAY_OTHER_MOVE = """async ([puzzle, verdict]) => {
  const { PuzzleAttempt } = await import("/model/puzzle_attempt.js");
  const scores = [];
  const attempt = new PuzzleAttempt(puzzle, {
    onChange: () => {},
    onScore: (score) => scores.push(score),
    checkMove: async (position, column) => ({ verdict, columns: [column], text: { en: [], zh: [] } }),
  });
  await attempt.chooseColumn(attempt.move);
  const other = attempt.asked.openColumns.find(
    (column) => column !== attempt.move && !attempt.asked.play(column).winningCells,
  );
  await attempt.chooseColumn(other);
  const played = attempt.position.moves.length - attempt.start.moves.length;
  return [attempt.phase, attempt.feedback?.kind ?? null, played, scores];
}"""


def find_puzzle(result: str, length: int) -> Puzzle:
    """Return the shipped puzzle with the fewest stones whose solution has this number of stones."""
    found = [puzzle for puzzle in load_puzzles() if puzzle.result == result and len(puzzle.solution) == length]
    return min(found, key=lambda puzzle: puzzle.board.ply)


def open_puzzle(visit: Visit, puzzle: Puzzle, **options: object) -> Page:
    """Open a puzzle and wait until it can be solved."""
    page = visit(f"#puzzle={puzzle.id}", **options)
    page.wait_for_selector(".board.playable")
    return page


def press_column(page: Page, column: int) -> None:
    """Play a column by its key as soon as a move is asked."""
    page.wait_for_selector(".board.playable")
    page.keyboard.press(COLUMN_NAMES[column])


def choose_wrong_column(puzzle: Puzzle) -> int:
    """Return the wrong column with the shortest refutation."""
    refutations = [refute(puzzle.board, column) for column in puzzle.board.legal_moves if column != puzzle.move]
    return min((each.columns for each in refutations if len(each.columns) > 1), key=len)[0]


def test_rating_agrees_with_glickmans_example(visit: Visit) -> None:
    """The worked example of the paper gives the paper's numbers."""
    new = visit("#games").evaluate(GLICKMAN_EXAMPLE)
    assert new["rating"] == pytest.approx(1464.06, abs=0.02)
    assert new["deviation"] == pytest.approx(151.52, abs=0.01)
    assert new["volatility"] == pytest.approx(0.05999, abs=0.00001)


def test_choice_of_puzzles(visit: Visit) -> None:
    """Puzzles are near the rating, have the wanted theme, and do not come again soon."""
    found = visit("#games").evaluate(CHOOSE_PUZZLES)
    assert all(1000 <= rating <= 1340 for rating in found["first"])
    assert len(set(found["first"])) > 3
    assert set(found["odd"]) == {"odd"}
    assert found["none"] is None
    ids = found["ids"]
    for number, each in enumerate(ids):
        assert each not in ids[max(0, number - 20) : number]


@pytest.mark.both_pages
def test_line_is_played_to_its_end(visit: Visit) -> None:
    """After a right move the opponent replies and the next move is asked; a solved puzzle raises rating and streak."""
    puzzle = find_puzzle("win", 3)
    page = open_puzzle(visit, puzzle)
    status, log = page.locator(".status"), page.locator("#announcements")
    expect(status).to_contain_text("to move: win in 2 moves")
    press_column(page, puzzle.solution[0])
    expect(status).to_contain_text("Right. Now the next move")
    reply = f"{('Blue', 'Orange')[1 - puzzle.board.turn]} played column {COLUMN_NAMES[puzzle.solution[1]]}."
    expect(log).to_contain_text(reply)
    press_column(page, puzzle.solution[2])
    expect(status).to_contain_text("Solved!")
    expect(log).to_contain_text("Solved! Rating")
    expect(page.locator(".puzzle-verdict.right")).to_contain_text("(+")
    expect(page.get_by_role("heading", name="Why")).to_be_visible()
    expect(page.locator(".puzzle-progress")).to_contain_text("Streak1")
    page.keyboard.press("n")
    page.wait_for_selector(".board.playable")
    expect(page).not_to_have_url(re.compile(puzzle.id))
    page.reload()
    expect(page.locator(".puzzle-progress")).to_contain_text("Solved1 of 1")
    page.evaluate(f"location.hash = 'puzzle={puzzle.id}'")
    expect(page.get_by_text("so it does not count again")).to_be_visible()


@pytest.mark.both_pages
def test_wrong_move_is_refuted_on_the_board(visit: Visit) -> None:
    """A wrong move lowers the rating once; its refutation is played; then the user tries again, with hints in steps."""
    puzzle = find_puzzle("win", 3)
    page = open_puzzle(visit, puzzle, settings={"puzzles": {"streak": 4, "bestStreak": 4}})
    click_column(page, choose_wrong_column(puzzle))
    verdict = page.locator(".puzzle-verdict.wrong")
    expect(verdict).to_contain_text("is wrong")
    expect(verdict).to_contain_text("Click the board to try again")
    stones = page.locator(".board-frame .stone").count()
    assert stones > puzzle.board.ply + 1
    progress = page.locator(".puzzle-progress").inner_text()
    assert re.search(r"Streak\s+0", progress)
    assert re.search(r"Longest streak\s+4", progress)
    page.locator("[data-action=try-again]").click()
    expect(page.locator(".board-frame .stone")).to_have_count(puzzle.board.ply)
    hints = page.locator(".puzzle-hints li")
    for count in (1, 2, 3):
        page.keyboard.press("h")
        expect(hints).to_have_count(count)
    expect(hints.nth(2)).to_contain_text(f"The move is column {COLUMN_NAMES[puzzle.move]}.")
    expect(page.locator(".hint-stone")).to_have_count(1)
    page.keyboard.press("s")
    expect(page.locator(".status")).to_contain_text(f"This is the solution: column {COLUMN_NAMES[puzzle.move]}")
    assert page.locator(".puzzle-progress").inner_text() == progress


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("wins", ["solved", "also_right", 3, [1]]),
        ("unknown", ["asking", "unknown", 2, []]),
        ("loses", ["wrong", "wrong", 3, [0]]),
    ],
)
def test_other_move_later_in_the_line(visit: Visit, verdict: str, expected: list[object]) -> None:
    """A later move is right if the server proves that it wins, does not count if nothing is proved, else is wrong."""
    puzzle = find_puzzle("win", 5)
    assert visit("#games").evaluate(PLAY_OTHER_MOVE, [puzzle.to_json_value(), verdict]) == expected


@pytest.mark.both_pages
def test_mistake_of_a_reviewed_game_comes_first(visit: Visit) -> None:
    """The last mistake that a review finds is the first puzzle; solving it removes it and keeps the rating."""
    puzzle = find_puzzle("win", 3)
    wrong = choose_wrong_column(puzzle)
    page = visit(f"#review={puzzle.position}{COLUMN_NAMES[wrong]}", settings=SETTINGS)
    run_review(page)
    page.wait_for_function("() => localStorage.getItem('fourfall.own_mistakes') !== null")
    newest = page.evaluate(READ_OWN_MISTAKES)[0]
    assert newest == {"position": puzzle.position, "column": wrong, "puzzle": None}
    page.evaluate("location.hash = 'learn'")
    expect(page.locator(".learn-cards")).to_contain_text("from your games to try again")
    page.get_by_role("link", name="Solve puzzles").click()
    expect(page.locator(".puzzle-own")).to_have_text("From your game")
    expect(page.get_by_text(f"You played column {COLUMN_NAMES[wrong]} here.")).to_be_visible()
    press_column(page, puzzle.solution[0])
    press_column(page, puzzle.solution[2])
    expect(page.locator(".status")).to_contain_text("Solved!")
    assert puzzle.position not in [each["position"] for each in page.evaluate(READ_OWN_MISTAKES)]
    expect(page.locator(".puzzle-progress")).to_contain_text("Rating1500 ± 700Streak1")


def test_play_goes_on_without_storage(visit: Visit) -> None:
    """If the browser stores nothing, the page says so, and puzzles can be solved."""
    page = visit("#games")
    page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('denied', 'QuotaExceededError'); }; }"
    )
    puzzle = find_puzzle("draw", 1)
    page.evaluate(f"location.hash = 'puzzle={puzzle.id}'")
    page.wait_for_selector(".board.playable")
    expect(page.locator(".status")).to_contain_text("find the only move that does not lose")
    expect(page.get_by_text("rating and streak are lost")).to_be_visible()
    press_column(page, puzzle.move)
    expect(page.locator(".status")).to_contain_text("Solved!")


def test_unknown_puzzle_and_theme(visit: Visit) -> None:
    """A link to a puzzle that does not exist says so and shows another one; a theme selects other puzzles."""
    page = visit("#puzzle=000000000000")
    expect(page.locator("#notification")).to_have_text("There is no puzzle 000000000000.")
    page.wait_for_selector(".board.playable")
    puzzle = find_puzzle("draw", 1)
    page.locator("[data-field=puzzle-theme]").select_option(puzzle.themes[0].value)
    page.wait_for_selector(".board.playable")
    expect_fragment(page, "puzzle=" + page.url.split("=")[-1])
    shown = next(each for each in load_puzzles() if each.id == page.url.split("=")[-1])
    assert puzzle.themes[0] in shown.themes


@pytest.mark.parametrize(("theme", "width", "language"), [("light", 1200, "en"), ("dark", 360, "zh")])
def test_puzzles_are_accessible(visit: Visit, theme: str, width: int, language: str) -> None:
    """Axe finds no violation with a hint and with a refuted move, and a phone does not scroll sideways."""
    puzzle = find_puzzle("win", 3)
    page = open_puzzle(visit, puzzle, color_scheme=theme, width=width, settings={"language": language})
    page.keyboard.press("h")
    expect(page.locator(".puzzle-hints li")).to_have_count(1)
    if width < 1000:
        press_column(page, choose_wrong_column(puzzle))
        page.wait_for_selector(".puzzle-verdict.wrong p")
    violations = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
    assert page.evaluate(HAS_NO_SCROLLBAR)
