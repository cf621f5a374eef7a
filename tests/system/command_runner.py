"""Runs several command lines of `fourfall` in one process: reads them as JSON, prints codes and outputs as JSON."""

import contextlib
import io
import json
import sys

from fourfall.cli import main


def run(words: list[str]) -> dict[str, object]:
    """Run one command and return its exit code and what it printed."""
    sys.argv = ["fourfall", *words]
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    code: object = 0
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    texts = [stream.buffer.getvalue().decode() for stream in streams]
    return {"code": code, "output": texts[0], "errors": texts[1]}


if __name__ == "__main__":
    print(json.dumps([run(words) for words in json.load(sys.stdin)]))
