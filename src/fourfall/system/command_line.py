"""Command lines as text: splitting and joining words, and recognising paths in them."""

import os
import re
import shlex
import sys
from collections.abc import Iterable

_PLAIN_WORD = re.compile(r"[\w@%+=:,./\\~-]+", re.ASCII)


def has_drives() -> bool:
    """Whether paths have drive letters and backslashes, as on Windows."""
    return sys.platform == "win32"


def split_command(text: str) -> list[str]:
    """Split a command line into words like a shell; ValueError if a quote is not closed.

    On Windows a backslash is a part of a path and quotes nothing.

    >>> split_command("./bot 'two words' --fast")
    ['./bot', 'two words', '--fast']
    """
    return split_windows_command(text) if has_drives() else shlex.split(text)


def quote_word(word: str) -> str:
    """Return a word as it is written in a command line.

    >>> quote_word("level-3"), quote_word("my bot")
    ('level-3', "'my bot'")
    """
    return quote_windows_word(word) if has_drives() else shlex.quote(word)


def join_command(words: Iterable[str]) -> str:
    """Return words as a command line.

    >>> join_command(["fourfall", "ask", "library:./my bot.so"])
    "fourfall ask 'library:./my bot.so'"
    """
    return " ".join(quote_word(word) for word in words)


def is_bare_name(word: str) -> bool:
    """Whether a word names a file without any folder, so that it may be searched on the PATH.

    >>> is_bare_name("python3"), is_bare_name("./bot")
    (True, False)
    """
    return os.path.basename(word) == word  # noqa: PTH119 (a word is not always a valid path)


def has_drive(path: str) -> bool:
    """Whether a path begins with a drive letter; False for every text on systems without drives.

    >>> has_drive("library:bot.so")
    False
    """
    return has_drives() and re.match(r"[A-Za-z]:[/\\]", path) is not None


def forbid_current_folder() -> None:
    """Let no program be found in the current folder by its bare name, as only Windows would do."""
    if sys.platform == "win32":
        os.environ["NODEFAULTCURRENTDIRECTORYINEXEPATH"] = "1"


def split_windows_command(text: str) -> list[str]:
    r"""Split a command line of Windows, in which both kinds of quotes are allowed.

    >>> split_windows_command(r'"C:\my bots\bot.exe" --fast')
    ['C:\\my bots\\bot.exe', '--fast']
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = lexer.escape = ""
    return list(lexer)


def quote_windows_word(word: str) -> str:
    r"""Return a word in double quotes if it needs them; a double quote in it, which no path has, becomes a single one.

    >>> quote_windows_word(r"C:\bots\bot.exe"), quote_windows_word("my bot")
    ('C:\\bots\\bot.exe', '"my bot"')
    """
    return word if _PLAIN_WORD.fullmatch(word) else '"' + word.replace('"', "'") + '"'
