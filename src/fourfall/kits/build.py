"""Runs the build command of a bot and collects what the compiler says."""

import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfall.system.processes import get_group_options, kill_group

_POLL_S = 0.05


@dataclass(frozen=True)
class BuildResult:
    """How a build ended: its output, its time, and whether it succeeded; a cancelled build has not."""

    succeeded: bool
    output: str
    seconds: float


def run_build(command: Sequence[str], result: Path, is_cancelled: Callable[[], bool]) -> BuildResult:
    """Run a build until it ends or is cancelled; it fails also if the file `result` is missing afterwards."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(  # noqa: S603 (the user's own build, which the user asked for)
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            **get_group_options(),  # an interrupt from the keyboard reaches only this process, which ends the build
        )
        while process.poll() is None and not is_cancelled():
            time.sleep(_POLL_S)
        if process.poll() is None:
            kill_group(process)
        code = process.wait()
        log.seek(0)
        output = log.read().decode(errors="replace")
    if code == 0 and not result.is_file():
        output += (
            f"make did not write {result}: the Makefile must write its result into the folder OUT and set the "
            "thinking time from MOVE_TIME_MS, as the Makefiles of fourfall new do\n"
        )
    return BuildResult(code == 0 and result.is_file(), output, time.monotonic() - begin)
