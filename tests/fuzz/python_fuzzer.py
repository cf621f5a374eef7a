"""Fuzzes one target whose parser is Python, with Atheris; the arguments after the name are those of libFuzzer.

Example: python -m tests.fuzz.python_fuzzer record -max_total_time=60 corpus_folder
"""

import sys


def main() -> None:
    """Run the fuzzer until its time is over or a check fails."""
    import atheris

    with atheris.instrument_imports(include=["fourfall"]):
        from tests.fuzz.targets import TARGETS

    name, *arguments = sys.argv[1:]
    atheris.Setup([sys.argv[0], *arguments], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
