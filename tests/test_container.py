"""Tests the files of the container image that need no container runtime."""

import re
import runpy
import threading
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEALTH = runpy.run_path(str(ROOT / "tools" / "container" / "health.py"))


def list_copied() -> list[str]:
    """List the paths of the repository that the Dockerfile copies."""
    lines = re.findall(r"^COPY (?!--from)(.*)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    return [word for line in lines for word in line.split()[:-1] if not word.startswith("--")]


def test_copied_files_are_sent_to_the_builder() -> None:
    """Each path of a COPY exists and is excepted in .dockerignore, whose first rule excludes everything."""
    rules = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    assert rules[0] == "*"
    kept = [rule[1:] for rule in rules if rule.startswith("!")]
    copied = list_copied()
    assert {"pyproject.toml", "cpp", "src"} <= set(copied)
    for path in copied:
        assert (ROOT / path).exists()
        assert any(path == rule or Path(path).is_relative_to(rule) for rule in kept), path
    assert all((ROOT / rule).exists() for rule in kept)
    assert any(fnmatch("src/fourfall/_core.cpython-313-x86_64-linux-gnu.so", rule) for rule in rules[1:])


@pytest.fixture
def port() -> Iterator[int]:
    """Serve 200 at /health, 401 at / and 500 elsewhere."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response({"/health": 200, "/": 401}.get(self.path, 500))
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_health_check(port: int) -> None:
    """A page that asks for its token and a Dask server that is healthy count; an error and a closed port do not."""
    is_healthy = HEALTH["is_healthy"]
    assert is_healthy(f"{port}/")
    assert is_healthy(f"{port}/health")
    assert not is_healthy(f"{port}/other")
    assert not is_healthy("1/")


def test_ports_agree() -> None:
    """The health check asks the ports that the commands of the documentation use."""
    page = (ROOT / "docs" / "container.md").read_text(encoding="utf-8")
    assert HEALTH["PAGE"].startswith("4444/")
    assert f"--dashboard-address :{HEALTH['WORKER'].partition('/')[0]}" in page
    exposed = re.findall(r"^EXPOSE (.*)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {HEALTH[name].partition("/")[0] for name in ("PAGE", "SCHEDULER", "WORKER")} <= set(exposed[0].split())


def test_wheel_has_all_packages() -> None:
    """No folder of the package has the name of a folder that is left out everywhere; "/name" is one of the root."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    everywhere = {pattern for pattern in settings["sdist"]["exclude"] if not pattern.startswith("/")}
    folders = {path.name for path in (ROOT / "src" / "fourfall").rglob("*") if path.is_dir()}
    assert {"experiments", "cluster"} <= folders
    assert not everywhere & folders
