"""Ladder: continuous matchmaking among registered agents with live ratings."""
