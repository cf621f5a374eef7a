"""Compares the code paths of the network on all platforms: evaluations per second, and ratios to the first row.

The program that is measured is compiled by $CXX for this processor, and by zig for WebAssembly and aarch64.

    python -m benchmarks.network_paths [native wasm-simd wasm aarch64] [--rounds 20] [--frameworks]
"""

import argparse
import platform
import subprocess
import sys
from collections.abc import Sequence

from tests.native.programs import TARGETS, compile_program

PLATFORMS = {
    "native": platform.machine(),
    "wasm-simd": "WebAssembly with SIMD, in node",
    "wasm": "WebAssembly without SIMD, in node",
    "aarch64": "aarch64, emulated by qemu (not the speed of a processor)",
}
SIZES = ("9x9", "10x11", "12x12")

Speeds = dict[str, float]
"""Evaluations per second by size of the board."""


def parse_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line; exit with 2 and a message if it is wrong."""
    parser = argparse.ArgumentParser(prog="benchmarks.network_paths", description=__doc__.splitlines()[0])
    names = ", ".join(PLATFORMS)
    parser.add_argument("targets", nargs="*", metavar="PLATFORM", help=f"Any of {names}; by default all")
    parser.add_argument("--rounds", type=int, default=20, help="Number of rounds of 20 evaluations per path and size")
    parser.add_argument(
        "--frameworks", action="store_true", help="Also measure ONNX Runtime and OpenVINO, where they are installed"
    )
    arguments = parser.parse_args(words)
    if unknown := [name for name in arguments.targets if name not in PLATFORMS]:
        parser.error(f"unknown platform {unknown[0]!r}; the platforms are {names}")
    if arguments.rounds < 1:
        parser.error(f"--rounds {arguments.rounds}: at least 1 is needed")
    arguments.targets = arguments.targets or list(PLATFORMS)
    return arguments


def measure(command: Sequence[str]) -> dict[str, Speeds]:
    """Run the program and return its speeds by path."""
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    speeds: dict[str, Speeds] = {}
    for path, size, speed in (line.split() for line in output.splitlines()):
        speeds.setdefault(path, {})[size] = float(speed)
    return speeds


def make_row(name: str, path: str, speeds: Speeds, first: Speeds) -> str:
    """Return a row of the table; numbers in brackets are ratios to the first row.

    >>> speeds = {"9x9": 6392.0, "10x11": 5344.0, "12x12": 4257.0}
    >>> make_row("wasm", "portable", speeds, {size: 1000.0 for size in SIZES})
    '| WebAssembly without SIMD, in node | portable | 6,392 (6.39) | 5,344 (5.34) | 4,257 (4.26) |'
    """
    ratios = {size: speeds[size] / first[size] for size in SIZES}
    cells = [f"{speeds[size]:,.0f} ({ratios[size]:.{2 if ratios[size] >= 0.1 else 3}f})" for size in SIZES]
    return f"| {PLATFORMS[name]} | {path} | {' | '.join(cells)} |"


def main() -> None:
    """Compile the program for each platform and print a table; exit with 1 if a platform was not measured."""
    arguments = parse_arguments()
    print("Network of 64 channels and 4 blocks, one thread: evaluations per second (ratio to the first row)\n")
    print(f"| platform | path | {' | '.join(SIZES)} |")
    print("|---|---|" + "--:|" * len(SIZES))
    first: Speeds = {}
    problems = []
    for target in TARGETS:
        if target.name not in arguments.targets:
            continue
        if target.missing:
            problems.append(f"{target.name}: {target.missing} is missing")
            continue
        rounds = min(arguments.rounds, 3) if target.name == "aarch64" else arguments.rounds
        try:
            for path, speeds in measure([*compile_program(target), "--bench", str(rounds)]).items():
                first = first or speeds
                print(make_row(target.name, path, speeds, first), flush=True)
        except (OSError, subprocess.CalledProcessError) as error:
            problems.append(f"{target.name}: {error}")
    if arguments.frameworks:
        from benchmarks.network_frameworks import measure_frameworks

        for framework, speeds in measure_frameworks(arguments.rounds).items():
            first = first or speeds
            print(make_row("native", framework, speeds, first), flush=True)
    if problems:
        sys.exit("\n".join(f"not measured: {problem}" for problem in problems))


if __name__ == "__main__":
    main()
