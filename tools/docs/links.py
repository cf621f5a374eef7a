"""Finds broken links in the Markdown files of the repository: missing files and missing headings."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "cpp", "benchmarks", "examples", "experiments", "training", ".github")

_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+)[^`].*?\1")
_LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:")


def list_pages(root: Path = ROOT) -> list[Path]:
    """List the Markdown files of the repository: at its root and in the folders with documentation."""
    nested = (page for folder in FOLDERS for page in (root / folder).rglob("*.md"))
    return sorted([*root.glob("*.md"), *nested])


def find_broken_links(page: Path) -> list[str]:
    """Return a message for every link of a page that leads to no file or to no heading of a Markdown file."""
    return [message for link in list_links(page.read_text(encoding="utf-8")) if (message := check_link(page, link))]


def list_links(text: str) -> Iterator[str]:
    """Yield the targets of the links and images of a Markdown text that lead to a file or a heading.

    >>> list(list_links("[a](b.md#c) `[no](x)` ![i](i.svg) [web](https://example.org)"))
    ['b.md#c', 'i.svg']
    """
    for target in _LINK.findall(_CODE.sub("", _FENCE.sub("", text))):
        if not _EXTERNAL.match(target):
            yield target


def check_link(page: Path, link: str) -> str | None:
    """Return what is wrong with a link of a page, or None."""
    name, _, anchor = unquote(link).partition("#")
    target = page.parent / name if name else page
    if not target.exists():
        return f"{page}: the link {link} leads to no file"
    if anchor and target.suffix == ".md" and anchor not in list_anchors(target):
        return f"{page}: the link {link} leads to no heading of {target.name}"
    return None


@cache
def list_anchors(page: Path) -> frozenset[str]:
    """Return the anchors of the headings of a Markdown file, as GitHub and the site make them."""
    anchors: set[str] = set()
    for heading in _HEADING.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        anchor = base = make_anchor(heading)
        number = 0
        while anchor in anchors:
            number += 1
            anchor = f"{base}-{number}"
        anchors.add(anchor)
    return frozenset(anchors)


def make_anchor(heading: str) -> str:
    """Return the anchor of a heading.

    >>> make_anchor("What `solve` does: an example")
    'what-solve-does-an-example'
    """
    text = re.sub(r"\]\([^)]*\)", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")
