"""Installs a wheel into a fresh virtual environment and runs the smoke test there, without a compiler on the path."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from email.parser import Parser
from importlib.metadata import Distribution, distribution
from pathlib import Path

SMOKE = Path(__file__).with_name("smoke.py")


class InstallError(Exception):
    """The wheel cannot be installed or its smoke test failed; the message has the output."""


def create_environment(folder: Path, python: str = sys.executable) -> Path:
    """Create a virtual environment without packages and return its Python."""
    run([python, "-m", "venv", "--without-pip", str(folder)], dict(os.environ))
    return folder / "bin" / "python"


def install(wheel: Path, python: Path, *options: str) -> None:
    """Install the wheel with its extra `web` by pip; no package may be compiled."""
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "install", "--quiet"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    run([*pip, "--no-compile", "--only-binary=:all:", *options, f"{wheel.resolve()}[web]"], environment)


def link_requirements(wheel: Path, folder: Path) -> None:
    """Link the installed packages that the wheel needs with the extra `web` into the environment in `folder`.

    This replaces a download. Nothing else of the running environment can be imported in the new one.
    """
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    site = next((folder / "lib").glob("python3*/site-packages"))
    for package in find_distributions(metadata.get_all("Requires-Dist", []), {"web"}, {}):
        for file in package.files or ():
            link = site / file.parts[0]
            if file.parts[0] != ".." and not link.exists():
                link.symlink_to(Path(str(package.locate_file(file.parts[0]))))


def find_distributions(
    requirements: Iterable[str], extras: Iterable[str], found: dict[str, Distribution]
) -> Iterable[Distribution]:
    """Add the installed packages that `requirements` need, directly or indirectly, to `found`; return all of them."""
    from packaging.requirements import Requirement

    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        is_needed = marker is None or any(marker.evaluate({"extra": extra}) for extra in (*extras, ""))
        if is_needed and requirement.name not in found:
            found[requirement.name] = distribution(requirement.name)
            find_distributions(found[requirement.name].requires or (), requirement.extras, found)
    return found.values()


def run_smoke_test(python: Path, *arguments: str) -> str:
    """Run the smoke test with the Python of an environment, whose programs alone are on the path; return the output."""
    folder = python.parents[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    private = {"PATH": str(python.parent), "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    return run([str(python), str(SMOKE), "--no-compiler", *arguments], {**kept, **private})


def run(command: list[str], environment: dict[str, str]) -> str:
    """Run a program outside the repository and return its output."""
    result = subprocess.run(  # noqa: S603
        command, env=environment, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if result.returncode:
        raise InstallError(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout.strip()}")
    return result.stdout


def find_pythons() -> dict[int, str]:
    """Return the Pythons on the path by minor version, 3.11 and newer, with the one that runs this."""
    found = {minor: path for minor in range(11, 30) if (path := shutil.which(f"python3.{minor}"))}
    return {minor: path for minor, path in found.items() if is_python(path, minor)} | {
        sys.version_info.minor: sys.executable
    }


def is_python(path: str, minor: int) -> bool:
    """Return whether a program is Python 3.`minor`; version managers install programs that start no Python."""
    code = f"import sys; sys.exit(sys.version_info[:2] != (3, {minor}))"
    return subprocess.run([path, "-c", code], capture_output=True, check=False).returncode == 0  # noqa: S603


def is_compatible(wheel: Path, minor: int) -> bool:
    """Return whether a wheel is for Python 3.`minor`."""
    _, _, python, abi, _ = wheel.stem.split("-")
    built_for = int(python.removeprefix("cp3"))
    return minor >= built_for if abi == "abi3" else minor == built_for


def test_wheel(wheel: Path, python: str) -> str:
    """Install a wheel with requirements from the package index and run the smoke test; return its output."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = create_environment(Path(folder) / "site", python)
        install(wheel, fresh)
        return run_smoke_test(fresh)


def main() -> None:
    """Test wheels with every Python that they are for; exit with 1 and a message if that fails."""
    parser = argparse.ArgumentParser(description="Run the smoke test of wheels in fresh environments.")
    parser.add_argument("wheels", type=Path, nargs="+", help="Files of the wheels")
    pythons = find_pythons()
    for wheel in parser.parse_args().wheels:
        if not wheel.is_file():
            parser.error(f"{wheel} does not exist; build it with `make wheels`")
        compatible = [path for minor, path in sorted(pythons.items()) if is_compatible(wheel, minor)]
        if not compatible:
            print(f"{wheel.name} is not tested: no Python that it is for is on the path")
        for path in compatible:
            print(f"{wheel.name} with {path}", flush=True)
            try:
                print(test_wheel(wheel, path), end="", flush=True)
            except InstallError as error:
                sys.exit(f"{wheel.name}: {error}")


if __name__ == "__main__":
    main()
