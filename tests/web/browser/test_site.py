"""Tests of what only the page without a server has: offline use, missing features, storage, versions, two tabs."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.web.browser.page_actions import (
    BEGINNER,
    IMPORT_MODULE,
    TWO_PERSONS,
    click_column,
    count_stones,
    play_columns,
    read_boxes,
    read_game_id,
    wait_for_turn,
)
from tests.web.browser.server import create_context, open_page
from tests.web.browser.site import SITE_FOLDER, Site

DENY_STORAGE = "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } });"
DENY_SIMD = "WebAssembly.validate = () => false;"

OpenSite = Callable[..., Page]


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Create new visitors, who leave after the test."""
    created: list[BrowserContext] = []

    def create(**options: object) -> BrowserContext:
        created.append(create_context(browser, **options))  # type: ignore[arg-type]
        return created[-1]

    yield create
    for context in created:
        context.close()


def change_worker(page: Page, source: str) -> None:
    """Run JavaScript at the start of the page's worker."""

    def add(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=f"{source}\n{response.text()}")

    page.route(re.compile(r"/local/worker\.js$"), add)


def read_notice(page: Page, name: str) -> str:
    """Return the text of a line below the header."""
    line = page.locator(f"[data-notice={name}] span")
    line.wait_for()
    return line.inner_text()


def set_version(folder: Path, version: str) -> None:
    """Change the version of the service worker of a site."""
    worker = folder / "service_worker.js"
    worker.write_text(re.sub('VERSION = "[0-9a-f]+"', f'VERSION = "{version}"', worker.read_text()))


def test_page_works_offline_after_the_first_visit(contexts: Callable[..., BrowserContext]) -> None:
    """After one visit the page opens without the host, plays against a level and has the puzzles and the game."""
    host = Site()
    host.start()
    page = contexts(service_workers="allow", settings={"setup": BEGINNER}).new_page()
    open_page(page, host.address)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    host.stop()
    page.reload()
    page.wait_for_selector("body[data-connected]")
    click_column(page, 3)
    assert wait_for_turn(page)
    page.evaluate("location.hash = '#puzzles'")
    expect(page.locator("main[data-view=learn] .board-frame .stone").first).to_be_visible()


def test_new_version_is_offered_and_taken(contexts: Callable[..., BrowserContext], tmp_path: Path) -> None:
    """A page of an old version says that a new one is ready; the button loads it."""
    folder = tmp_path / "site"
    shutil.copytree(SITE_FOLDER, folder)
    host = Site(folder)
    host.start()
    page = contexts(service_workers="allow").new_page()
    open_page(page, host.address)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    index = folder / "index.html"
    index.write_text(index.read_text().replace("<title>", '<meta name="generator" content="new"><title>'))
    set_version(folder, "00000000")
    page.reload()
    assert read_notice(page, "version") == "A new version of the page is ready."
    assert page.locator("meta[name=generator]").count() == 0
    page.locator("[data-notice=version] button").first.click()
    page.locator("meta[name=generator]").wait_for(state="attached")
    assert page.evaluate("caches.keys()") == ["fourfall-/-00000000"]
    host.stop()


def test_play_goes_on_without_storage(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """If the browser denies storage, the page says that games are not kept, and the game goes on."""
    page = contexts(settings={"setup": BEGINNER}).new_page()
    change_worker(page, DENY_STORAGE)
    open_page(page, site.address)
    assert "games are not kept" in read_notice(page, "storage")
    click_column(page, 3)
    assert wait_for_turn(page)
    page.keyboard.press("Shift+G")
    expect(page.locator(".games [data-game]")).to_have_count(1)


def test_page_says_that_the_storage_is_full(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """While the browser's storage is full the game goes on and a line says so; it vanishes when there is room again."""
    context = contexts(settings={"setup": TWO_PERSONS})
    page = context.new_page()
    open_page(page, site.address)
    session = context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": site.address, "quotaSize": 1000})
    play_columns(page, "44")
    assert "storage is full" in read_notice(page, "storage")
    session.send("Storage.overrideQuotaForOrigin", {"origin": site.address})
    play_columns(page, "3")
    expect(page.locator("[data-notice=storage]")).to_have_count(0)
    page.reload()
    page.wait_for_function("() => window.fourfall.views.play.game?.moves.length === 3")


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("", "could not be downloaded"),
        (
            "window.Worker = class extends EventTarget { postMessage() {} constructor() { super(); setTimeout(() =>"
            " this.dispatchEvent(new Event('error', { cancelable: true }))); } };",
            "needs module workers",
        ),
    ],
)
def test_worker_that_does_not_start(
    contexts: Callable[..., BrowserContext], site: Site, script: str, text: str
) -> None:
    """A line distinguishes a failed download from a browser without module workers."""
    context = contexts()
    context.add_init_script(script)
    page = context.new_page()
    page.route(re.compile(r"/local/worker\.js$"), lambda route: route.abort())
    page.goto(site.address)
    assert text in read_notice(page, "failed")
    expect(page.locator("main[data-view=play] [role=grid]")).to_be_visible()
    page.keyboard.press("Shift+G")
    expect(page.locator("main[data-view=games]")).to_contain_text("This part of the page could not be loaded.")


def test_browser_without_simd_gets_the_other_module(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """Without SIMD the page loads the other module, says that it is slower, and the engine replies."""
    page = contexts(settings={"setup": BEGINNER}).new_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    change_worker(page, DENY_SIMD)
    open_page(page, site.address)
    assert "slower" in read_notice(page, "simd")
    click_column(page, 3)
    assert wait_for_turn(page)
    modules = {re.sub(r".*/|\.\w+\.wasm", "", url) for url in loaded if url.endswith(".wasm")}
    assert modules == {"engine_plain"}


@pytest.mark.parametrize(("language", "text"), [("en", "needs WebAssembly"), ("zh", "需要 WebAssembly")])
def test_browser_without_webassembly_says_so(
    contexts: Callable[..., BrowserContext], site: Site, language: str, text: str
) -> None:
    """Without WebAssembly a sentence says what is missing; two persons can play, and the game is in the list."""
    context = contexts(settings={"language": language, "setup": TWO_PERSONS})
    context.add_init_script("delete globalThis.WebAssembly;")
    page = context.new_page()
    change_worker(page, "delete globalThis.WebAssembly;")
    open_page(page, site.address)
    assert text in read_notice(page, "failed")
    play_columns(page, "44")
    page.keyboard.press("Shift+G")
    expect(page.locator(".games [data-game]")).to_have_count(1)
    page.keyboard.press("Shift+A")
    expect(page.locator("#notification")).to_contain_text("WebAssembly")


def test_failed_download_is_reported_and_repeated(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """If the weights do not arrive, a line says so, weak levels play, and the next analysis loads them."""
    page = contexts(settings={"setup": BEGINNER}).new_page()
    page.route("**/*.f4w", lambda route: route.abort())
    open_page(page, site.address)
    assert "could not be downloaded" in read_notice(page, "failed")
    click_column(page, 3)
    assert wait_for_turn(page)
    page.unroute("**/*.f4w")
    page.keyboard.press("Shift+A")
    expect(page.locator(".column-values, .engine-panel").first).to_be_visible()
    page.wait_for_function("() => window.fourfall.viewer.current.analysis !== null")
    expect(page.locator("[data-notice=failed]")).to_have_count(0)


def test_slow_download_shows_its_progress_and_does_not_move_the_board(
    contexts: Callable[..., BrowserContext], site: Site
) -> None:
    """A line shows the progress until the network has arrived; the board stays where it is."""
    page = contexts(settings={"setup": BEGINNER}).new_page()
    waiting: list[Route] = []
    page.route("**/*.f4w", lambda route: waiting.append(route))  # Playwright refuses a method of a list
    open_page(page, site.address)
    line = page.locator(".notice.progress")
    expect(line).to_contain_text(re.compile(r"Loading the engine: [1-9]\d? %"))
    click_column(page, 3)
    assert wait_for_turn(page)
    (before,) = read_boxes(page, "main [role=grid]")
    waiting[0].continue_()
    expect(line).to_have_count(0)
    assert read_boxes(page, "main [role=grid]") == [before]


def test_folder_works_below_a_path(contexts: Callable[..., BrowserContext]) -> None:
    """All addresses are relative, and copied links contain the path."""
    host = Site(SITE_FOLDER.parent, name=SITE_FOLDER.name)
    host.start()
    page = contexts(settings={"setup": TWO_PERSONS}).new_page()
    open_page(page, f"{host.address}/{SITE_FOLDER.name}/")
    play_columns(page, "44")
    link = page.evaluate(
        f"""async () => {{
          const {{ formatPositionUrl }} = await ({IMPORT_MODULE})("model/routes.js");
          const {{ shownPosition }} = window.fourfall.views.play;
          return formatPositionUrl(shownPosition, shownPosition.moves.length);
        }}"""
    )
    assert link == f"{host.address}/{SITE_FOLDER.name}/#6x7:44"
    host.stop()


def test_pages_in_two_folders_of_a_host_keep_their_own_files(
    contexts: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """Each page works offline, also after the other one was visited, which has another version."""
    for name in ("one", "two"):
        shutil.copytree(SITE_FOLDER, tmp_path / name)
    set_version(tmp_path / "two", "00000000")
    host = Site(tmp_path, name="one")
    host.start()
    page = contexts(service_workers="allow").new_page()
    for name in ("one", "two"):
        open_page(page, f"{host.address}/{name}/")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    host.stop()
    for name in ("one", "two"):
        open_page(page, f"{host.address}/{name}/")


def test_events_need_the_program(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """Watch says in both languages that events need the program, and has no form for a match."""
    page = contexts().new_page()
    open_page(page, f"{site.address}/#watch")
    expect(page.locator("main")).to_contain_text("need the program")
    page.locator("#language").click()
    expect(page.locator("main")).to_contain_text("需要在电脑上运行的 Fourfall")
    assert page.locator("[data-action=match]").count() == 0


def test_two_tabs_show_the_same_game(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """A move in one tab is shown in the other, which can play the next one."""
    context = contexts(settings={"setup": TWO_PERSONS})
    first = context.new_page()
    open_page(first, site.address)
    play_columns(first, "4")
    second = context.new_page()
    open_page(second, site.address)
    second.wait_for_function("() => window.fourfall.views.play.game !== null")
    play_columns(second, "3")
    first.wait_for_function("() => window.fourfall.views.play.game.moves.length === 2")
    assert count_stones(first) == 2


def test_opponent_moves_although_its_tab_is_closed(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """If the tab in which the move was made is closed while the opponent thinks, the other tab lets it move, once."""
    strong = {"by": "engine", "engine": "fourfall", "move_time_s": 1, "side": "first", "board": "classic"}
    context = contexts(settings={"setup": strong})
    first, second = context.new_page(), context.new_page()
    open_page(first, site.address)
    play_columns(first, "4")
    open_page(second, f"{site.address}/#play={read_game_id(first)}")
    second.wait_for_function("() => window.fourfall.views.play.game?.moves.length === 2")
    first.keyboard.press("4")
    second.wait_for_function("() => window.fourfall.views.play.game.moves.length === 3")
    first.close()
    second.wait_for_function("() => window.fourfall.views.play.game.moves.length === 4")
    play_columns(second, "1")
    assert len(second.evaluate("window.fourfall.views.play.game.moves")) == 6


def test_messages_are_handled_during_a_search(contexts: Callable[..., BrowserContext], site: Site) -> None:
    """While an analysis runs, the worker replies to a ping, and stop ends the analysis."""
    page = contexts(settings={"analyse": {"isOn": False}}).new_page()
    open_page(page, f"{site.address}/#9x9:5")
    replies = page.evaluate(
        """async () => {
          const { connection } = window.fourfall;
          const order = [];
          const ask = (message) => new Promise((resolve) => connection.send(message, { onReply: (reply) => {
            order.push(reply.type + (reply.done ? " done" : ""));
            if (reply.type === "analysis" && !reply.done) resolve();
            return reply.type !== "analysis" || reply.done ? resolve() ?? true : false;
          } }));
          await ask({ type: "analyse", position: "9x9:5", engine: "fourfall", time_s: null, key: "k" });
          await ask({ type: "ping" });
          connection.send({ type: "stop" });
          while (order.at(-1) !== "analysis done") await new Promise((resolve) => setTimeout(resolve, 20));
          return order;
        }"""
    )
    assert replies[0] == "analysis"
    assert "pong" in replies
    assert replies[-1] == "analysis done"
