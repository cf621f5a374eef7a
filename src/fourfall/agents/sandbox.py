"""Owns running foreign code: in a process of its own behind the native host, jailed before its first instruction."""

import contextlib
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from fourfall.agents.base import AgentError, Fault, Terms
from fourfall.agents.process import Process

__all__ = ["Process", "Protection", "SandboxUnavailable", "launch_library", "launch_program", "protections"]

# Folders that many share: a program there may read itself, not its neighbours.
SHARED_FOLDERS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/var", "/mnt", "/opt", "/srv")  # noqa: S108


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
    essential = ("files", "calls", "processes")
    with resources.as_file(_host()) as host:
        try:
            told = subprocess.run([host, "--check"], capture_output=True, text=True, check=True, timeout=30).stdout  # noqa: S603
        except (OSError, subprocess.SubprocessError) as error:
            return tuple(Protection(name, False, True, str(error)) for name in essential)
    rows = [line.split("\t", 2) for line in told.splitlines()]
    return tuple(Protection(name, yes == "yes", name in essential, detail) for name, yes, detail in rows)


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
    """Return what a command may read because it names it: files, with their folders if nobody else lives there."""
    found = []
    for word in words:
        with contextlib.suppress(OSError, ValueError):
            path = Path(word).absolute()
            if path.exists():
                # A link may be followed, so both its own folder and that of the file count.
                found += [place for name in (path, path.resolve()) for place in (name, name.parent)]
    return [place for place in dict.fromkeys(found) if not _is_shared(place)]


def _is_shared(folder: Path) -> bool:
    """Whether a folder is a home, above one, or used by many, so that naming a file in it does not open it."""
    if not folder.is_dir():
        return False
    homes = {Path.home(), Path(os.path.expanduser(f"~{os.environ.get('USER', '')}"))}
    return str(folder) in SHARED_FOLDERS or any(home == folder or folder in home.parents for home in homes)


def _readable(roots: Iterable[Path]) -> list[str]:
    return [word for root in dict.fromkeys(roots) for word in ("--readable", str(root.absolute()))]


def _environment() -> dict[str, str]:
    """Return the few variables that foreign code gets; the host adds HOME and TMPDIR, the scratch folder."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "USER": "nobody",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        # Each arena of the C library takes 64 MiB of address space, which is what the memory cap counts.
        "MALLOC_ARENA_MAX": "2",
    }


def _launch(arguments: Sequence[str], terms: Terms, cpu_s: float) -> Process:
    started = time.perf_counter()
    life_read, life = os.pipe()
    status, status_write = os.pipe()
    command = [
        str(_host()),
        *("--life", str(life_read), "--status", str(status_write), "--parent", str(os.getpid())),
        *("--memory", str(terms.memory_mb), "--cpu", str(max(1, math.ceil(cpu_s)))),
        *("--temporary", tempfile.gettempdir()),
        *([] if terms.sandbox else ["--no-jail"]),
        *arguments,
    ]
    try:
        host = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=_environment(),
            pass_fds=(life_read, status_write),
        )
    except OSError:
        os.close(life)
        os.close(status)
        raise
    finally:
        os.close(life_read)
        os.close(status_write)
    process = Process(host, life, status, terms.memory_mb)
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
    raise SandboxUnavailable(f"foreign code cannot be jailed here: {reason}; --no-sandbox runs it without a jail")
