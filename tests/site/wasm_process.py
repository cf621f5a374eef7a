"""Runs the engine in WebAssembly in node."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fourfall import weights
from fourfall.web.engine_catalogue import EngineCatalogue
from tests.site.requests.request_process import find_node
from tools.site.build_wasm import PLAIN_NAME, ROOT, SIMD_NAME
from tools.site.data_files import describe_engine

PROGRAM = Path(__file__).parent / "wasm_program.mjs"
WEIGHTS = Path(weights.__file__).parent / "fourfall.f4w"


class WasmError(Exception):
    """An error of the engine: the code of a RequestError or the name of another error, its parameters and message."""

    def __init__(self, info: dict[str, Any]) -> None:
        super().__init__(info["message"])
        self.code: str = info["code"]
        self.params: dict[str, Any] = info["params"]


class WasmProcess:
    """A node process with one engine."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def call(self, name: str, argument: object = None) -> Any:  # noqa: ANN401 (any JSON)
        """Call a function of the engine. Raises WasmError."""
        return self._read_result(self._exchange({"call": name, "argument": argument}))

    def map(self, name: str, arguments: Sequence[object]) -> list[Any]:
        """Call a function with each argument in turn; an error is returned as a WasmError."""
        replies = self._exchange([{"call": name, "argument": argument} for argument in arguments])
        return [WasmError(reply["error"]) if "error" in reply else reply["result"] for reply in replies]

    def create(self, engine: str, *, seed: int = 0, memory_mb: int = 16, name: str = "search") -> None:
        """Create a search of a preset or level."""
        entry = describe_engine(EngineCatalogue().find_engine(engine))
        self.call("create", {"name": name, "engine": entry, "seed": seed, "memory_mb": memory_mb})

    def search(self, position: str, *, every_column: bool = False, milliseconds: float = 5, **limits: float) -> Any:  # noqa: ANN401
        """Run the search that `create` made, in steps, with a report after each, and return its analysis."""
        self.call("begin", {"name": "search", "position": position, "every_column": every_column, **limits})
        return self.call("run", {"name": "search", "milliseconds": milliseconds, "looks": True})

    def release(self, name: str = "search") -> None:
        """Release a search."""
        self.call("release", {"name": name})

    def _exchange(self, message: object) -> Any:  # noqa: ANN401
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "node ended; its stderr is in the output of the test"
        return json.loads(line)

    def _read_result(self, reply: dict[str, Any]) -> Any:  # noqa: ANN401
        if "error" in reply:
            raise WasmError(reply["error"])
        return reply["result"]


def find_module(*, simd: bool) -> Path:
    """Return the compiled module: in the folder of FOURFALL_WASM, or where `make site` writes it."""
    folder = Path(os.environ.get("FOURFALL_WASM", ROOT / "build" / "wasm"))
    path = folder / (SIMD_NAME if simd else PLAIN_NAME)
    assert path.is_file(), f"{path} does not exist: run make site, or python -m tools.site.build_wasm {folder}"
    return path


@contextmanager
def run_wasm(*, simd: bool = True, has_weights: bool = True) -> Iterator[WasmProcess]:
    """Run the engine for the duration of the context."""
    command = [find_node(), str(PROGRAM), str(find_module(simd=simd)), *([str(WEIGHTS)] if has_weights else [])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield WasmProcess(process)
        assert process.stdin is not None
        process.stdin.close()
