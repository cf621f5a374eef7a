"""Shortens names of agents for labels and tables."""

import unicodedata

from fourfall.arena.tables import replace_control_characters


def shorten(content: str, width: int) -> str:
    """Shorten a text to a width in Latin letters; a Chinese character is two wide.

    The middle is left out, because names often differ only at the end.

    >>> shorten("library:./my_bot.so", 12), shorten("四子棋策略二", 9)
    ('librar…ot.so', '四子…略二')
    """
    content = replace_control_characters(content)
    if sum(map(_measure, content)) <= width:
        return content
    end = _take(content[::-1], (width - 1) // 2)[::-1]
    return f"{_take(content, width - 1 - sum(map(_measure, end)))}…{end}"


def _take(content: str, width: int) -> str:
    """Return as many of the first letters as fit into a width."""
    used = 0
    for at, letter in enumerate(content):
        used += _measure(letter)
        if used > width:
            return content[:at]
    return content


def _measure(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 0 if unicodedata.combining(letter) else 1
