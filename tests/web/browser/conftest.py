"""Fixtures of the browser tests: a server with its own database, Chromium, and a function that opens the page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.web.browser.arena_games import store_games
from tests.web.browser.server import CHROMIUM, Server, create_context, launch_browser, open_page


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


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Open the page as a new visitor: `visit("#games", settings={...}, width=360)`.

    The test fails if a script of the page fails or violates the Content-Security-Policy.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def visit(fragment: str = "", *, at: Server = server, **options: Any) -> Page:  # noqa: ANN401 (see create_context)
        context = create_context(browser, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if _is_script_error(message.text) else None)
        open_page(page, f"{at.address}/{fragment}")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert errors == []


def _is_script_error(text: str) -> bool:
    """Distinguish script errors from failed requests to a server that the test stopped."""
    return "Content Security Policy" in text or "Uncaught" in text
