"""Compiles programs of the study: ``python -m training.student generator trainer matches``."""

import argparse

from training.student.programs import compile_generator, compile_matches, compile_trainer

_COMPILERS = {"generator": compile_generator, "trainer": compile_trainer, "matches": compile_matches}


def main() -> None:
    """Compile the named programs into build/student."""
    parser = argparse.ArgumentParser(prog="python -m training.student", description="Compile programs of the study.")
    parser.add_argument("programs", nargs="+", choices=list(_COMPILERS), help="programs")
    for name in parser.parse_args().programs:
        _COMPILERS[name]()


if __name__ == "__main__":
    main()
