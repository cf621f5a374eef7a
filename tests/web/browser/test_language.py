"""Tests of the page's strings: switching the language, equal keys in both languages, error sentences."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import fourfall
from tests.web.browser.conftest import Visit

STATIC = Path(fourfall.__file__).parent / "web" / "static"
WORDS = ("en.js", "ladder_en.js", "lessons_en.js", "puzzles_en.js")
PLACEHOLDER = re.compile(r"\{(\w+)\}")

READ_STRINGS = """async ([file, name]) => {
  const strings = (await import(file))[name];
  return Object.fromEntries(Object.entries(strings).map(([key, text]) => [key, String(text)]));
}"""


def test_language_is_switched_and_stored(visit: Visit) -> None:
    """The button switches the page to Chinese, and a reload keeps the language."""
    page = visit()
    page.locator("#language").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("#nav")).to_contain_text("复盘")
    expect(page.locator(".status")).to_have_text("点击一列开始对局")
    page.reload()
    expect(page.locator(".status")).to_have_text("点击一列开始对局")


@pytest.mark.parametrize(
    ("english", "chinese", "name"),
    [
        ("en.js", "zh.js", "words"),
        ("ladder_en.js", "ladder_zh.js", "words"),
        ("lessons_en.js", "lessons_zh.js", "words"),
        ("local_en.js", "local_zh.js", "words"),
        ("puzzles_en.js", "puzzles_zh.js", "words"),
        ("errors_en.js", "errors_zh.js", "errors"),
    ],
    ids=[
        "words",
        "words of the ladder",
        "words of the lessons",
        "words of the page without a server",
        "words of the puzzles",
        "errors",
    ],
)
def test_both_languages_have_the_same_keys(visit: Visit, english: str, chinese: str, name: str) -> None:
    """Every key exists in both languages with a text, and the sentences of errors use the same parameters."""
    page = visit("#games")
    en: dict[str, str] = page.evaluate(READ_STRINGS, [f"/words/{english}", name])
    zh: dict[str, str] = page.evaluate(READ_STRINGS, [f"/words/{chinese}", name])
    assert len(en) >= 10
    assert en.keys() == zh.keys()
    assert [key for key in en if not en[key]] == []
    if name == "errors":
        assert _parameters(en) == _parameters(zh)


def _parameters(strings: dict[str, str]) -> dict[str, set[str]]:
    return {key: set(PLACEHOLDER.findall(text)) for key, text in strings.items()}


def test_every_key_that_the_page_uses_exists(visit: Visit) -> None:
    """Every key in the scripts and in index.html is defined, and every defined key is used."""
    page = visit("#games")
    keys = {key for file in WORDS for key in page.evaluate(READ_STRINGS, [f"/words/{file}", "words"])}
    files = [*STATIC.glob("*.js"), *STATIC.glob("*/*.js"), STATIC / "index.html"]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files if not re.search(r"(^|_)(en|zh)$", file.stem))
    prefixes = {key.split(".")[0] for key in keys}
    used = {text for text in re.findall(r'"([a-z_]+(?:\.[a-z_]+)+)"', code) if text.split(".")[0] in prefixes}
    assert used - keys == set()
    computed = tuple(re.findall(r"`([a-z_.]+\.)\$\{", code))
    assert [key for key in sorted(keys - used) if not key.startswith(computed)] == []


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        pytest.param({"code": "nothing_to_undo", "message": "Sentence."}, "没有可以悔的棋。", id="translated"),
        pytest.param(
            {"code": "unknown_engine", "params": {"engine": "best"}, "message": "Sentence."},
            "没有引擎 best。",
            id="with parameter",
        ),
        pytest.param({"code": "unknown_engine", "message": "Sentence."}, "Sentence.", id="missing parameter"),
        pytest.param({"code": "new_code", "message": "Sentence."}, "Sentence.", id="unknown code"),
        pytest.param({"code": "offline", "message": "Sentence."}, "服务器没有响应。", id="offline"),
    ],
)
def test_error_sentence_is_made_from_the_code(visit: Visit, error: dict[str, Any], sentence: str) -> None:
    """The page translates known error codes and shows the server's message for unknown ones."""
    page = visit("#games", settings={"language": "zh"})
    found = page.evaluate("async (error) => (await import('/words/error_text.js')).formatError(error)", error)
    assert found == sentence


FORMAT_ALL = """async (value) => {
  const { words } = await import("/words/en.js");
  const { t } = await import("/words/language.js");
  return Object.keys(words).map((key) => t(key, value, value, value, value));
}"""
NO_NOUNS = {"is", "was", "wins", "has", "loses", "plays", "resigns", "always"}


def test_counted_words_agree_with_their_number(visit: Visit) -> None:
    """No English string says "1 stones" or "2 stone"."""
    page = visit("#games")
    ones = {match for text in page.evaluate(FORMAT_ALL, 1) for match in re.findall(r"\b1 ([a-z]+s)\b", text)}
    assert ones <= NO_NOUNS
    twos = {match for text in page.evaluate(FORMAT_ALL, 2) for match in re.findall(r"\b2 ([a-z]+)\b", text)}
    assert {"stones", "games", "nodes", "simulations"} <= twos
    assert not {"stone", "game", "node", "simulation", "position", "mistake", "row", "column", "ply", "move"} & twos
    assert page.evaluate("async () => (await import('/words/plural.js')).counted('1.2 k', 'node')") == "1.2 k nodes"
