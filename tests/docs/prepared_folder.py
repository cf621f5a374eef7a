"""Prepares a folder with the bots, presets, databases and engines that the pages name."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import fourfall
from fourfall.arena.spec import Spec
from tests.report.generated_event import store_event
from tools.docs.links import ROOT

DATABASES = ("arena.db", "monday.db", "tuesday.db", "one.db", "two.db")
LIBRARIES = ("old.so", "new.so", "A.so", "B.so", "alice.so", "samples/bot.so")
_LIBRARY = """
struct Point { int x, y; };
extern "C" Point* getPoint(int, int cols, const int* top, const int*, int, int, int, int) {
    for (int y = 0; y < cols; ++y)
        if (top[y] > 0) return new Point{top[y] - 1, y};
    return nullptr;
}
extern "C" void clearPoint(Point* point) { delete point; }
"""
_PROGRAM = """
#include <iostream>
#include <string>
int main() {
    int rows, cols, row, col;
    std::cin >> rows >> cols >> row >> col;
    for (int last_row, last_col; std::cin >> last_row >> last_col;) {
        int chosen_row = 0, chosen_col = -1;
        for (int y = 0, top; y < cols && std::cin >> top; ++y)
            if (top > 0) { chosen_row = top - 1; chosen_col = y; }
        const std::string answer = std::to_string(chosen_row) + " " + std::to_string(chosen_col);
        std::cout << '\\0' << '\\0' << '\\0' << char(answer.size()) << answer << std::flush;
        std::cin.ignore(1 << 20, '\\n');
    }
}
"""
# Agents are started without PYTHONPATH; this program finds the package that the tests use.
_FOURFALL = """#!{python}
import sys
sys.path.insert(0, {packages!r})
from fourfall.entry_point import main
main()
"""
_UGI_ENGINE = "#!/bin/sh\nexec {fourfall} ugi --engine level-2\n"
# Compiles the small library instead of the engine; tests/programs/ compiles the engine, which takes half a minute.
_COMPILER = '#!/bin/sh\nfor source; do :; done\ncp {library} "$source" && exec c++ "$@"\n'
_FUNCTION = "def play(board, limit):\n    return board.legal_moves[0]\n"
_KAGGLE_AGENT = "def agent(observation, configuration):\n    return observation.board[:7].index(0)\n"
_COUNT = re.compile(r"^(GAMES|SIMULATIONS) = \d+", re.MULTILINE)  # random games per move of a bot of the tutorial
_PRESET = 'base = "seed-002"\n[selection]\nexploration = 0.7\n'
PUZZLE = "6x7:431555345367 423 win 3 level-16 1120 double_threat\n"
_LEAGUE = """
pairs = 1
boards.list = ["4x4"]
[[agents]]
address = "level-2"
[[agents]]
address = "level-4"
"""


def prepare_folder(folder: Path) -> None:
    """Write the files that the commands of the pages read into a folder."""
    (folder / "samples").mkdir()
    (folder / "bot.cpp").write_text(_LIBRARY)
    subprocess.run(["c++", "-shared", "-fPIC", "bot.cpp", "-o", "bot.so"], cwd=folder, check=True)
    for name in LIBRARIES:
        shutil.copy(folder / "bot.so", folder / name)
    with (folder / "new.so").open("ab") as library:
        library.write(b"new")  # equal files would be compared without games
    subprocess.run(["c++", "-x", "c++", "-", "-o", "bot"], cwd=folder, input=_PROGRAM, text=True, check=True)
    shutil.copy(folder / "bot", folder / "new")
    (folder / "programs").mkdir()
    program = folder / "programs" / "fourfall"
    _write_program(program, _FOURFALL.format(python=sys.executable, packages=str(Path(fourfall.__file__).parents[1])))
    _write_program(folder / "other_engine", _UGI_ENGINE.format(fourfall=shlex.quote(str(program))))
    _write_program(folder / "compiler", _COMPILER.format(library=shlex.quote(str(folder / "bot.cpp"))))
    (folder / "bot.py").write_text(_FUNCTION)
    (folder / "my_agent.py").write_text(_KAGGLE_AGENT)
    (folder / "league.toml").write_text(_LEAGUE)
    (folder / "mine.txt").write_text(PUZZLE)
    (folder / "mine.toml").write_text(_PRESET)
    shutil.copytree(ROOT / "examples" / "tutorial", folder / "examples" / "tutorial")
    shutil.copy(ROOT / "examples" / "tournament.toml", folder / "examples")
    for path in (folder / "examples" / "tutorial").glob("*.py"):
        path.write_text(_COUNT.sub(r"\1 = 10", path.read_text(encoding="utf-8")), encoding="utf-8")
    for name in DATABASES:
        for agents in (("mine", "level-50"), ("library:./bot.so", "mine")) * (2 if name == "arena.db" else 1):
            records = store_event(folder / name, Spec.match(*agents, pairs=20 if name == "arena.db" else 2))
    (folder / "games.jsonl").write_text("".join(f"{record.to_json()}\n" for record in records))


def _write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
