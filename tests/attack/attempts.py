"""The attempts of hostile agents, by subject, and what is expected of each: refused, or allowed on purpose."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fourfall.agents import sandbox
from fourfall.arena.store import Store
from tests.attack.levels import Level

REFUSED, ALLOWED = "refused", "allowed"
# The errors of refused calls: by permissions, read-only mounts, missing processes, hidden files, links between folders.
_REFUSALS = {
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "No such process",
    "No such file or directory",
    "No data available",
    "Invalid cross-device link",
    "Function not implemented",
    "Success",  # a signal to the first process of the sandbox, which has no effect
}
_VARIABLES = {*sandbox.ENVIRONMENT, "HOME", "TMPDIR"}


class Surroundings:
    """Files and processes that no agent may touch: of the user, of the judge, of another agent."""

    def __init__(self, folder: Path, agents: Path, other_process: int) -> None:
        self.other_process = other_process
        self.secret = folder / "secret"
        self.secret.write_text("treasure")
        self.written = folder / "new"
        Path(f"{self.written}-there").write_text("as it was")
        self.opponent = agents / "opponent.py"
        self.opponent.write_text("def play(board, limit): return 3\n")
        self.database = agents / "events.db"
        Store(self.database).close()
        judge = f"/proc/{os.getpid()}"
        self.files = [self.secret, self.opponent, self.database, Path(__file__)]
        system = ["/etc/passwd", "/etc/shadow", "/etc/hosts", "/etc/machine-id", "/dev/mem", "/dev/kmsg", "/proc/kcore"]
        system += ["/proc/kpagecount", "/proc/slabinfo", "/proc/timer_list", "/proc/vmallocinfo", "/proc/1/environ"]
        system += [f"{judge}/environ", f"{judge}/maps", f"{judge}/mem", f"{judge}/fd/0", str(Path.home() / ".profile")]
        self.system_files = [Path(path) for path in system if os.path.lexists(path)]

    def list_changes(self) -> list[str]:
        """Return what agents have changed; nothing is expected."""
        there = Path(f"{self.written}-there")
        found = sorted(path.name for path in self.secret.parent.iterdir() if path not in (self.secret, there))
        if there.read_text() != "as it was":
            found.append(there.name)
        return found


@dataclass(frozen=True)
class Battery:
    """Attempts about one subject, which one action of a hostile agent makes.

    `allowed` says which of them are allowed for a kind of agent at a level. `baseline` are the attempts that work
    without the sandbox; the action is not run there without them, because it could do harm.
    """

    subject: str
    action: str
    get_target: Callable[[Surroundings], object] = lambda _: ""
    allowed: Callable[[str, Level, str], bool] = lambda _kind, _level, _name: False
    baseline: tuple[str, ...] = ()


def _join(paths: list[Path]) -> str:
    return ":".join(map(str, paths))


def _is_process_allowed(kind: str, level: Level, name: str) -> bool:
    if name == "fork":
        return kind != "library" and level.has_namespaces
    return name == "thread" or kind != "library"


BATTERIES = (
    Battery("files", "read-files", lambda around: _join([*around.files, *around.system_files]), baseline=("*/secret",)),
    # Without mounts the names of files can be guessed.
    Battery(
        "file names",
        "find-files",
        lambda around: _join(around.files),
        lambda _kind, level, _name: not level.has_mounts,
    ),
    Battery(
        "writes",
        "write-files",
        lambda around: around.written,
        lambda _kind, _level, name: name == "scratch",
    ),
    Battery("links", "follow-links", lambda around: around.secret),
    Battery(
        "sockets",
        "open-sockets",
        allowed=lambda kind, _level, name: name == "stream pair" and kind != "library",
        baseline=("tcp", "udp", "local stream", "local datagram", "stream pair", "datagram pair"),
    ),
    Battery("io_uring", "use-ring"),
    Battery("tracing", "trace-processes", lambda around: around.other_process),
    Battery("signals", "signal-other", lambda around: around.other_process),
    Battery(
        "limits and priorities",
        "change-processes",
        lambda around: around.other_process,
        lambda _kind, _level, name: name.startswith("own"),
    ),
    Battery("shared memory", "share-memory", allowed=lambda _, level, name: level.has_mounts and name == "shared file"),
    Battery("keys", "use-keys"),
    Battery("mounts", "change-mounts"),
    Battery("namespaces", "create-namespaces"),
    Battery("privileges", "gain-privileges"),
    Battery("clocks", "set-clocks"),
    Battery("kernel", "use-kernel"),
    Battery("notification", "watch-files", baseline=("watcher", "old watcher")),
    Battery(
        "buffers",
        "enlarge-buffers",
        allowed=lambda kind, _level, name: name == "socket pair" and kind != "library",
    ),
    Battery("processes", "start-processes", allowed=_is_process_allowed, baseline=("fork", "exec", "thread")),
    Battery("environment", "show-environment", allowed=lambda *_: True, baseline=("HOME",)),
    Battery("capabilities", "show-capabilities", allowed=lambda *_: True),
)


def classify(battery: Battery, name: str, result: str) -> str:
    """Return whether an attempt was refused or allowed, judged by its result; other results are returned unchanged.

    >>> classify(BATTERIES[0], "/etc/passwd", "Permission denied")
    'refused'
    """
    if battery.subject == "environment":
        # Python sets LC_CTYPE itself.
        return ALLOWED if name in _VARIABLES or name == "LC_CTYPE" else f"{name} is visible"
    if battery.subject == "capabilities":
        return _classify_capability(name, result)
    if result == "succeeded":
        return ALLOWED
    if battery.subject == "signals" and name == "descriptor" and result == "Bad file descriptor":
        return REFUSED  # there is no descriptor of another process
    if battery.subject == "privileges" and result == "Invalid argument":
        return REFUSED  # root does not exist in the user namespace of an ordinary user
    return REFUSED if result in _REFUSALS else result


def _classify_capability(name: str, result: str) -> str:
    """Judge a capability set: empty, except that root's agents in private folders may read files."""
    if name == "readable":
        return f"{result} is readable"
    value = int(result, 16)
    if name == "CapBnd":
        return ALLOWED if value == 0 or os.geteuid() != 0 else f"{name} {result}"
    return ALLOWED if value == 0 or (value == 4 and os.geteuid() == 0) else f"{name} {result}"
