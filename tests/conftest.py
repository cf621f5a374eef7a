"""Hypothesis profiles (in CI every run uses the same examples) and the fixtures of bots that several folders use."""

import os

from hypothesis import HealthCheck, settings

from tests.agents.bots import bots, faulty_bots

__all__ = ["bots", "faulty_bots"]

# A busy machine is not an error of a test.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
