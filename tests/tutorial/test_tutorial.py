"""Tests of the tutorial: its bots play, each is stronger than the one before, and its pages show their code."""

import importlib.util
import random
import re
from pathlib import Path
from types import ModuleType

import pytest
from typer.main import get_command

from fourfall import Board, Limit
from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from fourfall.cli import app
from tests.marks import needs_sandbox

ROOT = Path(__file__).parents[2]
STEPS = sorted((ROOT / "examples" / "tutorial").glob("step*.py"))
ENGLISH, CHINESE = ROOT / "docs" / "tutorial", ROOT / "docs" / "zh" / "tutorial"
PAGES = sorted(ENGLISH.glob("*.md")) + sorted(CHINESE.glob("*.md"))
LIMIT = Limit(time=1.0)


@pytest.fixture(autouse=True)
def seed() -> None:
    """Make the bots repeatable; they use Python's random numbers."""
    random.seed(1)


def load(number: int, simulations: int = 500) -> ModuleType:
    """Import the bot of a step with fewer random games per move, which makes the tests faster."""
    spec = importlib.util.spec_from_file_location(f"step{number}", STEPS[number - 1])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in {"GAMES", "SIMULATIONS"} & vars(module).keys():
        setattr(module, name, simulations)
    return module


def count_wins(new: ModuleType, old: ModuleType, games: int) -> float:
    """Return the points of the first bot; both move first equally often."""
    points = 0.0
    for game in range(games):
        board = Board.random(seed=game // 2)
        while not board.is_over:
            bot = new if board.turn == game % 2 else old
            board.push(bot.play(board.copy(), LIMIT))
        outcome = board.outcome()
        assert outcome is not None
        points += 0.5 if outcome.winner is None else float(outcome.winner == game % 2)
    return points


@needs_sandbox
@pytest.mark.parametrize("path", STEPS, ids=lambda path: path.stem)
def test_bot_plays_in_the_sandbox(path: Path) -> None:
    """The file is a complete agent: it plays a whole game without a fault."""
    seats = (Seat("bot", f"python:{path}", Conditions()), Seat("level", "level-2", Conditions(seed=1)))
    record = play_game(ScheduledGame(0, 0, seats, "6x7@5,3"), open_agent)
    assert record.culprit is None, record.detail + record.stderr


@pytest.mark.parametrize(
    ("new", "simulations", "games", "points"), [(2, 500, 6, 5.5), (3, 500, 8, 5.5), (4, 300, 6, 5)]
)
def test_each_step_is_stronger(new: int, simulations: int, games: int, points: float) -> None:
    """The bot of a step wins most games against the bot of the step before."""
    assert count_wins(load(new, simulations), load(new - 1, simulations), games) >= points


@pytest.mark.parametrize("number", [2, 3, 4])
def test_immediate_win_and_block(number: int) -> None:
    """Bots with rollouts complete four, and stop four of the opponent."""
    bot = load(number)
    assert bot.play(Board.parse("6x7:112233"), LIMIT) == 3
    assert bot.play(Board.parse("6x7:11223"), LIMIT) == 3


def test_proof_of_a_double_threat() -> None:
    """The search proves that three with two open ends win, and a lost position gives a legal move."""
    bot = load(4)
    root = bot.Node(Board.parse("6x7:3344"))
    while root.proven is None:
        bot.simulate(root, Board.parse("6x7:3344"))
    assert root.proven == 0
    assert {column for column, child in root.children.items() if child.proven == 1} <= {1, 4}
    assert bot.play(Board.parse("6x7:33442"), LIMIT) in range(7)


def read_blocks(path: Path) -> str:
    """Return the Python code of a page, without empty lines."""
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    return "\n".join(line for line in "".join(blocks).splitlines() if line)


@pytest.mark.parametrize("folder", [ENGLISH, CHINESE], ids=["en", "zh"])
@pytest.mark.parametrize("path", STEPS, ids=lambda path: path.stem)
def test_page_shows_the_file(folder: Path, path: Path) -> None:
    """The blocks of a page are together the file of its step."""
    number = path.stem.partition("_")[0].removeprefix("step")
    (page,) = folder.glob(f"0{number}_*.md")
    assert read_blocks(page) == "\n".join(line for line in path.read_text().splitlines() if line)


def list_shared_parts(text: str) -> object:
    """Return what both languages share: headings, code, commands, figures and links."""
    text = re.sub(r"(\.\./)+", "", text.replace(" --lang zh", ""))
    commands = re.findall(r"^    (fourfall .*)$", text, re.MULTILINE)
    parts = r"^#+ |^\d\. |^\||^> \*\*C\+\+"
    return re.findall(parts, text, re.MULTILINE), commands, re.findall(r"\]\((.*?)\)", text), re.findall(r"\+\d+", text)


def test_languages_have_the_same_structure() -> None:
    """Each Chinese page has the headings, commands, figures and links of the English one."""
    names = [path.name for path in sorted(ENGLISH.glob("*.md"))]
    assert len(names) == 6
    assert [path.name for path in sorted(CHINESE.glob("*.md"))] == names
    for name in names:
        english, chinese = ((folder / name).read_text(encoding="utf-8") for folder in (ENGLISH, CHINESE))
        assert list_shared_parts(english) == list_shared_parts(chinese), name
        assert read_blocks(ENGLISH / name) == read_blocks(CHINESE / name)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_commands_exist(path: Path) -> None:
    """Relative links lead to files, and every command and option is one of the command line."""
    text = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not (path.parent / link).exists()] == []
    commands = get_command(app).commands  # type: ignore[attr-defined]
    for line in re.findall(r"^    fourfall (.*)$", text, re.MULTILINE) + re.findall(r"`fourfall (.*?)`", text):
        words = line.split()
        known = {name for parameter in commands[words[0]].params for name in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line
