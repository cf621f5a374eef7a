"""Owns the written form of a tournament: who plays, on which boards, how often, and under which limits."""

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fourfall._core import Board
from fourfall.agents.base import Conditions
from fourfall.agents.registry import resolve_paths
from fourfall.arena.opening import opened
from fourfall.arena.reading import Section, SpecError
from fourfall.arena.sprt import MAX_ELO, Sprt

__all__ = ["Entrant", "Group", "Spec", "SpecError", "gauntlet_spec", "match_spec"]

Check = Callable[[str], None]
"""Raises a ValueError that says what is wrong with an address."""

ROUND_ROBIN, GAUNTLET = "round-robin", "gauntlet"
FORMATS = (ROUND_ROBIN, GAUNTLET)
MAX_PAIRS, MAX_OPENING, MAX_SEED = 1_000_000, 40, 2**64 - 1


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part: its name in every table, its address, and its limits."""

    name: str
    address: str
    move_time_s: float = Conditions.move_time_s
    startup_time_s: float = Conditions.startup_time_s
    memory_mb: int = Conditions.memory_mb


@dataclass(frozen=True)
class Group:
    """A tournament of its own within a spec: who plays whom, and how many pairs of games each pairing has.

    In a round robin everyone plays everyone. In a gauntlet each challenger plays each of the others, and challengers
    do not meet.
    """

    name: str
    format: str
    agents: tuple[str, ...]
    challengers: tuple[str, ...]
    pairs: int

    def pairings(self) -> list[tuple[str, str]]:
        """List who meets whom; an agent added at the end adds pairings at the end.

        >>> Group("", "round-robin", ("a", "b", "c"), (), 1).pairings()
        [('a', 'b'), ('a', 'c'), ('b', 'c')]
        >>> Group("", "gauntlet", ("me", "b", "c"), ("me",), 1).pairings()
        [('me', 'b'), ('me', 'c')]
        """
        if self.format == GAUNTLET:
            field = [name for name in self.agents if name not in self.challengers]
            return [(challenger, other) for other in field for challenger in self.challengers]
        return [(one, other) for at, other in enumerate(self.agents) for one in self.agents[:at]]


@dataclass(frozen=True)
class Spec:
    """A tournament, complete: a schedule follows from it and nothing else.

    `boards` are positions to begin from, used in turn; when there are none, boards come from the official
    distribution. `opening` is the number of random moves made before the agents begin. `sandbox` is no key of a file:
    whether foreign code is jailed is for whoever starts the tournament to say. A match with an `sprt` ends as soon as
    its test is decided; its schedule is then the most that is played.
    """

    name: str
    agents: tuple[Entrant, ...]
    groups: tuple[Group, ...]
    boards: tuple[str, ...] = ()
    opening: int = 0
    seed: int = 0
    sandbox: bool = True
    sprt: Sprt | None = None

    def entrant(self, name: str) -> Entrant:
        """Return the agent of that name."""
        return next(agent for agent in self.agents if agent.name == name)

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """The names of the agents of each group."""
        return {group.name: group.agents for group in self.groups}

    @classmethod
    def load(cls, path: Path, check: Check | None = None) -> "Spec":
        """Read a spec from a TOML file; paths in its addresses are relative to the file."""
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SpecError(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise SpecError(f"{path}: not a text file") from None
        except ValueError as error:
            raise SpecError(f"{path}: {error}") from None
        if "sandbox" in values:
            raise SpecError(f"{path}: sandbox is not for a file to decide; give --no-sandbox on the command line")
        return cls.from_dict({"name": path.stem} | values, str(path), path.absolute().parent, check)

    @classmethod
    def from_dict(
        cls, values: Mapping[str, Any], where: str = "spec", base: Path | None = None, check: Check | None = None
    ) -> "Spec":
        """Make a spec of plain data, as in the file or from `to_dict`; `where` begins every complaint."""
        top = Section(where, "", values)
        name = top.text("name")
        style = top.choice("format", FORMATS, ROUND_ROBIN)
        pairs = top.whole("pairs", 1, MAX_PAIRS, 1)
        seed = top.whole("seed", 0, MAX_SEED, 0)
        opening = top.whole("opening", 0, MAX_OPENING, 0)
        sandbox = top.truth("sandbox", True)
        challengers = top.texts("challenger")
        bounds = top.rising("sprt", -MAX_ELO, MAX_ELO)
        limits = top.table("limits")
        common = _limits(limits, Entrant("", ""))
        limits.close()
        boards = _boards(top.table("boards"), opening)
        entries = [_entrant(section, common, base, check) for section in top.tables("agents")]
        agents = tuple(agent for agent, _ in entries)
        _require_names(top, agents)
        usual = Group("", style, (), challengers, pairs)
        groups = _groups(top, usual, [(agent.name, group) for agent, group in entries])
        top.close()
        if bounds is not None and (meetings := sum(len(group.pairings()) for group in groups)) != 1:
            raise top.error(f"sprt: a test is for a match of two agents, and here are {meetings} pairings")
        return cls(name, agents, groups, boards, opening, seed, sandbox, None if bounds is None else Sprt(*bounds))

    def to_dict(self) -> dict[str, Any]:
        """Put the spec into plain data that `from_dict` takes."""
        test = {} if self.sprt is None else {"sprt": [self.sprt.elo0, self.sprt.elo1]}
        return test | {
            "name": self.name,
            "seed": self.seed,
            "opening": self.opening,
            "sandbox": self.sandbox,
            "boards": {"list": list(self.boards)} if self.boards else {"official": True},
            "agents": [dict(vars(agent)) for agent in self.agents],
            "groups": [
                {
                    "name": group.name,
                    "format": group.format,
                    "agents": list(group.agents),
                    "challenger": list(group.challengers),
                    "pairs": group.pairs,
                }
                for group in self.groups
            ],
        }


def match_spec(a: str, b: str, pairs: int, **options: Any) -> Spec:  # noqa: ANN401 (fields of Spec and Entrant)
    """Make the spec of a match between two addresses; options are keys of the file, limits among them.

    >>> match_spec("seed-000", "seed-000", 5, move_time_s=0.5).groups[0].agents
    ('seed-000', 'seed-000 #2')
    """
    return _spec(f"{a} against {b}", ROUND_ROBIN, [a, b], pairs, options)


def gauntlet_spec(challenger: str, field: Sequence[str], pairs: int, **options: Any) -> Spec:  # noqa: ANN401
    """Make the spec of a gauntlet: one address against each of a field."""
    return _spec(f"gauntlet of {challenger}", GAUNTLET, [challenger, *field], pairs, options)


def _spec(name: str, style: str, addresses: Sequence[str], pairs: int, options: Mapping[str, Any]) -> Spec:
    names: list[str] = []
    for address in addresses:
        count = sum(name == address or name.startswith(f"{address} #") for name in names)
        names.append(f"{address} #{count + 1}" if count else address)
    agents = [{"name": name, "address": address} for name, address in zip(names, addresses, strict=True)]
    limits = {key: options[key] for key in ("move_time_s", "startup_time_s", "memory_mb") if key in options}
    values = {"name": name, "format": style, "pairs": pairs, "limits": limits, "agents": agents}
    if style == GAUNTLET:
        values["challenger"] = names[:1]
    rest = {key: value for key, value in options.items() if key not in limits}
    return Spec.from_dict(values | rest, name)


def _entrant(section: Section, common: Entrant, base: Path | None, check: Check | None) -> tuple[Entrant, str]:
    """Read an agent and the group that it says it is in, if it says so."""
    address = section.text("address")
    name = section.text("name", address)
    group = section.text("group", "")
    limits = _limits(section, common)
    section.close()
    try:
        if base is not None:
            address = resolve_paths(address, base)
        if check is not None:
            check(address)
    except ValueError as error:
        raise section.error(f"{section.name('address')}: {error}") from None
    return Entrant(name, address, limits.move_time_s, limits.startup_time_s, limits.memory_mb), group


def _limits(section: Section, common: Entrant) -> Entrant:
    return Entrant(
        "",
        "",
        section.number("move_time_s", 0.001, 86400, common.move_time_s),
        section.number("startup_time_s", 0.001, 86400, common.startup_time_s),
        section.whole("memory_mb", 16, 2**20, common.memory_mb),
    )


def _boards(section: Section, opening: int) -> tuple[str, ...]:
    listed = section.texts("list")
    if "list" in section and not listed:
        raise section.error(f"{section.name('list')} is empty")
    official = section.truth("official", not listed)
    section.close()
    if official == bool(listed):
        raise section.error("boards has either official = true or a list")
    for text in listed:
        try:
            board = Board.parse(text)
        except ValueError as error:
            raise section.error(f"{section.name('list')}: {text!r}: {error}") from None
        if board.is_over:
            raise section.error(f"{section.name('list')}: {text!r}: the game is over")
        try:
            opened(board, opening, seed=0)
        except SpecError as error:
            raise section.error(str(error)) from None
    return listed


def _require_names(top: Section, agents: Sequence[Entrant]) -> None:
    names = [agent.name for agent in agents]
    if len(names) < 2:
        raise top.error("agents: a tournament needs at least two, each written [[agents]]")
    for at, name in enumerate(names):
        if not name.strip():
            raise top.error(f"agents[{at + 1}].name is empty")
        if name in names[:at]:
            raise top.error(f"agents[{at + 1}].name: there is a {name!r} already; give one of them another name")


def _groups(top: Section, usual: Group, members: Sequence[tuple[str, str]]) -> tuple[Group, ...]:
    """Read the groups; those that agents name need no table of their own, and without any there is one with all."""
    names = [name for name, _ in members]
    groups: dict[str, Group] = {}
    for section in top.tables("groups"):
        name = section.text("name")
        if name in groups:
            raise section.error(f"{section.name('name')}: there is a group {name!r} already")
        own = [member for member, group in members if group and group == name]
        listed = _known(section, "agents", section.texts("agents"), names)
        style = section.choice("format", FORMATS, usual.format)
        challengers = section.texts("challenger", usual.challengers if style == GAUNTLET else ())
        group = Group(name, style, (*listed, *own), challengers, section.whole("pairs", 1, MAX_PAIRS, usual.pairs))
        section.close()
        groups[name] = _complete(section, group, names)
    for name in dict.fromkeys(group for _, group in members if group and group not in groups):
        own = [member for member, group in members if group == name]
        groups[name] = _complete(top, Group(name, usual.format, tuple(own), usual.challengers, usual.pairs), names)
    if not groups:
        everyone = Group("", usual.format, tuple(names), usual.challengers, usual.pairs)
        return (_complete(top, everyone, names),)
    playing = {member for group in groups.values() for member in group.agents}
    for name in names:
        if name not in playing:
            raise top.error(f"agent {name!r} plays in no group")
    if usual.challengers and all(group.format != GAUNTLET for group in groups.values()):
        raise top.error("challenger: none of the groups is a gauntlet")
    return tuple(groups.values())


def _complete(section: Section, group: Group, names: Sequence[str]) -> Group:
    """Check a group and let its challengers be members."""
    label = f"group {group.name!r}: " if group.name else ""
    challengers = _known(section, "challenger", group.challengers, names)
    if (group.format == GAUNTLET) != bool(challengers):
        complaint = "needs a challenger" if group.format == GAUNTLET else "has no challenger"
        raise section.error(f"{label}a {group.format} {complaint}")
    agents = tuple(dict.fromkeys((*challengers, *group.agents)))
    whole = Group(group.name, group.format, agents, challengers, group.pairs)
    if not whole.pairings():
        raise section.error(f"{label}nobody to play: a group needs two agents that meet")
    return whole


def _known(section: Section, key: str, wanted: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names
            raise section.error(f"{section.name(key)}: there is no agent {name!r}; near ones: {', '.join(near[:8])}")
    return tuple(dict.fromkeys(wanted))
