"""Interface of a third-party process: questions with deadlines, stopping it between moves, stderr, its end."""

from abc import ABC, abstractmethod

MAX_STDERR_BYTES = 64 * 1024
MAX_LINE_BYTES = 64 * 1024
MAX_UNREAD_BYTES = 1024 * 1024


class Process(ABC):
    """A third-party process. Deadlines are values of time.perf_counter().

    Reading and writing raise AgentError with the matching fault. `close` always ends the process with all its children.
    Only `kill` may be called from another thread.
    """

    @property
    @abstractmethod
    def pid(self) -> int:
        """The process id of the process that this one started; when it ends, the third-party code ends."""

    @property
    @abstractmethod
    def stderr(self) -> str:
        """The last 64 KB that the process wrote to its standard error."""

    @property
    @abstractmethod
    def delay_s(self) -> float:
        """The time that was given back since the last `thaw`, because without it a deadline would have passed."""

    @abstractmethod
    def freeze(self) -> None:
        """Freeze all processes, where the system can do it."""

    @abstractmethod
    def thaw(self) -> None:
        """Let the processes run. Time that was given back before is forgotten."""

    @abstractmethod
    def ask(self, question: bytes, time_s: float) -> float:
        """Send a question; return the deadline of the answer, `time_s` seconds after the question was delivered.

        If the process does not read its input, the time begins before the question is sent.
        """

    @abstractmethod
    def is_past(self, deadline: float) -> bool:
        """Whether a deadline has passed, with the time that was given back."""

    @abstractmethod
    def write(self, data: bytes, deadline: float) -> bool:
        """Send all of the data; return whether the process had to read earlier data first."""

    @abstractmethod
    def read_exactly(self, count: int, deadline: float) -> bytes:
        """Read `count` bytes."""

    @abstractmethod
    def read_line(self, deadline: float) -> bytes:
        """Read a line and return it without the newline; a line longer than 64 KB is a broken protocol."""

    @abstractmethod
    def kill(self) -> None:
        """End the process with all its children, from any thread; does not wait.

        A running read or write then raises AgentError. `close` must still be called.
        """

    @abstractmethod
    def close(self) -> None:
        """End the process with all its children, and wait until they have ended."""

    def __enter__(self) -> "Process":
        """Return the process; the with statement closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the process."""
        self.close()
