"""Tests the wheel that `make` has built: it plays, analyses and serves the page where there is no compiler."""

import shutil
import zipfile
from pathlib import Path

import pytest

from tools.wheels.fresh_environment import InstallError, create_environment, install, link_requirements, run_smoke_test

ROOT = Path(__file__).parents[2]
WHEELS = sorted((ROOT / "build" / "wheel").glob("*.whl"))

pytestmark = pytest.mark.skipif(not WHEELS, reason="`make` builds the wheel, and this installation was made without it")


def test_wheel_works_without_a_compiler(tmp_path: Path) -> None:
    """Every step of the smoke test passes; pip finds all requirements without an index."""
    python = create_environment(tmp_path / "site")
    link_requirements(WHEELS[-1], tmp_path / "site")
    install(WHEELS[-1], python, "--no-index")
    lines = run_smoke_test(python).splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["ok", name] for name in ("compiler", "environment", "python_api", "analysis", "play", "match", "page", "bot")
    ]


def test_wheel_has_type_stub_and_sandbox_program() -> None:
    """Files that CMake installs are in the wheel."""
    with zipfile.ZipFile(WHEELS[-1]) as archive:
        names = set(archive.namelist())
    files = ("_core.pyi", "py.typed", "programs/fourfall-host")
    assert {f"fourfall/{file}" for file in files} <= names


def test_wheel_of_another_platform_is_refused(tmp_path: Path) -> None:
    """The message of pip names the wheel; nothing is installed."""
    python = create_environment(tmp_path / "site")
    other = tmp_path / WHEELS[-1].name.replace("x86_64", "riscv64").replace("aarch64", "riscv64")
    shutil.copy(WHEELS[-1], other)
    with pytest.raises(InstallError, match=r"riscv64\.whl is not a supported wheel on this platform"):
        install(other, python, "--no-index")
