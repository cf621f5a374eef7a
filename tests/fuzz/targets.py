"""What is fuzzed: functions that give an input to a parser and check what it makes of it.

A parser may reject an input with its documented exception. Everything else is a failure: another exception, or an
accepted value that does not read the same after it is written again. Each function returns whether the parser accepted
the input.
"""

import hashlib
import io
import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fourfall import Board, Geometry
from fourfall.agents.address import AddressError
from fourfall.agents.base import AgentError
from fourfall.agents.protocol import (
    ProtocolError,
    build_board,
    format_cell,
    format_json_cell,
    make_question,
    parse_cell,
    parse_frame_length,
    parse_json_cell,
    parse_json_length,
    read_json_message,
    read_question,
    read_start,
    update_board,
)
from fourfall.agents.protocol.ugi_messages import parse_score
from fourfall.agents.registry import check_address
from fourfall.arena.jsonl import format_line
from fourfall.arena.record import GameRecord, RecordError
from fourfall.arena.record_check import check_record
from fourfall.arena.schedule import count_games
from fourfall.arena.spec import SpecError
from fourfall.arena.spec_file import parse_spec
from fourfall.ugi import Options, serve
from fourfall.validation import InputError, parse_toml
from fourfall.web.errors import RequestError
from fourfall.web.messages.requests import find_ref, parse_request
from fourfall.web.paste_import import import_text


def fuzz_notation(data: bytes) -> bool:
    """Read the notation of a position; a position is written as it was read."""
    text = data.decode(errors="replace")
    try:
        board = Board.parse(text)
    except ValueError:
        return False
    assert Board.parse(board.notation).notation == board.notation
    return True


def fuzz_weights(data: bytes) -> bool:
    """Read a weights file and evaluate a position with an accepted network.

    The first two bytes are the number of zero blocks that follow the rest; then comes the valid checksum, which the
    fuzzer would never find.
    """
    from fourfall._core import Network

    content = expand_weights(data)
    with tempfile.NamedTemporaryFile(suffix=".f4w") as file:
        Path(file.name).write_bytes(content)
        try:
            network = Network.load(file.name)
        except ValueError as error:
            if not str(error).startswith(file.name):
                raise
            return False
    value, logits = network.evaluate(Board(4, 4))
    assert -1 <= value <= 1
    assert len(logits) == 4
    return True


def expand_weights(data: bytes) -> bytes:
    """Return the weights file that a fuzzed input stands for (as in weights_file.cpp)."""
    content = data[2:] + bytes(64 * int.from_bytes(data[:2], "little"))
    return content + hashlib.sha256(content).digest()


def fuzz_spec(data: bytes) -> bool:
    """Read the spec of an event in TOML; an accepted spec is stored and read without a change."""
    try:
        values = parse_toml(data.decode(errors="replace"), "spec.toml")
        spec = parse_spec({"name": "x"} | values, "spec.toml", Path("/nowhere"), check_address)
    except (InputError, SpecError):
        return False
    stored = json.loads(json.dumps(spec.to_dict(), ensure_ascii=False))
    assert parse_spec(stored) == spec
    assert count_games(spec) >= 0
    return True


def fuzz_record(data: bytes) -> bool:
    """Read a game record in JSON; an accepted record is written and read without a change."""
    try:
        record = GameRecord.from_json(data.decode(errors="replace"))
        check_record(record)
    except RecordError:
        return False
    line = format_line(record)
    assert line.isprintable()
    assert GameRecord.from_json(line) == record
    return True


def fuzz_protocol(data: bytes) -> bool:
    """Read answers of agents and messages of judges in both protocols, and the scores of UGI engines."""
    accepted = parse_score(data.decode(errors="replace").split()) is not None
    for parse, write in ((parse_cell, format_cell), (parse_json_cell, format_json_cell)):
        with suppress(AgentError):
            cell = parse(data)
            assert parse(write(cell).encode()) == cell
            accepted = True
    for parse_length in (parse_frame_length, parse_json_length):
        with suppress(AgentError, ProtocolError):
            assert parse_length(data[:4]) >= 0
            accepted = True
    start, _, question = data.decode(errors="replace").partition("\n")
    with suppress(ProtocolError):
        geometry = read_start(start)
        board = build_board(geometry, read_question(geometry, question))
        assert make_question(update_board(Board.from_geometry(geometry), make_question(board))) == make_question(board)
        accepted = True
    with suppress(ProtocolError):
        read_json_message(Geometry(4, 5, hole=(1, 2)), data)
        accepted = True
    return accepted


def fuzz_address(data: bytes) -> bool:
    """Check the address of an agent."""
    try:
        check_address(data.decode(errors="replace"))
    except AddressError:
        return False
    return True


def fuzz_message(data: bytes) -> bool:
    """Read a message of the page over its websocket."""
    ref = find_ref(data)
    assert ref is None or len(ref) <= 64
    try:
        request = parse_request(data)
    except RequestError as error:
        if error.code != "bad_message":
            raise
        return False
    assert parse_request(request.model_dump_json()) == request
    return True


def fuzz_paste(data: bytes) -> bool:
    """Read a text that a user pastes into the page; an accepted game reads the same from its notation."""
    try:
        game = import_text(data.decode(errors="replace"))
    except RequestError:
        return False
    assert Board.parse(game.position).notation == game.position
    return True


def fuzz_ugi(data: bytes) -> bool:
    """Send commands to the UGI engine; every reply is a line of the protocol, and only `go` gets a best move."""
    answers = io.BytesIO()
    serve(io.BytesIO(data), answers, Options("seed-002", memory_mb=16))
    lines = answers.getvalue().decode().split("\n")
    assert lines.pop() == ""
    assert all(line.isprintable() and line.split()[0] in _UGI_REPLIES for line in lines)
    searches = sum(line.split()[:1] == ["go"] for line in data.decode(errors="replace").split("\n"))
    assert sum(line.startswith("bestmove ") for line in lines) <= searches
    return bool(data.strip()) and not any(line.startswith("info string error: ") for line in lines)


_UGI_REPLIES = {"id", "option", "ugiok", "readyok", "info", "bestmove", "response"}

TARGETS: dict[str, Callable[[bytes], bool]] = {
    "notation": fuzz_notation,
    "weights": fuzz_weights,
    "spec": fuzz_spec,
    "record": fuzz_record,
    "protocol": fuzz_protocol,
    "address": fuzz_address,
    "message": fuzz_message,
    "paste": fuzz_paste,
    "ugi": fuzz_ugi,
}
NATIVE_TARGETS = {"notation": "notation.cpp", "weights": "weights_file.cpp"}
"""Targets whose parser is C++; libFuzzer measures their coverage."""
