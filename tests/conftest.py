"""Hypothesis profiles (in CI every run uses the same examples) and the fixtures of bots that several folders use."""

import os

from hypothesis import settings

from tests.agents.bots import bots, faulty_bots

__all__ = ["bots", "faulty_bots"]

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
