"""Writes the command, or the spec file, with which an event is played again."""

import json
from typing import Any

from fourfall.agents.base import Conditions
from fourfall.arena.opponents import list_opponents
from fourfall.arena.quick_gauntlet import find_quick_games
from fourfall.arena.spec import Entrant, Spec
from fourfall.system.command_line import join_command

SPEC_FILE = "spec.toml"
_LIMITS = ("move_time_s", "startup_time_s", "memory_mb")


def make_repeat_command(spec: Spec, planned: int | None = None) -> str:
    """Return the command that plays an event again; it needs the spec file if its options cannot say everything.

    `planned` is the number of games of the event, which distinguishes a quick gauntlet.

    >>> make_repeat_command(Spec.match("seed-000", "seed-002", pairs=5, seed=7))
    'fourfall match seed-000 seed-002 --games 10 --time 3 --seed 7'
    """
    group = spec.groups[0]
    if len(spec.groups) > 1 or group.name or not _have_equal_limits(spec.agents):
        return _use_spec_file(spec)
    if group.format == "round-robin" and len(spec.agents) == 2:
        sprt = [] if spec.sprt is None else ["--sprt", f"{spec.sprt.elo0:g},{spec.sprt.elo1:g}"]
        return join_command(
            ["fourfall", "match", *(agent.address for agent in spec.agents), *sprt, *_list_options(spec)]
        )
    if group.format == "gauntlet" and len(group.challengers) == 1 and group.challengers[0] == spec.agents[0].name:
        bot, *others = (agent.address for agent in spec.agents)
        fields = _list_fields(others) if find_quick_games(spec, planned) is None else ["--quick"]
        return join_command(["fourfall", "gauntlet", bot, *fields, *_list_options(spec)])
    return _use_spec_file(spec)


def _use_spec_file(spec: Spec) -> str:
    return f"fourfall tournament {SPEC_FILE}" + ("" if spec.sandbox else " --no-sandbox")


def _have_equal_limits(agents: tuple[Entrant, ...]) -> bool:
    """Whether options can express the agents: one set of limits for all, and names made from the addresses."""
    limits = {(agent.move_time_s, agent.startup_time_s, agent.memory_mb) for agent in agents}
    return len(limits) == 1 and all(agent.name.partition(" #")[0] == agent.address for agent in agents)


def _list_fields(addresses: list[str]) -> list[str]:
    """Return the options that name the opponents: a known field, or each address."""
    for field in ("levels", "seeds"):
        if addresses == list(list_opponents(field)):
            return ["--field", field]
    return [part for address in addresses for part in ("--field", address)]


def _list_options(spec: Spec) -> list[str]:
    agent = spec.agents[0]
    options = ["--games", str(2 * spec.groups[0].pairs), "--time", f"{agent.move_time_s:g}", "--seed", str(spec.seed)]
    if agent.startup_time_s != Conditions.startup_time_s:
        options += ["--startup-time", f"{agent.startup_time_s:g}"]
    if agent.memory_mb != Conditions.memory_mb:
        options += ["--memory-mb", str(agent.memory_mb)]
    options += [part for board in spec.boards for part in ("--board", board)]
    if spec.opening:
        options += ["--opening", str(spec.opening)]
    return options + ["--ponder"] * spec.ponder + ["--no-sandbox"] * (not spec.sandbox)


def write_spec_file(spec: Spec) -> str:
    """Return the spec as the text of a TOML file, which ``fourfall tournament`` reads.

    >>> import tomllib
    >>> from fourfall.arena.spec_file import parse_spec
    >>> spec = Spec.match("seed-000", 'a"b', pairs=5, seed=7, boards=["6x7"])
    >>> parse_spec(tomllib.loads(write_spec_file(spec))) == spec
    True
    """
    values = spec.to_dict()
    values.pop("sandbox")
    agents, groups, boards = values.pop("agents"), values.pop("groups"), values.pop("boards")
    limits = {key: agents[0][key] for key in _LIMITS if all(agent[key] == agents[0][key] for agent in agents)}
    lines = [f"{key} = {_write_value(value)}" for key, value in values.items()]
    if len(groups) == 1 and not groups[0]["name"]:
        group = groups[0]
        lines += [f"{key} = {_write_value(group[key])}" for key in ("format", "pairs")]
        if group["challenger"]:
            lines.append(f"challenger = {_write_value(group['challenger'])}")
        groups = []
    lines += _write_table("[boards]", boards)
    lines += _write_table("[limits]", limits) if limits else []
    for agent in agents:
        own = {key: value for key, value in agent.items() if key not in limits}
        lines += _write_table("[[agents]]", own if own["name"] != own["address"] else own | {"name": None})
    for group in groups:
        lines += _write_table("[[groups]]", {key: value for key, value in group.items() if value != []})
    return "\n".join(lines) + "\n"


def _write_table(header: str, values: dict[str, Any]) -> list[str]:
    return ["", header, *(f"{key} = {_write_value(value)}" for key, value in values.items() if value is not None)]


def _write_value(value: object) -> str:
    """Return a value as TOML: strings, numbers, booleans and lists of them."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_write_value(item) for item in value)}]"
    # A TOML string is a JSON string except that the character DEL must be escaped too.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
