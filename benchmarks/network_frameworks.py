"""Measures the exported network of the package in ONNX Runtime and OpenVINO, one position per call and one thread."""

import importlib.util
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.network import SIZES, make_middle_game_board
from fourfall.exports.onnx_network import export_onnx, make_planes

Evaluate = Callable[[NDArray[np.float32]], object]


def measure_frameworks(rounds: int) -> dict[str, dict[str, float]]:
    """Return evaluations per second by size of each installed framework, named with its version.

    The fastest of 20 * `rounds` calls counts, as in the program of the other paths. The planes are computed before.
    """
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.onnx"
        export_onnx(file)
        for name, load in (("onnxruntime", load_onnxruntime), ("openvino", load_openvino)):
            if importlib.util.find_spec(name) is not None:
                found[f"{name} {version(name)}"] = measure(load(file), rounds)
    return found


def measure(evaluate: Evaluate, rounds: int) -> dict[str, float]:
    """Return evaluations per second by size."""
    speeds = {}
    for rows, cols in SIZES:
        planes = make_planes([make_middle_game_board(rows, cols)])
        seconds = []
        for _ in range(20 * rounds):
            begin = time.perf_counter()
            evaluate(planes)
            seconds.append(time.perf_counter() - begin)
        speeds[f"{rows}x{cols}"] = 1 / min(seconds)
    return speeds


def load_onnxruntime(file: Path) -> Evaluate:
    """Return a function that evaluates planes with ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    return lambda planes: session.run(None, {"planes": planes})


def load_openvino(file: Path) -> Evaluate:
    """Return a function that evaluates planes with OpenVINO in single precision."""
    import openvino

    settings = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    return openvino.Core().compile_model(str(file), "CPU", settings)  # type: ignore[no-any-return]
