"""Exports an engine as a strategy library: one C++ file and the library that the local compiler builds from it."""

import os
import subprocess
import tempfile
from pathlib import Path

from fourfall.agents.child_processes import find_program, remove_relative_entries
from fourfall.exports.single_file import ExportError, ExportSettings, generate_source, require_parent
from fourfall.system.command_line import join_command, split_command


def make_compile_command(name: str) -> list[str]:
    """Return the command that compiles an exported library in its folder, as a list of words.

    >>> os.environ.pop("CXX", None) and None
    >>> join_command(make_compile_command("fourfall"))
    'c++ -std=c++20 -O3 -shared -fPIC -o fourfall.so fourfall.cpp'
    """
    compiler = split_command(os.environ.get("CXX", "")) or ["c++"]
    return [*compiler, "-std=c++20", "-O3", "-shared", "-fPIC", "-o", f"{name}.so", f"{name}.cpp"]


def export_library(folder: Path, settings: ExportSettings) -> Path:
    """Write the source into a folder, compile it there and return the path of the library.

    Raises ExportError if the compiler is missing or fails; then no file is written.
    """
    command = make_compile_command(settings.name)
    compiler = find_program(command[0])
    if compiler is None:
        raise ExportError(f"C++ compiler {command[0]!r} not found; install one (on Debian: sudo apt-get install g++)")
    with tempfile.TemporaryDirectory(prefix=".fourfall-", dir=require_parent(folder)) as staging:
        source = Path(staging) / f"{settings.name}.cpp"
        source.write_text(generate_source("strategy_library.cpp", settings, join_command(command)), encoding="utf-8")
        # In the new folder no file of others can be included or linked. Relative search paths would lead out of it.
        environment = {**os.environ, "TMPDIR": staging}
        remove_relative_entries(environment)
        result = subprocess.run(  # noqa: S603 (the compiler that the user chose)
            [str(compiler), *command[1:]], cwd=staging, env=environment, capture_output=True, text=True, check=False
        )
        if result.returncode != 0:
            reason = next((line for line in result.stderr.splitlines() if "error" in line), "no error message")
            raise ExportError(f"{join_command(command)} failed: {reason}")
        folder.mkdir(exist_ok=True)
        for file in (source, source.with_suffix(".so")):
            file.replace(folder / file.name)
    return folder / f"{settings.name}.so"
