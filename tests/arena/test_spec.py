"""Owns the tests of the written form of a tournament."""

import json
from pathlib import Path
from typing import Any

import pytest

from fourfall.arena.spec import Entrant, Spec, SpecError, gauntlet_spec, match_spec

TWO = '[[agents]]\naddress = "seed-000"\n[[agents]]\naddress = "seed-002"\n'


def refuse(address: str) -> None:
    """Stand for a registry that knows no address but the seeds'."""
    if not address.startswith("seed-"):
        raise ValueError(f"no such agent: {address!r}")


def load(tmp_path: Path, text: str) -> Spec:
    """Load a spec from a file with this text."""
    file = tmp_path / "spec.toml"
    file.write_text(text)
    return Spec.load(file, refuse)


def test_two_addresses_are_enough(tmp_path: Path) -> None:
    """Everything but the agents has a default: the name of the file, one pair, official boards, three seconds."""
    spec = load(tmp_path, TWO)
    assert spec.name == "spec"
    assert spec.agents == (Entrant("seed-000", "seed-000", 3.0, 10.0, 1024), Entrant("seed-002", "seed-002"))
    assert [(group.name, group.format, group.pairs) for group in spec.groups] == [("", "round-robin", 1)]
    assert (spec.boards, spec.opening, spec.seed, spec.sandbox) == ((), 0, 0, True)


def test_limits_are_common_unless_an_agent_has_its_own(tmp_path: Path) -> None:
    """The table of limits is for all; a key of an agent is for that agent alone."""
    spec = load(tmp_path, "[limits]\nmove_time_s = 1\nmemory_mb = 512\n" + TWO + "move_time_s = 0.25\n")
    assert [(agent.move_time_s, agent.memory_mb) for agent in spec.agents] == [(1.0, 512), (0.25, 512)]


def test_the_documented_example_is_read(tmp_path: Path) -> None:
    """The complete example of the documentation is a spec, with every key that there is."""
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text()
    text = page.split("```toml\n")[1].split("```")[0]
    file = tmp_path / "example.toml"
    file.write_text(text)
    spec = Spec.load(file)
    assert spec.agents[1].address == f"library:{tmp_path}/bots/mine.so"
    assert [group.format for group in spec.groups] == ["round-robin", "gauntlet"]
    assert Spec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec


def test_agents_may_name_their_groups(tmp_path: Path) -> None:
    """Groups that only agents name take the spec's format and pairs, in the order of their first mention."""
    lines = [f'[[agents]]\naddress = "seed-00{at}"\ngroup = "{group}"\n' for at, group in enumerate("abab")]
    spec = load(tmp_path, "pairs = 4\n" + "".join(lines))
    assert [(group.name, group.agents, group.pairs) for group in spec.groups] == [
        ("a", ("seed-000", "seed-002"), 4),
        ("b", ("seed-001", "seed-003"), 4),
    ]


def test_a_challenger_is_in_its_group_without_being_listed(tmp_path: Path) -> None:
    """A gauntlet's challenger plays everybody listed; several challengers do not meet."""
    third = '[[agents]]\naddress = "seed-003"\n[[groups]]\nname = "g"\nformat = "gauntlet"\n'
    spec = load(tmp_path, TWO + third + 'agents = ["seed-002"]\nchallenger = ["seed-003", "seed-000"]\n')
    assert spec.groups[0].pairings() == [("seed-003", "seed-002"), ("seed-000", "seed-002")]


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    """A library named beside the spec is found from wherever the command runs, and keeps its short name."""
    (tmp_path / "bot.py").write_text("")
    file = tmp_path / "spec.toml"
    file.write_text('[[agents]]\naddress = "library:./x.so"\n[[agents]]\naddress = "program:python3 bot.py -v"\n')
    spec = Spec.load(file)
    library, program = (agent.address for agent in spec.agents)
    assert library == f"library:{tmp_path}/x.so"
    assert program.endswith(f"python3 {tmp_path}/bot.py -v")
    assert [agent.name for agent in spec.agents] == ["library:./x.so", "program:python3 bot.py -v"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("pears = 3\n" + TWO, "unknown key pears; near ones: pairs"),
        ("pairs = 0\n" + TWO, "pairs must be a whole number from 1 to 1000000, not 0"),
        ("pairs = true\n" + TWO, "pairs must be a whole number from 1 to 1000000, not True"),
        ("pairs = 1.5\n" + TWO, "pairs must be a whole number from 1 to 1000000, not 1.5"),
        ("seed = -1\n" + TWO, "seed must be a whole number from 0 to 18446744073709551615, not -1"),
        ("opening = 41\n" + TWO, "opening must be a whole number from 0 to 40, not 41"),
        ("sandbox = false\n" + TWO, "sandbox is not for a file to decide; give --no-sandbox on the command line"),
        ('format = "swiss"\n' + TWO, 'format must be one of "round-robin", "gauntlet", not \'swiss\''),
        ("name = 3\n" + TWO, "name must be a line of text, not 3"),
        ('name = "a\\nb"\n' + TWO, "name must be a line of text, not 'a\\nb'"),
        ("limits = 3\n" + TWO, "limits must be a table, written [limits]"),
        ("[limits]\nmove = 3\n" + TWO, "unknown key limits.move; near ones: move_time_s"),
        ("[limits]\nmove_time_s = nan\n" + TWO, "limits.move_time_s must be a number from 0.001 to 86400, not nan"),
        ("[limits]\nmemory_mb = 1\n" + TWO, "limits.memory_mb must be a whole number from 16 to 1048576, not 1"),
        (TWO + 'adress = "x"\n', "unknown key agents[2].adress; near ones: address"),
        (TWO + "move_time_s = 0\n", "agents[2].move_time_s must be a number from 0.001 to 86400, not 0"),
        (TWO + '[[agents]]\nname = "x"\n', "agents[3].address is missing"),
        (TWO + '[[agents]]\naddress = "x"\n', "agents[3].address: no such agent: 'x'"),
        (TWO + '[[agents]]\naddress = "seed-000"\n', "agents[3].name: there is a 'seed-000' already; give one of them"),
        (TWO + '[[agents]]\naddress = "seed-003"\nname = " "\n', "agents[3].name is empty"),
        ('[[agents]]\naddress = "seed-000"\n', "agents: a tournament needs at least two, each written [[agents]]"),
        ("agents = 3", "agents must be tables, each written [[agents]]"),
        ('challenger = "seed-002"\n' + TWO, "a round-robin has no challenger"),
        ('format = "gauntlet"\n' + TWO, "a gauntlet needs a challenger"),
        (
            'format = "gauntlet"\nchallenger = "sead-2"\n' + TWO,
            "challenger: there is no agent 'sead-2'; near ones: seed-",
        ),
        (
            'format = "gauntlet"\nchallenger = ["seed-000", "seed-002"]\n' + TWO,
            "nobody to play: a group needs two agents that meet",
        ),
        (TWO + '[[groups]]\nname = "a"\nagents = ["seed-000"]\n', "group 'a': nobody to play"),
        (TWO + '[[groups]]\nname = "a"\nagents = ["x"]\n', "groups[1].agents: there is no agent 'x'; near ones: seed-"),
        (
            TWO + '[[agents]]\naddress="seed-003"\n[[groups]]\nname = "a"\nagents = ["seed-000", "seed-002"]\n',
            "agent 'seed-003' plays in no group",
        ),
        (
            TWO + '[[groups]]\nname="a"\nagents=["seed-000","seed-002"]\n[[groups]]\nname="a"',
            "groups[2].name: there is a group 'a' already",
        ),
        (
            'challenger = "seed-000"\n' + TWO + '[[groups]]\nname = "a"\nagents = ["seed-000", "seed-002"]\n',
            "challenger: none of the groups is a gauntlet",
        ),
        (TWO + "[boards]\nlist = []\n", "boards.list is empty"),
        (TWO + "[boards]\nofficial = false\n", "boards has either official = true or a list"),
        (TWO + '[boards]\nofficial = true\nlist = ["6x7"]\n', "boards has either official = true or a list"),
        (TWO + "[boards]\nlist = [3]\n", "boards.list must be a list of texts, not [3]"),
        (TWO + '[boards]\nlist = ["6x77"]\n', "boards.list: '6x77': character 3 '7': the number of columns is 4..12"),
        (TWO + '[boards]\nlist = ["6x7:1212121"]\n', "boards.list: '6x7:1212121': the game is over"),
        (
            "opening = 16\n" + TWO + '[boards]\nlist = ["4x4"]\n',
            "opening = 16: no quiet opening of that length on 4x4",
        ),
        ("pairs = \n", "Invalid value (at line 1, column 9)"),
    ],
)
def test_a_mistake_is_named_in_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    """Every complaint begins with the file, names the key, and is one line."""
    with pytest.raises(SpecError) as caught:
        load(tmp_path, text)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path}/spec.toml: {complaint}")
    assert "\n" not in message


def test_files_that_cannot_be_read_are_mistakes_too(tmp_path: Path) -> None:
    """A missing file, a folder and bytes that are no text end in a line each."""
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for name, complaint in [("no.toml", "No such file"), (".", "Is a directory"), ("bytes.toml", "not a text file")]:
        with pytest.raises(SpecError, match=complaint):
            Spec.load(tmp_path / name)


def test_commands_make_specs_too() -> None:
    """A match is a round robin of two, a gauntlet has one challenger, and an agent may meet itself."""
    match = match_spec("seed-002", "seed-002", 50, seed=7, move_time_s=0.5, opening=2, boards={"list": ["6x7"]})
    assert [agent.name for agent in match.agents] == ["seed-002", "seed-002 #2"]
    assert [agent.move_time_s for agent in match.agents] == [0.5, 0.5]
    assert (match.seed, match.opening, match.boards, match.groups[0].pairs) == (7, 2, ("6x7",), 50)
    gauntlet = gauntlet_spec("mine.toml", ["seed-000", "seed-001"], 3, sandbox=False)
    assert gauntlet.groups[0].pairings() == [("mine.toml", "seed-000"), ("mine.toml", "seed-001")]
    assert not gauntlet.sandbox
    with pytest.raises(SpecError, match="opening must be"):
        match_spec("a", "b", 1, opening=-1)


@pytest.mark.parametrize("change", [{"seed": 5}, {"opening": 3}, {"sandbox": False}, {"boards": {"list": ["6x7@3,3"]}}])
def test_a_spec_survives_the_way_through_the_database(change: dict[str, Any]) -> None:
    """Plain data, as JSON, makes the same spec again."""
    spec = gauntlet_spec("a", ["b", "c"], 3, **change)
    assert spec != gauntlet_spec("a", ["b", "c"], 3)
    assert Spec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec
