"""Builds the source distribution and the Linux wheels of a release into dist/: `make wheels`.

The compiler is zig, which contains the headers and libraries of old versions of glibc and of other processors. The C++
runtime library is linked statically, so a wheel needs only the C library of the system.
"""

import os
import platform
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from tools.wheels.check import CheckError, check_wheel, find_only_file
from tools.wheels.toolchain import (
    GLIBC,
    TARGETS,
    Target,
    ToolchainError,
    check_python_headers,
    copy_python_headers,
    find_zig,
    write_toolchain,
)

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
STEPS = 2 + 3 * len(TARGETS)
# The stable ABI of nanobind begins with Python 3.12.
PYTHON_TAG = "cp312-abi3" if sys.version_info >= (3, 12) else "cp311-cp311"


class Progress:
    """Prints numbered lines with the time since the start."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._step = 0

    def begin(self, text: str) -> None:
        """Print that the next step begins."""
        self._step += 1
        print(f"[{self._step}/{STEPS}] {time.monotonic() - self._start:4.0f} s  {text}", flush=True)


def run(*command: str | Path, **environment: str) -> str:
    """Run a program in the repository and return its output; if it fails, raise with all of its output."""
    result = subprocess.run(  # noqa: S603
        [str(word) for word in command],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode:
        raise CheckError(f"{' '.join(str(word) for word in command)} failed:\n{result.stdout.strip()}")
    return result.stdout


def build_sdist() -> Path:
    """Build the source distribution."""
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", DIST, ".")
    return find_only_file(DIST, "*.tar.gz")


def build_wheel(target: Target, toolchain: Path, headers: Path, stub: Path | None) -> Path:
    """Compile for `target`; the wheel has the platform tag linux_*, which indexes refuse, until it is repaired."""
    folder = BUILD / target.machine
    shutil.rmtree(folder / "wheel", ignore_errors=True)
    defines = {
        "CMAKE_TOOLCHAIN_FILE": str(toolchain),
        # zig would compile the C++ library once more for it.
        "FOURFALL_LTO": "OFF",
        "Python_INCLUDE_DIR": str(headers),
        "SKBUILD_SOABI": f"cpython-{sys.version_info.major}{sys.version_info.minor}-{target.machine}-linux-gnu",
    }
    if stub:
        defines["FOURFALL_STUB"] = str(stub)
    if ccache := shutil.which("ccache"):
        defines["CMAKE_CXX_COMPILER_LAUNCHER"] = ccache
    run(
        *(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder / "wheel"),
        *(f"-Ccmake.define.{name}={value}" for name, value in defines.items()),
        *(f"-Cbuild-dir={folder / 'objects'}", "-Cwheel.py-api=cp312"),
        ".",
        _PYTHON_HOST_PLATFORM=f"linux-{target.machine}",
    )
    return find_only_file(folder / "wheel", "*.whl")


def extract_stub(wheel: Path) -> Path:
    """Write the type stub of a wheel into the build folder."""
    with zipfile.ZipFile(wheel) as archive:
        return Path(archive.extract("fourfall/_core.pyi", BUILD / "stub"))


def repair_wheel(wheel: Path, target: Target) -> Path:
    """Give the wheel the tag of the oldest manylinux that it is consistent with.

    The processor is that of the files in the wheel: auditwheel accepts the name of a tag only for the processor on
    which it runs. `check_wheel` compares the result with the target.
    """
    environment = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", DIST, wheel, **environment)
    return find_only_file(DIST, f"*-{PYTHON_TAG}-manylinux*_{target.machine}.whl")


def build_all() -> None:
    """Build and check everything; raise `CheckError` or `ToolchainError` if a part is missing or wrong."""
    progress = Progress()
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise ToolchainError("make wheels needs Linux on x86-64; public continuous integration builds the other wheels")
    # The wheels of another version of Python stay.
    for old in (*DIST.glob("*.tar.gz"), *DIST.glob(f"*-{PYTHON_TAG}-*.whl")):
        old.unlink()
    progress.begin("source distribution")
    files = [build_sdist()]
    zig = find_zig()
    headers = copy_python_headers(BUILD / f"include{sys.version_info.minor}")
    stub: Path | None = None
    for target in TARGETS:
        progress.begin(f"compiling for {target.machine}, glibc {GLIBC}; this takes minutes")
        check_python_headers(zig, target, headers)
        toolchain = write_toolchain(BUILD / target.machine / "toolchain", zig, target)
        wheel = build_wheel(target, toolchain, headers, None if target.is_native else stub)
        stub = extract_stub(wheel)
        progress.begin(f"auditwheel repair for {target.platform_tag}")
        files.append(repair_wheel(wheel, target))
        progress.begin(f"contents, size and libraries of {files[-1].name}")
        print(f"      {check_wheel(files[-1], target)}")
        if "abi3" in PYTHON_TAG:
            run(sys.executable, "-m", "abi3audit", "--strict", files[-1])
            print("      ok: abi3audit finds only symbols of the stable ABI of Python 3.12")
    progress.begin("twine check --strict")
    run(sys.executable, "-m", "twine", "check", "--strict", *files)
    for file in files:
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    """Build everything; exit with 1 and a message if a step fails."""
    try:
        build_all()
    except (CheckError, ToolchainError) as error:
        sys.exit(f"make wheels: {error}")


if __name__ == "__main__":
    main()
