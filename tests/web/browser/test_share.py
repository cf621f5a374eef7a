"""Tests of links and downloads of positions."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ENGINE_OFF, click_column, expect_position


@pytest.mark.both_pages
def test_copied_link_opens_the_same_position(visit: Visit) -> None:
    """The link of a variation contains its moves and the ply, and a new visitor sees the same position."""
    permissions = ["clipboard-read", "clipboard-write"]
    page = visit("#6x7@0,3:4433", settings={"analyse": ENGINE_OFF}, permissions=permissions)
    page.keyboard.press("ArrowLeft")
    click_column(page, 6)
    click_column(page, 6)
    page.keyboard.press(",")
    page.locator("[data-action=link]").click()
    expect(page.locator("#notification")).to_have_text("Link copied.")
    link: str = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/#6x7@0,3:44377&ply=4")
    other = visit(link[link.index("#") :], settings={"analyse": ENGINE_OFF})
    expect_position(other, "6x7@0,3:4437")
    other.keyboard.press(".")
    expect_position(other, "6x7@0,3:44377")


def test_invalid_link_shows_a_notification(visit: Visit) -> None:
    """A link without a valid position opens Play with a notification."""
    page = visit("#6x7:99")
    expect(page.locator("#notification")).to_have_text("This link does not contain a valid position.")
    expect(page.locator(".status")).to_have_text("Click a column to start")


@pytest.mark.both_pages
def test_download_in_four_formats(visit: Visit, tmp_path: Path) -> None:
    """A position can be downloaded as SVG, PNG, text and JSON."""
    page = visit("#6x7:44", settings={"analyse": ENGINE_OFF})
    files = {name: _download(page, name, tmp_path) for name in ("svg", "png", "text", "json")}
    assert files["svg"].read_text().startswith("<svg ")
    assert files["png"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert files["text"].read_text().startswith("6x7:44\n")
    assert json.loads(files["json"].read_text())["position"] == "6x7:44"


def test_whole_game_is_downloaded_as_an_animation(visit: Visit, tmp_path: Path) -> None:
    """All moves can be downloaded as an animated GIF and as an animated SVG, also while an earlier one is shown."""
    page = visit("#6x7:1122334&ply=2", settings={"analyse": ENGINE_OFF})
    files = {name: _download(page, name, tmp_path) for name in ("gif", "animation")}
    assert files["gif"].read_bytes()[:6] == b"GIF89a"
    assert files["animation"].read_text().count("<animateTransform") == 7


@pytest.mark.both_pages
def test_embedded_board_plays_the_moves(visit: Visit, browser: Browser, tmp_path: Path) -> None:
    """The copied code shows the game in a frame of another page, without controls."""
    permissions = ["clipboard-read", "clipboard-write"]
    page = visit("#6x7:1122334&ply=5", settings={"analyse": ENGINE_OFF}, permissions=permissions)
    page.locator("[data-action=embed]").click()
    expect(page.locator("#notification")).to_have_text("Embed code copied.")
    code: str = page.evaluate("navigator.clipboard.readText()")
    assert "/embed.html#6x7:1122334&ply=5" in code
    other = browser.new_page()
    (tmp_path / "index.html").write_text(code)
    with serve_folder(tmp_path) as address:
        other.goto(address)
        expect_played_moves(other.frame_locator("iframe"))
    other.close()


def expect_played_moves(frame: FrameLocator) -> None:
    """Expect a board that plays the last two of seven moves, without controls."""
    expect(frame.locator(".stone")).to_have_count(5)
    expect(frame.locator(".stone")).to_have_count(7)
    expect(frame.locator(".winning-cell")).to_have_count(4)
    expect(frame.locator("button, nav, select")).to_have_count(0)


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder at another address of this machine."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def _download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.locator(f"[data-format={name}]").click()
    target = folder / waiting.value.suggested_filename
    waiting.value.save_as(target)
    return target
