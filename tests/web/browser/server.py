"""Runs `fourfall serve` and the system's Chromium for the browser tests and the screenshots."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.processes import find_free_port

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 30.0
REQUEST_TIMEOUT_S = 30.0
ACTION_TIMEOUT_MS = 30_000
"""How long an action and an expectation wait for the page; only a failing test waits as long."""

expect.set_options(timeout=ACTION_TIMEOUT_MS)


class Server:
    """`fourfall serve` on a free port of this machine; can be stopped and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "page.db"
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.port = find_free_port()

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server and wait until it responds."""
        program = [sys.executable, "-c", "from fourfall.cli import main; main()"]
        options = ["--port", str(self.port), "--db", str(self.database), "--no-browser"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*program, "serve", *options], stdout=log, stderr=log, env={**os.environ, "DISPLAY": ""}
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                self.get("/api/engines")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"the server did not start:\n{self.log.read_text()}") from None
                time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server if it runs."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(timeout=STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def get(self, path: str) -> dict[str, Any]:
        """Send an HTTP request and return the JSON of the response."""
        with urllib.request.urlopen(self.address + path, timeout=REQUEST_TIMEOUT_S) as response:  # noqa: S310 (our own address)
            found: dict[str, Any] = json.load(response)
        return found


@contextmanager
def launch_browser() -> Iterator[Browser]:
    """Run the system's Chromium without access to the network."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def create_context(
    browser: Browser,
    *,
    width: int = 1200,
    height: int = 900,
    settings: dict[str, object] | None = None,
    **options: Any,  # noqa: ANN401 (any option of Playwright's contexts)
) -> BrowserContext:
    """Create a new visitor who has seen the rules; `settings` are what the page stores in the browser."""
    options.setdefault("locale", "en-GB")
    options.setdefault("service_workers", "block")  # they would keep the files of the page without a server
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(ACTION_TIMEOUT_MS)
    for name, value in {"rules_seen": True, **(settings or {})}.items():
        key, text = f"fourfall.{name}", json.dumps(json.dumps(value))
        context.add_init_script(f"if (!localStorage.getItem('{key}')) localStorage.setItem('{key}', {text})")
    return context


def open_page(page: Page, address: str) -> None:
    """Open an address and wait until the page is connected to the server."""
    page.goto(address)
    page.wait_for_selector("body[data-connected]")
