"""Marks of tests that need something of the machine."""

import sys

import pytest

from fourfall.agents import sandbox

needs_sandbox = pytest.mark.skipif(
    bool(sandbox.find_missing_protections()), reason="this machine lacks protections of the sandbox"
)
needs_file_modes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
