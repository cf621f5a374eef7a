"""A small data set with exact labels that the tests of reader, check and commands share."""

from pathlib import Path

import pytest

from fourfall.datasets import Settings, make_dataset

SETTINGS = Settings(boards=("4x5", "5x4@2,1"), count=40, seed=3)


@pytest.fixture(scope="session")
def exact_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data set of 40 positions on two boards, labelled by the solver."""
    path = tmp_path_factory.mktemp("datasets") / "exact.parquet"
    assert make_dataset(path, SETTINGS, workers=2) == 40
    return path
