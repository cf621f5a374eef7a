"""Tests of the files of the page: header comment, length, total size."""

import gzip
import re
from pathlib import Path

import pytest

import fourfall
from fourfall.web.module_graph import list_modules
from tests.web.browser.conftest import Visit

STATIC = Path(fourfall.__file__).parent / "web" / "static"
MAX_LINES = 400
MAX_FIRST_VISIT_BYTES = 160_000
MAX_COMPRESSED_BYTES = 220_000


def test_every_file_starts_with_a_sentence_about_its_purpose() -> None:
    """Scripts and styles start with a comment that ends with a full stop, and none is long."""
    files = [file for suffix in ("js", "ts", "css") for file in STATIC.rglob(f"*.{suffix}")]
    assert len(files) > 30
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert re.match(r"// [A-Z].*(\n// .*)*\.\n|/\* [A-Z].*\. \*/\n", text), file.name
        assert not text.startswith(("// Owns", "/* Owns")), file.name
        assert len(text.splitlines()) < MAX_LINES, file.name


def test_sizes_are_small() -> None:
    """The first visit loads less than 160 KB, and all files have less than 220 KB, compressed for the transfer.

    Files of the page without a server are not counted, and the server's page loads none of them.

    Views that few users need are loaded when they are opened, so they count only in the second limit.
    """
    sizes = {
        file.relative_to(STATIC).as_posix(): len(gzip.compress(file.read_bytes()))
        for file in STATIC.rglob("*")
        if file.is_file()
        and not file.name.endswith(".d.ts")  # only for the type checker
        and "local" not in file.relative_to(STATIC).parts  # only for the page without a server
    }
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    contents = {name: (STATIC / name).read_bytes() for name in sizes}
    modules = list_modules(re.findall(r'<script type="module" src="([^"]+)"', html), contents)
    linked = re.findall(r'<(?:link|script)\b[^>]*?(?:href|src)="([^"]+)"', html)
    first_visit = {"index.html", *modules, *linked}
    assert {"main.js", "views/watch.js", "styles/base.css", "ui/theme.js"} <= first_visit <= sizes.keys()
    assert not {"views/ladder.js", "views/lessons.js", "views/learn_start.js", "views/puzzles.js"} & first_visit
    assert sum(sizes[name] for name in first_visit) < MAX_FIRST_VISIT_BYTES
    assert sum(sizes.values()) < MAX_COMPRESSED_BYTES


@pytest.mark.server_only
def test_preloaded_modules_are_those_that_the_page_loads(visit: Visit) -> None:
    """The browser requests each module once, under the address that the page preloads, and no others."""
    page = visit()
    preloaded = page.eval_on_selector_all("link[rel=modulepreload]", "links => links.map(link => link.href)")
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => name.endsWith('.js'))"
    )
    classic_scripts = page.eval_on_selector_all("script:not([type=module])", "scripts => scripts.map(each => each.src)")
    assert len(preloaded) > 20
    assert sorted(loaded) == sorted(preloaded + classic_scripts)
