"""Owns the page: a server that plays, analyses, reviews and lets people watch; docs/page.md is its contract."""
