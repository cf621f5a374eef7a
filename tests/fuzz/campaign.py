"""Fuzzes the targets one after the other, keeps the inputs that reach new code, and prints a table.

    python -m tests.fuzz.campaign --seconds 600
    python -m tests.fuzz.campaign --seconds 60 record spec

Parsers in Python are fuzzed with Atheris, parsers in C++ with libFuzzer under the address and undefined-behaviour
sanitizers, which needs Clang. An input that fails is saved in `build/fuzz/TARGET/failures`, and the exit code is 1. The
kept inputs are tests: `tests/fuzz/test_corpus.py` runs them.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.corpus import read_corpus, write_corpus
from tests.fuzz.seeds import list_seeds
from tests.fuzz.targets import NATIVE_TARGETS, TARGETS

_ROOT = Path(__file__).parents[2]
_BUILD = _ROOT / "build" / "fuzz"
_MAX_INPUT_BYTES = 4096
_MAX_SECONDS_PER_INPUT = 5
_MAX_MEMORY_MB = 2048
_CPP_SOURCES = (
    "cpp/game/[bgn]*.cpp",
    "cpp/platform/processor.cpp",
    "cpp/search/network/*.cpp",
    "cpp/search/network/kernels/*.cpp",
)


class Result(NamedTuple):
    """What the fuzzing of one target gave."""

    target: str
    executions: int
    coverage: int
    kept: int
    failures: list[Path]


def main() -> int:
    """Fuzz the targets; return 1 if an input failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="default: all", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=600, help="time per target (default: 600)")
    options = parser.parse_args()
    results = []
    for target in options.targets or TARGETS:
        print(f"fuzzing {target} for {options.seconds} s", flush=True)
        results.append(fuzz(target, options.seconds))
    print(f"\n{'target':<10} {'inputs run':>12} {'coverage':>9} {'kept':>6} {'failures':>9}")
    for result in results:
        print(
            f"{result.target:<10} {result.executions:>12,} {result.coverage:>9} {result.kept:>6}"
            f" {len(result.failures):>9}"
        )
        for path in result.failures:
            print(f"  repeat it: {describe_command(result.target)} {path.relative_to(_ROOT)}")
    return int(any(result.failures for result in results))


def fuzz(target: str, seconds: int) -> Result:
    """Fuzz one target and keep its corpus."""
    folder = _BUILD / target
    work, failures, merged = folder / "corpus", folder / "failures", folder / "merged"
    for path in (work, merged):
        shutil.rmtree(path, ignore_errors=True)
    for path in (work, failures, merged):
        path.mkdir(parents=True, exist_ok=True)
    for data in [*list_seeds(target), *read_corpus(target)]:
        (work / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    before = set(failures.iterdir())
    limits = [f"-max_len={_MAX_INPUT_BYTES}", f"-timeout={_MAX_SECONDS_PER_INPUT}", f"-rss_limit_mb={_MAX_MEMORY_MB}"]
    command = make_command(target)
    log = run(
        [*command, *limits, f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={failures}/", work]
    )
    (folder / "log.txt").write_text(log)
    if target in NATIVE_TARGETS:  # Atheris cannot reduce a corpus
        run([*command, *limits, "-merge=1", merged, work])
    kept = [path.read_bytes() for path in (merged if target in NATIVE_TARGETS else work).iterdir()]
    if kept:
        write_corpus(target, kept)
    executions = re.findall(r"stat::number_of_executed_units: (\d+)", log)
    coverage = re.findall(r" cov: (\d+)", log)
    return Result(
        target,
        int(executions[-1]) if executions else 0,
        int(coverage[-1]) if coverage else 0,
        len(kept),
        sorted(set(failures.iterdir()) - before),
    )


def run(command: list[str | Path]) -> str:
    """Run a fuzzer and return its output; a failing input is not an error here."""
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout + done.stderr


def make_command(target: str) -> list[str | Path]:
    """Return the command that fuzzes a target, after compiling it if its parser is C++."""
    if target not in NATIVE_TARGETS:
        return [sys.executable, "-m", "tests.fuzz.python_fuzzer", target]
    return [compile_target(target)]


def describe_command(target: str) -> str:
    """Return the command that repeats an input, as a user types it."""
    if target not in NATIVE_TARGETS:
        return f"python -m tests.fuzz.python_fuzzer {target}"
    return str(_BUILD.relative_to(_ROOT) / f"fuzz-{target}")


def compile_target(target: str) -> Path:
    """Compile a libFuzzer target with the sources of the rules and the network."""
    compiler = next((path for name in ("clang++", "clang++-14") if (path := shutil.which(name))), None)
    if compiler is None:
        sys.exit("Fuzzing the C++ parsers needs Clang (on Debian: sudo apt-get install clang libclang-rt-14-dev)")
    program = _BUILD / f"fuzz-{target}"
    sources = [path for pattern in _CPP_SOURCES for path in sorted(_ROOT.glob(pattern))]
    sanitizers = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined"]
    flags = ["-std=c++20", "-O2", "-g", "-Wno-unknown-warning-option", *sanitizers, f"-I{_ROOT / 'cpp'}"]
    _BUILD.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).parent / NATIVE_TARGETS[target]
    done = subprocess.run([compiler, *flags, source, *sources, "-o", program], check=False)
    if done.returncode != 0:
        sys.exit(f"{source.name} cannot be compiled with {compiler}; see the messages above")
    return program


if __name__ == "__main__":
    sys.exit(main())
