"""Opens the page for new visitors of the browser tests, in tabs that the tests use again."""

import json
from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, Page

from tests.web.browser.server import create_context, open_page

_BECOME_VISITOR = """async (settings) => {
  sessionStorage.clear();
  localStorage.clear();
  for (const { name } of await indexedDB.databases()) {
    const request = indexedDB.deleteDatabase(name);
    await new Promise((resolve) => { request.onsuccess = request.onerror = request.onblocked = resolve; });
  }
  for (const [name, value] of Object.entries(settings)) {
    localStorage.setItem(`fourfall.${name}`, JSON.stringify(value));
  }
}"""


_EMPTY_PAGE = "icon.svg"
"""A file without scripts. A tab stays at the address of the server: for another site the browser starts a process."""


class Visitors:
    """Opens the page for visitors whose storage is empty, as that of a person who opens it for the first time.

    A new tab costs a process of the browser, and a new context loads all files of the page again: a visit takes four
    times as long as in a tab that was used before. Two visitors of one test have different contexts.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = defaultdict(list)
        self._used: list[tuple[str, Page]] = []

    def take_tab(
        self,
        *,
        width: int = 1200,
        height: int = 900,
        color_scheme: Any = "light",  # noqa: ANN401 (a literal of Playwright)
        reduced_motion: Any = "no-preference",  # noqa: ANN401
        **options: Any,  # noqa: ANN401 (any option of Playwright's contexts)
    ) -> Page:
        """Return an empty tab; the options are those of `create_context`."""
        key = json.dumps(options, sort_keys=True)
        free = self._free[key]
        page = free.pop() if free else create_context(self._browser, **options).new_page()
        self._used.append((key, page))
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        return page

    @staticmethod
    def enter(page: Page, address: str, fragment: str, settings: dict[str, object]) -> None:
        """Open the page as a new visitor who has seen the rules; `settings` are what the page stores in the browser."""
        empty_page = f"{address}/{_EMPTY_PAGE}"
        if page.url != empty_page:
            page.goto(empty_page)  # the storage belongs to the address
        page.evaluate(_BECOME_VISITOR, {"rules_seen": True, **settings})
        open_page(page, f"{address}/{fragment}")

    def leave(self, address: str) -> None:
        """Close the page in all tabs, which are then free for the next visitors."""
        for key, page in self._used:
            page.unroute_all(behavior="ignoreErrors")
            page.goto(f"{address}/{_EMPTY_PAGE}")
            page.mouse.move(0, 0)
            self._free[key].append(page)
        self._used.clear()
