"""Owns the direction of imports: arrows point one way, in C++ and in Python, as the design draws them."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CPP = ROOT / "cpp"
PACKAGE = ROOT / "src" / "fourfall"

# Each rank may use the ranks before it; members of one rank do not know each other.
CPP_RANKS = (("game",), ("search",), ("engine",), ("bindings", "programs"))
PYTHON_RANKS = (
    ("_core",),
    ("presets", "weights"),
    ("render", "engine"),
    ("agents",),
    ("arena",),
    ("__init__",),
    ("web", "adapters"),
    ("cli",),
    ("__main__",),
)

CPP_FILES = sorted(path for suffix in ("hpp", "cpp", "inl") for path in CPP.rglob(f"*.{suffix}"))
PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))


def backward_arrows(member: str, used: Iterable[str], ranks: Sequence[Sequence[str]]) -> list[str]:
    """Return the arrows from a member of the design to others that it must not know."""
    rank = {name: number for number, names in enumerate(ranks) for name in names}
    assert member in rank, f"{member} has no place in the layout"
    return [
        f"{member} uses {name}"
        for name in sorted(set(used))
        if name != member and rank.get(name, len(ranks)) >= rank[member]
    ]


def cpp_member(path: Path) -> str:
    """Return the folder of the core that a file belongs to."""
    return path.relative_to(CPP).parts[0]


def included(source: str, angle_brackets: bool = False) -> list[str]:
    """Return the paths that a C++ source includes, in quotes or in angle brackets."""
    return re.findall(r"^\s*#\s*include\s*" + ("<([^>]+)>" if angle_brackets else '"([^"]+)"'), source, re.MULTILINE)


def used_folders(source: str, member: str) -> list[str]:
    """Return the folders of the core that a C++ source includes from; a bare file name means its own."""
    return [path.partition("/")[0] if "/" in path else member for path in included(source)]


def python_member(path: Path) -> str:
    """Return the module or package directly under fourfall that a file belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(source: str, package: Sequence[str]) -> Iterator[list[str]]:
    """Yield what a module of this package imports, each as the parts of a full dotted name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = list(package[: len(package) + 1 - node.level]) if node.level else []
            named = node.module.split(".") if node.module else []
            yield from (start + named + alias.name.split(".") for alias in node.names)


def used_members(source: str, package: Sequence[str]) -> list[str]:
    """Return the members of fourfall that a module imports; a name of the package itself comes from __init__."""
    known = {name for names in PYTHON_RANKS for name in names}
    parts = [name[1:] for name in imported(source, package) if name[0] == "fourfall"]
    return [rest[0] if rest and (rest[0] in known or len(rest) > 1) else "__init__" for rest in parts]


def package_of(path: Path) -> tuple[str, ...]:
    """Return the dotted package, in parts, that a Python file's relative imports start from."""
    return ("fourfall", *path.relative_to(PACKAGE).parent.parts)


@pytest.mark.parametrize("path", CPP_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_cpp_file_includes_only_what_comes_before_it(path: Path) -> None:
    """The core's folders include each other in one direction."""
    member = cpp_member(path)
    assert backward_arrows(member, used_folders(path.read_text(), member), CPP_RANKS) == []


@pytest.mark.parametrize("path", CPP_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_bindings_know_python(path: Path) -> None:
    """Headers of nanobind and of Python are included in the bindings' folder alone."""
    headers = included(path.read_text(), angle_brackets=True) + included(path.read_text())
    foreign = [header for header in headers if header.startswith("nanobind/") or header == "Python.h"]
    assert cpp_member(path) == "bindings" or foreign == []


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_python_file_imports_only_what_comes_before_it(path: Path) -> None:
    """The package's modules import each other in one direction."""
    used = used_members(path.read_text(), package_of(path))
    assert backward_arrows(python_member(path), used, PYTHON_RANKS) == []


def test_there_are_files_to_read() -> None:
    """The two walks find the sources."""
    assert CPP / "game" / "board.hpp" in CPP_FILES
    assert PACKAGE / "__init__.py" in PYTHON_FILES


@pytest.mark.parametrize(
    ("member", "source", "arrows"),
    [
        ("game", '#include "game/bits.hpp"\n#include <search/no.hpp>', []),
        ("search", '#include "game/board.hpp"\n#include "search/tree/tree.hpp"\n#include "limits.hpp"', []),
        ("game", '#include "search/limits.hpp"', ["game uses search"]),
        ("programs", ' # include  "bindings/docs.hpp"', ["programs uses bindings"]),
        ("engine", '#include "elsewhere/thing.hpp"', ["engine uses elsewhere"]),
    ],
)
def test_a_backward_include_is_reported(member: str, source: str, arrows: list[str]) -> None:
    """Made-up includes against the direction, sideways and out of the layout are named; others are not."""
    assert backward_arrows(member, used_folders(source, member), CPP_RANKS) == arrows


@pytest.mark.parametrize(
    ("member", "source", "arrows"),
    [
        ("arena", "import json\nfrom fourfall._core import Board\nfrom fourfall.agents.base import Agent", []),
        ("arena", "from . import judge\nfrom .store import Store\nfrom .. import agents", []),
        ("arena", "def later():\n    import fourfall.cli.play", ["arena uses cli"]),
        ("web", "from fourfall.adapters import ugi\nfrom fourfall import Board", ["web uses adapters"]),
        ("agents", "from ..arena.judge import Judge", ["agents uses arena"]),
        ("agents", "from fourfall import Board, arena", ["agents uses __init__", "agents uses arena"]),
        ("agents", "import fourfall", ["agents uses __init__"]),
        ("agents", "from fourfall.elsewhere import thing", ["agents uses elsewhere"]),
    ],
)
def test_a_backward_import_is_reported(member: str, source: str, arrows: list[str]) -> None:
    """Made-up imports against the direction, sideways and out of the layout are named; others are not."""
    assert backward_arrows(member, used_members(source, ("fourfall", member)), PYTHON_RANKS) == arrows


@pytest.mark.parametrize("ranks", [CPP_RANKS, PYTHON_RANKS])
def test_a_file_outside_the_layout_is_reported(ranks: Sequence[Sequence[str]]) -> None:
    """A folder that the design does not know is an error, not a blind spot."""
    with pytest.raises(AssertionError, match="no place in the layout"):
        backward_arrows("elsewhere", [], ranks)
