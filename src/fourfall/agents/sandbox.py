"""Owns running foreign code: in a process of its own behind the native host, jailed before its first instruction."""

import contextlib
import math
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from fourfall.agents.base import AgentError, Fault, Terms
from fourfall.agents.process import Pipes, Process

__all__ = ["Process", "Protection", "SandboxUnavailable", "lacking", "launch_library", "launch_program", "protections"]

# Folders that many share: a program there may read itself, not its neighbours.
SHARED_FOLDERS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/var", "/mnt", "/opt", "/srv")  # noqa: S108

# The few variables that foreign code gets; the host adds HOME and TMPDIR, the scratch folder.
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
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
    terms: Terms,
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
    program = _find_program(argv[0])
    roots = [*readable, *_named_files([str(program), *argv[1:]])]
    if program.resolve() == Path(sys.executable).resolve():
        roots += [Path(sys.prefix), Path(sys.base_prefix)]
    options = [] if cwd is None else ["--working-folder", str(cwd.absolute())]
    return _launch([*options, *_readable(roots), "--", str(program), *argv[1:]], terms, cpu_s)


def launch_library(path: Path, terms: Terms, *, cpu_s: float) -> Process:
    """Load a strategy library in the jail; the process speaks the platform's text protocol for it.

    Its first message is `ready`. Messages that begin with an exclamation mark tell of trouble: `! cannot load`,
    `! interface missing`, `! exception`, `! memory exceeded`.
    """
    # Absolute, because the loader looks for bare names among the system's libraries.
    options = _readable(_named_files([str(path.absolute())]))
    return _launch([*options, "--library", str(path.absolute())], terms, cpu_s)


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
    return Path(str(resources.files("fourfall") / "programs" / "fourfall-host"))


def _find_program(word: str) -> Path:
    """Find a program as a shell would."""
    found = shutil.which(word)
    if found is not None:
        return Path(found).absolute()
    path = Path(word).absolute()
    if "/" in word and path.exists():
        reason = "is a folder" if path.is_dir() else "is not executable"
    else:
        reason = "no such program"
    raise AgentError(Fault.CANNOT_LOAD, f"{word}: {reason}")


def _named_files(words: Iterable[str]) -> list[Path]:
    """Return what a command may read because it names it: folders, and files with the folders they lie in."""
    found: list[Path] = []
    for word in filter(None, words):
        with contextlib.suppress(OSError, ValueError):  # words that cannot be names
            path = Path(word).absolute()
            if path.is_dir():
                found += [path, path.resolve()]
            elif path.exists():
                # A link may be followed, so both its own folder and that of the file count.
                found += [place for name in (path, path.resolve()) for place in (name, name.parent)]
    return [place for place in dict.fromkeys(found) if not (place.is_dir() and _is_shared(place))]


def _is_shared(folder: Path) -> bool:
    """Whether a folder is a home, above one, or used by many, so that naming a file in it does not open it."""
    homes = [Path.home()]
    with contextlib.suppress(KeyError):
        homes.append(Path(pwd.getpwuid(os.getuid()).pw_dir))
    return str(folder) in SHARED_FOLDERS or any(folder == home or folder in home.parents for home in homes)


def _readable(roots: Iterable[Path]) -> list[str]:
    return [word for root in dict.fromkeys(roots) for word in ("--readable", str(root.absolute()))]


def _launch(arguments: Sequence[str], terms: Terms, cpu_s: float) -> Process:
    started = time.perf_counter()
    whole_cpu_s = max(1, math.ceil(cpu_s))
    process = _start_host(
        [
            *("--parent", str(os.getpid()), "--temporary", tempfile.gettempdir()),
            *("--memory", str(terms.memory_mb), "--cpu", str(whole_cpu_s)),
            *([] if terms.sandbox else ["--no-jail"]),
            *HOST_OPTIONS,
            *arguments,
        ],
        terms.memory_mb,
        whole_cpu_s,
    )
    try:
        trouble = process.wait_started(started + terms.startup_s)
    except BaseException:
        process.close()
        raise
    if not trouble:
        return process
    process.close()
    kind, _, reason = trouble.removeprefix("! ").partition(" ")
    if kind == "load":
        raise AgentError(Fault.CANNOT_LOAD, reason, time.perf_counter() - started)
    advice = "; --no-sandbox runs it without a jail" if terms.sandbox else ""
    raise SandboxUnavailable(f"foreign code cannot be {'jailed' if terms.sandbox else 'run'} here: {reason}{advice}")


def _start_host(options: Sequence[str], memory_mb: int, cpu_s: int) -> Process:
    input_read, input_write = os.pipe()
    output_read, output_write = os.pipe()
    errors_read, errors_write = os.pipe()
    status_read, status_write = os.pipe()
    life_read, life_write = os.pipe()
    ours = Pipes(input_write, output_read, errors_read, status_read, life_write)
    try:
        host = subprocess.Popen(  # noqa: S603 (running foreign programs is what this is for)
            [_host(), "--life", str(life_read), "--status", str(status_write), *options],
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
