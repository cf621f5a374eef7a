"""A Python in which `fourfall` sees another system: ``simulated_system.py SYSTEM PROGRAM PATHS PYTHON-ARGUMENT...``.

SYSTEM is ``darwin`` or ``win32``. PROGRAM is a script that starts this file with the same first arguments: it becomes
`sys.executable`, so that all child processes see the other system too. PATHS are added to the module search path.

Only modules of `fourfall` see the other system. Their `sys.platform` is changed, and names that do not exist there are
missing in the modules that they import. Names that exist only on Windows are replaced by functions that do the same
on this system (`windows_functions`). So a use of a name that the other system lacks fails as it would there, and the
branches for that system run.

It cannot show how macOS and Windows themselves behave: paths, files, locks, handles and signals are those of Linux.
"""

import builtins
import os
import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


class SystemModule(ModuleType):
    """A module without some names and with others; everything else is that of the original."""

    def __init__(self, original: ModuleType, missing: frozenset[str], added: Mapping[str, object]) -> None:
        super().__init__(original.__name__)
        self.__dict__.update(_original=original, _missing=missing, **added)

    def __getattr__(self, name: str) -> object:
        if name in self.__dict__["_missing"]:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on the simulated system")
        return getattr(self.__dict__["_original"], name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["_original"], name, value)


def simulate(system: str, executable: str) -> None:
    """Let all modules of `fourfall` that are imported from now on see another system."""
    from tests.system import missing_names, windows_functions

    names = missing_names.LINUX_NAMES if system == "darwin" else missing_names.POSIX_NAMES
    missing_modules = missing_names.WINDOWS_MODULES if system == "darwin" else missing_names.POSIX_MODULES
    added: dict[str, Mapping[str, object]] = {"sys": {"platform": system, "executable": executable}}
    modules: dict[str, ModuleType] = {}
    if system == "win32":
        added |= windows_functions.FUNCTIONS
        modules["msvcrt"] = windows_functions.msvcrt
        windows_functions.accept_windows_options()
    real_import = builtins.__import__

    def import_module(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 (the name of the builtin function)
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if level or not str((globals or {}).get("__package__") or "").startswith("fourfall"):
            return real_import(name, globals, locals, fromlist or (), level)
        if name in missing_modules:
            raise ModuleNotFoundError(f"No module named {name!r} on the simulated system", name=name)
        if name == "msvcrt":
            return modules[name]
        module = real_import(name, globals, locals, fromlist or (), level)
        if name in names or name in added:
            known = SystemModule(module, names.get(name, frozenset()), added.get(name, {}))
            return modules.setdefault(name, known)
        return module

    builtins.__import__ = import_module


def main(arguments: list[str]) -> None:
    """Interpret the arguments like Python: options, then ``-c CODE`` or ``-m MODULE``, and its arguments."""
    system, program, paths, *words = arguments
    sys.path[:0] = [str(ROOT)]
    sys.path += [path for path in paths.split(os.pathsep) if path not in sys.path]
    simulate(system, program)
    while words[0] in ("-B", "-I", "-u"):
        words.pop(0)
    kind, text, *rest = words
    sys.argv = [kind, *rest]
    if kind == "-c":
        main_module = ModuleType("__main__")
        sys.modules["__main__"] = main_module
        exec(compile(text, "<string>", "exec"), main_module.__dict__)  # noqa: S102 (what Python itself would do)
    else:
        runpy.run_module(text, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
