"""Finds the commands `fourfall …` in the code blocks of Markdown pages, and says which of them the tests run.

All commands are parsed by the real command line. Of each command in `TOY_OPTIONS`, the one or two with the most words
are also run in a folder with the files of `FILES`; the options of the table come last and replace those of the page, so
that a command takes a fraction of a second. The others are only parsed: they wait for a person or a client (`serve`,
`play`, `platform`, `ugi`), compile (`export library`, `export platform`), test the machine (`doctor`, `bench`), play
many games by definition (`gauntlet`, `compare`, `compete`, `ladder run`), or name files that a reader has to write.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.docs.links import ROOT, list_pages

_BLOCK = re.compile(r"^ *```[^\n]*\n(.*?)^ *```|((?:^(?: {4}|\t)[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"\s#\s.*$")
_QUICK_GAMES = ("--games", "2", "--time", "0.02", "--board", "4x4", "--workers", "1", "--no-sandbox", "--db", "toy.db")

_FILE = re.compile(r"[\w.-]+\.(?:cpp|db|jsonl|py|so|toml|txt)\b")
DATABASES = {"arena.db", "friday.db", "monday.db", "tuesday.db", "one.db", "two.db"}
LIBRARIES = {"bot.so", "old.so", "new.so", "A.so", "B.so", "alice.so"}
# Files that the folder of the tests contains, and files that commands write.
FILES = DATABASES | LIBRARIES | {"bot.py", "league.toml", "mine.toml", "games.jsonl"}
OUTPUTS = {"ladder.db", "result.txt"}

TOY_OPTIONS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("analyse",): ("--time", "0.02"),
    ("ask",): ("--time", "1"),
    ("board",): (),
    ("engines",): (),
    ("engines", "show"): (),
    ("events",): (),
    ("export", "games"): (),
    ("games",): (),
    ("import",): (),
    ("ladder", "add"): ("--db", "toy-ladder.db"),
    ("match",): _QUICK_GAMES,
    ("perft",): (),
    ("rate",): (),
    ("report",): ("--analysis-time", "0"),
    ("show",): ("--move", "2"),
    ("solve",): ("--time", "0.1"),
    ("tournament",): ("--db", "toy.db"),
}

_SLOW = {("analyse",), ("ladder", "add"), ("match",), ("report",), ("show",), ("tournament",)}


@dataclass(frozen=True)
class Command:
    """A command of a page, as words after `fourfall`."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: fourfall {shlex.join(self.words)}"

    @property
    def path(self) -> tuple[str, ...]:
        """The command, with the subcommand of a group."""
        return self.words[:2] if self.words[0] in ("engines", "export", "ladder") else self.words[:1]

    @property
    def names_known_files(self) -> bool:
        """Whether the folder of the tests has all files that the command reads."""
        names = {name for word in self.words for name in _FILE.findall(word)}
        return names <= FILES | OUTPUTS

    @property
    def toy_options(self) -> tuple[str, ...] | None:
        """The options with which the command is run, or None if it is only parsed."""
        return TOY_OPTIONS.get(self.path) if self.names_known_files else None


def list_commands() -> list[Command]:
    """List the commands of the readmes and of all pages in docs/ and examples/, each once."""
    pages = [
        page
        for page in list_pages()
        if page.parent == ROOT or page.is_relative_to(ROOT / "docs") or page.is_relative_to(ROOT / "examples")
    ]
    commands = [command for page in pages for command in find_commands(page)]
    return list({command.words: command for command in commands}.values())


def choose_commands_to_run(commands: Sequence[Command]) -> list[Command]:
    """Return the commands that the tests run: at most two of each, one of slower ones, those with the most words."""
    chosen: dict[tuple[str, ...], list[Command]] = {}
    for command in sorted(commands, key=lambda command: -len(command.words)):
        group = chosen.setdefault(command.path, [])
        if command.toy_options is not None and len(group) < (1 if command.path in _SLOW else 2):
            group.append(command)
    return [command for group in chosen.values() for command in group]


def find_commands(page: Path) -> Iterator[Command]:
    """Yield the commands in the code blocks of a page; lines with [--option] describe the usage and are left out."""
    name = str(page.relative_to(ROOT))
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        text = (block[1] or block[2]).replace("\\\n", " ")
        for line in map(str.strip, text.splitlines()):
            for part in re.split(r" && | \|\| |; ", _COMMENT.sub("", line.removeprefix("$ "))):
                if part.startswith("fourfall ") and not part.startswith("fourfall -") and "[--" not in part:
                    yield Command(name, split_words(part.removeprefix("fourfall ")))


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
