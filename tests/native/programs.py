"""Compiles the C++ programs of this folder for this processor, aarch64 and WebAssembly, and runs them."""

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build" / "native_tests"
_NETWORK = ROOT / "cpp" / "search" / "network"
_SOURCES = (
    ROOT / "tests" / "native" / "processor_paths.cpp",
    *(ROOT / "cpp" / "game" / name for name in ("board.cpp", "board_from_stones.cpp", "geometry.cpp", "notation.cpp")),
    ROOT / "cpp" / "platform" / "processor.cpp",
    *(_NETWORK / name for name in ("input_planes.cpp", "network.cpp", "stem_constants.cpp")),
    *sorted((_NETWORK / "kernels").glob("*.cpp")),
)
_FLAGS = ("-std=c++20", "-O3", "-DNDEBUG", "-Wno-psabi", "-Wno-restrict", "-Wno-unknown-warning-option")
_ZIG = (sys.executable, "-m", "ziglang", "c++")


@dataclass(frozen=True)
class Target:
    """A platform: the command of its compiler, the command that runs its programs, and additional sources."""

    name: str
    compiler: tuple[str, ...]
    runner: tuple[str, ...] = ()
    sources: tuple[Path, ...] = ()

    @property
    def missing(self) -> str:
        """The program or package that is needed and not installed, or an empty string."""
        if "ziglang" in self.compiler and importlib.util.find_spec("ziglang") is None:
            return "ziglang (pip install --group zig)"
        return next((name for name in self.runner[:1] if shutil.which(name) is None), "")


_NODE = ("node", "--no-warnings", str(ROOT / "tests" / "native" / "run_wasm.mjs"))
_EXCEPTIONS = (ROOT / "cpp" / "platform" / "wasm_exceptions.cpp",)
TARGETS = (
    Target("native", tuple(os.environ.get("CXX", "g++").split())),
    Target("wasm-simd", (*_ZIG, "-target", "wasm32-wasi", "-msimd128"), _NODE, _EXCEPTIONS),
    Target("wasm", (*_ZIG, "-target", "wasm32-wasi"), _NODE, _EXCEPTIONS),
    Target("aarch64", (*_ZIG, "-target", "aarch64-linux-musl", "-static"), ("qemu-aarch64",)),
)
"""Platforms of the programs, by name: this processor, WebAssembly with and without SIMD, aarch64 in the emulator."""


def compile_program(target: Target) -> list[str]:
    """Compile the program for a platform and return the command that runs it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    program = FOLDER / f"processor_paths_{target.name}"
    includes = (f"-I{ROOT / 'cpp'}", f"-I{ROOT}")
    command = [*target.compiler, *_FLAGS, *includes, *map(str, (*_SOURCES, *target.sources)), "-o", str(program)]
    subprocess.run(command, check=True)
    return [*target.runner, str(program)]
