"""Builds and checks the documentation site, and draws its pictures."""
