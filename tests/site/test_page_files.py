"""Tests of the files of the page without a server: few, complete, and with relative addresses."""

import json
import re
from collections.abc import Mapping

import pytest

from fourfall.web.app import STATIC_FOLDER
from tools.site.build import describe_sizes
from tools.site.page_files import create_site

DATA = {
    "engine_simd": ("engine_simd.wasm", b"module"),
    "engine_plain": ("engine_plain.wasm", b"plain module"),
    "weights": ("weights.f4w", bytes(range(256))),
    "engines": ("engines.json", b"{}"),
    "census": ("census.json", b"{}"),
    "puzzles": ("puzzles.json", b"[]"),
}


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    """Create the files of the site with small data files."""
    return create_site(STATIC_FOLDER, DATA)


def list_references(html: bytes) -> list[str]:
    """Return the addresses of scripts, style sheets and icons in a page."""
    return re.findall(r'<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"', html.decode())


@pytest.mark.parametrize("page", ["index.html", "embed.html"])
def test_pages_refer_to_files_that_exist(files: Mapping[str, bytes], page: str) -> None:
    """All addresses are relative, and the files are there."""
    references = list_references(files[page])
    assert len(references) > 3
    assert set(references) <= files.keys()


def test_first_visit_needs_few_files(files: Mapping[str, bytes]) -> None:
    """The page has one module and one style sheet; the worker is one file, too."""
    references = {re.sub(r"^v/\w+/", "", name) for name in list_references(files["index.html"])}
    assert references == {
        "manifest.webmanifest",
        "icons/icon-192.png",
        "icon.svg",
        "styles/page.css",
        "ui/theme.js",
        "local/main.js",
    }
    (worker,) = (content for name, content in files.items() if name.endswith("/local/worker.js"))
    assert not re.search(rb"^import\b", worker, re.M)


def test_joined_style_sheet_has_all_rules_in_their_order(files: Mapping[str, bytes]) -> None:
    """The rules of the page come first, and those of the page without a server last."""
    (joined,) = (content for name, content in files.items() if name.endswith("/styles/page.css"))
    html = (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    names = [*re.findall(r'href="(styles/[^"]+)"', html), "styles/local.css"]
    assert joined == b"\n".join((STATIC_FOLDER / name).read_bytes() for name in names)


def test_service_worker_keeps_every_file(files: Mapping[str, bytes]) -> None:
    """Its list has all files except itself and the pages, which it names itself."""
    source = files["service_worker.js"].decode()
    found = re.search(r"const FILES = (\[.*\]);", source)
    assert found
    assert sorted(json.loads(found[1])) == sorted(
        files.keys() - {"service_worker.js", "icon.svg", "index.html", "embed.html"}
    )
    assert 'const VERSION = "development"' not in source


def test_addresses_change_with_the_content(files: Mapping[str, bytes]) -> None:
    """Other weights give another version, another name of the weights, and the same name of the other data files."""
    other = create_site(STATIC_FOLDER, DATA | {"weights": ("weights.f4w", b"other")})
    assert files["index.html"] != other["index.html"]
    data, other_data = ({name for name in each if name.startswith("data/")} for each in (files, other))
    assert {name.split(".")[0] for name in data ^ other_data} == {"data/weights"}


def test_line_about_the_sizes_counts_the_first_visit(files: Mapping[str, bytes]) -> None:
    """A larger file counts only if the first visit loads it."""
    before = describe_sizes(files)
    assert re.fullmatch(r"\d+ files, [\d.]+ MB; compressed [\d.]+ MB, of which the first visit loads \d+ KB", before)
    (puzzles,) = (name for name in files if name.startswith("data/puzzles"))
    (worker,) = (name for name in files if name.endswith("local/worker.js"))
    noise = bytes(i * i * 7919 % 251 ^ (i >> 8) for i in range(40_000))
    assert describe_sizes({**files, puzzles: noise}).split()[-2] == before.split()[-2]
    assert describe_sizes({**files, worker: noise}).split()[-2] != before.split()[-2]
