"""Owns running foreign code: in a process of its own behind the native host, jailed before its first instruction."""

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path

from fourfall import _core
from fourfall.agents.base import AgentError, Conditions, Fault
from fourfall.agents.command import named_files, resolve_command
from fourfall.agents.process import Pipes, Process

__all__ = ["Process", "Protection", "SandboxUnavailable", "lacking", "launch_library", "launch_program", "protections"]

# The few variables that foreign code gets; the host adds HOME and TMPDIR, the scratch folder.
ENVIRONMENT = {
    "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "USER": "nobody",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    # Each arena of the C library takes 64 MiB of address space, which is what the memory cap counts.
    "MALLOC_ARENA_MAX": "2",
}
# Further options of the host, for taking protections away in tests.
HOST_OPTIONS: tuple[str, ...] = ()


class SandboxUnavailable(ValueError):  # noqa: N818 (a state, not a mistake)
    """Foreign code was to be jailed and cannot be: this machine lacks protections. Nothing foreign has run."""


@dataclass(frozen=True)
class Protection:
    """One protection against foreign code: whether this machine offers it and whether nothing runs without it."""

    name: str
    available: bool
    essential: bool
    detail: str


def launch_program(
    argv: Sequence[str],
    conditions: Conditions,
    *,
    cpu_s: float,
    readable: Sequence[Path] = (),
    cwd: Path | None = None,
) -> Process:
    """Start a program in the jail, with pipes to its input and outputs.

    It may read the system's programs and libraries, the folders of the files that its command names, and `readable`;
    it may write into a scratch folder, which is also its working folder unless `cwd` names another. `cpu_s` caps the
    processor time of each of its processes.
    """
    command, named = resolve_command(argv)
    options = [] if cwd is None else ["--working-folder", str(cwd.absolute())]
    return _launch([*options, *_readable([*readable, *named]), "--", *command], conditions, cpu_s)


def launch_library(path: Path, conditions: Conditions, *, cpu_s: float) -> Process:
    """Load a strategy library in the jail; the process speaks the platform's text protocol for it.

    Its first message is `ready`. Messages that begin with an exclamation mark tell of trouble: `! cannot load`,
    `! interface missing`, `! exception`, `! memory exceeded`.
    """
    # Absolute, because the loader looks for bare names among the system's libraries.
    options = _readable(named_files([str(path.absolute())]))
    return _launch([*options, "--library", str(path.absolute())], conditions, cpu_s)


@cache
def protections() -> tuple[Protection, ...]:
    """Try which protections this machine offers."""
    essential = ("files", "calls", "processes", "user")
    try:
        told = subprocess.run([_host(), "--check"], capture_output=True, text=True, check=True, timeout=30).stdout  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        return tuple(Protection(name, False, True, str(error)) for name in essential)
    rows = [line.split("\t", 2) for line in told.splitlines()]
    return tuple(Protection(name, yes == "yes", name in essential, detail) for name, yes, detail in rows)


def lacking() -> tuple[Protection, ...]:
    """Return the essential protections that this machine lacks; with none lacking, foreign code can be jailed."""
    return tuple(protection for protection in protections() if protection.essential and not protection.available)


def _host() -> Path:
    return Path(_core.__file__).with_name("programs") / "fourfall-host"


def _readable(roots: Iterable[Path]) -> list[str]:
    return [word for root in dict.fromkeys(roots) for word in ("--readable", str(root.absolute()))]


def _launch(arguments: Sequence[str], conditions: Conditions, cpu_s: float) -> Process:
    started = time.perf_counter()
    whole_cpu_s = max(1, math.ceil(cpu_s))
    process = _start_host(
        [
            *("--parent-pid", str(os.getpid()), "--temporary-folder", tempfile.gettempdir()),
            *("--memory-mb", str(conditions.memory_mb), "--cpu-time", str(whole_cpu_s)),
            *([] if conditions.sandbox else ["--no-sandbox"]),
            *HOST_OPTIONS,
            *arguments,
        ],
        conditions.memory_mb,
        whole_cpu_s,
    )
    try:
        trouble = process.wait_started(started + conditions.startup_time_s)
    except BaseException:
        process.close()
        raise
    if not trouble:
        return process
    process.close()
    kind, _, reason = trouble.removeprefix("! ").partition(" ")
    if kind == "load":
        raise AgentError(Fault.CANNOT_LOAD, reason, time.perf_counter() - started)
    if not conditions.sandbox:
        raise SandboxUnavailable(f"foreign code cannot be run here: {reason}")
    advice = "fourfall doctor tells more, --no-sandbox runs it without a jail"
    raise SandboxUnavailable(f"foreign code cannot be jailed here: {reason}; {advice}")


def _start_host(options: Sequence[str], memory_mb: int, cpu_s: int) -> Process:
    input_read, input_write = os.pipe()
    output_read, output_write = os.pipe()
    errors_read, errors_write = os.pipe()
    status_read, status_write = os.pipe()
    life_read, life_write = os.pipe()
    ours = Pipes(input_write, output_read, errors_read, status_read, life_write)
    try:
        host = subprocess.Popen(  # noqa: S603 (running foreign programs is what this is for)
            [_host(), "--stop-fd", str(life_read), "--status-fd", str(status_write), *options],
            stdin=input_read,
            stdout=output_write,
            stderr=errors_write,
            env=ENVIRONMENT,
            pass_fds=(life_read, status_write),
            start_new_session=True,
        )
    except BaseException as error:
        for descriptor in astuple(ours):
            os.close(descriptor)
        if isinstance(error, OSError):
            raise SandboxUnavailable(f"the host of foreign code does not start: {error}") from None
        raise
    finally:
        for descriptor in (input_read, output_write, errors_write, status_write, life_read):
            os.close(descriptor)
    return Process(host, ours, memory_mb=memory_mb, cpu_s=cpu_s)
