"""Experiments that play events of the arena: specs in the package, sizes, opponents and the analysis of the records."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import count_games
from fourfall.arena.spec import Entrant, Group, Spec
from fourfall.arena.spec_file import parse_spec
from fourfall.experiments.experiment import Experiment, ExperimentError, Report
from fourfall.experiments.records import read_records
from fourfall.experiments.run import ExperimentRun, RunSettings

Records = Mapping[str, Sequence[GameRecord]]
"""The records of each event, by the name of its spec."""

FIELD = "field"
"""Name of the group whose opponents the option --samples replaces."""

_MAX_LISTED = 4  # numbers of simulations in the description of a size
_SIMULATIONS = re.compile(r"\bsimulations=(\d+)")


@dataclass(frozen=True)
class QuickSize:
    """Size of a quick run: at most so many pairs per pairing, simulations per move, and opponents in the field."""

    pairs: int = 1
    simulations: int = 100
    opponents: int = 3


@dataclass(frozen=True)
class EventExperiment(Experiment):
    """An experiment that plays events and analyses their records.

    Attributes:
        specs: Names of spec files in the folder ``specs`` of this package, without ``.toml``.
        analyse: Makes the report of complete or incomplete records; it must not depend on anything else.
        quick: Size of a quick run.
    """

    specs: tuple[str, ...]
    analyse: Callable[[Records, RunSettings], Report]
    quick: QuickSize = QuickSize()

    def load_specs(self, settings: RunSettings) -> dict[str, Spec]:
        """Return the specs in the size and with the opponents of the settings."""
        return {name: self._adapt(load_packaged_spec(name), settings) for name in self.specs}

    def check_options(self, settings: RunSettings, workers: int | None, cluster: str | None) -> None:
        """Refuse samples if no group has opponents that they could replace."""
        if settings.samples and not any(
            group.name == FIELD for spec in self.load_specs(RunSettings()).values() for group in spec.groups
        ):
            raise ExperimentError(
                f"--samples: the experiment {self.name} has only games between variants of a system; omit --samples"
            )

    def describe_size(self, settings: RunSettings) -> str:
        """Describe the number of games and of simulations per move."""
        specs = self.load_specs(settings).values()
        games = sum(map(count_games, specs))
        found = {
            int(number) for spec in specs for agent in spec.agents for number in _SIMULATIONS.findall(agent.address)
        }
        listed = " or ".join(f"{number:,}" for number in sorted(found))
        if len(found) > _MAX_LISTED:
            listed = f"{min(found):,} to {max(found):,}"
        return f"{games:,} games" + (f", {listed} simulations per move" if listed else "")

    def run(self, run: ExperimentRun) -> Report:
        """Play the missing games and analyse all."""
        records, _ = run.play(self.load_specs(run.settings))
        return self._report(records, run.settings)

    def load_report(self, folder: Path, settings: RunSettings) -> Report:
        """Analyse the records in a folder."""
        return self._report({name: read_records(folder / f"{name}.jsonl.xz") for name in self.specs}, settings)

    def _report(self, records: Records, settings: RunSettings) -> Report:
        played = sum(map(len, records.values()))
        planned = sum(map(count_games, self.load_specs(settings).values()))
        missing = f"{played:,} of {planned:,} games were played" if played < planned else ""
        return replace(self.analyse(records, settings), missing=missing)

    def _adapt(self, spec: Spec, settings: RunSettings) -> Spec:
        if settings.quick:
            spec = shrink_spec(spec, self.quick)
        if settings.samples:
            spec = replace_field(spec, settings.samples, settings.quick and self.quick.opponents)
        return replace(spec, sandbox=settings.sandbox)


def load_packaged_spec(name: str) -> Spec:
    """Read a spec of this package.

    >>> load_packaged_spec("002-final-choice").seed
    232
    """
    from fourfall.validation import parse_toml

    text = (resources.files(__package__) / "specs" / f"{name}.toml").read_text(encoding="utf-8")
    return parse_spec({"name": name} | parse_toml(text, f"{name}.toml"), f"{name}.toml")


def shrink_spec(spec: Spec, size: QuickSize) -> Spec:
    """Reduce pairs, simulations and the field of a spec to those of a quick run."""
    agents = tuple(replace(agent, address=_limit_simulations(agent.address, size.simulations)) for agent in spec.agents)
    groups = tuple(
        replace(group, pairs=min(group.pairs, size.pairs), agents=_choose_members(group, size.opponents))
        for group in spec.groups
    )
    used = {name for group in groups for name in group.agents}
    return replace(spec, agents=tuple(agent for agent in agents if agent.name in used), groups=groups)


def replace_field(spec: Spec, samples: Sequence[str], limit: int = 0) -> Spec:
    """Replace the opponents of the group `FIELD` by other agents, at most `limit` of them if it is positive.

    Each plays one pair against each challenger, as on the course's platform, at 3 s per move.
    """
    chosen = [samples[at] for at in _spread(len(samples), limit or len(samples))]
    entrants = tuple(Entrant(Path(address).stem, address) for address in chosen)
    groups = tuple(
        replace(group, agents=(*group.challengers, *(entrant.name for entrant in entrants)), pairs=1)
        if group.name == FIELD
        else group
        for group in spec.groups
    )
    used = {name for group in groups for name in group.agents}
    agents = tuple(agent for agent in spec.agents if agent.name in used)
    return replace(spec, agents=agents + tuple(entrant for entrant in entrants if entrant.name in used), groups=groups)


def _limit_simulations(address: str, limit: int) -> str:
    return _SIMULATIONS.sub(lambda found: f"simulations={min(int(found[1]), limit)}", address)


def _choose_members(group: Group, opponents: int) -> tuple[str, ...]:
    if group.name != FIELD:
        return group.agents
    others = [name for name in group.agents if name not in group.challengers]
    return (*group.challengers, *(others[at] for at in _spread(len(others), opponents)))


def _spread(count: int, wanted: int) -> list[int]:
    """Choose evenly spaced indices, with the first and the last one.

    >>> _spread(10, 3), _spread(2, 3), _spread(5, 1)
    ([0, 4, 9], [0, 1], [0])
    """
    wanted = min(count, wanted)
    return [at * (count - 1) // max(wanted - 1, 1) for at in range(wanted)]
