"""Tests the checks before a release, in small repositories that are right except for one thing."""

import subprocess
from pathlib import Path

import pytest

from tools.release_check import CHECKS, ROOT, read_citation, run_checks

CITATION = """cff-version: 1.2.0
message: Please cite it.
title: "Fourfall"
type: software
version: 1.2.3
date-released: 2026-11-16
license: MIT
authors:
  - name: The Fourfall authors
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository that is ready for the release 1.2.3."""
    folder = tmp_path_factory.mktemp("release")
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (folder / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.2.3 (2026-11-16)\n\n- Something new.\n\n## 1.2.2\n\n- Old.\n"
    )
    (folder / "CITATION.cff").write_text(CITATION)
    (folder / "README.md").write_text("# Readme\n\n[changes](CHANGELOG.md#changelog)\n")
    git(folder, "init", "-q")
    commit(folder)
    return folder


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Path:
    """Return a copy of the repository."""
    git(tmp_path, "clone", "-q", str(template), "copy")
    return tmp_path / "copy"


def git(folder: Path, *arguments: str) -> None:
    """Run git with a name for commits."""
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def commit(folder: Path) -> None:
    """Commit everything."""
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Change")


def list_failures(folder: Path) -> list[str]:
    """Return the lines of the failed checks."""
    return [line for is_passed, line in run_checks(folder) if not is_passed]


def test_repository_that_is_ready(repository: Path) -> None:
    """All checks pass, and each prints a line."""
    lines = list(run_checks(repository))
    assert [is_passed for is_passed, _ in lines] == [True] * len(CHECKS)
    assert [line.split(":")[0] for _, line in lines] == [f"ok    {name}" for name in CHECKS]


@pytest.mark.parametrize(
    ("file", "old", "new", "check", "message"),
    [
        ("pyproject.toml", "1.2.3", "1.2.3.dev1", "version", "write it as 1.2.3 or 1.2.3rc1"),
        ("CHANGELOG.md", "1.2.3 (2026-11-16)", "Unreleased", "changelog", "rename it to: ## 1.2.3 (YYYY-MM-DD)"),
        ("CHANGELOG.md", " (2026-11-16)", "", "changelog", "has no date"),
        ("CHANGELOG.md", "- Something new.", "", "changelog", "is empty"),
        ("CHANGELOG.md", "## ", "### ", "changelog", "has no entry"),
        ("CITATION.cff", "1.2.3", "1.2.2", "citation", "write 1.2.3, as in pyproject.toml"),
        ("CITATION.cff", "2026-11-16", "2026-11-15", "citation", "write 2026-11-16, as in CHANGELOG.md"),
        ("CITATION.cff", "license: MIT\n", "", "citation", "has no license"),
        ("README.md", "CHANGELOG.md#changelog", "CHANGES.md", "links", "CHANGES.md leads to no file"),
        ("README.md", "#changelog", "#changes", "links", "leads to no heading"),
    ],
)
def test_wrong_file(repository: Path, file: str, old: str, new: str, check: str, message: str) -> None:
    """The check fails and says what to do."""
    path = repository / file
    path.write_text(path.read_text().replace(old, new))
    commit(repository)
    lines = [line for line in list_failures(repository) if line.startswith(f"fail  {check}: ")]
    assert len(lines) == 1
    assert message in lines[0]


def test_changes_that_are_not_committed(repository: Path) -> None:
    """A new file is named."""
    (repository / "new.txt").write_text("")
    (line,) = list_failures(repository)
    assert "clean tree: 1 files are not committed, for example new.txt" in line


def test_tag_that_exists(repository: Path) -> None:
    """The version must be increased."""
    git(repository, "tag", "v1.2.3")
    (line,) = list_failures(repository)
    assert "the tag v1.2.3 exists; increase the version" in line


def test_folder_without_git(tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside a repository the checks that need git fail with a message."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "copy").mkdir()
    for file in template.iterdir():
        if file.is_file():
            (tmp_path / "copy" / file.name).write_bytes(file.read_bytes())
    assert [line.split(":")[0] for line in list_failures(tmp_path / "copy")] == ["fail  tag", "fail  clean tree"]


def test_citation_of_this_repository() -> None:
    """The file has the required fields of the format, version 1.2.0, and the version of the package."""
    fields = read_citation(ROOT)
    assert fields["cff-version"] == "1.2.0"
    assert all(fields.get(name) for name in ("message", "title", "authors", "version", "type", "license"))
    assert f'version = "{fields["version"]}"' in (ROOT / "pyproject.toml").read_text()
