"""Marks of tests that need something of the machine."""

import pytest

from fourfall.agents import sandbox

needs_sandbox = pytest.mark.skipif(
    bool(sandbox.find_missing_protections()), reason="this machine lacks protections of the sandbox"
)
