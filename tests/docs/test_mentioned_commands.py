"""Checks the commands that the pages mention but that the tests of the pages do not run.

These are commands in the text, most of them with placeholders (`fourfall compare OLD NEW`), and commands of other
programs: `make` (targets must exist), `pip` (extras must exist), `python` and `node` (files must exist; examples have
tests).
"""

import importlib.util
import re
import shlex
import tomllib
from typing import Any

import pytest
import typer

from fourfall.cli import app
from tests.docs.commands import list_user_pages, split_words
from tools.docs.links import ROOT

_PROGRAM = r"(?:fourfall|make|pip|python|node(?= \S+\.mjs))"
_INLINE = re.compile(rf"(?<!`)`({_PROGRAM} [^`]+)`(?!`)")
_FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_LINE = re.compile(rf"^ *(?:\$ )?({_PROGRAM} \S.*?)(?: # .*)?$", re.MULTILINE)
_TARGET = re.compile(r"^([\w-]+):", re.MULTILINE)
ROOT_COMMAND: Any = typer.main.get_command(app)
KIT_FILES = {"test_bot.py"}


def list_mentions() -> list[str]:
    """List the commands in the text of all pages, and those of other programs in their code blocks, each once."""
    mentions: set[str] = set()
    for page in list_user_pages():
        text = page.read_text(encoding="utf-8")
        mentions.update(" ".join(mention.split()) for mention in _INLINE.findall(_FENCE.sub("", text)))
        blocks = "\n".join(_FENCE.findall(text)).replace("\\\n", " ")
        mentions.update(line.strip() for line in _LINE.findall(blocks) if not line.startswith("fourfall "))
    return sorted(mention for mention in mentions if "…" not in mention and "|" not in mention)


def check_fourfall(words: list[str]) -> None:
    """Check that the command and its options exist; arguments may be placeholders."""
    command = ROOT_COMMAND
    while words and hasattr(command, "commands") and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    names = {name for parameter in command.params for name in [*parameter.opts, *parameter.secondary_opts]}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= names
    if hasattr(command, "commands") and not command.invoke_without_command:
        assert all(word.startswith("--") for word in words), f"there is no command {words}"


def check_make(words: list[str]) -> None:
    """Check that the targets exist in the Makefile of the repository or of a starter kit."""
    files = [ROOT / "Makefile", *(ROOT / "src/fourfall/kits/templates").rglob("Makefile")]
    targets = {target for file in files for target in _TARGET.findall(file.read_text(encoding="utf-8"))}
    if words[0] != "-C":
        assert {word for word in words if "=" not in word} <= targets


def check_pip(words: list[str]) -> None:
    """Check that the extras exist."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for word in words:
        if match := re.fullmatch(r"(?:fourfall|\.)\[([\w,-]+)\]", word):
            assert set(match[1].split(",")) <= extras.keys()


def check_script(words: list[str]) -> None:
    """Check that a script or module exists, and that an example has a test that runs it."""
    if words[0] == "-m":
        assert len(words) == 1 or importlib.util.find_spec(words[1]), f"there is no module {words[1]}"
    elif words[0] not in KIT_FILES:
        path = ROOT / words[0]
        assert path.exists()
        assert path.parent.name != "examples" or (ROOT / "tests/examples" / f"test_{path.stem}.py").exists()


CHECKS = {
    "fourfall": check_fourfall,
    "make": check_make,
    "pip": check_pip,
    "python": check_script,
    "node": check_script,
}


@pytest.mark.parametrize("mention", list_mentions())
def test_mentioned_command_exists(mention: str) -> None:
    """Commands, options, targets, extras and files that a page mentions exist."""
    program, *words = split_words(mention)
    CHECKS[program](list(words))


@pytest.mark.parametrize(
    "mention",
    [
        "fourfall nothing",
        "fourfall match OLD NEW --nothing",
        "make nothing",
        "pip install 'fourfall[nothing]'",
        "python -m nothing",
        "python examples/nothing.py",
    ],
)
def test_wrong_mention_is_found(mention: str) -> None:
    """Commands, options, targets, extras and files that do not exist are errors."""
    program, *words = shlex.split(mention)
    with pytest.raises(AssertionError):
        CHECKS[program](words)
