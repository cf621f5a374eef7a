"""Fixtures of the browser tests: a server with its own database, Chromium, and a function that opens the page.

The tests open the page of the server. Those with the mark `both_pages` open the page without a server, too. With
FOURFALL_PAGE=site (`make test-site`) all tests open the page without a server, except those that use the server.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page

from tests.web.browser.arena_games import store_games
from tests.web.browser.server import CHROMIUM, Server, launch_browser
from tests.web.browser.site import Site
from tests.web.browser.visitors import Visitors

IS_SITE_RUN = os.environ.get("FOURFALL_PAGE") == "site"
_SERVER_FIXTURES = frozenset({"server", "arena_games", "games", "private_server"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose the pages that a test opens."""
    if "page_source" not in metafunc.fixturenames:
        return
    if IS_SITE_RUN:
        metafunc.parametrize("page_source", ["site"], indirect=True)
    elif metafunc.definition.get_closest_marker("both_pages"):
        metafunc.parametrize("page_source", ["server", "site"], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests out that cannot run without a server."""
    if not IS_SITE_RUN:
        return
    kept = [item for item in items if not _needs_server(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _needs_server(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", ())
    return bool(item.get_closest_marker("server_only")) or bool(_SERVER_FIXTURES.intersection(names))


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start one server for all tests that do not stop it."""
    server = Server(tmp_path_factory.mktemp("page"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start the system's Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: sudo apt-get install chromium")
    with launch_browser() as browser:
        yield browser


@pytest.fixture(scope="package")
def arena_games(server: Server) -> dict[str, str]:
    """Store games of the arena; their ids by kind and the number of their event."""
    return store_games(server)


@pytest.fixture(scope="package")
def visitors(browser: Browser) -> Visitors:
    """Keep the tabs of visitors for all tests."""
    return Visitors(browser)


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    """Serve the page without a server for all tests."""
    site = Site()
    site.start()
    yield site
    site.stop()


@pytest.fixture
def page_source(request: pytest.FixtureRequest) -> Server | Site:
    """Return what the test opens: the server, or the folder of static files."""
    found: Server | Site = request.getfixturevalue(getattr(request, "param", "server"))
    return found


Visit = Callable[..., Page]


@pytest.fixture
def visit(visitors: Visitors, page_source: Server | Site) -> Iterator[Visit]:
    """Open the page as a new visitor: `visit("#games", settings={...}, width=360)`.

    The test fails if a script of the page fails or violates the Content-Security-Policy.
    """
    errors: list[str] = []
    tabs: list[Page] = []

    def add_error(error: Error) -> None:
        errors.append(str(error))

    def add_message(message: ConsoleMessage) -> None:
        if _is_script_error(message.text):
            errors.append(message.text)

    def visit(
        fragment: str = "",
        *,
        at: Server | Site = page_source,
        settings: dict[str, object] | None = None,
        **options: Any,  # noqa: ANN401 (see Visitors.take_tab)
    ) -> Page:
        page = visitors.take_tab(**options)
        page.on("pageerror", add_error)
        page.on("console", add_message)
        tabs.append(page)
        visitors.enter(page, at.address, fragment, settings or {})
        return page

    yield visit
    for page in tabs:
        page.remove_listener("pageerror", add_error)
        page.remove_listener("console", add_message)
    visitors.leave(page_source.address)
    assert errors == []


def _is_script_error(text: str) -> bool:
    """Distinguish script errors from failed requests to a server that the test stopped."""
    return "Content Security Policy" in text or "Uncaught" in text
