"""What the tests of this folder share: a scheduler with two workers, and a time limit."""

import gc
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.dask_processes import DaskProcesses, start_dask

_MAX_TEST_S = 120
_FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ignore exceptions in the garbage of distributed: it may be that of an earlier test."""
    for item in items:
        if item.path.is_relative_to(_FOLDER):
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))


@pytest.fixture(autouse=True, scope="package")
def collect_garbage() -> Iterator[None]:
    """Collect what distributed leaves behind here, not in a test of another folder."""
    yield
    gc.collect()


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """End a test that waits without end: a test of this folder usually takes less than 5 s."""

    def fail(*_: object) -> None:
        raise TimeoutError(f"the test takes longer than {_MAX_TEST_S} s")

    previous = signal.signal(signal.SIGALRM, fail)
    signal.alarm(_MAX_TEST_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the cache folder of the shared workers, which the driver does not use."""
    return tmp_path_factory.mktemp("caches")


@pytest.fixture(scope="session")
def dask(tmp_path_factory: pytest.TempPathFactory, caches: Path) -> Iterator[DaskProcesses]:
    """Start a scheduler with the workers worker-0 and worker-1, for tests that end neither."""
    with start_dask(tmp_path_factory.mktemp("dask")) as dask:
        for number in range(2):
            dask.start_worker(f"worker-{number}", environment={"XDG_CACHE_HOME": str(caches)})
        yield dask
