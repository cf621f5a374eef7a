"""Tests of tournament specs: files, specs made in Python, and error messages."""

import json
from pathlib import Path
from typing import Any

import pytest

from fourfall.arena.spec import Entrant, Spec, SpecError
from fourfall.arena.spec_file import load_spec, parse_spec
from fourfall.arena.sprt import Sprt

TWO = '[[agents]]\naddress = "seed-000"\n[[agents]]\naddress = "seed-002"\n'


def check_address(address: str) -> None:
    """Accept only addresses of seeds."""
    if not address.startswith("seed-"):
        raise ValueError(f"no such agent: {address!r}")


def load(tmp_path: Path, text: str) -> Spec:
    """Load a spec from a file with this text."""
    file = tmp_path / "spec.toml"
    file.write_text(text)
    return load_spec(file, check_address)


def test_defaults(tmp_path: Path) -> None:
    """Only the agents are required; the defaults are the file's name, one pair, official boards and 3 s per move."""
    spec = load(tmp_path, TWO)
    assert spec.name == "spec"
    assert spec.agents == (Entrant("seed-000", "seed-000", 3.0, 10.0, 1024), Entrant("seed-002", "seed-002"))
    assert [(group.name, group.format, group.pairs) for group in spec.groups] == [("", "round-robin", 1)]
    assert (spec.boards, spec.opening, spec.seed, spec.sandbox) == ((), 0, 0, True)


def test_limits(tmp_path: Path) -> None:
    """The table [limits] holds for all agents; a key of an agent replaces it for that agent."""
    spec = load(tmp_path, "[limits]\nmove_time_s = 1\nmemory_mb = 512\n" + TWO + "move_time_s = 0.25\n")
    assert [(agent.move_time_s, agent.memory_mb) for agent in spec.agents] == [(1.0, 512), (0.25, 512)]


def test_documented_example(tmp_path: Path) -> None:
    """The example in the documentation, which has every key, is valid."""
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text()
    text = page.split("```toml\n")[1].split("```")[0]
    file = tmp_path / "example.toml"
    file.write_text(text)
    spec = load_spec(file)
    assert spec.agents[1].address == f"library:{tmp_path}/bots/mine.so"
    assert [group.format for group in spec.groups] == ["round-robin", "gauntlet"]
    assert parse_spec(json.loads(json.dumps(spec.to_dict()))) == spec


def test_groups_named_by_agents(tmp_path: Path) -> None:
    """Groups without a table have the spec's format and pairs, in the order in which agents name them."""
    lines = [f'[[agents]]\naddress = "seed-00{at}"\ngroup = "{group}"\n' for at, group in enumerate("abab")]
    spec = load(tmp_path, "pairs = 4\n" + "".join(lines))
    assert [(group.name, group.agents, group.pairs) for group in spec.groups] == [
        ("a", ("seed-000", "seed-002"), 4),
        ("b", ("seed-001", "seed-003"), 4),
    ]


def test_challengers_are_members_of_their_group(tmp_path: Path) -> None:
    """A challenger need not be listed in the group's agents; challengers do not play each other."""
    third = '[[agents]]\naddress = "seed-003"\n[[groups]]\nname = "g"\nformat = "gauntlet"\n'
    spec = load(tmp_path, TWO + third + 'agents = ["seed-002"]\nchallenger = ["seed-003", "seed-000"]\n')
    assert spec.groups[0].list_pairings() == [("seed-003", "seed-002"), ("seed-000", "seed-002")]


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    """Relative paths in addresses are resolved against the file's folder; the agent's name keeps the short path."""
    (tmp_path / "bot.py").write_text("")
    file = tmp_path / "spec.toml"
    file.write_text('[[agents]]\naddress = "library:./x.so"\n[[agents]]\naddress = "program:python3 bot.py -v"\n')
    spec = load_spec(file)
    library, program = (agent.address for agent in spec.agents)
    assert library == f"library:{tmp_path}/x.so"
    assert program.endswith(f"python3 {tmp_path}/bot.py -v")
    assert [agent.name for agent in spec.agents] == ["library:./x.so", "program:python3 bot.py -v"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pears = 3\n" + TWO, "unknown key pears; similar: pairs, ponder; allowed: name, format, pairs, seed, "),
        ("pairs = 0\n" + TWO, "pairs must be a whole number from 1 to 1000000, not 0"),
        ("pairs = true\n" + TWO, "pairs must be a whole number from 1 to 1000000, not True"),
        ("pairs = 1.5\n" + TWO, "pairs must be a whole number from 1 to 1000000, not 1.5"),
        ("seed = -1\n" + TWO, "seed must be a whole number from 0 to 18446744073709551615, not -1"),
        ("opening = 41\n" + TWO, "opening must be a whole number from 0 to 40, not 41"),
        ("sandbox = false\n" + TWO, "sandbox cannot be set in a file; use --no-sandbox on the command line"),
        ('format = "swiss"\n' + TWO, 'format must be one of "round-robin", "gauntlet", not \'swiss\''),
        ("name = 3\n" + TWO, "name must be one line of text, not 3"),
        ('name = "a\\nb"\n' + TWO, "name must be one line of text, not 'a\\nb'"),
        ("limits = 3\n" + TWO, "limits must be a table, written [limits]"),
        (
            "[limits]\nmove = 3\n" + TWO,
            "unknown key limits.move; similar: move_time_s; allowed: move_time_s, startup_time_s, memory_mb",
        ),
        ("[limits]\nmove_time_s = nan\n" + TWO, "limits.move_time_s must be a number from 0.001 to 86400, not nan"),
        ("[limits]\nmemory_mb = 1\n" + TWO, "limits.memory_mb must be a whole number from 16 to 1048576, not 1"),
        (TWO + 'adress = "x"\n', "unknown key agents[2].adress; similar: address; allowed: move_time_s"),
        (TWO + "move_time_s = 0\n", "agents[2].move_time_s must be a number from 0.001 to 86400, not 0"),
        (TWO + '[[agents]]\nname = "x"\n', "agents[3].address is missing"),
        (TWO + '[[agents]]\naddress = "x"\n', "agents[3].address: no such agent: 'x'"),
        (
            TWO + '[[agents]]\naddress = "seed-000"\n',
            "agents[3].name: 'seed-000' is used twice; give one agent another name",
        ),
        (TWO + '[[agents]]\naddress = "seed-003"\nname = " "\n', "agents[3].name is empty"),
        (
            '[[agents]]\naddress = "seed-000"\n',
            "agents: a tournament needs at least two agents, each written [[agents]]",
        ),
        ("agents = 3", "agents must be tables, each written [[agents]]"),
        ('challenger = "seed-002"\n' + TWO, "a round robin has no challenger"),
        ('format = "gauntlet"\n' + TWO, "a gauntlet needs a challenger"),
        (
            'format = "gauntlet"\nchallenger = "sead-2"\n' + TWO,
            "challenger: there is no agent 'sead-2'; similar: seed-",
        ),
        (
            'format = "gauntlet"\nchallenger = ["seed-000", "seed-002"]\n' + TWO,
            "no pairings: a group needs two agents that play each other",
        ),
        (TWO + '[[groups]]\nname = "a"\nagents = ["seed-000"]\n', "group 'a': no pairings"),
        (TWO + '[[groups]]\nname = "a"\nagents = ["x"]\n', "groups[1].agents: there is no agent 'x'; agents: seed-"),
        (
            TWO + '[[agents]]\naddress="seed-003"\n[[groups]]\nname = "a"\nagents = ["seed-000", "seed-002"]\n',
            "agent 'seed-003' is in no group",
        ),
        (
            TWO + '[[groups]]\nname="a"\nagents=["seed-000","seed-002"]\n[[groups]]\nname="a"',
            "groups[2].name: there is already a group 'a'",
        ),
        (
            'challenger = "seed-000"\n' + TWO + '[[groups]]\nname = "a"\nagents = ["seed-000", "seed-002"]\n',
            "challenger: none of the groups is a gauntlet",
        ),
        (TWO + "[boards]\nlist = []\n", "boards.list must be a list of at least 1 item, each item text, not []"),
        (TWO + "[boards]\nofficial = false\n", "boards: give either official = true or a list"),
        (TWO + '[boards]\nofficial = true\nlist = ["6x7"]\n', "boards: give either official = true or a list"),
        (TWO + "[boards]\nlist = [3]\n", "boards.list[1] must be text, not 3"),
        (TWO + '[boards]\nlist = ["6x77"]\n', "boards.list: '6x77': character 3 '7': the number of columns is 4..12"),
        (TWO + '[boards]\nlist = ["6x7:1212121"]\n', "boards.list: '6x7:1212121': the game is over"),
        (
            "opening = 16\n" + TWO + '[boards]\nlist = ["4x4"]\n',
            "opening = 16: no opening of that length without an immediate win on 4x4",
        ),
        ("pairs = \n", "Invalid value (at line 1, column 9)"),
    ],
)
def test_mistake_is_described_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    """The message is one line that begins with the file and the key."""
    with pytest.raises(SpecError) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path}/spec.toml: {message}")
    assert "\n" not in str(caught.value)


def test_unreadable_file(tmp_path: Path) -> None:
    """A missing file, a folder and a binary file raise a SpecError."""
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for name, message in [("no.toml", "No such file"), (".", "Is a directory"), ("bytes.toml", "not a text file")]:
        with pytest.raises(SpecError, match=message):
            load_spec(tmp_path / name)


def test_match_and_gauntlet() -> None:
    """A match is a round robin of two agents, a gauntlet has one challenger, and an agent may play itself."""
    match = Spec.match("seed-002", "seed-002", pairs=50, seed=7, move_time_s=0.5, opening=2, boards=["6x7"])
    assert [agent.name for agent in match.agents] == ["seed-002", "seed-002 #2"]
    assert [agent.move_time_s for agent in match.agents] == [0.5, 0.5]
    assert (match.seed, match.opening, match.boards, match.groups[0].pairs) == (7, 2, ("6x7",), 50)
    gauntlet = Spec.gauntlet("mine.toml", ["seed-000", "seed-001"], pairs=3, sandbox=False)
    assert gauntlet.groups[0].list_pairings() == [("mine.toml", "seed-000"), ("mine.toml", "seed-001")]
    assert not gauntlet.sandbox
    entrants = Entrant("x", "seed-000", move_time_s=1.0), Entrant("y", "seed-000", memory_mb=64)
    assert Spec.match(*entrants, pairs=1, move_time_s=5.0).agents == entrants


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opening": -1}, "opening must be a whole number from 0 to 40, not -1"),
        ({"pairs": 0}, r"groups\[1\].pairs must be a whole number from 1 to 1000000, not 0"),
        ({"move_time_s": 0.0}, r"agents\[1\].move_time_s must be a number from 0.001 to 86400, not 0.0"),
        ({"memory_mb": 1}, r"agents\[1\].memory_mb must be a whole number from 16 to 1048576, not 1"),
        ({"seed": -1}, "seed must be a whole number from 0 to "),
        ({"boards": ["6x7:1212121"]}, "the game is over"),
        ({"sprt": Sprt(30, 0)}, "sprt must be two numbers from -1000 to 1000, the lower first"),
    ],
)
def test_invalid_match(options: dict[str, Any], message: str) -> None:
    """A spec is validated when it is created."""
    with pytest.raises(SpecError, match=f"^{message}" if message[0] != "t" else message):
        Spec.match("a", "b", **{"pairs": 1} | options)


@pytest.mark.parametrize("change", [{"seed": 5}, {"opening": 3}, {"sandbox": False}, {"boards": ["6x7@3,3"]}])
def test_json_round_trip(change: dict[str, Any]) -> None:
    """The plain values of a spec, written and read as JSON, make the same spec."""
    spec = Spec.gauntlet("a", ["b", "c"], pairs=3, **change)
    assert spec != Spec.gauntlet("a", ["b", "c"], pairs=3)
    assert parse_spec(json.loads(json.dumps(spec.to_dict()))) == spec
