"""Lists the systems for which the C++ core must compile, and the compiler options for them."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP = ROOT / "cpp"

CORE = ("platform", "game", "search", "engine")
"""Folders of the core, which compiles for every target."""

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-Wno-unused-command-line-argument")
"""As in CMakeLists.txt. zig itself passes arguments to clang that some targets do not use."""


@dataclass(frozen=True)
class Target:
    """A system and a processor."""

    zig_target: str
    system: str
    has_python: bool = True

    @property
    def folders(self) -> tuple[str, ...]:
        """Folders below cpp that are compiled: the core, and the Python module where there is Python."""
        return (*CORE, "bindings") if self.has_python else CORE

    def list_sources(self) -> list[Path]:
        """Return the C++ files that are compiled for this target.

        >>> [path.name for path in TARGETS[0].list_sources()[:2]]
        ['files.cpp', 'heap.cpp']
        """
        return [path for folder in self.folders for path in sorted((CPP / folder).rglob("*.cpp"))]


TARGETS = (
    Target("aarch64-macos", "macOS on Apple processors"),
    Target("x86_64-macos", "macOS on Intel processors"),
    Target("x86_64-windows-gnu", "Windows on x86-64, clang with the MinGW-w64 headers"),
    Target("aarch64-linux-gnu", "Linux on ARM, GNU C library"),
    Target("aarch64-linux-musl", "Linux on ARM, musl C library"),
    Target("wasm32-wasi", "WebAssembly", has_python=False),
)
