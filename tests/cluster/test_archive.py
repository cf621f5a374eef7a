"""Tests the archives of agents: what is sent, the content hash, and the cache of the worker."""

import os
import stat
import zlib
from pathlib import Path

import pytest

from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.cluster import agent_bundle
from fourfall.cluster.agent_bundle import make_bundle
from fourfall.cluster.agent_cache import find_agent_folder, get_cache_folder, install_agent
from fourfall.cluster.archive import ArchivedFile, ArchiveError, compute_digest, pack, unpack, write_files

BOT = "def play(board, limit):\n    return board.legal_moves[0]\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return get_cache_folder()


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """Make a folder with a bot that has two files, data beside it, and files that nobody named."""
    folder = tmp_path / "bots"
    (folder / "alice" / "__pycache__").mkdir(parents=True)
    (folder / "alice" / "main.py").write_text(BOT)
    (folder / "alice" / "helper.py").write_text("")
    (folder / "alice" / "__pycache__" / "main.pyc").write_bytes(b"x")
    (folder / "data").mkdir()
    (folder / "data" / "book.bin").write_bytes(b"book")
    (folder / "secret.txt").write_text("secret")
    return folder


@pytest.mark.parametrize(
    ("address", "inner", "files"),
    [
        ("python:{0}/alice/", "python:./alice/", {"alice/main.py", "alice/helper.py"}),
        ("python:{0}/alice/main.py:play", "python:./main.py:play", {"main.py"}),
        (
            "python:{0}/alice/main.py?read={0}/data/book.bin",
            "python:./alice/main.py?read=./data/book.bin",
            {"alice/main.py", "data/book.bin"},
        ),
        ("kaggle:{0}/alice/main.py?overage=0", "kaggle:./main.py?overage=0", {"main.py"}),
    ],
)
def test_only_what_the_address_names_is_sent(bots: Path, address: str, inner: str, files: set[str]) -> None:
    """Files that the address does not name, and byte code, stay where they are; relative places are kept."""
    bundle = make_bundle(address.format(bots))
    assert bundle.agent.address == inner
    assert set(unpack(bundle.archive)) == files


def test_command_keeps_its_working_folder(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a command have the same places relative to its working folder as on the driver."""
    monkeypatch.chdir(bots)
    (bots / "bot.sh").write_text("#!/bin/sh\n")
    (bots / "bot.sh").chmod(0o755)
    bundle = make_bundle("program:./bot.sh data/book.bin --log=no --book=data/book.bin")
    files = unpack(bundle.archive)
    assert {path: file.is_executable for path, file in files.items()} == {"bot.sh": True, "data/book.bin": False}
    assert bundle.agent.address == "program:./bot.sh ./data/book.bin --log=no --book=data/book.bin"
    monkeypatch.chdir(bots / "data")
    bundle = make_bundle("program:../bot.sh book.bin")
    assert (bundle.agent.base, bundle.agent.address) == ("data", "program:./../bot.sh ./book.bin")
    install_agent(bundle.agent.digest, bundle.archive)
    folder = find_agent_folder(bundle.agent.digest)
    assert folder is not None
    open_agent(bundle.agent.address, Conditions(), folder / bundle.agent.base).close()


def test_installed_programs_and_engines_are_not_sent(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter stays; a preset file travels as one file without its base."""
    monkeypatch.chdir(bots)
    assert make_bundle("seed-002?time=1").archive == b""
    bundle = make_bundle("program:python3 alice/main.py")
    assert bundle.agent.address == "program:python3 ./alice/main.py"
    assert set(unpack(bundle.archive)) == {"alice/main.py"}
    (bots / "base.toml").write_text('base = "seed-002"\n')
    (bots / "mine.toml").write_text('base = "./base.toml"\n')
    bundle = make_bundle("mine.toml?simulations=10")
    assert set(unpack(bundle.archive)) == {"mine.toml"}
    install_agent(bundle.agent.digest, bundle.archive)
    folder = find_agent_folder(bundle.agent.digest)
    assert folder is not None
    open_agent(bundle.agent.address, Conditions(), folder).close()


def test_hash_depends_on_content_alone(bots: Path, tmp_path: Path) -> None:
    """Copies in other folders with other dates have the same hash and archive; another content has another one."""
    first = make_bundle(f"python:{bots}/alice/")
    copy = tmp_path / "elsewhere" / "alice"
    copy.mkdir(parents=True)
    for name in ("main.py", "helper.py"):
        (copy / name).write_bytes((bots / "alice" / name).read_bytes())
        os.utime(copy / name, (1, 1))
    second = make_bundle(f"python:{copy}/")
    assert (second.agent.digest, second.archive) == (first.agent.digest, first.archive)
    (copy / "helper.py").write_text("x = 1")
    assert make_bundle(f"python:{copy}/").agent.digest != first.agent.digest


def test_links_that_leave_the_folder_are_not_followed(bots: Path) -> None:
    """A link to a file that the agent may not read is left out; a link inside the folder becomes a copy."""
    (bots / "alice" / "stolen.txt").symlink_to(bots / "secret.txt")
    (bots / "alice" / "again.py").symlink_to("helper.py")
    (bots / "alice" / "loop").symlink_to(".")
    files = unpack(make_bundle(f"python:{bots}/alice/").archive)
    assert set(files) == {"alice/main.py", "alice/helper.py", "alice/again.py"}


def test_size_limit(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says which agent is too large, and the limit."""
    monkeypatch.setattr(agent_bundle, "MAX_FILES", 1)
    with pytest.raises(ArchiveError, match=r"alice/': the files of an agent on a cluster may have 64 MiB and 1 files"):
        make_bundle(f"python:{bots}/alice/")


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "a//b", "", "a/."])
def test_path_outside_of_the_folder(path: str, tmp_path: Path) -> None:
    """An archive that would write elsewhere is refused, and nothing is written."""
    archive = pack({path: ArchivedFile(b"x")})
    with pytest.raises(ArchiveError, match="is not a path in its folder"):
        unpack(archive)
    folder = tmp_path / "target"
    folder.mkdir()
    with pytest.raises(ArchiveError, match="is not a path in its folder"):
        write_files({path: ArchivedFile(b"x")}, folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "archive", [b"", b"nonsense", zlib.compress(b"\0" * 8), pack({"a": ArchivedFile(b"abc")})[:-6], zlib.compress(b"x")]
)
def test_damaged_archive(archive: bytes) -> None:
    """Damaged bytes give an error with a reason."""
    with pytest.raises(ArchiveError, match="damaged archive"):
        unpack(archive)


def test_archive_with_another_content(cache: Path) -> None:
    """An archive whose content does not have the expected hash is not installed."""
    archive = pack({"main.py": ArchivedFile(b"changed")})
    with pytest.raises(ArchiveError, match="it was changed on the way"):
        install_agent(compute_digest({"main.py": ArchivedFile(b"")}), archive)
    with pytest.raises(ArchiveError, match="is not a content hash"):
        install_agent("../../x", archive)
    assert list(cache.iterdir()) == []


def change_content(folder: Path) -> None:
    """Replace a file."""
    (folder / "main.py").unlink()
    (folder / "main.py").write_text("import os")


def add_file(folder: Path) -> None:
    """Add a module that an import would find."""
    (folder / "random.py").write_text("")


def add_link(folder: Path) -> None:
    """Replace a file by a link to a file with the same content."""
    (folder.parent / "copy").write_bytes((folder / "main.py").read_bytes())
    (folder / "main.py").unlink()
    (folder / "main.py").symlink_to("../copy")


def make_executable(folder: Path) -> None:
    """Change the permissions."""
    (folder / "main.py").chmod(0o755)


@pytest.mark.parametrize("tamper", [change_content, add_file, add_link, make_executable])
def test_changed_cache_entry_is_not_used(cache: Path, tamper: object) -> None:
    """A folder that was changed is removed; the archive can be installed again."""
    files = {"main.py": ArchivedFile(BOT.encode())}
    digest = compute_digest(files)
    install_agent(digest, pack(files))
    folder = find_agent_folder(digest)
    assert folder == cache / digest
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert callable(tamper)
    tamper(folder)
    assert find_agent_folder(digest) is None
    assert not folder.exists()
    install_agent(digest, pack(files))
    assert find_agent_folder(digest) == folder


def test_unused_entries_are_removed(cache: Path) -> None:
    """What was not used for 30 days is removed when something else is added."""
    old, new = {"a": ArchivedFile(b"1")}, {"a": ArchivedFile(b"2")}
    install_agent(compute_digest(old), pack(old))
    os.utime(cache / compute_digest(old), (1, 1))
    install_agent(compute_digest(new), pack(new))
    assert [folder.name for folder in cache.iterdir()] == [compute_digest(new)]
