"""Runs the lines of docs/datasets.md that read a data set with Polars, pandas and PyTorch."""

import re
from pathlib import Path
from typing import Any

import pytest

from fourfall.datasets import Settings, StoneRange, make_dataset, read

for package in ("pandas", "polars", "torch"):
    pytest.importorskip(package)

PAGE = Path(__file__).parents[3] / "docs" / "datasets.md"


def test_lines_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each library reads the same rows as Fourfall."""
    monkeypatch.chdir(tmp_path)
    settings = Settings(boards=("6x7",), count=40, stones=StoneRange(8, 12, is_free=True))
    assert make_dataset("exact.parquet", settings) == 40
    blocks = re.findall(r"```python\n(import polars.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (polars_lines, pandas_lines, torch_lines) = re.split(r"\n\n(?=import (?:pandas|torch))", blocks[0])
    names: dict[str, Any] = {}
    exec(polars_lines, names)  # noqa: S102
    assert names["frame"].height == 40
    exec(pandas_lines, names)  # noqa: S102
    assert list(names["frame"].columns) == ["position", "split", "outcome", "distance"]
    assert list(names["frame"]["position"]) == [board.notation for board in read("exact.parquet").boards]
    exec(torch_lines, names)  # noqa: S102
    planes, outcomes = next(iter(names["loader"]))
    assert len(planes) == len(outcomes) == len(read("exact.parquet", "train"))
    assert tuple(planes.shape[1:]) == (4, 6, 7)
