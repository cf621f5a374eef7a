"""Sections of the HTML report; each function returns the content of one section from the report's data."""
