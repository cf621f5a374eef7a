"""Words of the report in English and Chinese."""

from typing import Literal, get_args

from fourfall.report.words.en import WORDS as ENGLISH
from fourfall.report.words.replay_en import WORDS as ENGLISH_REPLAY
from fourfall.report.words.replay_zh import WORDS as CHINESE_REPLAY
from fourfall.report.words.zh import WORDS as CHINESE

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_WORDS = {"en": {**ENGLISH, **ENGLISH_REPLAY}, "zh": {**CHINESE, **CHINESE_REPLAY}}
_TAGS = {"en": "en", "zh": "zh-Hans"}


class Words:
    """The words of one language; calling it fills the placeholders of a text.

    >>> Words("en")("games.count", count=3)
    '3 games'
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self._words = _WORDS[language]

    @property
    def tag(self) -> str:
        """The language tag for the attribute `lang`."""
        return _TAGS[self.language]

    @property
    def separator(self) -> str:
        """What stands between two sentences of a paragraph."""
        return "" if self.language == "zh" else " "

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key; `values` fill its placeholders."""
        return self._words[key].format(**values) if values else self._words[key]

    def select(self, prefix: str) -> dict[str, str]:
        """Return all texts whose key begins with a prefix, for a script of the page.

        >>> Words("en").select("ending.win")
        {'ending.win': 'four in a row'}
        """
        return {key: text for key, text in self._words.items() if key.startswith(prefix)}

    def get_ending(self, ending: str) -> str:
        """Return the name of an ending of a game; an unknown one is returned as it is.

        >>> Words("en").get_ending("illegal move")
        'illegal move'
        """
        return self._words.get(f"ending.{ending}", ending)
