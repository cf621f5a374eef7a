"""Runs the request handlers of the page without a server in node, with the native core as their engine."""

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fourfall import Board, Geometry, InvalidBoard, Solver
from fourfall.web.errors import RequestError
from fourfall.web.messages.schemas import ErrorInfo, ScoreInfo
from fourfall.web.positions import describe_position, parse_position

SCRIPT = Path(__file__).with_suffix(".mjs")


def find_node() -> str:
    """Return node of this environment, or the system's."""
    return shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node") or "node"


class RequestProcess:
    """A node process that answers one request after the other."""

    def __init__(self, process: "subprocess.Popen[str]", info: dict[str, Any]) -> None:
        self._process = process
        self.engine_calls = 0
        self._send(info)

    def request(self, path: str, body: object = None, method: str = "GET") -> tuple[int, Any, str]:
        """Send a request; return the status, the body (parsed if it is JSON) and the media type."""
        reply = self._exchange({"method": method, "path": path, "body": body})
        content = base64.b64decode(reply["body"]) if reply["isBinary"] else reply["body"]
        if reply["type"] == "application/json" and content is not None:
            content = json.loads(content)
        return reply["status"], content, reply["type"]

    def save(self, game: dict[str, Any], review: dict[str, Any] | None = None) -> None:
        """Store a game of the page, and its review."""
        self._exchange({"save": game, "review": review})

    def _exchange(self, message: dict[str, Any]) -> dict[str, Any]:
        self._send(message)
        while "call" in (reply := self._receive()):
            self.engine_calls += 1
            self._send(_answer(reply["call"], reply["argument"]))
        return reply

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "node ended; its stderr is in the output of the test"
        reply: dict[str, Any] = json.loads(line)
        return reply


@contextmanager
def run_requests(info: dict[str, Any]) -> Iterator[RequestProcess]:
    """Run node for the duration of the context; `info` has `serverInfo` and `puzzles`."""
    with subprocess.Popen(
        [find_node(), str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        yield RequestProcess(process, info)
        assert process.stdin is not None
        process.stdin.close()


def _answer(name: str, argument: Any) -> dict[str, Any]:  # noqa: ANN401 (any JSON)
    """Carry out a call of the engine."""
    try:
        return {"result": _CALLS[name](argument)}
    except RequestError as error:
        return {"error": ErrorInfo.from_error(error).model_dump()}


def _describe(text: str) -> dict[str, Any]:
    return describe_position(parse_position(text)).model_dump()


def _find_stones(stones: dict[str, Any]) -> dict[str, Any]:
    first, second = ([(row, col) for row, col in stones[name]] for name in ("first", "second"))
    hole = None if stones["hole"] is None else (stones["hole"][0], stones["hole"][1])
    last = None if stones.get("last") is None else (stones["last"][0], stones["last"][1])
    try:
        board = Board.from_stones(Geometry(stones["rows"], stones["cols"], hole), first, second, last)
    except InvalidBoard as error:
        raise RequestError("impossible_stones", problem=str(error)) from None
    return describe_position(board).model_dump()


def _solve(request: dict[str, Any]) -> dict[str, Any]:
    board = Board.parse(request["position"])
    solver = Solver(memory_mb=request.get("memory_mb", 4))
    found = solver.solve(board, positions=request["positions"], columns=request.get("columns", False))

    def convert(score: Any) -> dict[str, Any] | None:  # noqa: ANN401 (a score or None)
        return None if score is None else ScoreInfo.from_score(score).model_dump()

    return {
        "score": convert(found.score),
        "lower": convert(found.lower),
        "upper": convert(found.upper),
        "pv": found.pv,
        "positions": found.positions,
        "columns": [
            {
                "column": each.column,
                "score": convert(each.score),
                "lower": convert(each.lower),
                "upper": convert(each.upper),
            }
            for each in found.columns
        ],
    }


_CALLS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "describePosition": _describe,
    "findStones": _find_stones,
    "solve": _solve,
}
