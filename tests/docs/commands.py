"""Finds the commands in the code blocks of Markdown pages.

A command is a line that starts with `fourfall`, or a shell command that prepares files for it (`make -C`, `sed`). The
tests run every command; `toy_options.py` says with which options, `prepared_folder.py` with which files.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.docs.links import ROOT, list_pages

_BLOCK = re.compile(r"^ *```[^\n]*\n(.*?)^ *```|((?:^(?: {4}|\t)[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"\s#\s.*$")
_GROUPS = ("dataset", "engines", "experiments", "export", "ladder")


@dataclass(frozen=True)
class Command:
    """A command of a page."""

    page: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}: {self.text}"

    @property
    def is_fourfall(self) -> bool:
        """Whether the command is one of `fourfall`, not of the shell."""
        return self.text.startswith("fourfall ")

    @property
    def words(self) -> tuple[str, ...]:
        """The words after `fourfall`."""
        return split_words(self.text)[1:]

    @property
    def path(self) -> tuple[str, ...]:
        """The command of `fourfall`, with the subcommand of a group."""
        is_group = self.words[0] in _GROUPS or self.words[:2] == ("puzzles", "make")
        return self.words[:2] if is_group else self.words[:1]


def list_user_pages() -> list[Path]:
    """List the pages at the root, in docs/ and in examples/."""
    folders = (ROOT / "docs", ROOT / "examples")
    return [page for page in list_pages() if page.parent == ROOT or any(map(page.is_relative_to, folders))]


def list_commands() -> list[Command]:
    """List the commands of all pages, each once, in the order of the pages."""
    commands: dict[str, Command] = {}
    for page in list_user_pages():
        for command in find_commands(page):
            commands.setdefault(command.text, command)
    return list(commands.values())


def find_commands(page: Path) -> Iterator[Command]:
    """Yield the commands in the code blocks of a page; lines with [--option] describe the usage and are left out."""
    name = str(page.relative_to(ROOT))
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        text = (block[1] or block[2]).replace("\\\n", " ")
        for line in map(str.strip, text.splitlines()):
            line = _COMMENT.sub("", line.removeprefix("$ ")).strip()
            if line.startswith(("make -C ", "sed ")):
                yield Command(name, line)
            for part in re.split(r" && | \|\| |; ", line):
                if part.startswith("fourfall ") and not part.startswith("fourfall -") and "[--" not in part:
                    yield Command(name, " ".join(part.split()))


def split_words(text: str) -> tuple[str, ...]:
    """Split a command as a shell does, without redirection.

    >>> split_words("match 'a b' c")
    ('match', 'a b', 'c')
    >>> split_words("rate --json > file")
    ('rate', '--json')
    """
    words = shlex.split(text)
    ends = [at for at, word in enumerate(words) if word in (">", ">>", "|", "2>", "&", "<")]
    return tuple(words[: ends[0]] if ends else words)
