"""Defines a tournament: agents with their limits, groups, boards, random seed and sequential test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fourfall._core import Board
from fourfall.agents.base import Conditions
from fourfall.arena.name_suggestions import suggest_names
from fourfall.arena.openings import OpeningError, play_random_opening
from fourfall.arena.sprt import Sprt

Format = Literal["round-robin", "gauntlet"]

MAX_PAIRS, MAX_OPENING, MAX_SEED = 1_000_000, 40, 2**64 - 1


class SpecError(ValueError):
    """An invalid tournament; the message names the file, the key and what is allowed."""


@dataclass(frozen=True)
class Entrant:
    """An agent of a tournament: its name in tables, its address and its limits."""

    name: str
    address: str
    move_time_s: float = Conditions.move_time_s
    startup_time_s: float = Conditions.startup_time_s
    memory_mb: int = Conditions.memory_mb


@dataclass(frozen=True)
class Group:
    """A part of a tournament with its own table: who plays whom, and the number of game pairs of each pairing.

    In a round robin every agent plays every other. In a gauntlet each challenger plays each agent that is not a
    challenger. Challengers are members of the group.
    """

    name: str
    format: Format
    agents: tuple[str, ...]
    challengers: tuple[str, ...]
    pairs: int

    def list_pairings(self) -> list[tuple[str, str]]:
        """List the pairings; an agent added at the end of the group adds pairings at the end.

        >>> Group("", "round-robin", ("a", "b", "c"), (), 1).list_pairings()
        [('a', 'b'), ('a', 'c'), ('b', 'c')]
        >>> Group("", "gauntlet", ("me", "b", "c"), ("me",), 1).list_pairings()
        [('me', 'b'), ('me', 'c')]
        """
        if self.format == "gauntlet":
            opponents = [name for name in self.agents if name not in self.challengers]
            return [(challenger, opponent) for opponent in opponents for challenger in self.challengers]
        return [(one, other) for at, other in enumerate(self.agents) for one in self.agents[:at]]


@dataclass(frozen=True)
class Spec:
    """A complete tournament, from which its schedule follows; validated when it is created.

    `boards` are starting positions, used in turn; without them boards are drawn from the official distribution.
    `opening` is the number of random moves before the agents play. `sandbox` says whether third-party code is isolated;
    a file cannot set it, only the caller. A match with an `sprt` ends when the test is decided; the schedule is then
    the maximum. With `ponder`, agents may think on the opponent's time, each on a core of its own; otherwise
    third-party agents are frozen between their moves.
    """

    name: str
    agents: tuple[Entrant, ...]
    groups: tuple[Group, ...]
    boards: tuple[str, ...] = ()
    opening: int = 0
    seed: int = 0
    sandbox: bool = True
    sprt: Sprt | None = None
    ponder: bool = False

    def __post_init__(self) -> None:
        from fourfall.arena.spec_schema import validate_ranges

        validate_ranges(self.to_dict())
        _check_agents(self.agents)
        _check_groups(self)
        check_boards(self.boards, self.opening)
        pairings = sum(len(group.list_pairings()) for group in self.groups)
        if self.sprt is not None and pairings != 1:
            raise SpecError(f"sprt: a sequential test needs a match of two agents, but there are {pairings} pairings")

    @classmethod
    def match(
        cls,
        a: str | Entrant,
        b: str | Entrant,
        *,
        pairs: int,
        move_time_s: float = Conditions.move_time_s,
        startup_time_s: float = Conditions.startup_time_s,
        memory_mb: int = Conditions.memory_mb,
        boards: Sequence[str] = (),
        opening: int = 0,
        seed: int = 0,
        sandbox: bool = True,
        sprt: Sprt | None = None,
        ponder: bool = False,
    ) -> "Spec":
        """Define a match of two agents, each an address with the given limits or an entrant with its own limits.

        >>> Spec.match("seed-000", "seed-000", pairs=5, move_time_s=0.5).groups[0].agents
        ('seed-000', 'seed-000 #2')
        """
        entrants = _make_entrants([a, b], move_time_s, startup_time_s, memory_mb)
        names = tuple(entrant.name for entrant in entrants)
        group = Group("", "round-robin", names, (), pairs)
        title = " against ".join(_get_label(agent) for agent in (a, b))
        return cls(title, entrants, (group,), tuple(boards), opening, seed, sandbox, sprt, ponder)

    @classmethod
    def gauntlet(
        cls,
        challenger: str | Entrant,
        opponents: Sequence[str | Entrant],
        *,
        pairs: int,
        move_time_s: float = Conditions.move_time_s,
        startup_time_s: float = Conditions.startup_time_s,
        memory_mb: int = Conditions.memory_mb,
        boards: Sequence[str] = (),
        opening: int = 0,
        seed: int = 0,
        sandbox: bool = True,
        ponder: bool = False,
    ) -> "Spec":
        """Define a gauntlet: one agent plays each opponent; agents are given as in `match`."""
        entrants = _make_entrants([challenger, *opponents], move_time_s, startup_time_s, memory_mb)
        names = tuple(entrant.name for entrant in entrants)
        group = Group("", "gauntlet", names, names[:1], pairs)
        title = f"gauntlet of {_get_label(challenger)}"
        return cls(title, entrants, (group,), tuple(boards), opening, seed, sandbox, ponder=ponder)

    def find_entrant(self, name: str) -> Entrant:
        """Return the agent with this name."""
        return next(agent for agent in self.agents if agent.name == name)

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """The names of the agents of each group."""
        return {group.name: group.agents for group in self.groups}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, with the keys of a spec file; `parse_spec` reads them."""
        test = {} if self.sprt is None else {"sprt": [self.sprt.elo0, self.sprt.elo1]}
        return test | {
            "name": self.name,
            "seed": self.seed,
            "opening": self.opening,
            "sandbox": self.sandbox,
            "ponder": self.ponder,
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


def _get_label(agent: str | Entrant) -> str:
    return agent if isinstance(agent, str) else agent.name


def _make_entrants(
    agents: Sequence[str | Entrant], move_time_s: float, startup_time_s: float, memory_mb: int
) -> tuple[Entrant, ...]:
    """Make entrants from addresses; an address that occurs again is named with a number."""
    entrants: list[Entrant] = []
    for agent in agents:
        if isinstance(agent, Entrant):
            entrants.append(agent)
            continue
        before = sum(other.name == agent or other.name.startswith(f"{agent} #") for other in entrants)
        name = f"{agent} #{before + 1}" if before else agent
        entrants.append(Entrant(name, agent, float(move_time_s), float(startup_time_s), memory_mb))
    return tuple(entrants)


def _check_agents(agents: Sequence[Entrant]) -> None:
    names = [agent.name for agent in agents]
    if len(names) < 2:
        raise SpecError("agents: a tournament needs at least two agents, each written [[agents]]")
    for at, name in enumerate(names):
        if not name.strip():
            raise SpecError(f"agents[{at + 1}].name is empty")
        if name in names[:at]:
            raise SpecError(f"agents[{at + 1}].name: {name!r} is used twice; give one agent another name")


def _check_groups(spec: Spec) -> None:
    names = [agent.name for agent in spec.agents]
    for at, group in enumerate(spec.groups):
        # A file without groups has one unnamed group, whose keys are at the top of the file.
        path = f"groups[{at + 1}]." if group.name or len(spec.groups) > 1 else ""
        label = f"group {group.name!r}: " if group.name else ""
        if group.name in [other.name for other in spec.groups[:at]]:
            raise SpecError(f"{path}name: there is already a group {group.name!r}")
        _check_known(f"{path}challenger", group.challengers, names)
        _check_known(f"{path}agents", group.agents, names)
        if group.format == "gauntlet" and not group.challengers:
            raise SpecError(f"{label}a gauntlet needs a challenger")
        if group.format == "round-robin" and group.challengers:
            raise SpecError(f"{label}a round robin has no challenger")
        if not group.list_pairings():
            raise SpecError(f"{label}no pairings: a group needs two agents that play each other")
    for name in names:
        if not any(name in group.agents for group in spec.groups):
            raise SpecError(f"agent {name!r} is in no group")


def _check_known(key: str, wanted: Sequence[str], names: Sequence[str]) -> None:
    for name in wanted:
        if name not in names:
            raise SpecError(f"{key}: there is no agent {name!r}{suggest_names(name, names)}")


def check_boards(boards: Sequence[str], opening: int) -> None:
    """Raise SpecError if a start position is invalid, or too full for an opening of this many moves."""
    for text in boards:
        try:
            board = Board.parse(text)
        except ValueError as error:
            raise SpecError(f"boards.list: {text!r}: {error}") from None
        if board.is_over:
            raise SpecError(f"boards.list: {text!r}: the game is over")
        try:
            play_random_opening(board, opening, seed=0)
        except OpeningError as error:
            raise SpecError(str(error)) from None
