"""Starter kits for bot writers: writes them, builds them and detects changes of their sources."""
