"""Tests of the engine in WebAssembly: searches and the solver give the results of the native core."""

from collections.abc import Iterator
from typing import Any

import pytest

from fourfall import Analysis, Board, Engine, Limit, Network, Score, presets, solve
from fourfall.engine import use_rollouts
from fourfall.web.messages.schemas import ColumnInfo, ScoreInfo
from tests.site.wasm_process import WEIGHTS, WasmError, WasmProcess, run_wasm

MEMORY_MB = 16
POSITIONS = ["10x11@4,7:61", "6x7:4444435", "9x9@4,4:555346"]
LATE = "6x7:4444456263532111"
"""A position near the end, at which the solver proves columns."""
ENGINES = ["seed-000", "seed-002", "seed-004-v1", "seed-004-v12", "seed-003", "fourfall-classic"]


@pytest.fixture(scope="module")
def wasm() -> Iterator[WasmProcess]:
    """Run one engine with the network for all tests."""
    with run_wasm() as process:
        yield process


def describe(analysis: Analysis) -> dict[str, Any]:
    """Describe a native analysis as the page's messages do, without times."""
    return {
        "move": analysis.move,
        "score": ScoreInfo.from_score(analysis.score).model_dump(),
        "columns": [ColumnInfo.from_analysis(column).model_dump() for column in analysis.columns],
        "pv": analysis.pv,
        "simulations": analysis.simulations,
        "evaluations": analysis.evaluations,
        "nodes": analysis.nodes,
        "depth": analysis.depth,
        "stopped_by": analysis.stopped_by,
    }


def select(found: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a result that are compared."""
    return {name: found[name] for name in expected}


@pytest.mark.parametrize("every_column", [False, True])
@pytest.mark.parametrize("preset", ENGINES)
def test_searches_without_network_are_those_of_the_native_core(
    wasm: WasmProcess, preset: str, every_column: bool
) -> None:
    """The same seed and simulations give the same tree, although the search pauses ten times a millisecond."""
    native = Engine(preset, seed=5, memory_mb=MEMORY_MB, use_census=False)
    wasm.create(preset, seed=5, memory_mb=MEMORY_MB)
    steps = 0
    for position in [*POSITIONS, LATE]:
        run = native.analyse if every_column else native.search
        expected = describe(run(Board.parse(position), Limit(simulations=1500)))
        found = wasm.search(position, every_column=every_column, milliseconds=0.1, simulations=1500)
        assert select(found, expected) == expected
        steps += found["steps"]
    assert steps > len(POSITIONS) + 1
    wasm.release()


def test_next_position_continues_the_search(wasm: WasmProcess) -> None:
    """The graph of the last position is used for the one after two moves, as in the native core."""
    native = Engine("fourfall-classic", seed=1, memory_mb=MEMORY_MB)
    wasm.create("fourfall-classic", seed=1, memory_mb=MEMORY_MB)
    nodes = 0
    for position in ("9x9@4,4:5", "9x9@4,4:554", "9x9@4,4:5543", "6x7:4"):
        expected = describe(native.search(Board.parse(position), Limit(simulations=1000)))
        found = wasm.search(position, milliseconds=1, simulations=1000)
        assert select(found, expected) == expected
        assert (found["nodes"] > nodes) == (position != "6x7:4")
        nodes = found["nodes"]
    wasm.release()


@pytest.mark.parametrize("simd", [True, False])
def test_network_evaluates_as_the_native_core(simd: bool) -> None:
    """Values and logits agree with the portable kernel, with SIMD and without."""
    network = Network.load(str(WEIGHTS), "portable")
    with run_wasm(simd=simd) as process:
        for position in [*POSITIONS, LATE]:
            found = process.call("evaluate", position)
            value, logits = network.evaluate(Board.parse(position))
            assert found["value"] == pytest.approx(value, abs=1e-5)
            assert found["logits"] == pytest.approx(logits, rel=1e-4, abs=1e-4)


def test_searches_with_network_agree_with_the_native_core(wasm: WasmProcess) -> None:
    """The arithmetic differs in the last bits: moves and scores after few simulations agree."""
    native = Engine("fourfall-float32", seed=3, memory_mb=MEMORY_MB)
    wasm.create("fourfall-float32", seed=3, memory_mb=MEMORY_MB)
    for position in POSITIONS:
        expected = native.search(Board.parse(position), Limit(simulations=40))
        found = wasm.search(position, simulations=40)
        assert (found["move"], found["simulations"]) == (expected.move, expected.simulations)
        assert found["score"]["win_chance"] == pytest.approx(expected.score.win_chance, abs=0.01)
    wasm.release()


def test_engine_without_weights_uses_rollouts() -> None:
    """As the native engine does if the package has no weights file."""
    preset = presets.load("fourfall")
    config = use_rollouts(preset.config)  # type: ignore[arg-type]
    native = Engine(presets.Preset(preset.name, "", "", config), seed=2, memory_mb=MEMORY_MB)
    expected = describe(native.search(Board.parse(POSITIONS[0]), Limit(simulations=500)))
    with run_wasm(simd=False, has_weights=False) as process:
        process.create("fourfall", seed=2, memory_mb=MEMORY_MB)
        assert select(process.search(POSITIONS[0], simulations=500), expected) == expected


@pytest.mark.parametrize("positions", [1_000_000, 2000])
def test_solver_finds_the_results_of_the_native_core(wasm: WasmProcess, positions: int) -> None:
    """Scores, bounds, principal variations and the number of positions, solved and at the limit."""

    def convert(score: Score | None) -> dict[str, Any] | None:
        return None if score is None else ScoreInfo.from_score(score).model_dump()

    for position in ("4x5:11223", LATE, "6x7:44444562635321"):
        expected = solve(Board.parse(position), positions=positions, columns=True, memory_mb=4)
        found = wasm.call("solve", {"position": position, "positions": positions, "columns": True, "memory_mb": 4})
        assert found["score"] == convert(expected.score)
        assert (found["lower"], found["upper"]) == (convert(expected.lower), convert(expected.upper))
        assert (found["pv"], found["positions"]) == (expected.pv, expected.positions)
        for column, own in zip(found["columns"], expected.columns, strict=True):
            assert (column["column"], column["score"]) == (own.column, convert(own.score))
            assert (column["lower"], column["upper"]) == (convert(own.lower), convert(own.upper))


@pytest.mark.parametrize("engine", ["seed-002", "fourfall"])
def test_step_returns_before_the_end_and_stop_ends_the_search(wasm: WasmProcess, engine: str) -> None:
    """A step of a long search ends after its time; after `stop` the next step ends the search with its result."""
    wasm.create(engine)
    for every_column in (False, True):
        limits = {"position": POSITIONS[0], "simulations": 10_000_000, "time_s": 100, "every_column": every_column}
        wasm.call("begin", {"name": "search", **limits})
        first = wasm.call("analysis", {"name": "search"})
        assert (len(first["columns"]), first["stopped_by"]) == (11, "")
        step = {"name": "search", "milliseconds": 5}
        assert wasm.call("step", step) == {"done": False, "stopped_by": ""}
        wasm.call("stop", {"name": "search"})
        assert wasm.call("step", {**step, "milliseconds": 60_000}) == {"done": True, "stopped_by": "stop"}
        last = wasm.call("analysis", {"name": "search"})
        assert last["seconds"] < 60
        assert 0 < last["simulations"] < 10_000_000
    wasm.release()


def test_time_limit_ends_a_search(wasm: WasmProcess) -> None:
    """The steps of a search with a limit of time end with the limit."""
    wasm.create("fourfall")
    found = wasm.search(POSITIONS[0], time_s=0.05)
    assert found["stopped_by"] == "time"
    assert found["seconds"] >= 0.02
    wasm.release()


def test_memory_is_limited_and_used_again(wasm: WasmProcess) -> None:
    """Too little and too much memory are errors with a clear message; released memory is used again."""
    with pytest.raises(WasmError, match="this engine needs at least 16 MiB of memory"):
        wasm.create("fourfall", memory_mb=0)
    for memory_mb in (1100, 5000):
        wasm.create("seed-002", memory_mb=memory_mb)
        with pytest.raises(WasmError, match=f"there is not enough memory: {memory_mb + 1} MiB"):
            wasm.search("6x7", simulations=10)
        wasm.release()
    before = 0
    for _ in range(20):
        wasm.create("fourfall-classic", memory_mb=64)
        wasm.search("6x7", every_column=True, simulations=20)
        wasm.release()
        before = before or wasm.call("state")["memory"]
    assert wasm.call("state")["memory"] == before
