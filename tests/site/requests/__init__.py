"""Tests of the requests that the page's worker answers, compared with the server."""
