"""Compares the code paths of the network on all platforms: evaluations per second, and ratios to the portable path.

python -m benchmarks.network_paths [native wasm-simd wasm aarch64] [--rounds 20]
"""

import argparse
import subprocess

from tests.native.programs import TARGETS, compile_program

NOTES = {
    "native": "",
    "wasm-simd": "WebAssembly in node, compiled with SIMD",
    "wasm": "WebAssembly in node, compiled without SIMD",
    "aarch64": "emulated by qemu: not the speed of a processor",
}
SIZES = ("9x9", "10x11", "12x12")


def main() -> None:
    """Compile the test program for each platform, and print a table of what it measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", choices=list(NOTES), default=list(NOTES), help="platforms")
    parser.add_argument("--rounds", type=int, default=20, help="number of rounds of 20 evaluations per path and size")
    arguments = parser.parse_args()
    print("64 channels, 4 blocks: evaluations per second; in brackets the ratio to the portable path natively\n")
    print("| path | " + " | ".join(SIZES) + " | |")
    print("|---|" + "---:|" * len(SIZES) + "---|")
    portable: dict[str, float] = {}
    for target in TARGETS:
        if target.name not in arguments.targets:
            continue
        if target.missing:
            print(f"| {target.name} | | | | not measured: {target.missing} is missing |")
            continue
        rounds = 1 if target.name == "aarch64" else arguments.rounds
        for path, speeds in measure([*compile_program(target), "--bench", str(rounds)]).items():
            portable = portable or speeds
            cells = [f"{speeds[size]:,.0f} ({speeds[size] / portable[size]:.2f})" for size in SIZES]
            print(f"| {path} | " + " | ".join(cells) + f" | {NOTES[target.name]} |", flush=True)


def measure(command: list[str]) -> dict[str, dict[str, float]]:
    """Run the program and return evaluations per second by path and size."""
    speeds: dict[str, dict[str, float]] = {}
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for path, size, speed in (line.split() for line in output.splitlines()):
        speeds.setdefault(path, {})[size] = float(speed)
    return speeds


if __name__ == "__main__":
    main()
