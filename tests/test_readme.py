"""Tests that the READMEs in English and Chinese have the same structure, commands, pictures and links."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXTS = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh.md")]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def list_code(text: str) -> list[tuple[str, str]]:
    """Return the language and the code of each block, without comments and without the choice of a language."""
    return [(language, re.sub(r" +# .*| --lang zh", "", code)) for language, code in FENCE.findall(text)]


def list_links(text: str) -> list[str]:
    """Return the links and pictures in a fixed order; a link to the Chinese version counts as one to the English."""
    links = re.findall(r"\]\(([^)]+)\)", text)
    return sorted(re.sub(r"docs/zh/", "docs/", link) for link in links if not link.startswith("README"))


def test_headings_correspond() -> None:
    """Both texts have the same sections."""
    levels = [re.findall(r"^(#+) ", FENCE.sub("", text), re.MULTILINE) for text in TEXTS]
    assert levels[0] == levels[1]
    assert len(levels[0]) > 4


def test_code_is_the_same() -> None:
    """Commands and Python examples are the same; only their comments are translated."""
    codes = [list_code(text) for text in TEXTS]
    assert codes[0] == codes[1]
    assert len(codes[0]) == 4


def test_links_are_the_same() -> None:
    """Pictures and links lead to the same files."""
    links = [list_links(text) for text in TEXTS]
    assert links[0] == links[1]
    assert len(links[0]) > 20
