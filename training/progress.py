"""Owns what a run tells: a line for people now and then, and every iteration as JSON Lines."""

import json
from pathlib import Path
from typing import Any


class Progress:
    """Writes the curves and prints; lines that a kill left half-written are cut off before going on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._latest: dict[str, Any] = {}
        if path.exists():
            whole = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
            path.write_bytes(b"".join(whole))

    def record(self, kind: str, **values: object) -> None:
        """Append one record to the curves."""
        if kind == "iteration":
            self._latest = values
        rounded = {key: round(value, 6) if isinstance(value, float) else value for key, value in values.items()}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, **rounded}) + "\n")

    def say(self, seconds: float, text: str) -> None:
        """Print one line at once."""
        print(f"[{seconds:7.1f} s] {text}", flush=True)

    def latest(self) -> str:
        """Put the latest iteration into one line."""
        values = dict(self._latest)
        losses = [
            f"{name}: " + " ".join(f"{part} {number:.4f}" for part, number in losses.items())
            for name, losses in values.items()
            if isinstance(losses, dict)
        ]
        return (
            f"{values['iteration']:5d}  {values['simulations']} simulations, "
            f"{values['evaluations_per_s']:,.0f} evaluations/s, play {values['play_s']:.2f} s, learn "
            f"{values['learn_s']:.2f} s, {values['games']} games of {values['plies']:.1f} plies, "
            f"{values['draws']:.1%} draws, first {values['first_mover']:+.3f} | "
            f"{' | '.join(losses) or 'not yet learning'}"
        )
