"""Compares the code paths of the network on all platforms and ONNX Runtime and OpenVINO, where they are installed.

Prints evaluations per second and the ratios to the portable path. The frameworks run the exported network of the
package, which has the same size, in one thread; their input planes are computed before.

python -m benchmarks.network_paths [native wasm-simd wasm aarch64 frameworks] [--rounds 20]
"""

import argparse
import importlib.util
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.network import SIZES as SIDES
from benchmarks.network import make_middle_game_board
from fourfall.exports.onnx_network import export_onnx, make_planes
from tests.native.programs import TARGETS, compile_program

Evaluate = Callable[[NDArray[np.float32]], object]

NOTES = {
    "native": "",
    "wasm-simd": "WebAssembly in node, compiled with SIMD",
    "wasm": "WebAssembly in node, compiled without SIMD",
    "aarch64": "emulated by qemu: not the speed of a processor",
}
FRAMEWORKS = ("onnxruntime", "openvino")
SIZES = tuple(f"{rows}x{cols}" for rows, cols in SIDES)


def main() -> None:
    """Compile the test program for each platform, and print a table of what it measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "targets", nargs="*", choices=[*NOTES, "frameworks"], default=[*NOTES, "frameworks"], help="platforms"
    )
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
            print_row(path, speeds, portable, NOTES[target.name])
    for framework in FRAMEWORKS if "frameworks" in arguments.targets else ():
        if importlib.util.find_spec(framework) is None:
            print(f"| {framework} | | | | not measured: {framework} is not installed |")
            continue
        speeds = measure_framework(framework, arguments.rounds)
        print_row(framework, speeds, portable or speeds, "one thread, one position per call")


def print_row(path: str, speeds: dict[str, float], portable: dict[str, float], note: str) -> None:
    """Print evaluations per second of a path, with the ratios to the portable path."""
    cells = [f"{speeds[size]:,.0f} ({speeds[size] / portable[size]:.2f})" for size in SIZES]
    print(f"| {path} | " + " | ".join(cells) + f" | {note} |", flush=True)


def measure(command: list[str]) -> dict[str, dict[str, float]]:
    """Run the program and return evaluations per second by path and size."""
    speeds: dict[str, dict[str, float]] = {}
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for path, size, speed in (line.split() for line in output.splitlines()):
        speeds.setdefault(path, {})[size] = float(speed)
    return speeds


def measure_framework(framework: str, rounds: int) -> dict[str, float]:
    """Return evaluations per second of a framework by size; the fastest call counts, as in the program."""
    speeds = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.onnx"
        export_onnx(file)
        evaluate = load_onnxruntime(file) if framework == "onnxruntime" else load_openvino(file)
        for size, sides in zip(SIZES, SIDES, strict=True):
            planes = make_planes([make_middle_game_board(*sides)])
            seconds = []
            for _ in range(20 * rounds):
                begin = time.perf_counter()
                evaluate(planes)
                seconds.append(time.perf_counter() - begin)
            speeds[size] = 1 / min(seconds)
    return speeds


def load_onnxruntime(file: Path) -> Evaluate:
    """Return a function that evaluates planes with ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda planes: session.run(None, {name: planes})


def load_openvino(file: Path) -> Evaluate:
    """Return a function that evaluates planes with OpenVINO in single precision."""
    import openvino

    settings = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    return openvino.Core().compile_model(str(file), "CPU", settings)  # type: ignore[no-any-return]


if __name__ == "__main__":
    main()
