"""The user of this process: home folders, and files that only this user can read."""

import contextlib
import os
import stat
import sys
from pathlib import Path

if sys.platform != "win32":
    import pwd


def list_home_folders() -> list[Path]:
    """Return the home folders of this user: that of the environment, and that of the system's list of users."""
    names = ("HOME", "USERPROFILE") if sys.platform == "win32" else ("HOME",)
    homes = [Path(os.environ[name]) for name in names if os.environ.get(name)]
    if sys.platform != "win32":
        with contextlib.suppress(KeyError):
            homes.append(Path(pwd.getpwuid(os.getuid()).pw_dir))
    return homes


def find_privacy_problem(status: os.stat_result, path: Path) -> str | None:
    """Return why the token in a file is not private to this user, or None.

    On Windows always None: a new file has the access rules of its folder, and `os.stat` does not tell them.
    """
    problem = None
    if sys.platform != "win32":
        if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            problem = f"other users can read or change the token: run chmod 600 {path}"
        elif status.st_uid not in (os.getuid(), 0):
            problem = "the token file belongs to another user; use a file of your own"
    return problem


def is_writable(path: Path) -> bool:
    """Whether this process may write a file or into a folder."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
