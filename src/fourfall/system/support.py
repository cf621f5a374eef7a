"""What Fourfall cannot do on this system, in words."""

import sys

from fourfall.system.processes import can_suspend

SANDBOX_ADVICE = (
    "use --no-sandbox for code that you trust; for other code run fourfall in a Linux container, or on Windows in WSL"
)


def has_sandbox() -> bool:
    """Whether the sandbox and the native host of third-party code exist on this system: only on Linux.

    >>> has_sandbox() == (sys.platform == "linux")
    True
    """
    return sys.platform == "linux"


def get_system_name() -> str:
    """Return the name of this system for people."""
    return {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)


def list_missing_features() -> list[str]:
    """Return what this system lacks compared with Linux, one sentence each; an empty list on Linux."""
    if has_sandbox():
        return []
    missing = [
        f"no sandbox: third-party code runs only with --no-sandbox ({SANDBOX_ADVICE})",
        "no strategy libraries: the host that loads them exists only on Linux",
        "no limits on memory and processor time of third-party code",
        "time that the machine withholds from third-party code is not given back",
        "no pinning of games to cores",
    ]
    if not can_suspend():
        missing.append("third-party code is not stopped while its opponent thinks")
    return missing
