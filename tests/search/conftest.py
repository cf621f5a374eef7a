"""A small network with random weights, shared by the tests of the search."""

from pathlib import Path

import pytest

from tests.search.network_reference import ReferenceNetwork


@pytest.fixture(scope="session")
def network_preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a preset of a graph search with a network, and the weights file in the same folder."""
    folder = tmp_path_factory.mktemp("network")
    ReferenceNetwork.random(7, channels=32, blocks=1).write(folder / "random.f4w")
    preset = folder / "network.toml"
    preset.write_text('base = "fourfall"\n[evaluation]\nweights = "./random.f4w"\n')
    return preset
