"""Compiles the programs of the study for this processor."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build" / "student"
_STUDY = ROOT / "training" / "student"
_CORE = ROOT / "cpp"
_BOARD = [_CORE / "game" / f"{name}.cpp" for name in ("board", "board_from_stones", "geometry", "notation")]
_NETWORK = [
    *sorted((_CORE / "search" / "network").glob("*.cpp")),
    *sorted((_CORE / "search" / "network" / "kernels").glob("*.cpp")),
    *(_CORE / "platform" / f"{name}.cpp" for name in ("files", "processor")),
]
# The search without its evaluator, which student_evaluator.cpp replaces.
_SEARCH = [
    *(_CORE / "search" / "graph" / f"{name}.cpp" for name in ("report", "rollout_evaluator", "root_choice", "search")),
    *(_CORE / "search" / "graph" / f"{name}.cpp" for name in ("solver_probe", "worker")),
    _CORE / "search" / "solver" / "solver.cpp",
    *(_CORE / "platform" / f"{name}.cpp" for name in ("heap", "pages", "process")),
]
_FLAGS = ("-std=c++20", "-DNDEBUG", "-Wall", "-Wextra", "-Wno-psabi", "-Wno-restrict", f"-I{_CORE}", f"-I{ROOT}")
_INSTRUCTION_SETS = {
    "native": ("-march=native",),
    "avx2": ("-mavx2", "-mfma", "-mbmi2", "-mpopcnt"),
}


def compile_generator(folder: Path = FOLDER, optimization: str = "-O3") -> Path:
    """Compile the program that writes samples and return its path."""
    return _compile(folder / "generator", [_STUDY / "generate.cpp", *_BOARD, *_NETWORK], optimization)


def compile_trainer(folder: Path = FOLDER, optimization: str = "-O3") -> Path:
    """Compile the program that trains a student and return its path."""
    sources = [_STUDY / "train.cpp", _CORE / "game" / "geometry.cpp"]
    return _compile(folder / "trainer", sources, optimization, "-ffast-math", *_INSTRUCTION_SETS["native"])


def compile_matches(folder: Path = FOLDER, optimization: str = "-O3") -> list[Path]:
    """Compile the match programs, whose students use AVX2 or all instructions of this processor."""
    programs = []
    for name, instructions in _INSTRUCTION_SETS.items():
        evaluator = folder / f"evaluator-{name}.o"
        _compile(evaluator, [_STUDY / "student_evaluator.cpp"], optimization, "-ffast-math", "-c", *instructions)
        sources = [_STUDY / "match.cpp", *_BOARD, *_NETWORK, *_SEARCH, evaluator]
        programs.append(_compile(folder / f"match-{name}", sources, optimization, "-pthread"))
    return programs


def check_match_sources() -> None:
    """Check that the sources of the match programs fit the search, without generating code."""
    sources = [_STUDY / "match.cpp", _STUDY / "student_evaluator.cpp"]
    subprocess.run([*_get_compiler(), *_FLAGS, "-fsyntax-only", *map(str, sources)], check=True)  # noqa: S603


def _get_compiler() -> list[str]:
    return os.environ.get("CXX", "g++").split()


def _compile(program: Path, sources: list[Path], *flags: str) -> Path:
    program.parent.mkdir(parents=True, exist_ok=True)
    command = [*_get_compiler(), *_FLAGS, *flags, *map(str, sources), "-o", str(program)]
    subprocess.run(command, check=True)  # noqa: S603
    return program
