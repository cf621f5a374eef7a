"""Builds and runs layouts.cpp, which measures three bitboard layouts: ``python benchmarks/layouts.py``.

The compiler is ``$CXX`` or g++; ``$CXXFLAGS`` is added to its options.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "benchmarks" / "layouts"
SOURCES = (ROOT / "benchmarks" / "layouts.cpp", ROOT / "cpp" / "game" / "geometry.cpp")
# As in the release build. -Wno-restrict because GCC 12 reports false positives (see CMakeLists.txt); -Wno-psabi because
# all functions that pass vectors are inlined.
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wno-restrict", "-Wno-psabi")
FLAGS = ("-std=c++20", "-O3", "-DNDEBUG", *WARNINGS, f"-I{ROOT / 'cpp'}")


def main() -> int:
    """Build and run the program; return its exit status."""
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    extra = shlex.split(os.environ.get("CXXFLAGS", ""))
    subprocess.run([*compiler, *FLAGS, *extra, *SOURCES, "-o", PROGRAM], check=True)
    return subprocess.run([PROGRAM], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
