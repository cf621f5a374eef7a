"""Runs the attempts and attacks of hostile agents and compares their results with what is expected."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from fourfall.agents.base import AgentError
from fourfall.agents.registry import open_agent
from fourfall.agents.sandbox import SandboxUnavailable
from tests.agents.conftest import HostileAgents
from tests.attack.attempts import ALLOWED, BATTERIES, REFUSED, Battery, Surroundings, classify
from tests.attack.behaviour import BOARD, CONDITIONS, list_behaviours
from tests.attack.hostile_kinds import HostileKinds
from tests.attack.levels import Level

_NOBODY = 65534


@dataclass(frozen=True)
class Result:
    """One attempt: by which kind of agent, at which level, what was expected and what was found."""

    level: str
    kind: str
    subject: str
    name: str
    expected: str
    found: str

    @property
    def is_expected(self) -> bool:
        """Whether the attempt ended as expected."""
        return self.expected == self.found


@dataclass(frozen=True)
class Campaign:
    """Hostile agents and what surrounds them."""

    kinds: HostileKinds
    surroundings: Surroundings

    def attack(self, level: Level, kinds: Sequence[str], *, behaves: bool = True) -> Iterator[Result]:
        """Yield the results of all attempts at a level; `behaves` includes the attacks by behaviour, which are slow."""
        with level.apply(self.kinds.hostile):
            for kind in kinds:
                if level.is_refused:
                    yield self._expect_refusal(level, kind)
                    continue
                for battery in BATTERIES:
                    yield from self._try_battery(level, kind, battery)
                for attack in list_behaviours(kind, level) if behaves and level.has_sandbox else ():
                    found = attack.run(self.kinds, kind, level)
                    yield Result(level.name, kind, attack.subject, attack.name, attack.expected, found)
        changes = self.surroundings.list_changes()
        found = f"changed: {', '.join(changes)}" if changes else "unchanged"
        yield Result(level.name, "all", "files of the user", "all attempts", "unchanged", found)

    def _try_battery(self, level: Level, kind: str, battery: Battery) -> Iterator[Result]:
        """Run the action of a battery and yield a result for each of its lines."""
        if not level.has_sandbox and not battery.baseline:
            return
        lines = self._perform(level, kind, battery)
        if not lines:
            yield Result(level.name, kind, battery.subject, battery.action, "a report", "no report")
        for name, result in lines:
            found = classify(battery, name, result)
            if not level.has_sandbox and battery.subject != "environment":
                if not any(fnmatch(name, pattern) for pattern in battery.baseline):
                    continue
                expected = ALLOWED
            else:
                expected = ALLOWED if battery.allowed(kind, level, name) else REFUSED
            yield Result(level.name, kind, battery.subject, name, expected, found)

    def _perform(self, level: Level, kind: str, battery: Battery) -> list[tuple[str, str]]:
        address = self.kinds.make_agent(kind, battery.action, battery.get_target(self.surroundings))
        agent = open_agent(address, replace(CONDITIONS, sandbox=level.has_sandbox), self.kinds.folder)
        try:
            with suppress(AgentError):  # most hostile agents do not speak the protocol
                agent.start(BOARD.copy())
                agent.play(BOARD.copy())
        finally:
            agent.close()
        pairs = [line.rpartition(":") for line in agent.stderr.splitlines() if ":" in line]
        return [(name, result.strip()) for name, _, result in pairs if not name.startswith((" ", "Traceback"))]

    def _expect_refusal(self, level: Level, kind: str) -> Result:
        """Try to start an agent at a level at which the sandbox cannot be set up."""
        agent = open_agent(self.kinds.make_agent(kind, "show-environment"), CONDITIONS, self.kinds.folder)
        try:
            agent.start(BOARD.copy())
            found = "started"
        except SandboxUnavailable:
            found = "not started"
        finally:
            agent.close()
        return Result(level.name, kind, "start", "any agent", "not started", found)


@contextmanager
def prepare_campaign(folder: Path, hostile: HostileAgents) -> Iterator[Campaign]:
    """Prepare agents and surroundings in a folder, and a process outside the sandbox that must not be touched.

    The process has the user that runs third-party code: the user alone would not protect it.
    """
    agents, private = folder / "agents", folder / "private"
    agents.mkdir()
    private.mkdir()
    user = _NOBODY if os.geteuid() == 0 else None
    with subprocess.Popen(["sleep", "3600"], user=user) as other:
        try:
            yield Campaign(HostileKinds(agents, hostile), Surroundings(private, agents, other.pid))
        finally:
            other.kill()


@contextmanager
def prepare_temporary_campaign() -> Iterator[Campaign]:
    """Compile the hostile agents and prepare a campaign in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="attack-") as name:
        folder = Path(name)
        (folder / "hostile").mkdir()
        with prepare_campaign(folder, HostileAgents(folder / "hostile")) as campaign:
            yield campaign
