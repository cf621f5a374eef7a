"""What Fourfall cannot do on this system, in words."""

import sys

from fourfall.system.command_line import has_drives
from fourfall.system.processes import can_suspend


def has_sandbox() -> bool:
    """Whether the sandbox and the native host of third-party code exist on this system: only on Linux.

    >>> has_sandbox() == (sys.platform == "linux")
    True
    """
    return sys.platform == "linux"


def get_system_name() -> str:
    """Return the name of this system for people."""
    return {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)


def get_linux_advice() -> str:
    """Return how somebody who has another system can use what exists only on Linux."""
    place = "WSL or in a Linux container" if has_drives() else "a Linux container"
    return f"run fourfall in {place}"


def describe_missing_sandbox() -> str:
    """Return why third-party code cannot be sandboxed on this system, and what to do."""
    return (
        f"third-party code cannot be sandboxed on {get_system_name()}: the sandbox exists only on Linux; use "
        f"--no-sandbox for code that you trust, and for other code {get_linux_advice()}"
    )


def describe_missing_host() -> str:
    """Return why strategy libraries cannot be loaded on this system, and what to do."""
    return (
        f"strategy libraries cannot be loaded on {get_system_name()}: the host that loads them exists only on Linux; "
        f"{get_linux_advice()}"
    )


def list_missing_features() -> list[str]:
    """Return what this system lacks compared with Linux, one line each; an empty list on Linux."""
    if has_sandbox():
        return []
    missing = [
        f"sandbox: third-party code runs only with --no-sandbox; for code that you do not trust {get_linux_advice()}",
        "strategy libraries: the host that loads them exists only on Linux",
        "limits on the memory and the processor time of third-party code",
        "measurement of time that a busy machine withholds from third-party code",
        "pinning of games to cores",
    ]
    if not can_suspend():
        missing.append("stopping third-party code while its opponent thinks")
    return missing
