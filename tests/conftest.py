"""Owns the settings of the property tests (as usual on a desk, the same examples every time in CI) and shared bots."""

import os

from hypothesis import settings

from tests.agents.bots import bots, faulty_bots

__all__ = ["bots", "faulty_bots"]

settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")
