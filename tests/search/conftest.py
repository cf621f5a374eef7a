"""Owns the small network, with weights drawn by chance, that the tests of the search share."""

from pathlib import Path

import pytest

from tests.search.network_reference import Weights


@pytest.fixture(scope="session")
def network_preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a preset of a graph search with a network, and the network's weights beside it."""
    folder = tmp_path_factory.mktemp("network")
    Weights.drawn(7, channels=32, blocks=1).write(folder / "drawn.f4w")
    preset = folder / "network.toml"
    preset.write_text('base = "fourfall"\n[evaluation]\nweights = "./drawn.f4w"\n')
    return preset
