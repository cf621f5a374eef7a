"""Tests the HTTP routes with random requests: all responses match the OpenAPI schema."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from fourfall.web.app import Settings, create_app
from fourfall.web.limits import Limits
from tests.web.conftest import RunningServer, run_in_thread

# Starting a match starts processes; tests/web/events tests its errors.
schema = schemathesis.openapi.from_dict(create_app(Settings(Path("unused"))).openapi()).exclude(
    path="/api/matches", method="POST"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server without a limit of the rates of requests and connections."""
    limits = Limits(requests_per_s=1e6, request_burst=10**6, client_connects_per_s=1e6, client_connect_burst=10**6)
    with run_in_thread(Settings(tmp_path_factory.mktemp("openapi") / "page.db", limits=limits)) as running:
        yield running


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_responses_match_the_schema(case: schemathesis.Case[Any], server: RunningServer) -> None:
    """Status codes, content types and bodies are those of the schema, for valid and invalid requests."""
    response = case.call(base_url=server.address)
    case.validate_response(
        response,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )
