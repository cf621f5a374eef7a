"""Runs the tests of rules and searches and the smoke test with the aarch64 wheel: `make test-aarch64-wheel`.

The processor is emulated by qemu-user. Python is Debian's, unpacked into build/aarch64 without root rights; the
requirements are the aarch64 wheels of the package index. The sandbox is not tested: qemu passes system calls on to the
kernel of this machine, whose filters and namespaces then apply to qemu.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools.wheels.check import CheckError
from tools.wheels.toolchain import GLIBC

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "aarch64"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
PROGRAMS = {
    "apt-get": "this needs Debian or Ubuntu",
    "dpkg-deb": "this needs Debian or Ubuntu",
    "qemu-aarch64": "on Debian: sudo apt-get install qemu-user",
}
# The version of Debian whose Python a wheel is tested with, by the wheel's Python tag.
SUITES = {"cp311": "bookworm", "cp312": "trixie"}
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
# The searches' tests that are quick enough for an emulated processor.
SEARCH_TESTS = ("golden_trees", "graph", "network", "proofs", "score", "solver", "tactics", "terminal_test")


def find_programs() -> dict[str, str]:
    """Return the paths of the programs that are needed; raise `CheckError` if one is missing."""
    found = {}
    for name, hint in PROGRAMS.items():
        path = shutil.which(name) or shutil.which(f"{name}-static")
        if not path:
            raise CheckError(f"the program {name} is missing; {hint}")
        found[name] = path
    if not KEYRING.exists():
        raise CheckError(f"{KEYRING} is missing; install the package debian-archive-keyring")
    return found


def unpack_python(programs: dict[str, str], suite: str) -> Path:
    """Download Debian's Python for arm64 with its libraries and unpack it; return the root folder."""
    root = FOLDER / suite / "root"
    if (root / "complete").exists():
        return root
    shutil.rmtree(FOLDER / suite, ignore_errors=True)
    apt = FOLDER / suite / "apt"
    for folder in (apt / "state" / "lists" / "partial", apt / "cache" / "archives" / "partial", root / "usr" / "lib"):
        folder.mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    (apt / "sources.list").write_text(f"deb [signed-by={KEYRING}] http://deb.debian.org/debian {suite} main\n")
    options = {
        "Dir::Etc::sourcelist": apt / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "Dir::State": apt / "state",
        "Dir::State::status": apt / "status",
        "Dir::Cache": apt / "cache",
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "root",
        "Debug::NoLocking": "1",
    }
    command = [programs["apt-get"], *(f"-o{name}={value}" for name, value in options.items()), "-qq"]
    run([*command, "update"])
    run([*command, "--yes", "--download-only", "--no-install-recommends", "install", "python3", "libstdc++6"])
    for package in sorted((apt / "cache" / "archives").glob("*.deb")):
        run([programs["dpkg-deb"], "--extract", str(package), str(root)])
    if not (root / "lib").exists():
        (root / "lib").symlink_to("usr/lib")
    (root / "complete").touch()
    return root


def install_packages(wheel: Path, suite: str) -> Path:
    """Install the wheel, its requirements and pytest for aarch64 into a folder; return the folder."""
    site = FOLDER / suite / "site"
    shutil.rmtree(site, ignore_errors=True)
    newest = int(GLIBC.removeprefix("2."))
    platforms = (*(f"manylinux_2_{minor}_aarch64" for minor in range(newest, 16, -1)), "manylinux2014_aarch64")
    run(
        [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-compile"),
            *("--target", str(site), "--only-binary=:all:", "--python-version", PYTHONS[suite]),
            *(f"--platform={name}" for name in platforms),
            *("--group", "pytest", f"{wheel}[web]"),
        ]
    )
    return site


def write_python(programs: dict[str, str], suite: str, root: Path, site: Path) -> Path:
    """Write a program that starts the emulated Python; it is also `sys.executable`, so child processes work."""
    program = FOLDER / suite / "bin" / "python"
    program.parent.mkdir(exist_ok=True)
    program.write_text(
        f'#!/bin/sh\nexport PYTHONPATH="{site}" PYTHONDONTWRITEBYTECODE=1\n'
        f'exec "{programs["qemu-aarch64"]}" -L "{root}" -0 "{program}" "{root}/usr/bin/python{PYTHONS[suite]}" "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    return program


def run(command: list[str]) -> None:
    """Run a program; raise `CheckError` with its output if it fails."""
    result = subprocess.run(  # noqa: S603
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if result.returncode:
        raise CheckError(f"{' '.join(command)} failed:\n{result.stdout.strip()}")


def test_wheel(wheel: Path, pytest_arguments: list[str]) -> None:
    """Install the wheel in the emulated Python and run all tests; raise `CheckError` if one fails."""
    programs = find_programs()
    suite = SUITES[wheel.stem.split("-")[2]]
    print(f"unpacking Python {PYTHONS[suite]} for aarch64 into {FOLDER.relative_to(ROOT)}", flush=True)
    root = unpack_python(programs, suite)
    print(f"installing {wheel.name} and its requirements", flush=True)
    python = write_python(programs, suite, root, install_packages(wheel, suite))
    path = f"{python.parent}{os.pathsep}/nonexistent"
    search = [f"tests/search/test_{name}.py" for name in SEARCH_TESTS]
    tests = pytest_arguments or ["tests/game", *search]
    commands = {
        "smoke test": [str(python), "tools/wheels/smoke.py", "--no-compiler", "--no-sandbox-test"],
        "tests of rules and searches": [str(python), "-m", "pytest", "-q", "--hypothesis-profile=ci", *tests],
    }
    for name, command in commands.items():
        print(f"running the {name}, emulated", flush=True)
        start = time.monotonic()
        result = subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path}, check=False)  # noqa: S603
        if result.returncode:
            raise CheckError(f"the {name} failed on aarch64; its output is above")
        print(f"the {name} passed in {time.monotonic() - start:.0f} s", flush=True)


def main() -> None:
    """Test the aarch64 wheels in dist; exit with 1 and a message if that fails."""
    parser = argparse.ArgumentParser(description="Test the aarch64 wheels in dist with an emulated processor.")
    parser.add_argument("tests", nargs="*", help="Arguments of pytest in place of the default tests")
    tests = parser.parse_args().tests
    try:
        wheels = sorted((ROOT / "dist").glob("*aarch64.whl"))
        if not wheels:
            raise CheckError("dist has no wheel for aarch64; build it with `make wheels`")
        for wheel in wheels:
            test_wheel(wheel, tests)
    except CheckError as error:
        sys.exit(f"make test-aarch64-wheel: {error}")


if __name__ == "__main__":
    main()
