"""Sphinx extension: search in English and Chinese pages.

Chinese has no spaces between words. Each run of Chinese characters is therefore indexed as all pairs of neighbouring
characters, and a query is split in the same way: a page is found if it has all pairs of the query.
"""

import re

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")

_SPLIT_QUERY = """
var splitQuery = (query) =>
  (query.match(/[\\u3400-\\u9fff]+|(?:(?![\\u3400-\\u9fff])[\\p{L}\\p{N}_])+/gu) || []).flatMap((word) =>
    /[\\u3400-\\u9fff]/.test(word) && word.length > 2
      ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
      : [word],
  );
"""


class SearchEnglishAndChinese(SearchEnglish):  # type: ignore[misc]  # Sphinx is not installed where types are checked
    """English search that splits Chinese text into pairs of characters."""

    lang = "en-zh"
    language_name = "English"  # selects the stemmer in the browser
    js_splitter_code = _SPLIT_QUERY

    def split(self, text: str) -> list[str]:
        """Return the words of a text."""
        return split_words(text)


def split_words(text: str) -> list[str]:
    """Split a text into words, and Chinese into pairs of characters.

    >>> split_words("UCT: a tree, 随机落子")
    ['UCT', 'a', 'tree', '随机', '机落', '落子']
    """
    words = []
    for word in _WORD.findall(text):
        if "\u3400" <= word[0] <= "\u9fff" and len(word) > 2:
            words += [word[at : at + 2] for at in range(len(word) - 1)]
        else:
            words.append(word)
    return words


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the language."""
    app.add_search_language(SearchEnglishAndChinese)
    return {"parallel_read_safe": True}
