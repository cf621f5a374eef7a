"""Tests of the web server and the page."""
