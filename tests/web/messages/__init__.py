"""Tests of the messages of the websocket."""
