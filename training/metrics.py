"""Writes the metrics of a run: one JSON line per iteration and match in a file, and status lines on standard output."""

import json
from pathlib import Path
from typing import Any


class MetricsLog:
    """Appends to a JSON Lines file; an incomplete last line, left by a killed process, is removed first."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._latest: dict[str, Any] = {}
        if path.exists():
            complete = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
            path.write_bytes(b"".join(complete))

    def write(self, kind: str, **values: object) -> None:
        """Append one record."""
        if kind == "iteration":
            self._latest = values
        rounded = {key: round(value, 6) if isinstance(value, float) else value for key, value in values.items()}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, **rounded}) + "\n")

    def print_status(self, seconds: float, text: str) -> None:
        """Print one line with the time since the start of the run."""
        print(f"[{seconds:7.1f} s] {text}", flush=True)

    def format_latest(self) -> str:
        """Format the latest iteration as one line."""
        values = dict(self._latest)
        losses = [
            f"{name}: " + " ".join(f"{part} {number:.4f}" for part, number in losses.items())
            for name, losses in values.items()
            if isinstance(losses, dict)
        ]
        played = "no self-play"
        if "simulations" in values:
            played = (
                f"{values['simulations']} simulations, {values['evaluations_per_s']:,.0f} evaluations/s, "
                f"self-play {values['self_play_s']:.2f} s"
            )
            games = (
                f"{values['games']} games, {values['plies']:.1f} plies per game, {values['draws']:.1%} draws, "
                f"first player {values['first_player_result']:+.3f}"
            )
            played = f"{played}, {games}"
        return (
            f"iteration {values['iteration']}: {played}, learning {values['learning_s']:.2f} s | "
            f"{' | '.join(losses) or 'learning has not started'}"
        )
