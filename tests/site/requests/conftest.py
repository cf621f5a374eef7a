"""Fixtures: the server, and the request handlers of the page without a server."""

from collections.abc import Iterator

import pytest

from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.site.requests.request_process import RequestProcess, run_requests
from tests.web.conftest import RunningServer, run_in_thread
from tools.site.puzzles import create_puzzle_file

SHIPPED_PUZZLES = 12
"""Number of puzzles that the handlers of the tests have; all would take seconds."""


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run one server for all tests, without a limit of the rate."""
    limits = Limits(requests_per_s=1e6, request_burst=1_000_000, client_connects_per_s=1e6, client_connect_burst=10**6)
    with run_in_thread(Settings(tmp_path_factory.mktemp("page") / "page.db", limits=limits)) as running:
        yield running


@pytest.fixture(scope="package")
def worker(server: RunningServer) -> Iterator[RequestProcess]:
    """Run the handlers in node, with the server's engines and the puzzles of the site."""
    puzzles = create_puzzle_file(limit=SHIPPED_PUZZLES)
    with run_requests({"serverInfo": server.get("/api/engines"), "puzzles": puzzles}) as process:
        yield process
