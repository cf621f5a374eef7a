"""Decides when an agent that keeps failing is suspended.

A failure is a game that an agent loses without the opponent's four in a row: a crash, a timeout, an illegal move, a
library that cannot be loaded and so on. A single one happens to sound agents on a busy machine. An agent is suspended
when it lost its last MAX_CONSECUTIVE games by failures, or at least half of its last WINDOW games. Games that the
opponent lost by a failure do not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

MAX_CONSECUTIVE = 4  # two pairs
WINDOW = 20
_WINDOW_SHARE = 0.5


@dataclass(frozen=True)
class RepeatedFailure:
    """Why an agent is suspended: it failed in `failed` of its last `played` games; `game` is the id of the last one."""

    failed: int
    played: int
    game: int


def find_repeated_failure(
    games: Sequence[tuple[int, bool]], max_consecutive: int = MAX_CONSECUTIVE
) -> RepeatedFailure | None:
    """Return why an agent must be suspended, or None.

    `games` are the agent's games since it was activated, oldest first, without those that the opponent lost by a
    failure: the id, and whether the agent failed.

    >>> find_repeated_failure([(1, False), (2, True), (3, True), (4, True), (5, True)])
    RepeatedFailure(failed=4, played=4, game=5)
    >>> find_repeated_failure([(1, True), (2, True), (3, False), (4, True), (5, True)]) is None
    True
    """
    last = games[-max_consecutive:]
    if len(last) == max_consecutive and all(failed for _, failed in last):
        return RepeatedFailure(max_consecutive, max_consecutive, last[-1][0])
    window = games[-WINDOW:]
    failures = [game for game, failed in window if failed]
    if len(window) == WINDOW and len(failures) >= _WINDOW_SHARE * WINDOW:
        return RepeatedFailure(len(failures), WINDOW, failures[-1])
    return None
