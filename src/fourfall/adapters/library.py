"""Owns our engine as a strategy library: one C++ file, and what the local compiler makes of it."""

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from fourfall.adapters.one_file import ExportError, Settings, one_file


def compile_command(name: str) -> list[str]:
    """Return the words of the command that compiles an exported library, in its folder.

    >>> os.environ.pop("CXX", None) and None
    >>> shlex.join(compile_command("fourfall"))
    'c++ -std=c++20 -O3 -shared -fPIC -o fourfall.so fourfall.cpp'
    """
    compiler = shlex.split(os.environ.get("CXX", "")) or ["c++"]
    return [*compiler, "-std=c++20", "-O3", "-shared", "-fPIC", "-o", f"{name}.so", f"{name}.cpp"]


def export_library(folder: Path, settings: Settings) -> Path:
    """Write the source into a folder and compile it there; the library's path. What fails leaves nothing behind."""
    command = compile_command(settings.name)
    if shutil.which(command[0]) is None:
        raise ExportError(f"there is no C++ compiler {command[0]!r} here (on Debian: sudo apt-get install g++)")
    with tempfile.TemporaryDirectory(prefix=".fourfall-", dir=folder.absolute().parent) as staging:
        source = Path(staging) / f"{settings.name}.cpp"
        source.write_text(one_file("strategy_library.cpp", settings, shlex.join(command)), encoding="utf-8")
        result = subprocess.run(command, cwd=staging, capture_output=True, text=True, check=False)  # noqa: S603
        if result.returncode != 0:
            complaint = next((line for line in result.stderr.splitlines() if "error" in line), "it does not say why")
            raise ExportError(f"{shlex.join(command)} failed: {complaint}")
        folder.mkdir(exist_ok=True)
        for file in (source, source.with_suffix(".so")):
            file.replace(folder / file.name)
    return folder / f"{settings.name}.so"
