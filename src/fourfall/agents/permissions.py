"""Computes which files third-party code may read: those that its address names, and those of its interpreter.

This is the only place that gives access to files beside the system's programs and libraries, which the native host
adds. docs/sandbox.md describes the rules.
"""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfall.agents.address import quote_path
from fourfall.agents.private_files import find_databases, is_own_database
from fourfall.system.users import list_home_folders

# Folders used by many programs: nobody can mean to show all of their files to an agent.
SHARED_FOLDERS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/var", "/mnt", "/opt", "/srv", "/home")  # noqa: S108
_SYSTEM_FOLDERS = (Path("/usr"), Path("/bin"), Path("/lib"), Path("/lib64"), Path("/sbin"))
_MAX_GRANTS = 4000
_MESSAGE_CHARS = 4000


@dataclass(frozen=True)
class Grant:
    """A file or folder that third-party code may read, and why; with `is_list_only` only the names in a folder."""

    path: Path
    reason: str
    is_list_only: bool = False

    def allows(self, path: Path) -> bool:
        """Whether the code may read this file or folder.

        >>> Grant(Path("/srv/bot"), "named").allows(Path("/srv/bot/data")), Grant(Path("/a"), "").allows(Path("/b"))
        (True, False)
        """
        return not self.is_list_only and path.is_relative_to(self.path)


class PermissionProblem(ValueError):  # noqa: N818 (a problem with what the user wants to allow)
    """A path that an agent must not be allowed to read; the message says why."""


def grant_code(path: Path, reason: str) -> list[Grant]:
    """Grant a file or folder with code; a link is followed, because the code that runs is that of its target."""
    return [grant for place in dict.fromkeys((path, path.resolve())) for grant in _grant_path(place, reason)]


def grant_data(path: Path, reason: str) -> list[Grant]:
    """Grant a file or folder that the user named as data.

    Raises PermissionProblem for a home folder or another shared folder, for a database of Fourfall, and for a link that
    leads to another folder: the author of the agent may have made the link, so the user must name the target.
    """
    if not path.exists():
        raise PermissionProblem(f"{path} does not exist")
    if path.is_symlink() and path.resolve().parent != path.parent.resolve():
        raise PermissionProblem(f"{path} is a link to {path.resolve()}; name that path if the agent may read it")
    if is_shared(path.resolve()):
        raise PermissionProblem(f"{path} is a home folder or another shared folder; name a folder or file in it")
    if is_own_database(path):
        raise PermissionProblem(f"{path} is a database of Fourfall, which no agent may read")
    return grant_code(path, reason)


def grant_arguments(words: Iterable[str], folder: Path) -> list[Grant]:
    """Grant the files and folders that the arguments of a command name, also as --option=PATH.

    Arguments that name nothing, or what no agent may read, grant nothing.
    """
    grants: list[Grant] = []
    for word in words:
        for text in (word, word.partition("=")[2] if word.startswith("-") else ""):
            with contextlib.suppress(OSError, ValueError):  # not every word is a valid path, or one to allow
                if text:
                    grants += grant_data(_normalise(folder / text), "named in the command")
    return grants


def grant_python(interpreter: Path) -> list[Grant]:
    """Grant the modules of a Python interpreter; for a virtual environment, also those of its base interpreter.

    A folder counts as an installation only if it has Python's library or the file of a virtual environment. The whole
    prefix is not included because it may contain private files, for example ~/.local.
    """
    grants: list[Grant] = []
    for file in dict.fromkeys((interpreter.absolute(), interpreter.resolve())):
        prefix = file.parent.parent
        grants.append(Grant(file, "the interpreter"))
        if (prefix / "pyvenv.cfg").is_file() or any(prefix.glob("lib*/python3*/os.py")):
            parts = ("bin", "lib", "lib64", "pyvenv.cfg")
            grants += [Grant(prefix / part, "modules of the interpreter") for part in parts if (prefix / part).exists()]
    return grants


def remove_redundant(grants: Iterable[Grant]) -> list[Grant]:
    """Return the grants without repetitions and without files of the system, which are readable anyway."""
    unique = {(grant.path, grant.is_list_only): grant for grant in reversed(list(grants))}
    return [
        grant
        for grant in reversed(unique.values())
        if not any(grant.path.is_relative_to(system) for system in _SYSTEM_FOLDERS)
    ]


def suggest_option(
    message: str, grants: Sequence[Grant], folders: Sequence[Path], *, imports_from_folders: bool = False
) -> str:
    """Return advice if a failed agent probably misses a file beside it that it may not read; else an empty text.

    `message` is the error with the end of stderr. Only files below `folders` are suggested, and no hidden ones: the
    message comes from the agent, which could ask for private files. With `imports_from_folders` the agent must be able
    to list the folder of a module to import it.
    """
    message = message[-_MESSAGE_CHARS:]
    modules = list(_find_modules(message, folders))
    for path in (*modules, *_find_files(message, folders)):
        if any(grant.allows(place) for grant in grants for place in (path, path.resolve())):
            continue
        needed = path.parent if imports_from_folders and path in modules else path
        with contextlib.suppress(OSError, PermissionProblem):
            grant_data(needed, "")
            return f"the agent may not read {path}: add ?read={quote_path(str(needed))} to its address to allow it"
    return ""


def is_shared(folder: Path) -> bool:
    """Whether a folder is a home folder, contains one, or is in SHARED_FOLDERS."""
    homes = list_home_folders()
    return str(folder) in SHARED_FOLDERS or any(folder == home or folder in home.parents for home in homes)


def _grant_path(path: Path, reason: str) -> list[Grant]:
    """Grant a path; of a folder with databases, all entries except the databases."""
    databases = find_databases(path) if path.is_dir() else set()
    if not databases:
        return [Grant(path, reason)]
    grants = list(_grant_entries(path, reason, databases))
    if len(grants) > _MAX_GRANTS:
        raise PermissionProblem(f"{path} contains a database and too many files; name single files or subfolders")
    return grants


def _grant_entries(folder: Path, reason: str, databases: set[Path]) -> Iterator[Grant]:
    yield Grant(folder, f"{reason}; not its databases", is_list_only=True)
    for entry in sorted(folder.iterdir()):
        if entry in databases or entry.is_symlink():  # the target of a link is granted where it lies
            continue
        if entry.is_dir() and any(database.is_relative_to(entry) for database in databases):
            yield from _grant_entries(entry, reason, databases)
        else:
            yield Grant(entry, reason)


def _find_modules(message: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files and folders of Python modules that a message reports as missing."""
    for module in re.findall(r"No module named '(\w+)", message):
        yield from _find_paths([f"{module}.py", module], folders)


def _find_files(message: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files and folders that a message names."""
    yield from _find_paths(re.findall(r"[^\s'\"`:;,()<>\[\]]+", message), folders)


def _find_paths(names: Iterable[str], folders: Iterable[Path]) -> Iterator[Path]:
    """Yield existing paths below the folders, without hidden ones."""
    for name in dict.fromkeys(names):
        for folder in folders:
            with contextlib.suppress(OSError, ValueError):
                path = _normalise(folder / name)
                is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
                if path != folder and not is_hidden and path.exists():
                    yield path


def _normalise(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))
