"""Checks the built site: links and anchors, no requests to other hosts, a complete search index."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes that make a browser load something. Links are loaded only when a reader follows them.
_LOADING = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
}
_NOT_LOADED = {"canonical", "alternate", "author", "license", "search", "index", "next", "prev"}
_CSS_REQUEST = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)")
_INDEX = re.compile(r"^Search\.setIndex\((.*)\);?\s*$", re.DOTALL)


@dataclass
class Page:
    """What the checks need of one HTML file."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.page.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.page.links.append(values["href"])
        if tag == "link" and _NOT_LOADED & set(values.get("rel", "").split()):
            return
        self.page.loads += [values[name] for name in values if (tag, name) in _LOADING]


def read_page(text: str) -> Page:
    """Read the anchors, links and loaded files of an HTML text."""
    reader = _Reader()
    reader.feed(text)
    return reader.page


def check_site(folder: Path) -> list[str]:
    """Return a message for every problem of the site in a folder."""
    pages = {path: read_page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        return [f"{folder}: there is no page; build the site with make docs"]
    problems = [message for path, page in pages.items() for message in _check_page(folder, path, page, pages)]
    return [*problems, *_check_styles(folder), *_check_search_index(folder, pages)]


def _check_page(folder: Path, path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    name = path.relative_to(folder)
    for load in page.loads:
        if _is_foreign(load):
            yield f"{name}: loads {load} from another host"
        elif not load.startswith("data:") and not (path.parent / unquote(urlsplit(load).path)).exists():
            yield f"{name}: the file {load} is missing"
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{name}: the link {link} leads to no file"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{name}: the link {link} leads to no anchor"


def _is_foreign(address: str) -> bool:
    return address.startswith("//") or urlsplit(address).scheme in ("http", "https")


def _check_styles(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.css")):
        for address in _CSS_REQUEST.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(folder)}: loads {address} from another host"


def _check_search_index(folder: Path, pages: Iterable[Path]) -> Iterator[str]:
    """Every page is in the index, and the index is a script: a browser does not load data from a file:// address."""
    file = folder / "searchindex.js"
    match = _INDEX.match(file.read_text(encoding="utf-8")) if file.exists() else None
    if match is None:
        yield "searchindex.js: missing, or not a script that sets the index; the search would not work"
        return
    indexed = set(json.loads(match[1])["docnames"])
    generated = {"genindex", "search", "py-modindex"}
    names = {str(path.relative_to(folder).with_suffix("")) for path in pages}
    for name in sorted(names - indexed - generated):
        yield f"{name}: is not in the search index"


def main() -> None:
    """Check the site in the folder of the first argument; print the problems and exit with 1 if there are any."""
    problems = check_site(Path(sys.argv[1]).resolve())
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(f"{len(problems)} problems in {sys.argv[1]}")
    print(
        f"{sys.argv[1]}: links, anchors, loaded files and the search index are correct; open {sys.argv[1]}/index.html"
    )


if __name__ == "__main__":
    main()
