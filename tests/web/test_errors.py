"""Tests that every error code has a template and sentences in all languages, with the same parameters."""

import re
from pathlib import Path

import pytest

from fourfall.web.app import STATIC_FOLDER
from fourfall.web.errors import ERROR_CODES, TEMPLATES, RequestError, list_placeholders

ROOT = Path(__file__).parents[2]


def read_sentences(language: str) -> dict[str, str]:
    """Read the sentences of the page for the error codes."""
    text = (STATIC_FOLDER / "words" / f"errors_{language}.js").read_text(encoding="utf-8")
    return dict(re.findall(r'^\s+(\w+):\s+"(.*)",$', text, re.MULTILINE))


def test_every_code_has_a_template() -> None:
    """The codes and the templates are the same, in alphabetical order."""
    assert list(ERROR_CODES) == list(TEMPLATES) == sorted(ERROR_CODES)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_code_has_a_sentence_on_the_page(language: str) -> None:
    """The page has a sentence for every code and for no others, with the placeholders of the server's template."""
    sentences = read_sentences(language)
    assert sorted(sentences) == sorted(ERROR_CODES)
    for code, sentence in sentences.items():
        assert list_placeholders(sentence) == list_placeholders(TEMPLATES[code]), code  # type: ignore[index]


def test_chinese_sentences_are_chinese() -> None:
    """Every Chinese sentence contains Chinese characters and ends with a full stop or a parameter."""
    for code, sentence in read_sentences("zh").items():
        assert re.search(r"[\u4e00-\u9fff]", sentence), code
        assert sentence.endswith(("。", "}")), code


@pytest.mark.parametrize("code", ERROR_CODES)
def test_every_code_is_used_and_documented(code: str) -> None:
    """The server or the page without a server raises every code, and docs/page.md lists it with its parameters."""
    web = ROOT / "src" / "fourfall" / "web"
    files = [path for path in web.rglob("*.py") if path.stem != "errors"]
    sources = [path.read_text() for path in [*files, *(web / "static" / "local").rglob("*.js")]]
    assert any(f'"{code}"' in source for source in sources)
    rows = [line for line in (ROOT / "docs" / "page.md").read_text().splitlines() if line.startswith(f"| `{code}` |")]
    assert len(rows) == 1
    documented = set(re.findall(r"`(\w+)`", rows[0].split("|")[2]))
    assert documented == list_placeholders(TEMPLATES[code])  # type: ignore[index]


def test_long_parameters_are_shortened() -> None:
    """A parameter is one line of at most 300 characters."""
    error = RequestError("bad_position", problem="x\n" * 1000)
    assert len(str(error.params["problem"])) == 300
    assert "\n" not in str(error)
