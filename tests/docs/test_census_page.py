"""Tests that the tables of docs/census.md are those of the data file."""

from tools.docs.census_page import BLOCKS, PAGE, update


def test_page_is_current() -> None:
    """Writing the generated blocks again changes nothing; if the data file changed, run make pictures."""
    page = PAGE.read_text(encoding="utf-8")
    assert update(page) == page


def test_page_has_every_block() -> None:
    """Each generated block is on the page once."""
    page = PAGE.read_text(encoding="utf-8")
    assert [page.count(f"<!-- begin {name} -->") for name in BLOCKS] == [1] * len(BLOCKS)
