"""Collects the conditions under which the games were played: versions, sandbox, pondering, delays and dates."""

from collections import Counter
from dataclasses import dataclass

from fourfall.report.game_rows import GameRow


@dataclass(frozen=True)
class GameConditions:
    """What the records say about how the games were played.

    `versions` counts games by the version of fourfall. `repeated` games were played again because the machine withheld
    processor time; `delay_ms` is the time that was given back to players. `started` and `ended` are the dates of the
    first and the last game.
    """

    versions: dict[str, int]
    sandboxed: int
    without_sandbox: int
    pondering: int
    repeated: int
    delay_ms: float
    started: str
    ended: str
    startup_ms: dict[str, float]


class ConditionCollector:
    """Collects the conditions of all games."""

    def __init__(self) -> None:
        self._versions: Counter[str] = Counter()
        self._sandboxed = self._without = self._pondering = self._repeated = 0
        self._delay = 0.0
        self._started = self._ended = ""
        self._startup: dict[str, float] = {}

    def add(self, row: GameRow) -> None:
        """Add the conditions of a game; values of unexpected types are left out."""
        values = row.values
        self._versions[str(values.get("version", ""))[:100]] += 1
        if values.get("sandboxed"):
            self._sandboxed += 1
        else:
            self._without += 1
        self._pondering += bool(values.get("ponder"))
        if values.get("repeats"):
            self._repeated += 1
            self._delay += sum(delay for delay in values.get("delays_ms", ()) if isinstance(delay, int | float))
        started = values.get("started")
        if isinstance(started, str) and started:
            self._started = min(self._started or started, started)
            self._ended = max(self._ended, started)
        startup = values.get("startup_ms")
        if isinstance(startup, list) and len(startup) == 2:
            for name, time in zip(row.names, startup, strict=True):
                if isinstance(time, int | float) and time > self._startup.get(name, -1.0):
                    self._startup[name] = float(time)

    def summarise(self) -> GameConditions:
        """Return the conditions of all games together."""
        return GameConditions(
            versions=dict(self._versions.most_common(20)),
            sandboxed=self._sandboxed,
            without_sandbox=self._without,
            pondering=self._pondering,
            repeated=self._repeated,
            delay_ms=round(self._delay, 1),
            started=self._started,
            ended=self._ended,
            startup_ms=self._startup,
        )
