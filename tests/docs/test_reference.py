"""Tests that the API reference and the navigation are complete."""

import importlib
import re
from pathlib import Path

import pytest

import fourfall
from tools.docs.command_help import list_command_names, read_command_help
from tools.docs.links import ROOT

DOCS = ROOT / "docs"
DIRECTIVE = re.compile(r"^\.\. auto(?:class|exception|function|module):: ([\w.]+)$", re.MULTILINE)
REFERENCE = [name for page in sorted((DOCS / "reference").glob("*.md")) for name in DIRECTIVE.findall(page.read_text())]
MODULES = {"presets", "render", "__version__"}
IMPORT = re.compile(r"^(?:>>> )?from (fourfall\.[\w.]+) import ([\w, ]+)$", re.MULTILINE)


def test_every_public_name_is_in_the_reference() -> None:
    """The reference has every name of the package; the modules have entries for their functions."""
    assert [name for name in fourfall.__all__ if name not in MODULES and f"fourfall.{name}" not in REFERENCE] == []
    for module in ("presets", "render"):
        assert any(name.startswith(f"fourfall.{module}.") for name in REFERENCE)


def test_names_that_pages_import_are_in_the_reference() -> None:
    """A page shows no function or class without its description."""
    imports = [match.groups() for page in DOCS.rglob("*.md") for match in IMPORT.finditer(page.read_text())]
    names = {f"{module}.{name}" for module, listed in imports for name in listed.split(", ")}
    assert len(names) > 20
    assert sorted(names - set(REFERENCE)) == []


def test_no_name_is_twice_in_the_reference() -> None:
    """Each name has one entry."""
    assert len(REFERENCE) == len(set(REFERENCE))


@pytest.mark.parametrize("name", REFERENCE)
def test_name_of_the_reference_exists(name: str) -> None:
    """The name can be imported, and its docstring begins with a sentence."""
    module, _, attribute = name.rpartition(".")
    value = getattr(importlib.import_module(module), attribute)
    assert (value.__doc__ or "").strip()


def test_page_of_commands_is_complete() -> None:
    """The page has a heading and a description of every command, in the order of `fourfall --help`."""
    page = (DOCS / "reference" / "commands.md").read_text()
    names = list_command_names()
    assert re.findall(r"^\.\. fourfall-command:: (.+)$", page, re.MULTILINE) == names
    assert re.findall(r"^##+ fourfall (.+)$", page, re.MULTILINE) == names


def test_help_of_a_command_is_read_from_the_program() -> None:
    """Usage, options with default values, and examples are those of `--help`."""
    match = read_command_help("match")
    assert match.usage == "fourfall match [OPTIONS] A B"
    defaults = {parameter.name: parameter.default for parameter in match.parameters}
    assert (defaults["--time"], defaults["--seed"], defaults["--db DB"]) == ("3.0", "0", "arena.db")
    assert all(parameter.help for name in list_command_names() for parameter in read_command_help(name).parameters)
    assert all(line.startswith("fourfall match ") for line in match.examples)
    with pytest.raises(ValueError, match="there is no command fourfall ladder fall"):
        read_command_help("ladder fall")


def test_navigation_has_every_page_once() -> None:
    """Every page in docs/ is in one navigation list, by its name or by a pattern."""
    listed: list[Path] = []
    for index in DOCS.rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", index.read_text(), re.DOTALL):
            names = [line.strip() for line in block.splitlines() if line.strip() and not line.startswith(":")]
            listed += {page for name in names for page in index.parent.glob(f"{name}.md")}
    assert sorted(listed) == sorted(set(DOCS.rglob("*.md")) - {DOCS / "index.md"})
