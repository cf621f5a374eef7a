"""Checks a finished wheel: its size, its files, and that it needs only the C library of its platform tag."""

import zipfile
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from tools.wheels.toolchain import GLIBC, Target

MAXIMUM_BYTES = 6_000_000
HOST = "fourfall/programs/fourfall-host"
REQUIRED_FILES = (
    HOST,
    "fourfall/_core.pyi",
    "fourfall/py.typed",
    "fourfall/sources/LICENSE",
    "fourfall/web/static/app.js",
)
# Parts of glibc. libstdc++ and libgcc_s are also allowed by manylinux, but the wheels contain their own.
ALLOWED_LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
MACHINES = {"x86_64": "EM_X86_64", "aarch64": "EM_AARCH64"}


class CheckError(Exception):
    """A step failed or a wheel is wrong; the message says what and where."""


def find_only_file(folder: Path, pattern: str) -> Path:
    """Return the only file in `folder` that matches."""
    files = sorted(folder.glob(pattern))
    if len(files) != 1:
        raise CheckError(f"{folder} has {len(files)} files {pattern}, not one; delete it and run make wheels again")
    return files[0]


def check_wheel(wheel: Path, target: Target) -> str:
    """Check size, files, machine, libraries and versions of glibc; return a line for people."""
    size = wheel.stat().st_size
    if size >= MAXIMUM_BYTES:
        raise CheckError(f"{wheel.name} has {size / 1e6:.2f} MB; the limit is {MAXIMUM_BYTES / 1e6:.0f} MB")
    with zipfile.ZipFile(wheel) as archive:
        missing = sorted(set(REQUIRED_FILES) - set(archive.namelist()))
        if missing:
            raise CheckError(f"{wheel.name} does not contain {', '.join(missing)}")
        modules = [name for name in archive.namelist() if name.startswith("fourfall/_core.") and name.endswith(".so")]
        if [is_importable(name, wheel, target) for name in modules] != [True]:
            raise CheckError(f"Python cannot import the native module of {wheel.name}: {modules}")
        versions = [check_native_file(archive, name, target) for name in (*modules, HOST)]
        if not archive.getinfo(HOST).external_attr >> 16 & 0o111:
            raise CheckError(f"{HOST} in {wheel.name} is not executable")
    newest = ".".join(map(str, max(versions)))
    return f"ok: {size / 1e6:.2f} MB, needs glibc {newest} and no other library"


def is_importable(module: str, wheel: Path, target: Target) -> bool:
    """Return whether the file name of the module is one that the Python of the wheel's tags looks for."""
    _, _, python, abi, _ = wheel.stem.split("-")
    suffix = "abi3" if abi == "abi3" else f"cpython-{python.removeprefix('cp')}-{target.machine}-linux-gnu"
    return module == f"fourfall/_core.{suffix}.so"


def check_native_file(archive: zipfile.ZipFile, name: str, target: Target) -> tuple[int, ...]:
    """Check one ELF file; return the newest version of glibc whose symbols it uses."""
    with archive.open(name) as stream:
        file = ELFFile(stream)
        if file["e_machine"] != MACHINES[target.machine]:
            raise CheckError(f"{name} is compiled for {file['e_machine']}, not for {target.machine}")
        needed: set[str] = set()
        versions: set[tuple[int, ...]] = {(0,)}
        for section in file.iter_sections():
            if isinstance(section, DynamicSection):
                needed |= {tag.needed for tag in section.iter_tags() if tag.entry.d_tag == "DT_NEEDED"}
            elif isinstance(section, GNUVerNeedSection):
                names = [entry.name for _, entries in section.iter_versions() for entry in entries]
                versions |= {parse_version(name) for name in names if name.startswith("GLIBC_")}
    loader = f"ld-linux-{target.machine.replace('_', '-')}.so"
    others = sorted(library for library in needed - ALLOWED_LIBRARIES if not library.startswith(loader))
    if others:
        raise CheckError(f"{name} needs {', '.join(others)}; only glibc may be linked dynamically")
    if max(versions) > parse_version(GLIBC):
        raise CheckError(f"{name} needs glibc {max(versions)}; the newest allowed version is {GLIBC}")
    return max(versions)


def parse_version(text: str) -> tuple[int, ...]:
    """Return the numbers of a version such as GLIBC_2.28 or 2.28."""
    return tuple(int(word) for word in text.removeprefix("GLIBC_").split("."))
