"""Tests that includes and imports follow the layers of the architecture, in C++ and in Python."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CPP = ROOT / "cpp"
PACKAGE = ROOT / "src" / "fourfall"

# Each layer may use the layers before it. Members of one layer must not use each other.
CPP_RANKS = (("platform",), ("game",), ("search",), ("engine",), ("bindings", "browser", "programs"))
PYTHON_RANKS = (
    ("_core", "extras", "system", "validation"),
    ("presets", "weights", "census"),
    ("render", "engine", "watched_thread"),
    ("agents",),
    ("cluster",),
    ("arena",),
    ("games",),
    ("__init__",),
    ("coach",),
    ("datasets", "report", "notebook", "plots"),
    ("experiments",),
    ("web", "exports", "environments", "kits", "ugi"),
    ("cli",),
    ("entry_point",),
)

CPP_FILES = sorted(path for suffix in ("hpp", "cpp", "inl") for path in CPP.rglob(f"*.{suffix}"))
PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))


def find_violations(member: str, used: Iterable[str], ranks: Sequence[Sequence[str]]) -> list[str]:
    """Return which of the used members the given member must not use."""
    rank = {name: number for number, names in enumerate(ranks) for name in names}
    assert member in rank, f"{member} is not in the list of layers"
    return [
        f"{member} uses {name}"
        for name in sorted(set(used))
        if name != member and rank.get(name, len(ranks)) >= rank[member]
    ]


def get_cpp_member(path: Path) -> str:
    """Return the folder of the core that a file belongs to."""
    return path.relative_to(CPP).parts[0]


def list_includes(source: str, angle_brackets: bool = False) -> list[str]:
    """Return the paths that a C++ source includes, in quotes or in angle brackets."""
    return re.findall(r"^\s*#\s*include\s*" + ("<([^>]+)>" if angle_brackets else '"([^"]+)"'), source, re.MULTILINE)


def list_included_folders(source: str, member: str) -> list[str]:
    """Return the folders of the core from which a C++ source includes; a bare file name is in the same folder."""
    return [path.partition("/")[0] if "/" in path else member for path in list_includes(source)]


def get_python_member(path: Path) -> str:
    """Return the module or package directly under fourfall that a file belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def list_imports(source: str, package: Sequence[str]) -> Iterator[list[str]]:
    """Yield the imports of a module of this package as the parts of absolute dotted names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = list(package[: len(package) + 1 - node.level]) if node.level else []
            named = node.module.split(".") if node.module else []
            yield from (start + named + alias.name.split(".") for alias in node.names)


def list_imported_members(source: str, package: Sequence[str]) -> list[str]:
    """Return the members of fourfall that a module imports; names of the package itself come from __init__."""
    known = {name for names in PYTHON_RANKS for name in names}
    parts = [name[1:] for name in list_imports(source, package) if name[0] == "fourfall"]
    return [rest[0] if rest and (rest[0] in known or len(rest) > 1) else "__init__" for rest in parts]


def get_package(path: Path) -> tuple[str, ...]:
    """Return the parts of the package from which the relative imports of a file start."""
    return ("fourfall", *path.relative_to(PACKAGE).parent.parts)


@pytest.mark.parametrize("path", CPP_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_cpp_file_includes_only_lower_layers(path: Path) -> None:
    """The folders of the core include each other in one direction."""
    member = get_cpp_member(path)
    assert find_violations(member, list_included_folders(path.read_text(), member), CPP_RANKS) == []


@pytest.mark.parametrize("path", CPP_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_bindings_include_python(path: Path) -> None:
    """Only files in bindings/ include headers of nanobind or Python."""
    headers = list_includes(path.read_text(), angle_brackets=True) + list_includes(path.read_text())
    python_headers = [header for header in headers if header.startswith("nanobind/") or header == "Python.h"]
    assert get_cpp_member(path) == "bindings" or python_headers == []


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_file_imports_only_lower_layers(path: Path) -> None:
    """The modules of the package import each other in one direction."""
    used = list_imported_members(path.read_text(), get_package(path))
    assert find_violations(get_python_member(path), used, PYTHON_RANKS) == []


def test_source_files_are_found() -> None:
    """Both lists of files contain known sources."""
    assert CPP / "game" / "board.hpp" in CPP_FILES
    assert PACKAGE / "__init__.py" in PYTHON_FILES


@pytest.mark.parametrize(
    ("member", "source", "violations"),
    [
        ("game", '#include "game/bits.hpp"\n#include <search/no.hpp>', []),
        ("search", '#include "game/board.hpp"\n#include "search/tree/tree.hpp"\n#include "limits.hpp"', []),
        ("game", '#include "search/limits.hpp"', ["game uses search"]),
        ("programs", ' # include  "bindings/docs.hpp"', ["programs uses bindings"]),
        ("engine", '#include "elsewhere/thing.hpp"', ["engine uses elsewhere"]),
    ],
)
def test_forbidden_include_is_found(member: str, source: str, violations: list[str]) -> None:
    """Includes of a higher layer, of the same layer or of an unknown folder are found; others are allowed."""
    assert find_violations(member, list_included_folders(source, member), CPP_RANKS) == violations


@pytest.mark.parametrize(
    ("member", "source", "violations"),
    [
        ("arena", "import json\nfrom fourfall._core import Board\nfrom fourfall.agents.base import Agent", []),
        ("arena", "from . import judge\nfrom .store import Store\nfrom .. import agents", []),
        ("arena", "def later():\n    import fourfall.cli.play", ["arena uses cli"]),
        ("web", "from fourfall.exports import single_file\nfrom fourfall import Board", ["web uses exports"]),
        ("agents", "from ..arena.judge import Judge", ["agents uses arena"]),
        ("agents", "from fourfall import Board, arena", ["agents uses __init__", "agents uses arena"]),
        ("agents", "import fourfall", ["agents uses __init__"]),
        ("agents", "from fourfall.elsewhere import thing", ["agents uses elsewhere"]),
    ],
)
def test_forbidden_import_is_found(member: str, source: str, violations: list[str]) -> None:
    """Imports of a higher layer, of the same layer or of an unknown module are found; others are allowed."""
    assert find_violations(member, list_imported_members(source, ("fourfall", member)), PYTHON_RANKS) == violations


@pytest.mark.parametrize("ranks", [CPP_RANKS, PYTHON_RANKS])
def test_unknown_folder_is_an_error(ranks: Sequence[Sequence[str]]) -> None:
    """A folder that is in no layer raises an AssertionError."""
    with pytest.raises(AssertionError, match="is not in the list of layers"):
        find_violations("elsewhere", [], ranks)
