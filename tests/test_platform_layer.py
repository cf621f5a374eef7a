"""Tests that only the platform layer of the C++ core uses what depends on the operating system."""

import re
from pathlib import Path

import pytest

from tests.test_layers import CPP, CPP_FILES, ROOT, get_cpp_member, list_includes

# Headers of the C++ library that some systems lack, or that are for threads.
THREAD_HEADERS = frozenset(
    ["barrier", "condition_variable", "fstream", "future", "latch", "mutex", "semaphore", "shared_mutex", "thread"]
)
# Intrinsics of a processor; the files that include them are compiled only for it.
INTRINSICS = frozenset(["immintrin.h", "arm_neon.h", "wasm_simd128.h"])
# Functions of the system that need no header in some compilers.
SYSTEM_NAMES = re.compile(r"\b(?:mmap|munmap|madvise|VirtualAlloc|getpid|sched_\w+|pthread_\w+)\s*\(")
# The programs that `fourfall export` writes; the other files belong to the native host, which exists only on Linux.
EXPORTED = frozenset(["embedded_network.hpp", "platform_program.cpp", "player", "settings.hpp", "strategy_library.cpp"])


def is_portable(path: Path) -> bool:
    """Return whether a C++ file must be free of everything that depends on the system."""
    member = get_cpp_member(path)
    return member != "platform" and (member != "programs" or not EXPORTED.isdisjoint((path.name, path.stem)))


def find_system_use(source: str) -> list[str]:
    """Return the headers and the functions of the system that a C++ source uses."""
    headers = [
        header
        for header in list_includes(source, angle_brackets=True)
        if header in THREAD_HEADERS
        or (header.endswith(".h") and not header.startswith("nanobind/") and header not in INTRINSICS)
    ]
    return headers + [name.rstrip("( ") for name in SYSTEM_NAMES.findall(source)]


PORTABLE_FILES = [path for path in CPP_FILES if is_portable(path)]


@pytest.mark.parametrize("path", PORTABLE_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_file_uses_the_system_through_the_platform_layer(path: Path) -> None:
    """No file outside cpp/platform and the native host includes a header of the system."""
    assert find_system_use(path.read_text(encoding="utf-8")) == []


def test_portable_files_are_found() -> None:
    """The list contains the core and the exported programs, but neither the layer itself nor the native host."""
    files = {path.relative_to(CPP).as_posix() for path in PORTABLE_FILES}
    assert {"game/board.cpp", "engine/engine.hpp", "bindings/module.cpp", "programs/player.cpp"} <= files
    assert not {"platform/pages.cpp", "programs/host.cpp"} & files


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("#include <vector>\n#include <atomic>\n#include <cstdio>\n#include <immintrin.h>", []),
        ("#include <sys/mman.h>", ["sys/mman.h"]),
        ("  # include <mutex>\n#include <windows.h>", ["mutex", "windows.h"]),
        ("const int process = getpid();", ["getpid"]),
        ("void* memory = ::mmap(nullptr, 1, 0, 0, -1, 0);", ["mmap"]),
    ],
)
def test_use_of_the_system_is_found(source: str, found: list[str]) -> None:
    """Headers of the system, headers for threads and calls of the system are found; others are allowed."""
    assert find_system_use(source) == found
