"""Tests of the starter kits: they compile without warnings, pass their own tests, play and win, in both languages."""

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents.base import Conditions
from fourfall.agents.registry import check_address, open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.arena.ratings import tally_games
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Entrant, Spec
from fourfall.kits import starter_kit
from fourfall.kits.starter_kit import COMMANDS, KINDS, Kind, KitError, read_templates, write_kit
from tests.cli.conftest import Fourfall
from tests.cli.conftest import fourfall as fourfall
from tests.marks import needs_sandbox

FAST = ("MOVE_TIME_MS=20", "CXXFLAGS=-O1 -Werror")
FASTER = ("MOVE_TIME_MS=20", "CXXFLAGS=-O0 -Werror", "SANITIZERS=")
ADDRESSES: dict[Kind, str] = {
    "cpp": "library:{}/strategy.so",
    "platform": "program:{}/main",
    "python": "python:{}/",
}


def run(folder: Path, *words: str) -> str:
    """Run a command in a folder and return its output; it must succeed."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> dict[Kind, Path]:
    """Write a kit of each kind and run its first command, which builds it and runs its test."""
    folder = tmp_path_factory.mktemp("kits")
    paths = {kind: folder / f"{kind}-bot" for kind in KINDS}
    for kind, path in paths.items():
        write_kit(path, kind)
    assert "0 tests failed." in run(paths["cpp"], "make", "test", *FAST)
    assert "0 tests failed." in run(paths["platform"], "make", "test", *FASTER)
    assert "OK" in run(paths["python"], sys.executable, "test_bot.py")
    return paths


@needs_sandbox
@pytest.mark.parametrize("kind", KINDS)
def test_kit_beats_random_moves(kits: dict[Kind, Path], kind: Kind) -> None:
    """The bot plays whole games in the sandbox without a fault and wins nearly all of them."""
    bot = Entrant("bot", ADDRESSES[kind].format(kits[kind]), move_time_s=0.025 if kind == "python" else 3.0)
    spec = Spec.match(bot, "level-2", pairs=3, seed=1)
    records = [play_game(game, open_agent) for game in schedule_games(spec)]
    assert [record.detail + record.stderr for record in records if record.culprit is not None] == []
    assert tally_games(records, "bot").total.points >= 5


@needs_sandbox
@pytest.mark.parametrize("kind", KINDS)
def test_kit_is_rated(kits: dict[Kind, Path], kind: Kind, tmp_path: Path) -> None:
    """The third command of the README finds a level far above random moves, and the command about lost games works."""
    folder, database = kits[kind], str(tmp_path / "arena.db")
    fourfall_program = str(Path(sys.executable).with_name("fourfall"))
    rate = [*COMMANDS[kind].rate.split()[1:], "--games", "8", "--workers", "1", "--seed", "1", "--db", database]
    rated = run(folder, fourfall_program, *rate, *(["--time", "0.025"] if kind == "python" else []))
    strength = re.search(r"^Strength: level (\d+) ", rated, re.MULTILINE)
    assert strength is not None, rated
    assert int(strength[1]) >= 20
    listing = re.search(r"`fourfall (games .*?)`", (folder / "README.md").read_text())
    assert listing is not None
    lost = run(folder, fourfall_program, *listing[1].split(), database)
    assert ADDRESSES[kind].format(".") in lost or lost == "no games match\n"


@needs_sandbox
def test_platform_kit_understands_json(kits: dict[Kind, Path]) -> None:
    """The same program plays a game with the older protocol, on a board whose hole is at the bottom."""
    address = f"program+json:{kits['platform']}/main"
    seats = (Seat("bot", address, Conditions()), Seat("level", "level-2", Conditions(seed=1)))
    record = play_game(ScheduledGame(0, 0, seats, "9x10@8,4"), open_agent)
    assert record.culprit is None, record.detail + record.stderr


def test_submission_is_complete(kits: dict[Kind, Path]) -> None:
    """The zip has main.cpp at its root and every header that is included, and nothing that was built."""
    run(kits["platform"], "make", "submission")
    with zipfile.ZipFile(kits["platform"] / "submission.zip") as archive:
        sources = {name: archive.read(name).decode() for name in archive.namelist()}
    included = {name for text in sources.values() for name in re.findall(r'#include "(.*)"', text)}
    assert sources.keys() == {"main.cpp", *included}


def strip_comments(name: str, text: str) -> object:
    """Return the code of a file without comments, docstrings and empty lines."""
    if name.endswith(".py"):
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        return ast.dump(tree)
    mark = "#" if name == "Makefile" else "//"
    lines = [line.partition(mark)[0].rstrip() for line in text.splitlines()]
    return [line for line in lines if line]


def strip_prose(text: str) -> object:
    """Return what the READMEs of both languages share: levels of headings, commands and names in code style."""
    commands = [line.partition("#")[0].rstrip() for line in text.splitlines() if line.startswith("    ")]
    return re.findall(r"^#+ |^\d\. |^\|", text, re.MULTILINE), commands, sorted(re.findall(r"`[^`]+`", text))


@pytest.mark.parametrize("kind", KINDS)
def test_languages_differ_only_in_comments(kind: Kind) -> None:
    """Both languages have the same files with the same code; the Chinese files have Chinese comments."""
    english, chinese = (read_templates(kind, language, "mybot") for language in starter_kit.LANGUAGES)
    assert english.keys() == chinese.keys()
    for name, text in english.items():
        strip = strip_prose if name == "README.md" else lambda text, name=name: strip_comments(name, text)
        assert strip(text) == strip(chinese[name]), name
        assert re.search(r"[\u4e00-\u9fff]", chinese[name]), name
        assert text.isascii(), name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", starter_kit.LANGUAGES)
def test_readme_has_the_commands(kind: Kind, language: starter_kit.Language) -> None:
    """The README has the name of the folder, the three commands that the command line prints, and a measured level."""
    readme = read_templates(kind, language, "mybot")["README.md"]
    assert readme.startswith("# mybot\n")
    for command in COMMANDS[kind]:
        assert f"    {command} " in readme
    assert "@" not in readme
    assert re.search(r"level \d\d|等级 \d\d", readme)


def test_new_prints_the_next_commands(fourfall: Fourfall, tmp_path: Path) -> None:
    """The command lists the files and three commands; what it wrote is a correct agent."""
    done = fourfall("new", "mybot", "--kind", "python", "--lang", "zh")
    assert (done.returncode, done.stderr) == (0, "")
    assert "cd mybot" in done.stdout
    assert "下一步" in done.stdout
    for command in COMMANDS["python"]:
        assert f"  {command}  " in done.stdout
    assert "四子" in (tmp_path / "mybot" / "main.py").read_text(encoding="utf-8")
    check_address("python:mybot/", tmp_path)


@pytest.mark.parametrize(("kind", "purpose"), [("cpp", "build it and run its test"), ("python", "run its test")])
def test_new_says_what_the_commands_do(fourfall: Fourfall, kind: Kind, purpose: str) -> None:
    """The first command of a C++ kit builds the bot; Python needs no build."""
    lines = fourfall("new", "mybot", "--kind", kind).stdout.splitlines()
    assert next(line for line in lines if COMMANDS[kind].build in line).endswith(f"  # {purpose}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["full"], "full is not empty"),
        (["file"], "file exists and is not a folder"),
        (["my bot"], "contains ' '"),
        (["a:b"], "contains ':'"),
        ([".hidden"], "begins with a punctuation mark"),
        (["missing/mybot"], "does not exist; create it first"),
        (["/proc/mybot"], "/proc/mybot: cannot create this folder"),
        (["mybot", "--kind", "rust"], "'rust' is not one of"),
        (["mybot", "--lang", "fr"], "'fr' is not one of"),
    ],
)
def test_bad_folder_or_kind(fourfall: Fourfall, tmp_path: Path, arguments: list[str], message: str) -> None:
    """The error says what is wrong, the exit code is 2 and nothing is written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "Strategy.cpp").write_text("mine")
    (tmp_path / "file").touch()
    done = fourfall("new", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == [
        "file",
        "full",
        "full/Strategy.cpp",
    ]


def test_empty_folder_is_used(tmp_path: Path) -> None:
    """A kit may be written into an existing empty folder, but not a second time."""
    (tmp_path / "mybot").mkdir()
    names = write_kit(tmp_path / "mybot", "cpp")
    assert sorted(path.name for path in (tmp_path / "mybot").iterdir()) == names
    with pytest.raises(KitError, match="not empty"):
        write_kit(tmp_path / "mybot", "cpp")


def test_page_about_the_kits(fourfall: Fourfall, tmp_path: Path) -> None:
    """The page docs/starter_kits.md has commands that work, and lists every file and every next command."""
    page = (Path(__file__).parents[2] / "docs" / "starter_kits.md").read_text()
    commands = re.findall(r"^fourfall (new .*?) *#", page, re.MULTILINE)
    assert len(commands) == len(KINDS)
    for number, command in enumerate(commands):
        (tmp_path / f"{number}").mkdir()
        done = fourfall(*command.replace("mybot", f"{number}/mybot").split())
        assert done.returncode == 0, done.stderr
    for kind in KINDS:
        row = re.search(rf"^\| `{kind}` \| (`(?!make|python).*) \|$", page, re.MULTILINE)
        assert row is not None
        assert set(re.findall(r"`(.*?)`", row[1])) == set(read_templates(kind, "en", "mybot"))
        assert f"| `{kind}` | `{'` | `'.join(COMMANDS[kind])}` |" in page


@pytest.mark.parametrize("exists", [False, True])
def test_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exists: bool) -> None:
    """If the second file cannot be written, the first one and a new folder are removed."""
    monkeypatch.setattr(starter_kit, "read_templates", lambda *_: {"a.cpp": "one", "missing/b.cpp": "two"})
    if exists:
        (tmp_path / "mybot").mkdir()
    with pytest.raises(FileNotFoundError):
        write_kit(tmp_path / "mybot", "cpp")
    assert list(tmp_path.rglob("*")) == ([tmp_path / "mybot"] if exists else [])


def test_positions_of_the_python_test() -> None:
    """The positions of the kit's test are what their names say."""
    assert Board.parse("6x7:112233").winning_moves == [3]
    assert Board.parse("6x7:1122366").threats(0) == [(5, 3)]
