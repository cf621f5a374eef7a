"""Reports what a third-party agent may do, as the sandbox of this machine applies it."""

import time
from dataclasses import dataclass
from pathlib import Path

from fourfall._core import Board
from fourfall.agents.sandbox import launch
from fourfall.agents.third_party import ThirdPartyAgent, compute_cpu_time_s

_LARGEST_BOARD = Board(12, 12)
_SYSTEM_REASONS = (
    ("/etc", "settings of the C library"),
    ("/dev", "random numbers"),
    ("/proc", "its own processes, and figures about the machine"),
    ("/sys", "number of processors"),
    ("/", "programs and libraries of the system"),
)


@dataclass(frozen=True)
class PathPermission:
    """A file or folder that an agent may use, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class PermissionReport:
    """What an agent may do. A folder stands for everything below it.

    In the folders of `list` the agent sees the names of files, but cannot read the files. `limits` are the limits of
    one process; `tasks` counts the processes and threads together.
    """

    read: tuple[PathPermission, ...]
    list: tuple[PathPermission, ...]
    write: tuple[PathPermission, ...]
    environment: dict[str, str]
    limits: dict[str, int]

    def allows_reading(self, path: Path) -> bool:
        """Whether the agent may read a file."""
        return any(path.is_relative_to(allowed.path) for allowed in self.read)


def report_permissions(agent: ThirdPartyAgent) -> PermissionReport:
    """Set up the agent's sandbox and return what it allows; the agent itself does not run.

    The limit on processor time is that of a game on a board of 12x12.
    """
    wanted = agent.prepare()
    reasons = {str(grant.path): grant.reason for grant in reversed(wanted.grants)}
    rows: dict[str, list[str]] = {"read": [], "list": [], "write": [], "environment": [], "limit": []}
    deadline = time.perf_counter() + agent.conditions.startup_time_s
    cpu_time_s = compute_cpu_time_s(_LARGEST_BOARD, agent.conditions)
    with launch(wanted, agent.conditions, cpu_time_s=cpu_time_s, options=["--print-permissions"]) as process:
        while (line := process.read_line(deadline).decode(errors="replace")) != "end":
            kind, _, text = line.partition("\t")
            rows[kind].append(text)

    def explain(paths: list[str]) -> tuple[PathPermission, ...]:
        """Explain the paths; those of this agent come first."""
        ordered = sorted(paths, key=lambda path: path not in reasons)
        return tuple(PathPermission(path, reasons.get(path) or _explain_system_path(path)) for path in ordered)

    scratch = next((text.partition("=")[2] for text in rows["environment"] if text.startswith("HOME=")), "")
    written = {scratch: "scratch folder, empty at the start and removed at the end", "/dev/shm": "shared memory"}  # noqa: S108
    return PermissionReport(
        read=explain(rows["read"]),
        list=explain(rows["list"]),
        write=tuple(PathPermission(path, written.get(path, "device without content")) for path in rows["write"]),
        environment=dict(sorted(tuple(text.split("=", 1)) for text in rows["environment"])),  # type: ignore[misc]
        limits={name: int(value) for name, value in (text.split("\t") for text in rows["limit"])},
    )


def _explain_system_path(path: str) -> str:
    return next(reason for folder, reason in _SYSTEM_REASONS if Path(path).is_relative_to(folder))
