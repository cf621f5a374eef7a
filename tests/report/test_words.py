"""Tests that the words of the report exist in both languages and that every used key exists."""

import re
import string
from pathlib import Path

import fourfall.report
from fourfall.arena.judge import Ending
from fourfall.report.words.en import WORDS as ENGLISH
from fourfall.report.words.zh import WORDS as CHINESE

PACKAGE = Path(fourfall.report.__file__).parent
PREFIXES = (
    "column.elo.",
    "standings.kind.",
    "state.",
    "focus.",
    "points.state.",
    "format.",
    "ending.",
    "replay.",
)  # keys that code puts together


def list_placeholders(text: str) -> set[str]:
    """Return the names of the placeholders of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_languages_have_the_same_keys_and_placeholders() -> None:
    """Every key exists in both languages, with the same placeholders."""
    assert list(ENGLISH) == list(CHINESE)
    assert {key: list_placeholders(ENGLISH[key]) for key in ENGLISH} == {
        key: list_placeholders(CHINESE[key]) for key in CHINESE
    }


def test_every_key_is_used_and_every_used_key_exists() -> None:
    """The code uses exactly the keys of the words."""
    sources = [path.read_text() for path in PACKAGE.rglob("*.py") if path.parent.name != "words"]
    quoted = set(re.findall(r"""["']([a-z_]+(?:\.[a-z_]+)*)["']""", "\n".join(sources)))
    called = set(re.findall(r"""words\(["']([^"']+)["']""", "\n".join(sources)))
    assert {key for key in called if key not in ENGLISH and not key.startswith("replay.")} == set()
    assert {key for key in ENGLISH if key not in quoted and not key.startswith(PREFIXES)} == set()


def test_every_ending_has_a_name() -> None:
    """Every ending of a game has a name in both languages."""
    assert {f"ending.{ending.value}" for ending in Ending} == {key for key in ENGLISH if key.startswith("ending.")}


def test_chinese_words_are_chinese() -> None:
    """No Chinese text lacks Chinese characters."""
    assert [key for key, text in CHINESE.items() if not re.search("[\u4e00-\u9fff]", text)] == []
