"""Hypothesis profiles (in CI every run uses the same examples), fixtures of bots, and what other systems leave out."""

import os
import signal
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

from tests.agents.bots import bots, faulty_bots
from tests.linux_only import LINUX_ONLY, find_reason

__all__ = ["bots", "faulty_bots"]

# A busy machine is not an error of a test.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# A shell disables Ctrl-C for background jobs, and processes inherit this: tests of interrupts would wait forever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out tests that need Linux on other systems; their modules cannot always be imported there."""
    return True if sys.platform != "linux" and find_reason(collection_path) else None


def pytest_report_header() -> list[str]:
    """Say on other systems which tests are left out, and why."""
    lines: list[str] = []
    if sys.platform != "linux":
        lines = ["left out, because they need Linux:", *(f"  tests/{path}: {why}" for path, why in LINUX_ONLY.items())]
    return lines
