"""Tests the files of the repository for contributors: issue forms, workflow, policies."""

import doctest
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from tools.docs import command_help, links, tree_drawing
from tools.docs.links import ROOT

FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.name)
def test_issue_form_is_complete(form: Path) -> None:
    """A form has a name, a description and fields with different ids; at least one field is required."""
    content = yaml.safe_load(form.read_text(encoding="utf-8"))
    fields = content["body"]
    assert content["name"]
    assert content["description"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["type"] in ("textarea", "input", "dropdown") and field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_docs_workflow_runs_the_target() -> None:
    """The workflow builds the site as a developer does."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "docs.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["site"]["steps"]
    assert any(step.get("run") == "make docs" for step in steps)
    assert workflow["permissions"] == {"contents": "read"}


def test_citation_is_valid_yaml() -> None:
    """CITATION.cff has the types of the format: a list of authors with names, text for the other fields."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert all("name" in author or {"family-names", "given-names"} <= set(author) for author in citation["authors"])
    assert citation["type"] == "software"
    assert isinstance(citation["version"], str)
    assert all(isinstance(word, str) for word in citation["keywords"])


@pytest.mark.parametrize("module", [command_help, links, tree_drawing], ids=lambda module: str(module.__name__))
def test_examples_of_the_tools(module: ModuleType) -> None:
    """The examples in the docstrings of the tools run."""
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
