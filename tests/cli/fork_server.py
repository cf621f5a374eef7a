"""Runs commands in forks of one process that has imported the command line, because the imports take most of the time.

Each command is a process with its own folder, environment and files, as if it had been started by a shell.
"""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

Result = subprocess.CompletedProcess[str]

# Reads one request per line. The child leaves the loop, so that it ends like any program.
_SERVER = """
import json, os, sys
from fourfall.cli import main
# The command line imports these when it reads arguments, prints tables and errors, and reads presets and events.
import pydantic.type_adapter, rich.progress, rich.table, typer.rich_utils
import fourfall.arena.rating_model, fourfall.arena.spec_schema, fourfall.presets.schema
requests, replies = open(int(sys.argv[1])), open(int(sys.argv[2]), "w")
for line in requests:
    request = json.loads(line)
    child = os.fork()
    if child == 0:
        requests.close()
        replies.close()
        break
    print(child, file=replies, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=replies, flush=True)
else:
    sys.exit()
for descriptor, (name, flags) in enumerate(request["files"]):
    os.dup2(os.open(name, flags), descriptor)
os.chdir(request["folder"])
os.environ.clear()
os.environ.update(request["environment"])
sys.argv = request["words"]
main()
"""


class _ForkServer:
    def __init__(self) -> None:
        requests, self._requests = os.pipe()
        self._replies, replies = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVER, str(requests), str(replies)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(requests, replies),
        )
        os.close(requests)
        os.close(replies)

    def run(self, request: Mapping[str, object], timeout_s: float) -> int:
        """Run a command and return its exit code."""
        os.write(self._requests, json.dumps(request).encode() + b"\n")
        child = self._read_number(timeout_s)
        try:
            return self._read_number(timeout_s)
        except TimeoutError:
            os.kill(child, signal.SIGKILL)
            self._read_number(timeout_s)
            raise

    def _read_number(self, timeout_s: float) -> int:
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._replies], [], [], timeout_s)[0]:
                raise TimeoutError(f"no reply within {timeout_s} s")
            byte = os.read(self._replies, 1)
            assert byte, "the server of commands has ended"
            line += byte
        return int(line)


_get_server = cache(_ForkServer)


def run_command(
    words: Sequence[str], *, folder: Path, typed: str | bytes, environment: Mapping[str, str], timeout_s: float
) -> Result:
    """Run a command of the command line in a folder; return its exit code and output."""
    with tempfile.TemporaryDirectory() as temporary:
        names = [f"{temporary}/{name}" for name in ("stdin", "stdout", "stderr")]
        for name, text in zip(names, (typed, "", ""), strict=True):
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        files = list(zip(names, (os.O_RDONLY, os.O_WRONLY | os.O_APPEND, os.O_WRONLY | os.O_APPEND), strict=True))
        request = {"words": list(words), "folder": str(folder), "environment": dict(environment), "files": files}
        code = _get_server().run(request, timeout_s)
        output, errors = (Path(name).read_text(encoding="utf-8") for name in names[1:])
    return Result(list(words), code, output, errors)
