"""Reads tournament specs from TOML files and from the JSON of the database."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfall.agents.base import Conditions
from fourfall.agents.registry import resolve_paths
from fourfall.arena.spec import Entrant, Group, Spec, SpecError
from fourfall.arena.sprt import Sprt

if TYPE_CHECKING:
    from fourfall.arena.spec_schema import AgentTable, GroupTable, LimitsTable, SpecFile

CheckAddress = Callable[[str], None]
"""Raises a ValueError that describes what is wrong with an address."""


def load_spec(path: Path, check_address: CheckAddress | None = None) -> Spec:
    """Read a spec from a TOML file; relative paths in its addresses are relative to the file's folder."""
    from fourfall.validation import InputError, read_toml

    try:
        values = read_toml(path)
    except InputError as error:
        raise SpecError(str(error)) from None
    if "sandbox" in values:
        raise SpecError(f"{path}: sandbox cannot be set in a file; use --no-sandbox on the command line")
    return parse_spec({"name": path.stem} | values, str(path), path.absolute().parent, check_address)


def parse_spec(
    values: Mapping[str, Any],
    source: str = "spec",
    folder: Path | None = None,
    check_address: CheckAddress | None = None,
) -> Spec:
    """Make a spec from plain values: those of a file, or of `Spec.to_dict`.

    `source` begins every error message. Relative paths in addresses are resolved against `folder` if it is given.

    >>> parse_spec({"name": "x", "agents": [{"address": "a"}, {"address": "b"}]}).groups[0].list_pairings()
    [('a', 'b')]
    """
    from fourfall.arena.spec_schema import SpecFile, StoredSpec
    from fourfall.validation import InputError, validate

    try:
        file = validate(StoredSpec if folder is None else SpecFile, values, source)
    except InputError as error:
        raise SpecError(str(error)) from None
    try:
        return Spec(
            file.name,
            tuple(
                _make_entrant(table, file.limits) for table in _resolve_addresses(file.agents, folder, check_address)
            ),
            _make_groups(file),
            file.boards.list or (),
            file.opening,
            file.seed,
            file.sandbox if isinstance(file, StoredSpec) else True,
            None if file.sprt is None else Sprt(*file.sprt),
            file.ponder,
        )
    except SpecError as error:
        raise SpecError(f"{source}: {error}") from None


def _resolve_addresses(
    tables: Sequence["AgentTable"], folder: Path | None, check_address: CheckAddress | None
) -> list["AgentTable"]:
    """Name the agents, then resolve the paths in their addresses and check the addresses."""
    resolved = []
    for at, table in enumerate(tables, 1):
        address = table.address
        try:
            if folder is not None:
                address = resolve_paths(address, folder)
            if check_address is not None:
                check_address(address)
        except ValueError as error:
            raise SpecError(f"agents[{at}].address: {error}") from None
        resolved.append(table.model_copy(update={"address": address, "name": _get_name(table)}))
    return resolved


def _get_name(table: "AgentTable") -> str:
    return table.address if table.name is None else table.name


def _make_entrant(table: "AgentTable", common: "LimitsTable") -> Entrant:
    move_time_s, startup_time_s, memory_mb = (
        own if own is not None else shared if shared is not None else default
        for own, shared, default in (
            (table.move_time_s, common.move_time_s, Conditions.move_time_s),
            (table.startup_time_s, common.startup_time_s, Conditions.startup_time_s),
            (table.memory_mb, common.memory_mb, Conditions.memory_mb),
        )
    )
    return Entrant(_get_name(table), table.address, move_time_s, startup_time_s, int(memory_mb))


def _make_groups(file: "SpecFile") -> tuple[Group, ...]:
    """Make the groups of the file, then those that only agents name; without any, one group of all agents."""
    members: dict[str, list[str]] = {}
    for agent in file.agents:
        if agent.group:
            members.setdefault(agent.group, []).append(_get_name(agent))
    groups = [_make_group(file, table, members.get(table.name, [])) for table in file.groups]
    for name, agents in members.items():
        if name not in [table.name for table in file.groups]:
            groups.append(_add_challengers(Group(name, file.format, tuple(agents), file.challenger, file.pairs)))
    if not groups:
        everyone = tuple(_get_name(agent) for agent in file.agents)
        return (_add_challengers(Group("", file.format, everyone, file.challenger, file.pairs)),)
    if file.challenger and all(group.format != "gauntlet" for group in groups):
        raise SpecError('challenger: none of the groups is a gauntlet; set format = "gauntlet" or remove challenger')
    return tuple(groups)


def _make_group(file: "SpecFile", table: "GroupTable", members: Sequence[str]) -> Group:
    form = table.format or file.format
    common = file.challenger if form == "gauntlet" else ()
    challengers = common if table.challenger is None else table.challenger
    return _add_challengers(Group(table.name, form, (*table.agents, *members), challengers, table.pairs or file.pairs))


def _add_challengers(group: Group) -> Group:
    """Make the challengers members of the group; names that occur twice count once."""
    challengers = tuple(dict.fromkeys(group.challengers))
    agents = tuple(dict.fromkeys((*challengers, *group.agents)))
    return Group(group.name, group.format, agents, challengers, group.pairs)
