"""Starts third-party code in the sandbox: a process behind the native host, isolated before its first instruction.

Sandbox and host exist only on Linux. On other systems a program is started directly, and only if the conditions ask for
no sandbox.
"""

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fourfall import _core
from fourfall.agents.address import parse_address
from fourfall.agents.base import AgentError, Conditions, Fault
from fourfall.agents.command import resolve_command
from fourfall.agents.direct_process import DirectProcess
from fourfall.agents.permissions import Grant, grant_code, remove_redundant
from fourfall.agents.process import Process
from fourfall.system.support import describe_missing_host, describe_missing_sandbox, has_sandbox

if sys.platform == "linux":
    from fourfall.agents.sandbox.host_process import HostProcess, start_host

__all__ = [
    "Launch",
    "Process",
    "Protection",
    "SandboxUnavailable",
    "detect_protections",
    "find_missing_protections",
    "launch",
    "launch_library",
    "launch_program",
    "prepare_library",
    "prepare_program",
    "require_system_support",
]

# The environment of third-party code; the host adds HOME and TMPDIR, which are the scratch folder.
ENVIRONMENT = {
    "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "USER": "nobody",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    # Each arena of the C library takes 64 MiB of address space, which counts towards the memory limit.
    "MALLOC_ARENA_MAX": "2",
}
# Setting up the sandbox takes milliseconds, and longer on a busy machine.
SETUP_TIME_S = 30.0
# Further options of the host, with which tests remove protections.
HOST_OPTIONS: tuple[str, ...] = ()


class SandboxUnavailable(ValueError):  # noqa: N818 (a state of the machine, not an error in a value)
    """The sandbox cannot be set up on this machine or on its system. No third-party code has run."""


@dataclass(frozen=True)
class Protection:
    """One protection against third-party code.

    `is_available` says whether this machine offers it, `is_essential` whether the sandbox refuses to start without it,
    and `detail` how it works or why it is missing.
    """

    name: str
    is_available: bool
    is_essential: bool
    detail: str


@dataclass(frozen=True)
class Launch:
    """Third-party code to start: the host's words for it, the files that it may read, and its working folder.

    Without a working folder it works in its scratch folder.
    """

    words: tuple[str, ...]
    grants: tuple[Grant, ...]
    working_folder: Path | None = None

    def make_options(self) -> list[str]:
        """Return the options of the host."""
        options = [] if self.working_folder is None else ["--working-folder", str(self.working_folder)]
        for grant in self.grants:
            options += ["--listable" if grant.is_list_only else "--readable", str(grant.path)]
        return [*options, *self.words]


def prepare_program(argv: Sequence[str], readable: Sequence[Grant] = (), cwd: Path | None = None) -> Launch:
    """Find a program and what it may read: itself, the files that its arguments name, its interpreter, `readable`."""
    command, grants = resolve_command(argv, (cwd or Path()).absolute())
    working_folder = None if cwd is None else cwd.absolute()
    return Launch(("--", *command), tuple(remove_redundant([*readable, *grants])), working_folder)


def prepare_library(path: Path, readable: Sequence[Grant] = ()) -> Launch:
    """Prepare the start of a strategy library, which may read itself and `readable`."""
    # An absolute path, because the loader searches the system's folders for a name without a slash.
    path = path.absolute()
    grants = remove_redundant([*grant_code(path, "the agent's code"), *readable])
    return Launch(("--library", str(path)), tuple(grants))


def launch_program(
    argv: Sequence[str],
    conditions: Conditions,
    *,
    cpu_time_s: float,
    readable: Sequence[Grant] = (),
    cwd: Path | None = None,
) -> Process:
    """Start a program in the sandbox, with pipes to its standard streams; `prepare_program` lists what it may read.

    It may write into a scratch folder, which is also its working folder unless `cwd` is given. `cpu_time_s` limits the
    processor time of each of its processes.
    """
    return launch(prepare_program(argv, readable, cwd), conditions, cpu_time_s=cpu_time_s)


def launch_library(path: Path, conditions: Conditions, *, cpu_time_s: float, readable: Sequence[Grant] = ()) -> Process:
    """Load a strategy library in the sandbox; the host speaks the platform's text protocol for it.

    The first message is `ready`. Error messages begin with an exclamation mark: `! cannot load`, `! interface missing`,
    `! exception`, `! memory exceeded`.
    """
    return launch(prepare_library(path, readable), conditions, cpu_time_s=cpu_time_s)


def launch(wanted: Launch, conditions: Conditions, *, cpu_time_s: float, options: Sequence[str] = ()) -> Process:
    """Start prepared third-party code in the sandbox; `options` are further options of the host.

    On systems other than Linux: SandboxUnavailable, unless the conditions ask for no sandbox; then a program is started
    without any limits.
    """
    if sys.platform == "linux":
        return _launch_behind_host(wanted, conditions, cpu_time_s, options)
    else:  # noqa: RET505 (the type checker skips this branch on Linux)
        _refuse_without_host(is_sandboxed=conditions.sandbox or bool(options), has_library=wanted.words[0] != "--")
        return DirectProcess(wanted.words[1:], wanted.working_folder)


def require_system_support(addresses: Iterable[str], *, is_sandboxed: bool) -> None:
    """Raise SandboxUnavailable if this system cannot run the third-party agents among these."""
    kinds = {parse_address(address).kind for address in addresses} - {""}
    if kinds and not has_sandbox():
        _refuse_without_host(is_sandboxed=is_sandboxed, has_library="library" in kinds)


def _refuse_without_host(*, is_sandboxed: bool, has_library: bool) -> None:
    if has_library:
        raise SandboxUnavailable(describe_missing_host())
    if is_sandboxed:
        raise SandboxUnavailable(describe_missing_sandbox())


@cache
def detect_protections() -> tuple[Protection, ...]:
    """Return all protections, and whether this machine offers them; the host tests each one."""
    essential = ("files", "calls", "processes", "user")
    if not has_sandbox():
        return tuple(Protection(name, False, True, "exists only on Linux") for name in essential)
    try:
        output = subprocess.run(  # noqa: S603 (our own program)
            [_get_host_path(), "--check"], env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=30
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return tuple(Protection(name, False, True, str(error)) for name in essential)
    rows = [line.split("\t", 2) for line in output.splitlines()]
    return tuple(Protection(name, yes == "yes", name in essential, detail) for name, yes, detail in rows)


def find_missing_protections() -> tuple[Protection, ...]:
    """Return the essential protections that this machine lacks; if there are none, the sandbox can be used."""
    return tuple(
        protection for protection in detect_protections() if protection.is_essential and not protection.is_available
    )


def _get_host_path() -> Path:
    return Path(_core.__file__).with_name("programs") / "fourfall-host"


if sys.platform == "linux":

    def _launch_behind_host(
        wanted: Launch, conditions: Conditions, cpu_time_s: float, options: Sequence[str]
    ) -> HostProcess:
        begin = time.perf_counter()
        whole_cpu_time_s = max(1, math.ceil(cpu_time_s))
        words = [
            *("--parent-pid", str(os.getpid()), "--temporary-folder", tempfile.gettempdir()),
            *("--memory-mb", str(conditions.memory_mb), "--cpu-time", str(whole_cpu_time_s)),
            *([] if conditions.sandbox else ["--no-sandbox"]),
            *([] if conditions.core is None else ["--core", str(conditions.core)]),
            *HOST_OPTIONS,
            *options,
            *wanted.make_options(),
        ]
        try:
            process = start_host(_get_host_path(), words, ENVIRONMENT, conditions.memory_mb, whole_cpu_time_s)
        except OSError as error:
            raise SandboxUnavailable(f"the host of third-party code does not start: {error}") from None
        try:
            error_message = process.wait_until_started(begin + max(conditions.startup_time_s, SETUP_TIME_S))
        except BaseException:
            process.close()
            raise
        if not error_message:
            return process
        process.close()
        kind, _, reason = error_message.removeprefix("! ").partition(" ")
        if kind == "load":
            raise AgentError(Fault.CANNOT_LOAD, reason, time.perf_counter() - begin)
        if not conditions.sandbox:
            raise SandboxUnavailable(f"cannot run third-party code: {reason}")
        advice = "run 'fourfall doctor' for details, or use --no-sandbox to run the code without protection"
        raise SandboxUnavailable(f"cannot set up the sandbox for third-party code: {reason}; {advice}")
