"""Tests the parts of `make wheels` that need no cross compiler."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools.wheels.fresh_environment import find_pythons, is_compatible
from tools.wheels.toolchain import TARGETS, Target, ToolchainError, copy_python_headers, write_toolchain

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("tags", "minors"),
    [("cp311-cp311-linux_x86_64", [11]), ("cp312-abi3-manylinux_2_28_aarch64", [12, 13, 14])],
)
def test_versions_of_python_by_tags(tags: str, minors: list[int]) -> None:
    """A wheel of the stable ABI is for its version and all newer ones, another wheel for one version."""
    wheel = Path(f"fourfall-0.1.0-{tags}.whl")
    assert [minor for minor in (11, 12, 13, 14) if is_compatible(wheel, minor)] == minors


def test_running_python_is_found() -> None:
    """The Python that runs the tests is one of those that wheels are tested with."""
    assert find_pythons()[sys.version_info.minor] == sys.executable


def test_programs_that_start_no_python_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Version managers put a program for every version on the path, which fails if that version is not selected."""
    for minor, line in ((28, "exit 127"), (29, f'exec "{sys.executable}" "$@"')):
        program = tmp_path / f"python3.{minor}"
        program.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_pythons() == {sys.version_info.minor: sys.executable}


def test_each_python_has_an_environment() -> None:
    """`make wheels` with another Python does not use the environment of the first one."""
    versions = ("python3.11", "python3.13")
    outputs = [
        subprocess.run(["make", "-n", "wheels", f"PYTHON={name}"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in versions
    ]
    commands = [output.stdout.splitlines()[-1] for output in outputs]
    assert commands == [f"build/wheels/venv-{name}/bin/python -m tools.wheels.build" for name in versions]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.machine)
def test_toolchain(tmp_path: Path, target: Target) -> None:
    """The compiler program passes the target and all arguments on; only the other processor is a cross compilation."""
    zig = tmp_path / "zig"
    text = write_toolchain(tmp_path / "toolchain", zig, target).read_text(encoding="utf-8")
    assert ("CMAKE_SYSTEM_PROCESSOR aarch64" in text) == (target.machine == "aarch64")
    compiler = tmp_path / "toolchain" / "c++"
    assert f'set(CMAKE_CXX_COMPILER "{compiler}"' in text
    command = compiler.read_text(encoding="utf-8").splitlines()[-1]
    assert command == f'exec "{zig}" c++ -target {target.machine}-linux-gnu.2.28 "$@"'


def test_missing_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without headers is an error that names the file and the package."""
    monkeypatch.setattr("tools.wheels.toolchain.sysconfig.get_path", lambda _: str(tmp_path / "missing"))
    with pytest.raises(ToolchainError, match=r"missing/Python\.h is missing; .*python3-dev"):
        copy_python_headers(tmp_path / "include")


def test_features_of_the_processor_are_known() -> None:
    """Every feature that the core asks for is in the file for compilers without a list of features."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "cpp").rglob("*.?pp")]
    asked = {name for text in sources for name in re.findall(r'__builtin_cpu_supports\("(.+?)"\)', text)}
    listed = (ROOT / "cpp" / "platform" / "cpu_model.cpp").read_text(encoding="utf-8")
    assert asked
    assert asked == set(re.findall(r'// "(.+?)"', listed))


def test_public_builds_use_the_same_tags_as_make_wheels() -> None:
    """Both build for glibc 2.28, and for the stable ABI from Python 3.12 on."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    script = (ROOT / "tools" / "wheels" / "build.py").read_text(encoding="utf-8")
    for target in TARGETS:
        assert target.platform_tag == f"{settings[f'manylinux-{target.machine}-image']}_{target.machine}"
    assert f"-Cwheel.py-api={settings['config-settings']['wheel.py-api']}" in script


def test_both_public_builds_for_windows_use_the_same_compiler() -> None:
    """The wheels are compiled by the compiler with which the tests run; the one on the runner's path is refused."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]["windows"]
    workflow = (ROOT / ".github" / "workflows" / "systems.yml").read_text(encoding="utf-8")
    assert f'"CXX={settings["environment"]["CXX"]}"' in workflow
    assert settings["before-all"].split("pacman.exe")[1] in workflow
