"""Builds the site with warnings as errors, checks it, and opens it in a browser without a server."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.server import CHROMIUM, launch_browser
from tools.docs.check_site import check_site
from tools.docs.links import ROOT
from tools.docs.native_stub import STUB

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as make docs does."""
    pytest.importorskip("sphinx", reason="needs the dependency group docs")
    if not STUB.exists():
        pytest.skip("needs the stub of the native module, which make creates")
    folder = tmp_path_factory.mktemp("site")
    options = ["--fail-on-warning", "--keep-going", "--quiet", "-c", "tools/docs", "-d", str(folder / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, "docs", str(folder / "html")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium."""
    with launch_browser() as browser:
        yield browser


def test_site_has_no_problems(site: Path) -> None:
    """Links and anchors exist, nothing comes from another host, and all pages are in the search index."""
    assert check_site(site) == []


@needs_browser
def test_search_works_from_the_file_system(site: Path, browser: Browser) -> None:
    """A reader who opened a file finds an English page, a function and a Chinese page, without a server."""
    page = browser.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for word, target in (
        ("transposition", "tree_search.html"),
        ("landing_row", "reference/board.html"),
        ("随机", "zh/tutorial/"),
    ):
        page.goto((site / "index.html").as_uri())
        page.locator("input[name=q]").first.fill(word)
        page.keyboard.press("Enter")
        expect(page.locator(f"#search-results a[href*='{target}']").first).to_be_visible(timeout=20_000)
    assert [request for request in requests if not request.startswith(("file:", "data:"))] == []
    page.close()


def test_page_of_commands_has_the_options(site: Path) -> None:
    """Options are shown as they are typed: typography does not make one dash of two."""
    text = re.sub("<[^>]+>", "", (site / "reference" / "commands.html").read_text(encoding="utf-8"))
    assert "--sprt ELO0,ELO1" in text
    assert "the same command with --resume continues the match" in text
    assert re.findall("\N{EN DASH}[a-z]+", text) == []


def test_words_of_the_search_index() -> None:
    """English is split at spaces and punctuation, Chinese into pairs of neighbouring characters."""
    pytest.importorskip("sphinx", reason="needs the dependency group docs")
    from tools.docs.search_language import split_words

    assert split_words("UCT: a tree_node, 随机落子。是") == ["UCT", "a", "tree_node", "随机", "机落", "落子", "是"]


@needs_browser
def test_no_page_is_wider_than_a_phone(site: Path, browser: Browser) -> None:
    """Tables and code scroll in themselves; the page does not. All pictures are shown."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    for file in sorted(site.rglob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, file.name
        assert page.evaluate("[...document.images].filter(image => !image.naturalWidth).length") == 0, file.name
    page.close()


def test_problems_of_a_site_are_found(tmp_path: Path) -> None:
    """Foreign hosts, missing files, dead links and anchors, and pages outside the index are reported."""
    (tmp_path / "index.html").write_text(
        '<link rel="stylesheet" href="https://fonts.example/f.css"><script src="missing.js"></script>'
        '<a href="none.html">a</a><a href="#nothing">b</a><a href="https://example.org">c</a><p id="here">'
        '<a href="#here">d</a><link rel="canonical" href="https://example.org">'
    )
    (tmp_path / "extra.html").write_text("<p>")
    (tmp_path / "style.css").write_text("@import '//example.org/x.css'; p { background: url(data:image/png;base64,) }")
    (tmp_path / "searchindex.js").write_text('Search.setIndex({"docnames": ["index"]})')
    assert check_site(tmp_path) == [
        "index.html: loads https://fonts.example/f.css from another host",
        "index.html: the file missing.js is missing",
        "index.html: the link none.html leads to no file",
        "index.html: the link #nothing leads to no anchor",
        "style.css: loads //example.org/x.css from another host",
        "extra: is not in the search index",
    ]
    (tmp_path / "searchindex.js").unlink()
    assert check_site(tmp_path)[-1].startswith("searchindex.js: missing")


def test_empty_folder_is_a_problem(tmp_path: Path) -> None:
    """The message says how to build the site."""
    assert "make docs" in check_site(tmp_path)[0]
