"""Builds and plays one version of a bot after another until the user interrupts."""

import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime

from fourfall.agents.registry import check_address
from fourfall.arena.event_runner import run_event
from fourfall.arena.executor import GameExecutor
from fourfall.arena.grading import find_start_failure
from fourfall.arena.spec import Entrant, Spec
from fourfall.arena.store import Store
from fourfall.cli.event_runner import choose_cores, require_sandbox
from fourfall.cli.watch_display import WatchView, create_watch_display
from fourfall.kits.bot_project import BotProject, Snapshot
from fourfall.kits.build import run_build
from fourfall.kits.version_score import Version

_POLL_S = 0.5  # between two looks at the source files
_WAIT_S = 0.1


@dataclass(frozen=True)
class MatchSettings:
    """How each version is played: the address of the opponent, time per move, pairs of games, random seed, sandbox."""

    opponent: str
    move_time_s: float
    pairs: int
    seed: int
    sandbox: bool


class StopCondition:
    """Says whether the current version must stop: the user pressed Ctrl-C, or a source file has changed."""

    def __init__(self, project: BotProject) -> None:
        self.is_interrupted = False
        self._project = project
        self._snapshot: Snapshot = {}
        self._checked_at = 0.0
        self._has_changed = False

    def start_version(self) -> None:
        """Take the present sources as those of the current version, after editors have finished saving them."""
        self._snapshot = self._project.take_snapshot()
        while not self.is_interrupted:
            time.sleep(_WAIT_S)
            latest = self._project.take_snapshot()
            if latest == self._snapshot:
                break
            self._snapshot = latest
        self._has_changed = False

    def __call__(self) -> bool:
        """Return whether to stop; the files are checked every half second."""
        if time.monotonic() >= self._checked_at + _POLL_S and not self._has_changed:
            self._checked_at = time.monotonic()
            self._has_changed = self._project.take_snapshot() != self._snapshot
        return self.is_interrupted or self._has_changed

    def wait(self) -> None:
        """Wait until there is a reason to stop."""
        while not self():
            time.sleep(_WAIT_S)

    @contextmanager
    def handle_interrupts(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM set the condition instead of raising an exception."""

        def interrupt(_signal: int, _frame: object) -> None:
            self.is_interrupted = True

        previous = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


class WatchSession:
    """One run of the command: the versions of a bot and their games."""

    def __init__(self, project: BotProject, settings: MatchSettings, store: Store, workers: int | None) -> None:
        self._project = project
        self._settings = settings
        self._store = store
        self._address = project.make_address(settings.move_time_s)
        self._command = project.make_build_command(settings.move_time_s)
        if self._command is None:
            check_address(self._address)
        spec = self._make_spec(project.name)
        require_sandbox(spec)
        self._cores = choose_cores(spec, workers, pin=True)
        self._stop = StopCondition(project)
        self._view = WatchView(project.name, settings.opponent, settings.move_time_s, settings.pairs, store.path)

    def run(self, *, once: bool) -> bool:
        """Build and play versions until Ctrl-C, or one version; return whether the last one could be played."""
        with self._stop.handle_interrupts(), create_watch_display(self._view) as display:
            is_playable = self._run_version()
            while not once and self._wait_for_change():
                is_playable = self._run_version()
            display.finish()
        return is_playable

    def _run_version(self) -> bool:
        self._stop.start_version()
        return self._build() and self._play()

    def _wait_for_change(self) -> bool:
        """Wait until a source file changes; return False after Ctrl-C."""
        if not self._stop():
            self._view.set_state("waiting for a change of the source files")
        self._stop.wait()
        if self._stop.is_interrupted:
            return False
        self._view.set_state("the source files have changed")
        return True

    def _build(self) -> bool:
        """Build the current version; return whether there is something to play."""
        if self._command is None:
            return True
        self._view.set_state("building")
        path = self._project.find_agent_path(self._settings.move_time_s)
        result = run_build(self._command, path, self._stop)
        if not self._stop():
            self._view.set_build(result)
        return result.succeeded

    def _play(self) -> bool:
        """Play the current version until it has played all pairs or must stop; return whether it could start."""
        name = f"{self._project.name} {datetime.now().astimezone():%m-%d %H:%M:%S}"
        version = Version(len(self._view.versions) + 1, name, self._settings.opponent)
        self._view.add_version(version)
        event = self._store.create_event(self._make_spec(name))

        def start(executor: GameExecutor) -> None:
            executor.is_cancelled = self._stop

        with closing(run_event(self._store, event, self._cores, start)) as records:
            for record in records:
                self._view.add_record(record)
                if find_start_failure(version.records, name) is not None:
                    self._view.set_state("the bot fails before its first move")
                    return False
        if not self._stop():
            self._view.end_version()
        return True

    def _make_spec(self, name: str) -> Spec:
        limits = self._settings
        return Spec.match(
            Entrant(name, self._address, limits.move_time_s),
            limits.opponent,
            pairs=limits.pairs,
            move_time_s=limits.move_time_s,
            seed=limits.seed,
            sandbox=limits.sandbox,
        )
