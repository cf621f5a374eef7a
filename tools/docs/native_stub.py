"""Imports the generated stub of the native module in its place, so that signatures and docstrings can be read from it.

Functions of the native module have no Python signature. The stub `_core.pyi` has one for each, with the same docstring.
"""

import __future__

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType

STUB = Path(__file__).resolve().parents[2] / "src" / "fourfall" / "_core.pyi"
# Arrays are annotated with their shape; the docstrings describe it.
_ARRAY = re.compile(r"Annotated\[(NDArray\[[^\]]+\]), dict\(.*?\)\]")


def import_package() -> None:
    """Import fourfall with the stub in place of fourfall._core; public classes belong to the package."""
    if not STUB.exists():
        raise FileNotFoundError(f"{STUB} is missing; build the package first (make docs does it)")
    module = ModuleType("fourfall._core")
    module.__file__ = str(STUB)
    sys.modules["fourfall._core"] = module
    text = _ARRAY.sub(r"\1", STUB.read_text(encoding="utf-8"))
    code = compile(text, STUB, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
    exec(code, vars(module))  # noqa: S102

    for value in list(vars(module).values()):
        if inspect.isclass(value) and value.__module__ == module.__name__ and "__repr__" in vars(value):
            del value.__repr__  # the one of the stub returns nothing

    import fourfall

    for name in fourfall.__all__:
        value = getattr(fourfall, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            value.__module__ = "fourfall"
