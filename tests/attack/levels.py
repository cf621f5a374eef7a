"""Levels of protection: what `fourfall doctor` can find on a machine, simulated on this one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from unittest.mock import patch

from fourfall.agents import sandbox
from tests.agents.conftest import HostileAgents


@dataclass(frozen=True)
class Level:
    """A level of protection. `missing` is the feature that the kernel seems to lack, such as `no-namespaces`.

    `options` are options of the host that remove protections. At a level that is refused, no third-party code runs.
    """

    name: str
    missing: str = ""
    options: tuple[str, ...] = ()
    has_sandbox: bool = True
    has_namespaces: bool = True
    has_mounts: bool = True
    has_proc: bool = True
    is_refused: bool = False

    @contextmanager
    def apply(self, hostile: HostileAgents) -> Iterator[None]:
        """Let third-party code run at this level."""
        host = hostile.host_without(self.missing) if self.missing else sandbox._get_host_path()
        with patch.object(sandbox, "_get_host_path", lambda: host), patch.object(sandbox, "HOST_OPTIONS", self.options):
            yield


FULL = Level("full")
NO_CGROUPS = Level("without cgroups", options=("--cgroups", "none"))
NO_PROC = Level("without private /proc", "no-proc", has_proc=False)
NO_MOUNTS = Level("without mounts", "no-mounts", has_mounts=False, has_proc=False)
NO_NAMESPACES = Level("without namespaces", "no-namespaces", has_namespaces=False, has_mounts=False, has_proc=False)
WEAKEST = replace(NO_NAMESPACES, name="without namespaces and cgroups", options=("--cgroups", "none"))
NO_LANDLOCK = Level("without Landlock", "no-landlock", is_refused=True)
NO_SECCOMP = Level("without seccomp", "no-seccomp", is_refused=True)
NO_SANDBOX = Level("--no-sandbox", has_sandbox=False, has_namespaces=False, has_mounts=False, has_proc=False)
LEVELS = (FULL, NO_CGROUPS, NO_PROC, NO_MOUNTS, NO_NAMESPACES, WEAKEST, NO_LANDLOCK, NO_SECCOMP, NO_SANDBOX)


def list_levels() -> list[Level]:
    """Return the levels that this machine can show; without namespaces of its own, the levels that need them miss."""
    available = {protection.name for protection in sandbox.detect_protections() if protection.is_available}
    wanted = {"namespaces": "has_namespaces", "mounts": "has_mounts", "proc": "has_proc"}
    return [
        level
        for level in LEVELS
        if all(name in available or not getattr(level, attribute) for name, attribute in wanted.items())
        or level.is_refused
    ]
