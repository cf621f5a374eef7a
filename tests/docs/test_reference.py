"""Tests that the API reference and the navigation are complete."""

import importlib
import re

import pytest

import fourfall
from tools.docs.links import ROOT

DOCS = ROOT / "docs"
DIRECTIVE = re.compile(r"^\.\. auto(?:class|exception|function|module):: ([\w.]+)$", re.MULTILINE)
REFERENCE = [name for page in sorted((DOCS / "reference").glob("*.md")) for name in DIRECTIVE.findall(page.read_text())]
MODULES = {"presets", "render", "__version__"}


def test_every_public_name_is_in_the_reference() -> None:
    """The reference has every name of the package; the modules have entries for their functions."""
    assert [name for name in fourfall.__all__ if name not in MODULES and f"fourfall.{name}" not in REFERENCE] == []
    for module in ("presets", "render"):
        assert any(name.startswith(f"fourfall.{module}.") for name in REFERENCE)


def test_no_name_is_twice_in_the_reference() -> None:
    """Each name has one entry."""
    assert len(REFERENCE) == len(set(REFERENCE))


@pytest.mark.parametrize("name", REFERENCE)
def test_name_of_the_reference_exists(name: str) -> None:
    """The name can be imported, and its docstring begins with a sentence."""
    module, _, attribute = name.rpartition(".")
    value = getattr(importlib.import_module(module), attribute)
    assert (value.__doc__ or "").strip()


def test_navigation_has_every_page() -> None:
    """Every page in docs/ is in a navigation list, by its name or by a pattern."""
    listed = set()
    for index in DOCS.rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", index.read_text(), re.DOTALL):
            names = [line.strip() for line in block.splitlines() if line.strip() and not line.startswith(":")]
            listed |= {page for name in names for page in index.parent.glob(f"{name}.md")}
    assert sorted(set(DOCS.rglob("*.md")) - listed - {DOCS / "index.md"}) == []
