"""Builds the wheels of a release and tests them in fresh environments."""
