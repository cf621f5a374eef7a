"""Builds the page without a server: a folder of static files in which everything runs in the browser."""
