"""Writes CMake toolchain files that compile with zig for another version of glibc and another processor."""

import re
import shutil
import stat
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

GLIBC = "2.28"
"""Oldest version of the C library that the wheels run with: Debian 10, RHEL 8, Ubuntu 18.10 and newer."""

# Each SIZEOF_NAME in pyconfig.h and the C type that it describes.
_SIZES = {
    "DOUBLE": "double",
    "FLOAT": "float",
    "INT": "int",
    "LONG": "long",
    "LONG_DOUBLE": "long double",
    "LONG_LONG": "long long",
    "OFF_T": "off_t",
    "PID_T": "pid_t",
    "PTHREAD_T": "pthread_t",
    "SHORT": "short",
    "SIZE_T": "size_t",
    "TIME_T": "time_t",
    "UINTPTR_T": "uintptr_t",
    "VOID_P": "void *",
    "WCHAR_T": "wchar_t",
    "_BOOL": "_Bool",
}


class ToolchainError(Exception):
    """The compiler or a part of it is missing; the message says what to install."""


@dataclass(frozen=True)
class Target:
    """A processor that wheels are built for."""

    machine: str
    is_native: bool

    @property
    def zig_target(self) -> str:
        """Name of the target in zig, with the version of glibc."""
        return f"{self.machine}-linux-gnu.{GLIBC}"

    @property
    def platform_tag(self) -> str:
        """Platform tag of the finished wheel."""
        return f"manylinux_{GLIBC.replace('.', '_')}_{self.machine}"


TARGETS = (Target("x86_64", is_native=True), Target("aarch64", is_native=False))
"""The native target is first: the type stub of its wheel is also that of the other one."""


def find_zig() -> Path:
    """Return the zig program of the package ziglang."""
    try:
        import ziglang
    except ImportError:
        raise ToolchainError("the package ziglang is missing; run `make wheels`, which installs it") from None
    return Path(str(ziglang.__file__)).with_name("zig")


def copy_python_headers(folder: Path) -> Path:
    """Copy the headers of the running Python into `folder` and return it.

    Debian's pyconfig.h includes a file in a folder that is named after the processor; the copy has that file instead.
    """
    source = Path(sysconfig.get_path("include"))
    if not (source / "Python.h").is_file():
        raise ToolchainError(f"{source}/Python.h is missing; install Python's headers (on Debian: python3-dev)")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    config = folder / "pyconfig.h"
    if "SIZEOF_LONG" not in config.read_text(encoding="utf-8"):
        multiarch = sysconfig.get_config_var("MULTIARCH")
        config.write_bytes((source.parent / str(multiarch) / source.name / "pyconfig.h").read_bytes())
    return folder


def check_python_headers(zig: Path, target: Target, headers: Path) -> None:
    """Compile assertions that the sizes in this Python's pyconfig.h are those of the target."""
    defined = re.findall(r"^#define SIZEOF_(\w+) ", (headers / "pyconfig.h").read_text(encoding="utf-8"), re.MULTILINE)
    lines = ['#include "pyconfig.h"', "#ifdef WORDS_BIGENDIAN", "#error big endian", "#endif"]
    lines += [f"#include <{name}.h>" for name in ("pthread", "stdint", "sys/types", "time", "wchar")]
    for name in defined:
        if name in _SIZES:
            lines.append(f'_Static_assert(SIZEOF_{name} == sizeof({_SIZES[name]}), "{name}");')
    source = headers.with_name(f"sizes_{target.machine}.c")
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [zig, "cc", "-target", target.zig_target, "-c", "-o", source.with_suffix(".o"), "-I", headers, source]
    result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if result.returncode:
        raise ToolchainError(f"the headers of this Python do not fit {target.machine}:\n{result.stderr.strip()}")


def write_toolchain(folder: Path, zig: Path, target: Target) -> Path:
    """Write programs that call zig for the target, and a CMake toolchain file with them; return that file."""
    folder.mkdir(parents=True, exist_ok=True)
    commands = {"c++": f"c++ -target {target.zig_target}", "ar": "ar", "ranlib": "ranlib"}
    for name, arguments in commands.items():
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{zig}" {arguments} "$@"\n', encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    settings = {
        "CMAKE_CXX_COMPILER": folder / "c++",
        "CMAKE_AR": folder / "ar",
        "CMAKE_RANLIB": folder / "ranlib",
        "CMAKE_CXX_COMPILER_AR": folder / "ar",
        "CMAKE_CXX_COMPILER_RANLIB": folder / "ranlib",
    }
    lines = [f'set({name} "{value}" CACHE FILEPATH "")' for name, value in settings.items()]
    if not target.is_native:
        lines = ["set(CMAKE_SYSTEM_NAME Linux)", f"set(CMAKE_SYSTEM_PROCESSOR {target.machine})", *lines]
    file = folder / "toolchain.cmake"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file
