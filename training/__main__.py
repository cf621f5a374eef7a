"""Owns the command `python -m training`: run, export."""

import time

STARTED = time.monotonic()

import argparse  # noqa: E402 - the clock starts before anything slow
import dataclasses  # noqa: E402
import importlib.util  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402


def main() -> int:
    """Run the command; bad input is one line and exit code 2."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description="Train the learned evaluation by self-play."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="start a run, or go on with the one in its folder")
    run.add_argument("settings", type=Path, help="the run's settings, a TOML file")
    run.add_argument("--out", type=Path, required=True, help="the run's folder: checkpoint, curves, exported networks")
    run.add_argument("--seconds", type=float, default=float("inf"), help="stop in good order before so many seconds")
    run.add_argument("--total", type=float, help="seconds of the whole run, instead of the settings' total_s")
    run.add_argument(
        "--from", dest="source", type=Path, help="begin a new run with a checkpoint's networks, or with a weights file"
    )
    arguments = parser.parse_args()
    if importlib.util.find_spec("jax") is None:
        print("training needs JAX: pip install 'fourfall[train]'", file=sys.stderr)
        return 2
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from training.checkpoint import CheckpointError
    from training.run import Run
    from training.settings import SettingsError, load

    try:
        settings = load(arguments.settings)
        if arguments.total is not None:
            settings = dataclasses.replace(settings, total_s=arguments.total, total_iterations=0)
        if not arguments.seconds > 0 or not (arguments.total is None or arguments.total > 0):
            raise SettingsError("--seconds and --total must be above 0")
        run = Run(settings, arguments.out, STARTED, arguments.source)
    except (SettingsError, CheckpointError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{arguments.out}: {error.strerror}", file=sys.stderr)
        return 2
    try:
        run.drive(arguments.seconds)
    except FloatingPointError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
