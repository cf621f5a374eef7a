"""Games between a person and an engine or bot."""
