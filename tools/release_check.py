"""Checks that the repository is ready for a release: `make release-check`. Prints ok or fail for each check."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.docs.links import find_broken_links, list_pages

ROOT = Path(__file__).resolve().parents[1]
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
_ENTRY = re.compile(r"^## +(\S+)(?: +\((\d{4}-\d{2}-\d{2})\))? *$", re.MULTILINE)
_CITATION_FIELDS = ("cff-version", "message", "title", "type", "version", "date-released", "license", "authors")


class CheckError(Exception):
    """A check failed; the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Entry:
    """The newest entry of the changelog."""

    version: str
    date: str | None
    text: str


def check_version(root: Path) -> str:
    """Check that the version in pyproject.toml is complete."""
    version = read_version(root)
    if not _VERSION.fullmatch(version):
        raise CheckError(f"the version in pyproject.toml is {version}; write it as 1.2.3 or 1.2.3rc1")
    return version


def check_changelog(root: Path) -> str:
    """Check that the newest entry of the changelog has the version, a date and a text."""
    version, entry = read_version(root), read_entry(root)
    if entry.version != version:
        raise CheckError(f"the first entry of CHANGELOG.md is {entry.version}; rename it to: ## {version} (YYYY-MM-DD)")
    if entry.date is None:
        raise CheckError(f"the entry {version} of CHANGELOG.md has no date; write: ## {version} (YYYY-MM-DD)")
    if "- " not in entry.text:
        raise CheckError(f"the entry {version} of CHANGELOG.md is empty; list what users notice, each with '- '")
    return f"{entry.version} of {entry.date}"


def check_citation(root: Path) -> str:
    """Check that CITATION.cff has all fields, and the version and date of the changelog."""
    fields = read_citation(root)
    missing = [name for name in _CITATION_FIELDS if not fields.get(name)]
    if missing:
        raise CheckError(f"CITATION.cff has no {', '.join(missing)}; add a line for each at the top level")
    version, date = read_version(root), read_entry(root).date
    if fields["version"] != version:
        raise CheckError(f"the version in CITATION.cff is {fields['version']}; write {version}, as in pyproject.toml")
    if fields["date-released"] != date:
        raise CheckError(
            f"date-released in CITATION.cff is {fields['date-released']}; write {date}, as in CHANGELOG.md"
        )
    return version


def check_tag(root: Path) -> str:
    """Check that the tag of the version does not exist."""
    tag = f"v{read_version(root)}"
    if run_git(root, "tag", "--list", tag):
        raise CheckError(f"the tag {tag} exists; increase the version in pyproject.toml, CITATION.cff and CHANGELOG.md")
    return f"{tag} does not exist"


def check_clean(root: Path) -> str:
    """Check that all changes are committed."""
    changes = run_git(root, "status", "--porcelain").splitlines()
    if changes:
        raise CheckError(f"{len(changes)} files are not committed, for example {changes[0][3:]}; commit or remove them")
    return "nothing to commit"


def check_links(root: Path) -> str:
    """Check that all links between Markdown files lead to files and headings."""
    pages = list_pages(root)
    broken = [message for page in pages for message in find_broken_links(page)]
    if broken:
        raise CheckError(f"{len(broken)} links are broken, for example {broken[0]}; correct them")
    return f"{len(pages)} pages"


CHECKS: dict[str, Callable[[Path], str]] = {
    "version": check_version,
    "changelog": check_changelog,
    "citation": check_citation,
    "tag": check_tag,
    "clean tree": check_clean,
    "links": check_links,
}


def run_checks(root: Path) -> Iterator[tuple[bool, str]]:
    """Yield for each check whether it passed, and a line to print."""
    for name, check in CHECKS.items():
        try:
            yield True, f"ok    {name}: {check(root)}"
        except CheckError as error:
            yield False, f"fail  {name}: {error}"


def read_version(root: Path) -> str:
    """Return the version of the package."""
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def read_entry(root: Path) -> Entry:
    """Return the first entry of the changelog."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = list(_ENTRY.finditer(text))
    if not entries:
        raise CheckError("CHANGELOG.md has no entry; begin one with: ## 1.2.3 (YYYY-MM-DD)")
    end = entries[1].start() if len(entries) > 1 else len(text)
    return Entry(entries[0][1], entries[0][2], text[entries[0].end() : end].strip())


def read_citation(root: Path) -> dict[str, str]:
    """Return the top-level fields of CITATION.cff; a field with a list or a block has the text of its lines."""
    path = root / "CITATION.cff"
    if not path.exists():
        raise CheckError("CITATION.cff is missing; restore it from the previous release")
    fields: dict[str, str] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"([a-z-]+):(.*)", line):
            name = match[1]
            fields[name] = match[2].strip().strip("\"'")
        elif name and line.strip():
            fields[name] += " " + line.strip()
    return fields


def run_git(root: Path, *arguments: str) -> str:
    """Return the output of a git command in the repository."""
    result = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607
    if result.returncode:
        raise CheckError(f"git {arguments[0]} failed: {result.stderr.strip()}; run this in a clone of the repository")
    return result.stdout


def main() -> None:
    """Run all checks; exit with 1 if one fails."""
    results = list(run_checks(ROOT))
    for _, line in results:
        print(line)
    failed = sum(not is_passed for is_passed, _ in results)
    sys.exit(f"{failed} of {len(results)} checks failed; docs/releasing.md describes the steps" if failed else 0)


if __name__ == "__main__":
    main()
