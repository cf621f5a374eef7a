"""Collects the failures of agents with stderr and the command that reproduces each."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain, zip_longest

from fourfall.report.game_rows import GameRow

STDERR_CHARACTERS = 2_000
"""Longest excerpt of stderr; the end is kept, because it names the error."""


@dataclass(frozen=True)
class Failure:
    """A game that an agent lost by a failure; `stones` is the number of stones on the board when it failed."""

    game: int
    agent: str
    opponent: str
    ending: str
    detail: str
    stderr: str
    reproducer: str
    board: str
    stones: int


@dataclass(frozen=True)
class FailureCount:
    """Number of failures of one kind of an agent."""

    agent: str
    ending: str
    count: int


class FailureCollector:
    """Counts all failures and keeps the first ones of each agent and kind, `maximum` of each."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._counts: Counter[tuple[str, str]] = Counter()
        self._kept: dict[tuple[str, str], list[Failure]] = {}

    @property
    def total(self) -> int:
        """Number of all failures."""
        return self._counts.total()

    def add(self, row: GameRow) -> None:
        """Add the failure of a game, if there is one."""
        if row.culprit is None:
            return
        agent = row.names[row.culprit]
        key = (agent, row.ending)
        self._counts[key] += 1
        kept = self._kept.setdefault(key, [])
        if len(kept) < self._maximum:
            values = row.values
            kept.append(
                Failure(
                    game=row.id,
                    agent=agent,
                    opponent=row.names[1 - row.culprit],
                    ending=row.ending,
                    detail=str(values.get("detail", ""))[:STDERR_CHARACTERS],
                    stderr=shorten_stderr(str(values.get("stderr", ""))),
                    reproducer=str(values.get("reproducer", "")),
                    board=str(values["board"]),
                    stones=row.stones,
                )
            )

    def list_counts(self) -> list[FailureCount]:
        """Return the number of failures by agent and kind, the most frequent first."""
        return [FailureCount(agent, ending, count) for (agent, ending), count in self._counts.most_common()]

    def choose(self) -> list[Failure]:
        """Return at most `maximum` failures: one of each agent and kind in turn, then ordered by agent and game."""
        in_turn = chain.from_iterable(zip_longest(*self._kept.values()))
        chosen = [failure for failure in in_turn if failure is not None][: self._maximum]
        return sorted(chosen, key=lambda failure: (failure.agent, failure.ending, failure.game))


def shorten_stderr(text: str) -> str:
    r"""Return the end of a long stderr, from the beginning of a line if possible.

    >>> shorten_stderr("a" * 3000 + "\nerror: x")
    '…\nerror: x'
    """
    text = text.rstrip()
    if len(text) <= STDERR_CHARACTERS:
        return text
    end = text[-STDERR_CHARACTERS:]
    _, line_break, rest = end.partition("\n")
    return f"…\n{rest if line_break and rest else end}"
