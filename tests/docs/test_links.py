"""Tests that the links of all Markdown files lead to files and headings."""

from pathlib import Path

import pytest

from tools.docs.links import ROOT, find_broken_links, list_pages


@pytest.mark.parametrize("page", list_pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(page: Path) -> None:
    """No link of the page is broken."""
    assert find_broken_links(page) == []


def test_all_folders_are_searched() -> None:
    """Pages at the root, in docs/ and in its subfolders are found."""
    pages = {str(page.relative_to(ROOT)) for page in list_pages()}
    assert {"README.md", "docs/rules.md", "docs/reference/board.md", "cpp/README.md"} <= pages


@pytest.mark.parametrize(
    ("link", "is_broken"),
    [
        ("other.md", False),
        ("other.md#second-part", False),
        ("other.md#second-part-1", False),
        ("#a-title", False),
        ("https://example.org/x", False),
        ("missing.md", True),
        ("other.md#third-part", True),
        ("#another-title", True),
        ("other.md#not-a-heading", True),
    ],
)
def test_broken_links_are_found(tmp_path: Path, link: str, is_broken: bool) -> None:
    """Missing files and headings are reported; headings may repeat; code blocks have no headings."""
    (tmp_path / "other.md").write_text("# Other\n## Second part\n## Second `part`\n```\n# Not a heading\n```\n")
    page = tmp_path / "page.md"
    page.write_text(f"# A title\n\nSee [this]({link}). `[code](nowhere.md)`\n\n```\n[block](nowhere.md)\n```\n")
    messages = find_broken_links(page)
    assert len(messages) == is_broken
    assert all(link in message for message in messages)
