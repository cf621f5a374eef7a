"""Owns Schemathesis over the HTTP part: whatever is asked, the answer is one that the schema describes."""

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
from tests.web.conftest import Served, serving

# Beginning a match begins processes; its refusals are tested by hand.
schema = schemathesis.openapi.from_dict(create_app(Settings(Path("never opened"))).openapi()).exclude(
    path="/api/matches", method="POST"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve requests that come quickly."""
    limits = Limits(requests_per_s=1e6, request_burst=10**6)
    with serving(Settings(tmp_path_factory.mktemp("schema") / "page.db", limits=limits)) as served:
        yield served


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_described(case: schemathesis.Case[Any], server: Served) -> None:
    """Statuses, types and bodies are those of the schema, for good requests and bad ones."""
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
