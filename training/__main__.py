"""Command line of the training code: `python -m training run`."""

import time

STARTED = time.monotonic()

import argparse  # noqa: E402 - the time of the imports counts as part of the run
import importlib.util  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

INSTALL = "training needs JAX; install it in the checkout with: pip install '.[train]'"

EXAMPLES = """\
examples:
  python -m training run training/configs/toy.toml --out runs/toy
      a small run on the processor, a few minutes
  python -m training run training/configs/from_scratch.toml --out runs/1 --seconds 560
      start a run, or resume the one in runs/1; stop after at most 560 seconds
  python -m training run training/configs/continue.toml --out runs/2 --from runs/1/checkpoint.npz
      start a new run with the networks of another one

files in the run's folder: checkpoint.npz, metrics.jsonl, compilation_cache.zip, and for each network NAME-SIZE.f4w
(weights) and NAME-SIZE.f4w.check.json (reference outputs). docs/learning.md explains the method and the formats.
"""


def create_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training",
        description="Train the evaluation network by self-play (needs JAX: pip install '.[train]').",
        epilog="`python -m training run --help` shows the options and examples.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser(
        "run",
        help="start a training run, or resume the one in its folder",
        description="Start a training run, or resume the one whose checkpoint is in the folder --out.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("config", type=Path, metavar="CONFIG", help="configuration of the run, a TOML file")
    run.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder of the run: checkpoint, metrics, exported networks; created if missing",
    )
    run.add_argument(
        "--seconds",
        type=float,
        default=float("inf"),
        metavar="S",
        help="maximum duration of this process in seconds; the run is saved before (default: no maximum)",
    )
    run.add_argument(
        "--total",
        type=float,
        metavar="S",
        help="duration of the whole run in seconds, including resumptions; replaces total_s and total_iterations",
    )
    run.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FILE",
        help="checkpoint (.npz) or weights file (.f4w) whose networks a new run starts with; ignored when resuming",
    )
    return parser


def main() -> int:
    """Run the command; return 2 and print one line for invalid input."""
    arguments = create_parser().parse_args()
    if importlib.util.find_spec("jax") is None:
        print(INSTALL, file=sys.stderr)
        return 2
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from fourfall.validation import InputError
    from training.checkpoint import CheckpointError
    from training.config import load_config
    from training.training_run import TrainingRun

    try:
        config = load_config(arguments.config)
        for option, seconds in (("--seconds", arguments.seconds), ("--total", arguments.total)):
            if seconds is not None and not seconds > 0:
                raise InputError(f"{option} must be above 0, not {seconds:g}")
        if arguments.total is not None:
            config = config.model_copy(update={"total_s": arguments.total, "total_iterations": 0})
        run = TrainingRun(config, arguments.out, STARTED, arguments.source)
    except (InputError, CheckpointError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{arguments.out}: {error.strerror}", file=sys.stderr)
        return 2
    try:
        run.run(arguments.seconds)
    except FloatingPointError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
