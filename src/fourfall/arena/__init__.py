"""Owns the arena: games between agents, judged, recorded and counted."""
