"""Tests the access of clients: connections, token and log."""
