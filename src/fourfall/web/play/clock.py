"""The clock of a game: the time of each player."""

from dataclasses import dataclass, field

from fourfall.web.messages.requests import ClockRequest
from fourfall.web.messages.schemas import ClockInfo


@dataclass
class Clock:
    """The time of both players. It has no source of time: the caller says how long a turn took.

    `used_ms` only grows: undoing a move gives no time back, so that undo is not a pause.
    """

    initial_s: float
    increment_s: float = 0.0
    used_ms: list[float] = field(default_factory=lambda: [0.0, 0.0])

    @classmethod
    def from_request(cls, request: ClockRequest | None) -> "Clock | None":
        """Create the clock that a request asks for; None if it asks for none."""
        return None if request is None else cls(request.initial_s, request.increment_s)

    def charge(self, player: int, ms: float) -> None:
        """Add a turn to the time that a player has used."""
        self.used_ms[player] += ms

    def compute_left_ms(self, player: int, moves: int) -> float:
        """Return the time left to a player who has played `moves` moves; each of them adds the increment.

        >>> clock = Clock(60, 2)
        >>> clock.charge(0, 5000)
        >>> clock.compute_left_ms(0, 1), clock.compute_left_ms(1, 0)
        (57000.0, 60000.0)
        """
        return 1000 * (self.initial_s + self.increment_s * moves) - self.used_ms[player]

    def create_unused(self) -> "Clock":
        """Create a clock with the same settings for another game."""
        return Clock(self.initial_s, self.increment_s)

    def describe(self, left_ms: tuple[float, float]) -> ClockInfo:
        """Describe the clock for a message."""
        return ClockInfo(initial_s=self.initial_s, increment_s=self.increment_s, left_ms=left_ms)
