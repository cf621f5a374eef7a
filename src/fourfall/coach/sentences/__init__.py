"""Writes facts as sentences in English and Chinese."""

from collections.abc import Sequence
from typing import Literal, get_args

from fourfall._core import Board
from fourfall.coach.facts import Fact
from fourfall.coach.sentences.chinese import ChineseWriter
from fourfall.coach.sentences.english import EnglishWriter

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
MAX_SENTENCES = 3

_WRITERS: dict[str, type[EnglishWriter] | type[ChineseWriter]] = {"en": EnglishWriter, "zh": ChineseWriter}


def write_sentences(
    board: Board, column: int, facts: Sequence[Fact], language: Language, *, text_board: bool = False
) -> list[str]:
    """Return one to three sentences about the facts; a fact whose sentences do not fit any more is left out."""
    if language not in _WRITERS:
        raise ValueError(f"unknown language {language!r}; choose one of {', '.join(LANGUAGES)}")
    writer = _WRITERS[language](board, column, text_board=text_board)
    sentences: list[str] = []
    for fact in facts:
        written = writer.write(fact)
        if len(sentences) + len(written) <= MAX_SENTENCES:
            sentences += written
    return sentences or [writer.write_nothing()]
