"""Runs the checks of the C++ programs: ``python -m tests.native native aarch64 wasm-simd wasm``."""

import argparse
import subprocess
import sys

from tests.native.programs import TARGETS, compile_program


def main() -> int:
    """Compile and run the checks for each named platform; return 1 if a check fails or a program is missing."""
    targets = {target.name: target for target in TARGETS}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="+", choices=list(targets), help="platforms")
    has_failed = False
    for target in (targets[name] for name in parser.parse_args().targets):
        print(f"{target.name}:", flush=True)
        if target.missing:
            print(f"not run: {target.missing} is missing", flush=True)
            has_failed = True
        else:
            has_failed |= subprocess.run(compile_program(target), check=False).returncode != 0
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
