"""Plugin of pytest that turns every skipped test or file into a failure, for `make test-ecosystem`.

In the environment of a framework, a test is skipped only if the framework is missing or broken. Load it with
``pytest -p tests.ecosystem.no_skips``.
"""

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Change the outcome of a skipped test."""
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Change the outcome of a file that is skipped as a whole."""
    return _fail_if_skipped((yield))


def _fail_if_skipped(report: Any) -> Any:  # noqa: ANN401 (a report of a test or of a file)
    if report.outcome == "skipped":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, but all tests must run here: {reason}"
    return report
