"""Compiles the C++ core and the Python module for other systems with zig: `make check-portable-cpp`.

Every file is compiled to an object file, without optimisation, with warnings as errors. Nothing is linked and nothing
runs: that needs the system, or a Python that was built for it.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nanobind

from tools.portable.targets import CPP, ROOT, TARGETS, WARNINGS, Target
from tools.wheels.toolchain import ToolchainError, copy_python_headers, find_zig

BUILD = ROOT / "build" / "portable"


@dataclass(frozen=True)
class Failure:
    """A file that does not compile for a target."""

    target: Target
    source: Path
    errors: str


def make_headers() -> dict[str, Path]:
    """Copy the headers of the running Python, and once more with a pyconfig.h for Windows; return both by name."""
    headers = {"posix": copy_python_headers(BUILD / "python"), "windows": BUILD / "python-windows"}
    shutil.copytree(headers["posix"], headers["windows"], dirs_exist_ok=True)
    shutil.copy(Path(__file__).with_name("windows_pyconfig.h"), headers["windows"] / "pyconfig.h")
    return headers


def make_command(zig: Path, target: Target, source: Path, headers: dict[str, Path]) -> list[str]:
    """Return the command that compiles a file for a target."""
    output = BUILD / target.zig_target / source.relative_to(CPP).with_suffix(".o")
    output.parent.mkdir(parents=True, exist_ok=True)
    command = [str(zig), "c++", "-target", target.zig_target, "-std=c++20", "-O0", "-DNDEBUG", "-fexceptions"]
    command += [*WARNINGS, "-fno-sanitize=all", f"-I{CPP}"]
    if target.has_python:
        python = headers["windows" if "windows" in target.zig_target else "posix"]
        command += ["-isystem", nanobind.include_dir(), "-isystem", str(python), '-DFOURFALL_VERSION="check"']
    return [*command, "-c", str(source), "-o", str(output)]


def compile_file(zig: Path, target: Target, source: Path, headers: dict[str, Path]) -> Failure | None:
    """Compile one file; return what is wrong with it, or None."""
    cache = {"ZIG_LOCAL_CACHE_DIR": str(BUILD / "cache")}
    command = make_command(zig, target, source, headers)
    result = subprocess.run(  # noqa: S603
        command, cwd=ROOT, env={**os.environ, **cache}, capture_output=True, text=True, check=False
    )
    return Failure(target, source, result.stderr.strip()) if result.returncode else None


def check_targets(targets: Sequence[Target]) -> list[Failure]:
    """Compile everything for each target, as many files at a time as there are cores, and print one line per target."""
    zig, headers = find_zig(), make_headers()
    failures: list[Failure] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = time.monotonic()
        jobs = {
            target: [pool.submit(compile_file, zig, target, source, headers) for source in target.list_sources()]
            for target in targets
        }
        for target, files in jobs.items():
            found = [failure for job in files if (failure := job.result())]
            failures += found
            state = f"{len(found)} of {len(files)} files FAILED" if found else f"{len(files)} files compiled"
            seconds = time.monotonic() - started
            print(f"{seconds:5.0f} s  {target.zig_target:18}  {state:24}  {target.system}", flush=True)
    return failures


def choose_targets(names: Sequence[str]) -> list[Target]:
    """Return the targets with these names of zig, by default all.

    >>> [target.system for target in choose_targets(["wasm32-wasi"])]
    ['WebAssembly']
    """
    known = {target.zig_target: target for target in TARGETS}
    if unknown := [name for name in names if name not in known]:
        raise ToolchainError(f"unknown target {unknown[0]!r}; the targets are {', '.join(known)}")
    return [known[name] for name in names] or list(TARGETS)


def main(names: Sequence[str]) -> None:
    """Check the named targets; exit with 1 and the messages of the compiler if a file does not compile."""
    try:
        targets = choose_targets(names)
        print("Compiling the core and the Python module for other systems; this takes a few minutes.", flush=True)
        failures = check_targets(targets)
    except ToolchainError as error:
        sys.exit(f"make check-portable-cpp: {error}")
    for failure in failures:
        print(f"\n{failure.target.zig_target}: {failure.source.relative_to(ROOT)}\n{failure.errors}", file=sys.stderr)
    if failures:
        sys.exit(f"make check-portable-cpp: {len(failures)} files do not compile")
    print("Checked: cpp/platform, cpp/game, cpp/search, cpp/engine and (not for WebAssembly) cpp/bindings compile.")
    print("Not checked here: linking with the Python of these systems, and running there; for Windows, Python's own")
    print("pyconfig.h (tools/portable/windows_pyconfig.h stands for it); compilers other than clang.")


if __name__ == "__main__":
    main(sys.argv[1:])
