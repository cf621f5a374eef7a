"""Tests of the fields of a gauntlet: named sets, folders of libraries, and mistakes."""

from pathlib import Path

import pytest

from fourfall.arena.opponents import list_opponents
from fourfall.arena.spec import SpecError


def test_named_sets() -> None:
    """There are fifty levels and twenty-one presets of the seeds."""
    assert len(list_opponents("levels")) == 50
    assert len(list_opponents("seeds")) == 21


def test_folder_lists_its_libraries_in_natural_order(tmp_path: Path) -> None:
    """Only files that end in .so are opponents, 2.so comes before 10.so, and no file is opened."""
    for name in ("10.so", "2.so", "a2.so", "a10.so", "notes.txt", "lib.so.1"):
        (tmp_path / name).write_text("not a library")
    (tmp_path / "2.so").chmod(0)  # a field may contain files that this process cannot read; the sandbox reports them
    (tmp_path / "folder.so").mkdir()
    expected = [f"library:{tmp_path}/{name}" for name in ("2.so", "10.so", "a2.so", "a10.so")]
    assert list_opponents(str(tmp_path)) == list_opponents(f"{tmp_path}/") == expected


def test_name_with_options_is_refused(tmp_path: Path) -> None:
    """A file name must not add options to an address: read would allow the library to read other files."""
    (tmp_path / "x").touch()
    (tmp_path / "x?read=secret.so").touch()
    with pytest.raises(SpecError, match="contains '\\?'; rename the file"):
        list_opponents(str(tmp_path))


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("missing/", "missing: No such file or directory"),
        ("samples", "samples: not one of levels, seeds, not a folder; there is no preset or level 'samples'"),
        ("level-3", "there is no level 'level-3'; levels are level-2, level-4, ..., level-100; similar: level-2"),
        (".", "the folder contains no strategy library; their names end in .so"),
        ("a\0b/", "not the name of a folder"),
    ],
)
def test_mistakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, message: str) -> None:
    """The message says what the field is not and what is allowed."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError) as caught:
        list_opponents(field)
    assert message in str(caught.value)
