"""Compiles the engine to WebAssembly, with SIMD instructions and without: `engine_simd.wasm` and `engine_plain.wasm`.

The files of the core are combined into a few large ones, because most of the time goes into the headers of the standard
library. Only the network is compiled twice: nothing else becomes faster with SIMD.

    python -m tools.site.build_wasm build/site/data
"""

import argparse
import gzip
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
CPP = ROOT / "cpp"
SIMD_NAME = "engine_simd.wasm"
PLAIN_NAME = "engine_plain.wasm"

_FOLDERS = ("platform", "game", "search", "engine", "browser")
_LEFT_OUT = frozenset(
    {
        "platform/process.cpp",
        "game/board_batch.cpp",
        "game/perft.cpp",
        "game/rollouts.cpp",
        "game/thread_pool.cpp",
        "engine/batch_evaluation.cpp",
        "engine/engine.cpp",
        "engine/parallel_loop.cpp",
        "engine/solve_many.cpp",
        "search/network/kernels/amx.cpp",
        "search/network/kernels/avx2.cpp",
        "search/network/kernels/avx512.cpp",
    }
)
"""Files that the browser does not need: batches, threads, processes and other instruction sets."""
_TARGET = ("-target", "wasm32-wasi")
_COMPILE = ("-std=c++20", "-O3", "-DNDEBUG", "-Wall", "-Wextra", f"-I{CPP}")
_STACK_BYTES = 1 << 20
_MAX_MEMORY_BYTES = 1 << 30
_LINK = (
    "-mexec-model=reactor",
    "-O3",
    "-s",
    "-Wl,--export=__stack_pointer",
    f"-Wl,-z,stack-size={_STACK_BYTES}",
    f"-Wl,--max-memory={_MAX_MEMORY_BYTES}",
)
_SIMD = "-msimd128"
_SIMD_KERNEL = "simd128"
"""Group of the source file that is compiled only with SIMD."""


class BuildError(Exception):
    """The compiler failed or is missing; the message has its output."""


def build_wasm(
    folder: Path, zig: Sequence[str] = (sys.executable, "-m", "ziglang"), jobs: int = 2
) -> tuple[Path, Path]:
    """Compile both modules into a folder and return their paths, that with SIMD first. Raises BuildError.

    Args:
        folder: folder for the modules, created if it does not exist.
        zig: command that runs the Zig compiler.
        jobs: number of compilers that run at the same time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(jobs) as pool:
        work = Path(name)
        groups = group_sources(list_sources())
        units: list[tuple[str, tuple[str, ...]]] = [(group, ()) for group in groups if group != _SIMD_KERNEL]
        units += [("network", (_SIMD,)), (_SIMD_KERNEL, (_SIMD,))]
        sources = {group: _write_combined(work / f"{group}.cpp", files) for group, files in groups.items()}
        tasks = {
            (group, flags): pool.submit(_compile, zig, sources[group], flags, work / f"{group}{''.join(flags)}.o")
            for group, flags in units
        }
        objects = {unit: task.result() for unit, task in tasks.items()}
        plain = [path for (_, flags), path in objects.items() if not flags]
        simd = [path for (group, flags), path in objects.items() if flags or group != "network"]
        linked = [
            pool.submit(_link, zig, inputs, folder / target)
            for inputs, target in ((simd, SIMD_NAME), (plain, PLAIN_NAME))
        ]
        return linked[0].result(), linked[1].result()


def list_sources() -> list[str]:
    """List the source files of the core that the browser needs, relative to `cpp`.

    >>> sources = list_sources()
    >>> "browser/exports.cpp" in sources, "engine/engine.cpp" in sources
    (True, False)
    """
    paths = [path.relative_to(CPP).as_posix() for name in _FOLDERS for path in sorted((CPP / name).rglob("*.cpp"))]
    return [path for path in paths if path not in _LEFT_OUT]


def group_sources(sources: Iterable[str]) -> dict[str, list[str]]:
    """Divide source files into groups that are compiled together: two large ones, the network and each of its kernels.

    >>> group_sources(["game/board.cpp", "search/graph/search.cpp", "search/network/network.cpp"])
    {'search': ['search/graph/search.cpp'], 'rest': ['game/board.cpp'], 'network': ['search/network/network.cpp']}
    """
    groups: dict[str, list[str]] = {"search": [], "rest": []}
    for source in sources:
        if source.startswith("search/network/kernels/"):
            name = Path(source).stem
        elif source.startswith("search/network/"):
            name = "network"
        else:
            name = "search" if source.startswith(("search/graph/", "search/solver/")) else "rest"
        groups.setdefault(name, []).append(source)
    return groups


def _write_combined(path: Path, sources: Iterable[str]) -> Path:
    """Write a source file that includes other ones."""
    path.write_text("".join(f'#include "{source}"\n' for source in sources), encoding="utf-8")
    return path


def _compile(zig: Sequence[str], source: Path, flags: Sequence[str], target: Path) -> Path:
    return _run([*zig, "c++", *_TARGET, *_COMPILE, *flags, "-c", str(source), "-o", str(target)], target)


def _link(zig: Sequence[str], objects: Sequence[Path], target: Path) -> Path:
    return _run([*zig, "c++", *_TARGET, *_LINK, *map(str, objects), "-o", str(target)], target)


def _run(command: Sequence[str], target: Path) -> Path:
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise BuildError(f"cannot run {command[0]}: {error.strerror}") from None
    if result.returncode != 0:
        raise BuildError(f"{shlex.join(command)}\n{result.stderr}")
    return target


def _describe_size(path: Path) -> str:
    data = path.read_bytes()
    return f"{path.name}: {len(data):,} bytes, {len(gzip.compress(data, 9)):,} with gzip"


def main() -> int:
    """Compile both modules and print their sizes and the processor time of the compiler."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder for the two modules")
    parser.add_argument("--zig", default=shlex.join([sys.executable, "-m", "ziglang"]), help="command of the compiler")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of compilers at the same time")
    arguments = parser.parse_args()
    try:
        paths = build_wasm(arguments.folder, shlex.split(arguments.zig), arguments.jobs)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    for path in paths:
        print(_describe_size(path))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{usage.ru_utime + usage.ru_stime:.1f} s of processor time")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
