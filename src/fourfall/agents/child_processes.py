"""Commands and environment of the processes that Fourfall starts outside the sandbox.

The current folder may contain third-party code, so these processes import and run nothing from it.
"""

import json
import os
import shutil
import sys
from collections.abc import MutableMapping
from pathlib import Path

# -I ignores the user's variables, the user's package folder and the current folder. The package may lie in a folder
# that the interpreter does not know without these variables, so the folders of this process are added.
_RUN = (
    "import json, runpy, sys; sys.path += [path for path in json.loads(sys.argv[1]) if path not in sys.path]; "
    "sys.argv = sys.argv[2:]; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
)
_PACKAGES = Path(__file__).resolve().parents[2]
_SEARCH_PATHS = (
    *("PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GCONV_PATH", "LOCPATH", "NLSPATH"),
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"),
)
_LIBRARY_NAMES = ("LD_PRELOAD", "LD_AUDIT")  # an entry without a slash is searched in the system's folders


def make_python_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of this package in an isolated interpreter.

    >>> make_python_command("fourfall.arena.worker", "3")[-2:]
    ['fourfall.arena.worker', '3']
    """
    return [sys.executable, "-I", "-c", _RUN, json.dumps(_list_import_folders()), module, *arguments]


def find_program(name: str) -> Path | None:
    """Return the absolute path of a program like a shell, but ignore relative entries of the PATH.

    >>> find_program("sh").name, find_program("no-such-program")
    ('sh', None)
    """
    environment = {"PATH": os.environ.get("PATH", os.defpath)}
    remove_relative_entries(environment)
    found = shutil.which(name, path=environment.get("PATH", os.defpath))
    return None if found is None else Path(found).absolute()


def remove_relative_entries(environment: MutableMapping[str, str]) -> None:
    """Remove relative and empty entries, which mean the current folder, from the search paths of an environment.

    >>> environment = {"PATH": ".:/usr/bin::bin", "LD_PRELOAD": "./evil.so:libm.so.6", "CPATH": ".", "HOME": "."}
    >>> remove_relative_entries(environment)
    >>> environment
    {'PATH': '/usr/bin', 'LD_PRELOAD': 'libm.so.6', 'HOME': '.'}
    """
    for name in _SEARCH_PATHS:
        if name not in environment:
            continue
        text = environment[name].replace(" ", os.pathsep) if name in _LIBRARY_NAMES else environment[name]
        entries = text.split(os.pathsep)
        kept = [entry for entry in entries if _is_fixed(entry, name)]
        if kept == entries:
            continue
        if kept:
            environment[name] = os.pathsep.join(kept)
        else:
            del environment[name]


def _is_fixed(entry: str, name: str) -> bool:
    """Whether an entry of a search path does not depend on the current folder."""
    return os.path.isabs(entry) or (name in _LIBRARY_NAMES and bool(entry) and "/" not in entry)  # noqa: PTH117


def _list_import_folders() -> list[str]:
    """Return where this process finds modules, without the current folder unless it contains this package."""
    folders = [Path(entry) for entry in sys.path if os.path.isabs(entry)]  # noqa: PTH117
    current = Path().resolve()
    return [str(folder) for folder in folders if folder.resolve() != current or folder.resolve() == _PACKAGES]
