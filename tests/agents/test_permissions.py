"""Tests of what third-party agents may read: exactly what `fourfall doctor --agent` lists, for every kind of agent."""

import os
import shutil
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import fourfall
from fourfall import Board
from fourfall.agents import sandbox
from fourfall.agents.base import AgentError, Conditions, Fault
from fourfall.agents.permission_report import PermissionReport, report_permissions
from fourfall.agents.permissions import Grant, suggest_option
from fourfall.agents.registry import AddressError, check_address, open_agent
from fourfall.agents.third_party import ThirdPartyAgent
from fourfall.arena.store import Store
from tests.agents.conftest import HostileAgents
from tests.marks import needs_sandbox

pytestmark = needs_sandbox
CONDITIONS = Conditions(move_time_s=10.0, startup_time_s=20.0)
KINDS = ["library", "program", "program+json", "ugi", "script", "python", "folder", "module"]
PYTHON_PROBE = """
import sys
for path in {paths!r}:
    try:
        open(path, "rb").close()
        print(f"{{path}}: succeeded", file=sys.stderr)
    except OSError as error:
        print(f"{{path}}: {{error.strerror}}", file=sys.stderr)
def play(board, limit): return 0
"""


class Course:
    """A folder in which several agents lie, with data, a database and private files."""

    def __init__(self, folder: Path, hostile: HostileAgents) -> None:
        self.folder = folder
        self.hostile = hostile
        self.own, self.data = folder / "own", folder / "data"
        for path in (self.own, self.data, folder / "package"):
            path.mkdir()
        self.files = [
            *(folder / name for name in ("opponent.py", "opponent.so", ".env", "notes.txt", "games.txt")),
            *(self.own / name for name in ("beside.txt", "games.db-journal")),
            *(self.data / name for name in ("book.bin", "inner/more.bin")),
            folder / "package" / "extra.py",
        ]
        for path in self.files:
            path.parent.mkdir(exist_ok=True)
            path.write_text("text")
        self.databases = [folder / "events.db", self.own / "games.db", self.data / "inner" / "page"]
        for path in self.databases:
            Store(path).close()
            self.files.append(path)
        (self.data / "inner" / "page-wal").write_text("journal")
        self.files.append(self.data / "inner" / "page-wal")
        self.system = [Path("/etc/passwd"), Path("/etc/hostname"), Path("/usr/bin/env"), Path(sys.prefix, "pyvenv.cfg")]
        self.system += [Path(fourfall.__file__), Path.home() / ".bashrc", Path(__file__), Path("/proc/self/status")]
        self.paths = [path for path in (*self.files, *self.system) if path.exists()]

    def make_agent(self, kind: str, options: str = "") -> str:
        """Make an agent of a kind that tries to read all the files; return its address."""
        probe = PYTHON_PROBE.format(paths=[str(path) for path in self.paths])
        target = ":".join(map(str, self.paths))
        match kind:
            case "library":
                shutil.copy(self.hostile.library("read-files", target), self.own)
                return f"library:{self.own}/read-files.so{options}"
            case "program" | "program+json" | "ugi":
                shutil.copy(self.hostile.program, self.own / "bot")
                return f"{kind}:{self.own}/bot read-files to:{target} exit{options}"
            case "script":
                (self.own / "bot.py").write_text(probe)
                return f"program:{sys.executable} {self.own}/bot.py{options}"
            case "python":
                (self.own / "bot.py").write_text(probe)
                return f"python:{self.own}/bot.py{options}"
            case "folder":
                (self.own / "main.py").write_text(probe)
                return f"python:{self.own}{options}"
            case _:
                (self.folder / "package" / "inner.py").write_text(probe)
                return f"python:package.inner{options}"

    def run(self, address: str) -> tuple[set[Path], PermissionReport]:
        """Run an agent; return the files that it could read, and the report on its permissions."""
        agent = open_agent(address, CONDITIONS, self.folder)
        assert isinstance(agent, ThirdPartyAgent)
        report = report_permissions(agent)
        try:
            with suppress(AgentError):  # a probe of a program does not speak the protocol
                agent.start(Board(6, 7))
                agent.play(Board(6, 7))
        finally:
            agent.close()
        results = dict(line.rsplit(": ", 1) for line in agent.stderr.splitlines() if line.startswith("/"))
        assert set(results) == set(map(str, self.paths)), agent.stderr
        return {Path(path) for path, result in results.items() if result == "succeeded"}, report


@pytest.fixture
def course(tmp_path: Path, hostile: HostileAgents) -> Course:
    """Make the folder."""
    return Course(tmp_path, hostile)


@pytest.fixture(params=[(), ("--no-namespaces",)], ids=["sandbox", "without-namespaces"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with namespaces and without."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", request.param)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_reads_exactly_what_the_report_lists(course: Course, kind: str) -> None:
    """Without options an agent reads nothing beside it, except in a folder that its address names."""
    readable, report = course.run(course.make_agent(kind))
    assert readable == {path for path in course.paths if report.allows_reading(path)}
    own = {"folder": {course.own / "beside.txt"}, "module": {course.folder / "package" / "extra.py"}}
    assert readable & set(course.files) == own.get(kind, set())
    assert Path("/usr/bin/env") in readable
    assert Path("/etc/passwd") not in readable


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("kind", ["library", "program", "python"])
def test_the_option_read_adds_files_but_no_database(course: Course, kind: str) -> None:
    """A named file and a named folder become readable; databases and journals in the folder do not."""
    options = f"?read={course.data}&read={course.folder / 'notes.txt'}"
    readable, report = course.run(course.make_agent(kind, options))
    assert readable == {path for path in course.paths if report.allows_reading(path)}
    assert readable & set(course.files) == {
        course.data / "book.bin",
        course.data / "inner" / "more.bin",
        course.folder / "notes.txt",
    }


def test_the_environment_and_limits_are_those_of_the_report(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the user reaches an agent, and the report lists those that it has."""
    for name in ("SECRET_KEY", "LD_LIBRARY_PATH", "PYTHONPATH", "GCONV_PATH", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, f"{course.folder}")
    (course.own / "bot.py").write_text(
        "import os, resource, sys\n"
        "print(sorted(os.environ), file=sys.stderr)\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], file=sys.stderr)\n"
        "print(sys.flags.isolated, sys.flags.safe_path, sys.flags.no_user_site, file=sys.stderr)\n"
        "def play(board, limit): return 0\n"
    )
    agent = open_agent(f"python:{course.own}/bot.py", CONDITIONS)
    assert isinstance(agent, ThirdPartyAgent)
    report = report_permissions(agent)
    agent.start(Board(6, 7))
    agent.play(Board(6, 7))
    agent.close()
    names = sorted(report.environment)
    assert names == sorted([*sandbox.ENVIRONMENT, "HOME", "TMPDIR"])
    # Python itself sets LC_CTYPE in some locales.
    assert agent.stderr.replace(", 'LC_CTYPE'", "").splitlines() == [
        str(names),
        str(report.limits["open_files"]),
        "1 True 1",
    ]


def test_two_agents_in_one_folder_cannot_use_each_other(course: Course) -> None:
    """An agent that imports its opponent fails, and the message says which option would allow it."""
    (course.own / "victim.py").write_text("def play(board, limit): return 3")
    (course.own / "thief.py").write_text("from victim import play")
    agent = open_agent(f"python:{course.own}/thief.py", CONDITIONS)
    with pytest.raises(AgentError) as caught:
        agent.start(Board(6, 7))
    agent.close()
    assert caught.value.fault == Fault.CANNOT_LOAD
    assert str(caught.value) == (
        "ModuleNotFoundError: No module named 'victim'; the agent may not read "
        f"{course.own}/victim.py: add ?read={course.own}/victim.py to its address to allow it"
    )
    agent = open_agent(f"python:{course.own}/thief.py?read={course.own}/victim.py", CONDITIONS)
    agent.start(Board(6, 7))
    assert agent.play(Board(6, 7)).column == 3
    agent.close()


def test_a_missing_data_file_is_explained(course: Course) -> None:
    """A script that cannot open a file beside it fails with the option that allows it."""
    (course.own / "helper.py").touch()
    for line, path in (
        (f"open({str(course.own / 'beside.txt')!r})", course.own / "beside.txt"),
        ("import helper", course.own),
    ):
        (course.own / "bot.py").write_text(line)
        agent = open_agent(f"program:{sys.executable} {course.own}/bot.py", CONDITIONS)
        agent.start(Board(6, 7))
        with pytest.raises(AgentError, match=rf"add \?read={path} to its address"):
            agent.play(Board(6, 7))
        agent.close()
    agent = open_agent(f"program:{sys.executable} {course.own}/bot.py?read={course.own}", CONDITIONS)
    agent.start(Board(6, 7))
    with pytest.raises(AgentError, match=r"exited with code 0 instead of answering$"):
        agent.play(Board(6, 7))
    agent.close()


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("Permission denied: '{}/own/beside.txt'", "own/beside.txt"),
        ("cannot open data/book.bin", "data/book.bin"),
        ("No module named 'package.extra'", "package"),
        ("Permission denied: '/etc/passwd'", None),
        ("Permission denied: '{}/.env'", None),
        ("Permission denied: '{}/events.db'", None),
        ("Permission denied: '{}/games.txt'", None),
        ("open ../../../root/.ssh/id_rsa", None),
        ("no such thing", None),
    ],
)
def test_only_files_of_the_agents_folder_are_suggested(course: Course, message: str, path: str | None) -> None:
    """The advice never names hidden files, databases, files elsewhere, or files that are readable already."""
    grants = [Grant(course.folder / "games.txt", "named")]
    advice = suggest_option(message.format(course.folder), grants, [course.folder])
    found = course.folder / (path or "")
    expected = f"the agent may not read {found}: add ?read={found} to its address to allow it"
    assert advice == ("" if path is None else expected)


@pytest.fixture
def private_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a private file, which stands for the rest of the user's files."""
    folder = tmp_path_factory.mktemp("private")
    (folder / "secret").write_text("treasure")
    return folder


def test_links_give_no_access_to_their_targets(course: Course, private_folder: Path) -> None:
    """A link of the agent's author leads nowhere: not in the command, not in a named folder, not as an interpreter."""
    secret = private_folder / "secret"
    course.paths.append(secret)
    (course.own / "link").symlink_to(secret)
    (course.data / "link").symlink_to(secret)
    course.paths += [course.own / "link", course.data / "link"]
    (private_folder / "bin").mkdir()
    (private_folder / "lib").mkdir()
    (private_folder / "lib" / "key").write_text("treasure")
    course.paths.append(private_folder / "lib" / "key")
    shutil.copy(course.hostile.program, private_folder / "bin" / "python")
    (course.own / "python").symlink_to(private_folder / "bin" / "python")
    target = ":".join(map(str, course.paths))
    address = f"program:{course.own}/python read-files to:{target} exit {course.own}/link?read={course.data}"
    readable, _ = course.run(address)
    assert not readable & {secret, course.own / "link", course.data / "link", private_folder / "lib" / "key"}
    with pytest.raises(AddressError, match=f"{course.own}/link is a link to {secret}; name that path"):
        check_address(f"library:{course.own}/x.so?read={course.own}/link")


def test_the_database_cannot_be_named(course: Course) -> None:
    """The option read refuses a database of Fourfall and its journals; that of another program is allowed."""
    for name in ("events.db", "events.db-wal"):
        (course.folder / "events.db-wal").touch()
        with pytest.raises(AddressError, match=f"{name} is a database of Fourfall, which no agent may read"):
            check_address(f"python:{course.folder}/opponent.py?read={course.folder}/{name}")
    with sqlite3.connect(course.data / "book.sqlite") as connection:
        connection.execute("CREATE TABLE openings (moves TEXT)")
    connection.close()
    readable, _ = course.run(course.make_agent("python", f"?read={course.data}/book.sqlite"))
    assert os.access(course.data / "book.sqlite", os.R_OK)
    assert not readable & set(course.databases)
