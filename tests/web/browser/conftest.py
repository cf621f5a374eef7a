"""Owns the surroundings of the browser tests: a real server with its own database, a page in the system's Chromium."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"


class Server:
    """`fourfall serve` on a free port of this machine; it can be stopped and started again where it was."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "page.db"
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        program = Path(sys.executable).with_name("fourfall")
        command = [str(program), "serve", "--port", str(self.port), "--db", str(self.database), "--no-browser"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "DISPLAY": ""})
        deadline = time.monotonic() + 20
        while True:
            try:
                self.get("/api/engines")
                return
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() < deadline, self.log.read_text()
                time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def get(self, path: str) -> dict[str, Any]:
        """Ask the server directly."""
        with urllib.request.urlopen(self.address + path, timeout=5) as answer:  # noqa: S310 (our own address)
            found: dict[str, Any] = json.load(answer)
        return found


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not stop it."""
    one = Server(tmp_path_factory.mktemp("page"))
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start the system's browser, silent and without a network."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: sudo apt-get install chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, "--disable-component-update", "--disable-sync", NOWHERE]
        )
        yield found
        found.close()


Opener = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Opener]:
    """Open the page as a new visitor: `visit("#games", setup={...}, width=360)`; a complaint of the browser fails."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(
        fragment: str = "",
        *,
        at: Server = server,
        width: int = 1200,
        height: int = 900,
        remembered: dict[str, object] | None = None,
        **look: Any,  # noqa: ANN401 (whatever Playwright's contexts take)
    ) -> Page:
        look.setdefault("locale", "en-GB")
        context = browser.new_context(viewport={"width": width, "height": height}, **look)
        contexts.append(context)
        context.set_default_timeout(10_000)
        for name, value in (remembered or {}).items():
            text = json.dumps(json.dumps(value))
            once = f"if (!localStorage.getItem('fourfall.{name}')) localStorage.setItem('fourfall.{name}', {text})"
            context.add_init_script(once)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if _is_complaint(message.text) else None)
        page.goto(f"{at.address}/{fragment}")
        page.wait_for_selector("body[data-connected]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def _is_complaint(text: str) -> bool:
    """Tell a violated policy or a script's failure from a server that is away on purpose."""
    return "Content Security Policy" in text or "Uncaught" in text
