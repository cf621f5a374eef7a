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


def get_data_folder() -> Path:
    """Return the folder in which programs keep data of this user; it may not exist.

    >>> get_data_folder().is_absolute()
    True
    """
    if sys.platform == "win32":
        variable, default = "LOCALAPPDATA", Path("AppData", "Local")
    elif sys.platform == "darwin":
        variable, default = "XDG_DATA_HOME", Path("Library", "Application Support")
    else:
        variable, default = "XDG_DATA_HOME", Path(".local", "share")
    return Path(os.environ.get(variable) or Path.home() / default)


def has_desktop() -> bool:
    """Whether programs with windows can be started: always on macOS and Windows, else if a display is known."""
    has_display = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return has_display or sys.platform in ("darwin", "win32")


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
