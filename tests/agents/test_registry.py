"""Owns the tests of addresses: what is wrong with one is said in a line, and nothing foreign runs to find out."""

from pathlib import Path

import pytest

from fourfall.agents.address import parse_address
from fourfall.agents.base import Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import AddressError, check_address, open_agent, resolve_paths


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with files that addresses can name."""
    (tmp_path / "bot.py").write_text("raise SystemExit('a check must not run this')")
    (tmp_path / "module.py").write_text("raise SystemExit('a check must not run this')")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("raise SystemExit('a check must not run this')")
    (tmp_path / "package" / "inner.py").touch()
    (tmp_path / "plain.txt").write_text("plain")
    (tmp_path / "bad.toml").write_text("speed = 9")
    (tmp_path / "good.toml").write_text('base = "fourfall"')
    (tmp_path / "run").write_text("#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("", "'': this address names nothing"),
        ("library:", "'library:': this address names nothing"),
        ("?time=1", "'?time=1': this address names nothing"),
        ("libary:x.so", "'libary:x.so': unknown kind 'libary'; near ones: library"),
        ("zzz:x", "'zzz:x': unknown kind 'zzz'; near ones: library, program, program+json, python, ugi"),
        (":x", "':x': unknown kind ''; near ones: library, program, program+json, python, ugi"),
        ("seed-02", "there is no preset or level 'seed-02'; near ones: seed-002, seed-003, seed-001"),
        ("level-11", "there is no preset or level 'level-11'; near ones: level-1, level-10, level-9"),
        ("missing.toml", "FOLDER/missing.toml: No such file or directory"),
        ("bad.toml", "FOLDER/bad.toml: unknown key 'speed'; known ones: summary, base, search, selection, expansion,"),
        ("x.so", "'x.so': did you mean 'library:x.so'?"),
        ("./bot.py", "'./bot.py': did you mean 'python:./bot.py'?"),
        ("seed-002?tme=1", "'seed-002?tme=1': unknown option 'tme'; known ones: time, simulations, threads, memory"),
        ("seed-002?time", "'seed-002?time': after the '?' come key=value pairs joined by '&', not 'time'"),
        ("seed-002?", "'seed-002?': after the '?' come key=value pairs joined by '&', not ''"),
        ("seed-002?time=1&time=2", "'seed-002?time=1&time=2': after the '?' come key=value pairs joined by '&', not"),
        ("seed-002?time=fast", "'seed-002?time=fast': time must be a number of seconds from 0 to 86400, not 'fast'"),
        ("seed-002?time=nan", "'seed-002?time=nan': time must be a number of seconds from 0 to 86400, not 'nan'"),
        ("seed-002?simulations=0", "'seed-002?simulations=0': simulations must be a whole number from 1 to"),
        ("seed-002?simulations=1.5", "'seed-002?simulations=1.5': simulations must be a whole number from 1 to"),
        ("seed-002?threads=2", "'seed-002?threads=2': seed-002 is a tree search, which runs in one thread, not in 2"),
        ("fourfall?memory=1", "'fourfall?memory=1': this engine needs at least 16 MiB of memory"),
        ("level-9?memory=1", "'level-9?memory=1': this engine needs at least 16 MiB of memory"),
        ("level-3?time=1", "'level-3?time=1': unknown option 'time'; known ones: memory"),
        ("library:none.so", "'library:none.so': FOLDER/none.so does not exist"),
        ("library:x\0y", "'library:x\\x00y': this address names nothing"),
        (f"library:{'x' * 300}", f"'library:{'x' * 300}': File name too long"),
        ("library:package", "'library:package': FOLDER/package is not a file"),
        ("library:run?time=1", "'library:run?time=1': unknown option 'time'; library has none"),
        ("program:./none", "'program:./none': FOLDER/none does not exist"),
        ("program:./plain.txt", "'program:./plain.txt': FOLDER/plain.txt is not executable"),
        ("program:''", "\"program:''\": no program '' on the PATH"),
        ("program:no-such-program", "'program:no-such-program': no program 'no-such-program' on the PATH; a file here"),
        ("program:./run 'x", "\"program:./run 'x\": No closing quotation"),
        ("program+json:./none", "'program+json:./none': FOLDER/none does not exist"),
        ("ugi:./none", "'ugi:./none': FOLDER/none does not exist"),
        ("python:none.py", "'python:none.py': FOLDER/none.py does not exist"),
        ("python:bot.py:", "'python:bot.py:': '' is not the name of a function"),
        ("python:bot.py:a-b", "'python:bot.py:a-b': 'a-b' is not the name of a function"),
        ("python:none", "'python:none': there is no module 'none' in FOLDER or among the packages"),
        ("python:package.none:f", "'python:package.none:f': there is no module 'package.none' in FOLDER"),
        ("python:module.none:f", "'python:module.none:f': there is no module 'module.none' in FOLDER"),
        ("python:no module:f", "'python:no module:f': 'no module' is neither a module nor a file that ends in .py"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_line(folder: Path, address: str, complaint: str) -> None:
    """Every mistake in an address names the part that is wrong."""
    with pytest.raises(AddressError) as error:
        check_address(address, folder)
    text = str(error.value)
    assert text.startswith(complaint.replace("FOLDER", str(folder)))
    assert "\n" not in text


@pytest.mark.parametrize(
    "address",
    [
        "fourfall", "seed-004-v17?time=0.5&memory=64", "fourfall?threads=2&simulations=9", "good.toml",
        "./good.toml?time=1", "program:./run a 'b c'", "program:sh -c true", "ugi:./run", "python:bot.py",
        "python:./bot.py:anything", "python:module", "python:module:play", "python:package:play",
        "python:package.inner:play", "python:json.decoder:play", *LEVELS,
    ],
)  # fmt: skip
def test_a_good_address_passes_and_nothing_of_it_runs(folder: Path, address: str) -> None:
    """A check looks for files but never imports or starts them."""
    check_address(address, folder)


def test_paths_are_resolved_against_the_base(folder: Path) -> None:
    """A resolved address means the same from everywhere: files are absolute, other words stay."""
    assert resolve_paths("good.toml?time=1", folder) == f"{folder}/good.toml?time=1"
    assert resolve_paths("library:../x.so", folder) == f"library:{folder.parent}/x.so"
    assert resolve_paths("python:bot.py:play", folder) == f"python:{folder}/bot.py:play"
    assert resolve_paths("program:./run plain.txt --fast", folder) == f"program:{folder}/run {folder}/plain.txt --fast"
    assert resolve_paths("python:module:play", folder) == f"python:{folder}/module.py:play"
    assert resolve_paths("python:package.inner:play", folder) == "python:package.inner:play"
    assert resolve_paths("python:json:play", folder) == "python:json:play"
    assert resolve_paths("level-3", folder) == "level-3"


def test_a_home_folder_may_be_written_short() -> None:
    """A tilde is the user's home, also behind a kind, where the shell leaves it alone."""
    assert resolve_paths("library:~/x.so", Path("/srv")) == f"library:{Path.home()}/x.so"


def test_options_come_apart() -> None:
    """Kind, target and options are what stands between the marks."""
    parsed = parse_address("seed-002?time=0.5&memory=64")
    assert (parsed.kind, parsed.target, parsed.options) == ("", "seed-002", {"time": "0.5", "memory": "64"})


def test_opening_complains_like_checking(folder: Path) -> None:
    """The two never disagree about an address."""
    with pytest.raises(AddressError, match="does not exist"):
        open_agent("library:none.so", Conditions(), folder)
