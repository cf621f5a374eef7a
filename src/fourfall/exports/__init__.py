"""Exports engines for other judges: strategy library, platform submission, platform program."""
