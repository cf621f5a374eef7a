"""Tests the replayable board: with a script, without one, on paper, with the keyboard, and with hostile names."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from fourfall.arena.record import EXAMPLE
from fourfall.render import COLUMN_NAMES
from fourfall.report.replay import describe_loss, get_script, get_style, render_replay
from fourfall.report.report_game import ReportGame, TurningPoint
from fourfall.report.words import Words
from fourfall.report.words.replay_en import WORDS as ENGLISH
from fourfall.report.words.replay_zh import WORDS as CHINESE
from tests.web.browser.server import CHROMIUM, launch_browser

HOSTILE = "<img src=x onerror=alert(1)></script>"
REASONS = {"en": ["Blue now completes four."], "zh": ["蓝方接下来连成四子。"]}
POINT = TurningPoint(5, 1, "3", "4", "4556", 0.4, 0.0, "estimate", "6x7:11223", "fourfall", REASONS)
LOST = replace(ReportGame.from_record(17, EXAMPLE, POINT, "found"), names=("left", HOSTILE))
OTHERS = [
    replace(LOST, id=18, names=("right", "left"), turning_point=None, analysis="none"),
    replace(LOST, id=19, names=("left", "right"), board="6x7@5,0:1", moves="122", winner=None, ending="tie",
            turning_point=None, analysis="not lost", scores=(0.5, None, 0.25), times_ms=(20.0, 1500.0, 3.0)),
    replace(LOST, id=20, names=("left", "right"), moves="1122", winner=1, culprit=0, ending="crash",
            turning_point=None, analysis="failure"),
]  # fmt: skip


def make_page(language: str = "en") -> str:
    """Make a page with the board and nothing else."""
    words = Words("zh" if language == "zh" else "en")
    return (
        f'<!doctype html><html lang="{words.tag}"><meta charset="utf-8"><title>report</title>'
        f"<style>{get_style()}</style><main>{render_replay([LOST, *OTHERS], words)}</main>"
        f'<script type="module">{get_script()}</script></html>'
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_reasons_of_the_turning_point_are_in_the_text(language: str) -> None:
    """The static game and the data of the script have the sentences of the page's language only."""
    other = "zh" if language == "en" else "en"
    sentences = describe_loss(LOST, Words("zh" if language == "zh" else "en"))
    assert REASONS[language][0] in sentences
    assert REASONS[other][0] not in sentences


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: sudo apt-get install chromium")
    with launch_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write the page into a file and return its address."""
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(make_page(), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Open the page; an error of the script or a request is a failure."""
    errors: list[str] = []
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.on("request", lambda request: errors.append(request.url) if request.url != address else None)
    page.goto(address)
    yield page
    page.close()
    assert errors == []


def test_words_exist_in_both_languages() -> None:
    """Both languages have the same keys and placeholders."""
    assert list(ENGLISH) == list(CHINESE)
    for key, text in ENGLISH.items():
        assert sorted(find_placeholders(text)) == sorted(find_placeholders(CHINESE[key])), key
    assert "转折点" in make_page("zh")


def find_placeholders(text: str) -> list[str]:
    """Return the names in braces."""
    return [part.partition("}")[0] for part in text.split("{")[1:]]


def test_script_has_no_imports_and_cannot_end_its_element() -> None:
    """The two modules are one script, and hostile text stays text."""
    script = str(get_script())
    assert "import " not in script.replace("@import", "")
    assert "export " not in script
    assert "</" not in script
    assert make_page().count("</script>") == 3
    assert "<img" not in make_page()


def test_opens_at_the_turning_point_and_steps(page: Page) -> None:
    """The first game shows its turning point; buttons, keys and slider step through it."""
    state = page.locator(".replay-state")
    expect(state).to_contain_text("Stone 6: <img src=x onerror=alert(1)></script> plays column 3")
    expect(state).to_contain_text("turning point, better: column 4")
    expect(page.locator(".replay-image .turning")).to_have_count(1)
    page.get_by_label("Forward one move").click()
    expect(state).to_contain_text("Stone 7: left plays column 4")
    expect(state).to_contain_text("four in a row")
    expect(page.locator(".replay-image .winning")).to_have_count(4)
    expect(page.locator(".replay-image .last")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(state).to_contain_text("Stone 6")
    page.keyboard.press("Home")
    expect(state).to_have_text("Start position")
    page.keyboard.press("ArrowLeft")
    expect(state).to_have_text("Start position")
    slider = page.get_by_role("slider")
    slider.fill("3")
    expect(state).to_contain_text("Stone 3: left plays column 2, 1 ms, own evaluation 50 %")
    expect(slider).to_have_attribute("aria-valuetext", "3 of 7 stones")
    expect(page.locator(".replay-image .stone.player-0")).to_have_count(2)
    expect(page.locator(".replay-image .stone.player-1")).to_have_count(1)


def test_better_line_is_playable(page: Page) -> None:
    """The line starts at the turning point; its stones are outlines with numbers; then the game continues."""
    page.get_by_role("button", name="Play the better line").click()
    state = page.locator(".replay-state")
    expect(state).to_contain_text("Better line, stone 6")
    expect(state).to_contain_text("plays column 4")
    page.keyboard.press("End")  # the focus is on a button of the board
    expect(page.locator(".replay-image .line-stone text")).to_have_text(["1", "2", "3", "4"])
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".replay-image .line-stone text")).to_have_text(["✓"])
    expect(page.get_by_role("button", name="Play the better line")).to_be_focused()


def test_list_filter_and_links_choose_the_game(page: Page) -> None:
    """The list shows who won, the filter selects lost games, a link to a game opens it; arrow keys change the game."""
    buttons = page.locator(".replay-list button")
    expect(buttons).to_have_count(4)
    page.get_by_label("Show").select_option("games lost by left")
    expect(buttons).to_have_count(2)
    expect(page.locator(".replay-board h3")).to_have_text("Game 18: right against left")
    expect(page.locator(".replay-text")).to_contain_text("lost win chance gradually")
    buttons.first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".replay-board h3")).to_have_text("Game 20: left against right")
    expect(page.locator(".replay-text")).to_contain_text("Lost by a failure (crash)")
    expect(buttons.nth(1)).to_be_focused()
    page.evaluate("location.hash = '#game-19'")
    expect(page.locator(".replay-board h3")).to_have_text("Game 19: left against right")
    expect(page.locator(".replay-state")).to_have_text("Stone 4: right plays column 2, 3 ms, own evaluation 25 %")
    page.keyboard.press("Home")
    expect(page.locator(".replay-state")).to_have_text("After 1 random opening moves")
    expect(page.get_by_role("img", name="hole at column 1, row 1")).to_be_visible()
    # The stone in column 1 falls past the hole in the lowest row.
    assert page.locator(".replay-image .stone").get_attribute("transform") == "translate(48 224)"


@pytest.mark.parametrize("how", ["print", "no script"])
def test_static_figures_without_a_script_and_on_paper(browser: Browser, address: str, how: str) -> None:
    """Every game has a figure of its turning point or its end; the board with buttons is absent."""
    context = browser.new_context(java_script_enabled=how == "print")
    page = context.new_page()
    page.goto(address)
    if how == "print":
        expect(page.locator("#game-17")).to_be_hidden()
        page.emulate_media(media="print")
    figures = page.locator(".replay-static article")
    expect(figures).to_have_count(4)
    expect(figures.first).to_be_visible()
    expect(page.locator("#replay")).to_be_hidden()
    expect(figures.first).to_contain_text("played column 3 (win chance 0 %); better: column 4 (40 %)")
    expect(figures.first).to_contain_text("Better line: 4 5 5 6")
    assert figures.first.locator("svg circle[fill='#0072b2']").count() == 3
    drawn = figures.first.locator("svg").inner_html()
    assert ">0 %</text>" in drawn
    assert ">40 %</text>" in drawn
    expect(figures.nth(3)).to_contain_text("right won, crash of left")
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1366, "dark")])
def test_fits_the_screen_and_is_accessible(browser: Browser, address: str, width: int, scheme: str) -> None:
    """Nothing is wider than the screen, and axe finds no violation in both colour schemes."""
    page = browser.new_page(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    results = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa"]})
    assert results.response["violations"] == []
    page.close()


def test_report_without_games_says_so() -> None:
    """An empty report has no board."""
    assert render_replay([], Words("en")) == "<p>No games are included in this report.</p>"


def test_column_names_are_those_of_the_package() -> None:
    """The script writes columns as the package does."""
    assert f'COLUMN_NAMES = "{COLUMN_NAMES}"' in str(get_script())
