"""Tests of addresses: every error is one precise line, and no third-party code runs to find it."""

from pathlib import Path

import pytest

from fourfall.agents.address import parse_address
from fourfall.agents.base import Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.native import EngineAgent
from fourfall.agents.registry import AddressError, check_address, open_agent, open_engine, resolve_paths


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with files that addresses can name; code that runs creates the file `executed`."""
    mark = f"open({str(tmp_path / 'executed')!r}, 'w').close()\n"
    (tmp_path / "bot.py").write_text(mark)
    (tmp_path / "module.py").write_text(mark)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text(mark)
    (tmp_path / "package" / "inner.py").write_text(mark)
    (tmp_path / "plain.txt").write_text("plain")
    (tmp_path / "bad.toml").write_text("speed = 9")
    (tmp_path / "good.toml").write_text('base = "fourfall"')
    (tmp_path / "run").write_text(f"#!/bin/sh\ntouch '{tmp_path}/executed'\n")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "link").symlink_to("/usr")
    (tmp_path / "R&D").mkdir()
    (tmp_path / "R&D" / "main.py").write_text(mark)
    return tmp_path


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("", "'': the name of the agent is missing or invalid"),
        ("library:", "'library:': the name of the agent is missing or invalid"),
        ("?time=1", "'?time=1': the name of the agent is missing or invalid"),
        ("libary:x.so", "'libary:x.so': unknown kind 'libary'; similar: library"),
        ("zzz:x", "'zzz:x': unknown kind 'zzz'; available: kaggle, library, program, program+json, python, ugi"),
        (":x", "':x': unknown kind ''; available: kaggle, library, program, program+json, python, ugi"),
        ("seed-02", "there is no preset or level 'seed-02'; similar: seed-002, seed-003, seed-001"),
        (
            "level-3",
            "there is no level 'level-3'; levels are level-2, level-4, ..., level-100; similar: level-2, level-4",
        ),
        ("level-102", "there is no level 'level-102'; levels are level-2, level-4, ..., level-100; similar: level-100"),
        ("level-x", "there is no level 'level-x'; levels are level-2, level-4, ..., level-100"),
        ("zzz", "there is no preset or level 'zzz'; available: fourfall, "),
        ("missing.toml", "FOLDER/missing.toml: No such file or directory"),
        ("bad.toml", "FOLDER/bad.toml: unknown key speed; allowed: summary, base, search, selection, expansion,"),
        ("x.so", "'x.so': did you mean 'library:x.so'?"),
        ("./bot.py", "'./bot.py': did you mean 'python:./bot.py'?"),
        ("seed-002?tme=1", "'seed-002?tme=1': unknown option 'tme'; allowed: time, simulations, threads, memory_mb"),
        (
            "seed-002?time",
            "'seed-002?time': options after '?' must be different key=value pairs separated by '&', not 'time'",
        ),
        ("seed-002?", "'seed-002?': options after '?' must be different key=value pairs separated by '&', not ''"),
        (
            "seed-002?time=1&time=2",
            "'seed-002?time=1&time=2': options after '?' must be different key=value pairs separated",
        ),
        ("seed-002?time=fast", "'seed-002?time=fast': time must be a number of seconds from 0 to 86400, not 'fast'"),
        ("seed-002?time=nan", "'seed-002?time=nan': time must be a number of seconds from 0 to 86400, not 'nan'"),
        ("seed-002?simulations=0", "'seed-002?simulations=0': simulations must be an integer from 1 to"),
        ("seed-002?simulations=1.5", "'seed-002?simulations=1.5': simulations must be an integer from 1 to"),
        ("seed-002?threads=2", "'seed-002?threads=2': seed-002 is a tree search, which runs in one thread, not in 2"),
        ("fourfall?memory_mb=1", "'fourfall?memory_mb=1': this engine needs at least 16 MiB of memory"),
        ("level-90?memory_mb=1", "'level-90?memory_mb=1': this engine needs at least 16 MiB of memory"),
        ("level-30?time=1", "'level-30?time=1': unknown option 'time'; allowed: memory_mb"),
        (
            "library:~nobody-has-this-name/x.so",
            "'library:~nobody-has-this-name/x.so': FOLDER/~nobody-has-this-name/x.so does not exist",
        ),
        ("library:none.so", "'library:none.so': FOLDER/none.so does not exist"),
        ("library:x\0y", "'library:x\\x00y': the name of the agent is missing or invalid"),
        (f"library:{'x' * 300}", f"'library:{'x' * 300}': File name too long"),
        (
            "library:package",
            "'library:package': FOLDER/package is a folder without the file main.so; name",
        ),
        ("python:./package", "'python:./package': FOLDER/package is a folder without the file main.py"),
        ("program:./package", "'program:./package': FOLDER/package is a folder without the file main"),
        ("python:bot.py?read=none", "'python:bot.py?read=none': FOLDER/none does not exist"),
        ("python:bot.py?read=", "'python:bot.py?read=': the option read needs the path of a file or folder"),
        ("python:bot.py?read=link", "'python:bot.py?read=link': FOLDER/link is a link to /usr; name that path"),
        ("python:bot.py?read=/", "'python:bot.py?read=/': / is a home folder or another shared folder"),
        ("seed-002?read=bot.py", "'seed-002?read=bot.py': unknown option 'read'; allowed: time, simulations,"),
        ("library:run?time=1", "'library:run?time=1': unknown option 'time'; allowed: read"),
        ("program:./none", "'program:./none': FOLDER/none does not exist"),
        ("program:./plain.txt", "'program:./plain.txt': FOLDER/plain.txt is not executable"),
        ("program:''", "\"program:''\": there is no program '' on the PATH"),
        (
            "program:no-such-program",
            "'program:no-such-program': there is no program 'no-such-program' on the PATH; for a file",
        ),
        ("program:./run 'x", '"program:./run \'x": No closing quotation'),
        ("program+json:./none", "'program+json:./none': FOLDER/none does not exist"),
        ("ugi:./none", "'ugi:./none': FOLDER/none does not exist"),
        ("python:none.py", "'python:none.py': FOLDER/none.py does not exist"),
        ("python:bot.py:", "'python:bot.py:': '' is not a valid function name"),
        ("python:bot.py:a-b", "'python:bot.py:a-b': 'a-b' is not a valid function name"),
        ("python:none", "'python:none': there is no module 'none' in FOLDER or among the installed packages"),
        ("python:package.none:f", "'python:package.none:f': there is no module 'package.none' in FOLDER"),
        ("python:module.none:f", "'python:module.none:f': there is no module 'module.none' in FOLDER"),
        (
            "python:no module:f",
            "'python:no module:f': 'no module' is neither a module name nor a file that ends in .py",
        ),
    ],
)
def test_errors_of_addresses(folder: Path, address: str, message: str) -> None:
    """The error is one line that names the wrong part."""
    with pytest.raises(AddressError) as error:
        check_address(address, folder)
    text = str(error.value)
    assert text.startswith(message.replace("FOLDER", str(folder)))
    assert "\n" not in text


@pytest.mark.parametrize(
    "address",
    [
        "fourfall", "seed-004-v17?time=0.5&memory_mb=64", "fourfall?threads=2&simulations=9", "good.toml",
        "./good.toml?time=1", "program:./run a 'b c'", "program:sh -c true",
        f"program:sh -c {300 * 'x'}", f"ugi:sh -c {300 * 'x'}", "ugi:./run", "python:bot.py",
        "python:./bot.py:anything", "python:module", "python:module:play", "python:package:play",
        "python:package.inner:play", "python:json.decoder:play", "python:./R&D", "python:R&D/:play",
        "library:run?read=plain.txt&read=package", "python:bot.py?read=R%26D", "ugi:./run?read=package", *LEVELS,
    ],
)  # fmt: skip
def test_checking_a_valid_address_runs_no_code(folder: Path, address: str) -> None:
    """A check accepts the address and finds the files, but does not import or start them."""
    check_address(address, folder)
    assert not (folder / "executed").exists()


def test_paths_are_relative_to_the_base(folder: Path) -> None:
    """A resolved address is valid in every folder: files are absolute, other words are unchanged."""
    assert resolve_paths("good.toml?time=1", folder) == f"{folder}/good.toml?time=1"
    assert resolve_paths("library:../x.so", folder) == f"library:{folder.parent}/x.so"
    assert resolve_paths("python:bot.py:play", folder) == f"python:{folder}/bot.py:play"
    assert resolve_paths("program:./run plain.txt --fast", folder) == f"program:{folder}/run {folder}/plain.txt --fast"
    assert resolve_paths("python:module:play", folder) == f"python:{folder}/module.py:play"
    assert resolve_paths("python:package.inner:play", folder) == "python:package.inner:play"
    assert resolve_paths("python:json:play", folder) == "python:json:play"
    assert resolve_paths("level-30", folder) == "level-30"
    assert resolve_paths("python:./package:play", folder) == f"python:{folder}/package:play"
    assert resolve_paths("program:./package x", folder) == f"program:{folder}/package x"
    assert resolve_paths("library:x.so?read=R%26D", folder) == f"library:{folder}/x.so?read={folder}/R%26D"


def test_a_tilde_is_the_home_folder() -> None:
    """A tilde after a kind, which the shell does not replace, is the user's home folder."""
    assert resolve_paths("library:~/x.so", Path("/srv")) == f"library:{Path.home()}/x.so"


def test_an_address_is_split_into_its_parts() -> None:
    """The parts are the kind, the target and the options."""
    parsed = parse_address("seed-002?time=0.5&memory_mb=64")
    assert (parsed.kind, parsed.target, parsed.options) == ("", "seed-002", {"time": "0.5", "memory_mb": "64"})


def test_opening_raises_the_same_errors_as_checking(folder: Path) -> None:
    """An address that fails the check cannot be opened."""
    with pytest.raises(AddressError, match="does not exist"):
        open_agent("library:none.so", Conditions(), folder)


def test_missing_file_beside_a_makefile(tmp_path: Path) -> None:
    """The message says how to build a bot that has not been built yet."""
    (tmp_path / "my bot").mkdir()
    (tmp_path / "my bot" / "Makefile").touch()
    with pytest.raises(AddressError, match=r"does not exist; build it with: make -C '.*/my bot'$"):
        check_address("library:my bot/strategy.so", tmp_path)


def test_opening_an_engine(folder: Path) -> None:
    """The arguments hold where the address has no option; third-party agents are refused."""
    assert isinstance(open_engine("fourfall", Conditions(), threads=2, memory_mb=32), EngineAgent)
    with pytest.raises(AddressError, match="needs at least 16 MiB"):
        open_engine("fourfall", Conditions(), memory_mb=1)
    open_engine("fourfall?memory_mb=32", Conditions(), memory_mb=1)
    with pytest.raises(AddressError, match="not a built-in engine"):
        open_engine("python:bot.py", Conditions(), folder)
