"""Tests that only `fourfall.system` and `fourfall.agents.sandbox` use names that do not exist on every system."""

import ast
from pathlib import Path

import pytest

from tests.linux_only import LINUX_ONLY, find_reason
from tests.system.missing_names import (
    POPEN_OPTIONS,
    POSIX_MODULES,
    POSIX_NAMES,
    SYSTEM_PATHS,
    WINDOWS_MODULES,
    WINDOWS_NAMES,
)

PACKAGE = Path(__file__).parents[1] / "src" / "fourfall"
ALLOWED = (PACKAGE / "system", PACKAGE / "agents" / "sandbox")
# These modules only compare or describe paths of Linux: what an agent in the sandbox may read.
PATHS_ALLOWED = tuple(
    PACKAGE / name for name in ("agents/permissions.py", "agents/permission_report.py", "cluster/agent_bundle.py")
)
TESTS = Path(__file__).parent
# Functions of Linux that only tests with a reason in linux_only.py call, or that only run on Linux.
TESTS_ALLOWED = (TESTS / "processes.py", TESTS / "system" / "windows_functions.py")
FILES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if not any(path.is_relative_to(folder) for folder in ALLOWED) and "templates" not in path.parts
)
MODULES = POSIX_MODULES | WINDOWS_MODULES
NAMES = {
    module: POSIX_NAMES.get(module, frozenset()) | WINDOWS_NAMES.get(module, frozenset())
    for module in (*POSIX_NAMES, *WINDOWS_NAMES)
} | {"sys": frozenset({"platform"})}


def find_system_names(source: str, *, allows_paths: bool = False) -> list[str]:
    """Return the uses of names, modules, options and paths that do not exist on every system."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    found = [name for node in nodes for name in _examine(node)]
    if not allows_paths:
        found += [
            f"path {node.value}"
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
            if node.value.startswith(SYSTEM_PATHS)
        ]
    return found


def _examine(node: ast.AST) -> list[str]:
    """Return what a node uses, except paths."""
    match node:
        case ast.Import(names=names):
            return [f"import {alias.name}" for alias in names if alias.name.partition(".")[0] in MODULES]
        case ast.ImportFrom(module=str(module)) if module in MODULES:
            return [f"import {module}"]
        case ast.ImportFrom(module=str(module), names=names, level=0):
            return [f"{module}.{alias.name}" for alias in names if alias.name in NAMES.get(module, ())]
        case ast.Attribute(value=ast.Name(id=module), attr=name) if name in NAMES.get(module, ()):
            return [f"{module}.{name}"]
        case ast.Attribute(attr="add_signal_handler"):
            return ["add_signal_handler"]
        case ast.keyword(arg=str(name)) if name in POPEN_OPTIONS:
            return [f"option {name}"]
    return []


def test_modules_use_only_names_of_every_system() -> None:
    """No module outside the two packages has an import, a name, an option or a path of one system."""
    found = {
        path.relative_to(PACKAGE).as_posix(): find_system_names(
            path.read_text(encoding="utf-8"), allows_paths=path in PATHS_ALLOWED
        )
        for path in FILES
    }
    assert {path: names for path, names in found.items() if names} == {}
    assert "arena/game.py" in found


def test_tests_of_other_systems_use_only_their_names() -> None:
    """Tests that macOS and Windows collect have no import or name of one system; the list of the others is right."""
    assert [path for path in LINUX_ONLY if not (TESTS / path).exists()] == []
    files = [path for path in TESTS.rglob("*.py") if find_reason(path) is None and path not in TESTS_ALLOWED]
    found = {
        path.relative_to(TESTS).as_posix(): find_system_names(path.read_text(encoding="utf-8"), allows_paths=True)
        for path in files
    }
    assert {path: set(names) - {"sys.platform"} for path, names in found.items() if set(names) - {"sys.platform"}} == {}
    assert "game/test_rules.py" in found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os\nos.getpid()\nos.replace('a', 'b')", []),
        ("import os\nos.sched_getaffinity(0)", ["os.sched_getaffinity"]),
        ("from os import fork", ["os.fork"]),
        ("def f():\n    import fcntl", ["import fcntl"]),
        ("from msvcrt import locking", ["import msvcrt"]),
        ("import signal\nsignal.signal(signal.SIGINT, f)\nos.kill(1, signal.SIGKILL)", ["os.kill", "signal.SIGKILL"]),
        ("subprocess.Popen([], start_new_session=True)", ["option start_new_session"]),
        ("if sys.platform == 'linux': pass", ["sys.platform"]),
        ('"""Reads /proc/stat."""\nPath("/proc/stat")', ["path /proc/stat"]),
        ('"""/proc/stat is documented."""', []),
    ],
)
def test_names_of_one_system_are_found(source: str, found: list[str]) -> None:
    """The check finds each kind of use, and nothing else."""
    assert sorted(find_system_names(source)) == sorted(found)
