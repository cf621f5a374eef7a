"""Tests of the functions of `fourfall.system` on this system."""

import os
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fourfall.system import command_line, cores, file_lock, hardware, inheritance, processes, sockets, users
from fourfall.system.support import get_system_name, has_sandbox, list_missing_features
from tests.processes import wait_until

PRINT_LOCK = """
import os, sys
from fourfall.system.file_lock import lock_byte, find_lock_holder
file = os.open(sys.argv[1], os.O_RDWR)
print(lock_byte(file, 7), lock_byte(file, 8), find_lock_holder(file, 7) == int(sys.argv[2]), flush=True)
sys.stdin.read()
"""


def test_locked_byte_is_seen_by_another_process(tmp_path: Path) -> None:
    """Another process cannot lock the same byte, can lock another one, and its lock ends with it."""
    path = tmp_path / "claims"
    path.touch()
    file = os.open(path, os.O_RDWR)
    try:
        assert file_lock.lock_byte(file, 7)
        words = [sys.executable, "-c", PRINT_LOCK, str(path), str(os.getpid())]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "False True True\n"
            assert file_lock.find_lock_holder(file, 8) in (process.pid, file_lock.UNKNOWN_PROCESS)
            assert not file_lock.lock_byte(file, 8)
            process.communicate("")
        assert file_lock.find_lock_holder(file, 8) is None
        file_lock.unlock_byte(file, 7)
    finally:
        os.close(file)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no structure flock")
def test_lock_structures() -> None:
    """The structures of Linux and macOS have the fields in the order of the C headers."""
    if sys.platform != "win32":
        assert file_lock.pack_lock(258, 1, "Linux").hex() == (
            "01000000" + "00000000" + "0201000000000000" + "0100000000000000" + "00000000" + "00000000"
        )
        assert file_lock.pack_lock(258, 3, "Darwin").hex() == (
            "0201000000000000" + "0100000000000000" + "00000000" + "0300" + "0000"
        )
        answer = bytes.fromhex("0201000000000000" + "0100000000000000" + "39300000" + "0300" + "0000")
        assert file_lock.unpack_lock(answer, "Darwin") == (3, 12345)


def test_group_is_suspended_and_killed_with_its_children(tmp_path: Path) -> None:
    """A process and its child stop, continue and end together."""
    ticks = tmp_path / "ticks"
    child = f"import time\nfile = open({str(ticks)!r}, 'a')\nwhile True: print(file=file, flush=True), time.sleep(.01)"
    parent = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])"
    process = subprocess.Popen([sys.executable, "-c", parent], **processes.get_group_options())

    def grows() -> bool:
        size = ticks.stat().st_size
        time.sleep(0.1)
        return ticks.stat().st_size > size

    assert wait_until(lambda: ticks.exists() and ticks.stat().st_size > 0)
    if processes.can_suspend():
        processes.suspend_group(process)
        assert wait_until(lambda: not grows())
        processes.resume_group(process)
        assert wait_until(grows)
    processes.kill_group(process)
    process.wait()
    assert wait_until(lambda: not grows())
    processes.kill_group(process)  # no error


def test_child_process_opens_inherited_pipes() -> None:
    """A child finds a connection and a pipe by their numbers."""
    ours, theirs = inheritance.create_connections()
    read, write = os.pipe()
    numbers = (theirs.fileno(), inheritance.get_number(read))
    code = (
        "import os, sys; from fourfall.system.inheritance import open_connection, open_pipe; "
        "connection = open_connection(int(sys.argv[1])); "
        "connection.send((connection.recv(), os.read(open_pipe(int(sys.argv[2])), 5)))"
    )
    words = [sys.executable, "-c", code, *map(str, numbers)]
    with subprocess.Popen(words, **inheritance.make_inheritance_options(*numbers)):
        ours.send("question")
        os.write(write, b"bytes")
        assert ours.recv() == ("question", b"bytes")
    for descriptor in (read, write):
        os.close(descriptor)
    ours.close()
    theirs.close()


def test_second_server_cannot_use_the_port() -> None:
    """A port in use cannot be bound again."""
    with socket.socket() as first, socket.socket() as second:
        for sock in (first, second):
            sockets.prepare_listening_socket(sock)
        first.bind(("127.0.0.1", 0))
        first.listen()
        with pytest.raises(OSError):  # noqa: PT011 (the text differs between systems)
            second.bind(first.getsockname())


def test_private_and_public_files(tmp_path: Path) -> None:
    """A file that others can read is not private, where the system tells it."""
    path = tmp_path / "token"
    path.touch(mode=0o600)
    assert users.find_privacy_problem(path.stat(), path) is None
    path.chmod(0o644)
    problem = users.find_privacy_problem(path.stat(), path)
    assert (problem is None) is not bool(path.stat().st_mode & stat.S_IROTH and sys.platform != "win32")
    assert Path.home() in users.list_home_folders()


def test_figures_of_the_machine() -> None:
    """The machine has cores, memory and a processor with a name; only Linux lacks nothing."""
    assert 1 <= cores.count_cores() <= (os.cpu_count() or 1)
    memory = hardware.read_memory()
    assert memory.free_mb is None or 0 < memory.free_mb <= memory.total_mb
    assert hardware.read_processor()
    assert (list_missing_features() == []) is has_sandbox() is (get_system_name() == "Linux")


@pytest.mark.parametrize("word", [r"C:\my bots\bot.exe", r"C:\bots\a&b.exe", "plain", "--option=1", "ü b"])
def test_words_of_a_windows_command_survive(word: str) -> None:
    """A quoted word is split into the same word again."""
    text = f"{command_line.quote_windows_word(word)} --fast"
    assert command_line.split_windows_command(text) == [word, "--fast"]
