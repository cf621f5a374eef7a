"""First inputs of every target, made by the code that writes the formats."""

import json
import struct

from fourfall import Board, Geometry
from fourfall.agents.protocol import (
    JSON_END,
    format_cell,
    format_json_cell,
    frame_message,
    write_json_question,
    write_json_start,
    write_question,
    write_start,
)
from fourfall.arena.record import EXAMPLE
from tests.search.network_reference import ReferenceNetwork, pad

_POSITIONS = ("6x7", "6x7:44", "10x11@4,7:6655", "12x12@0,11:123456789abc", "4x4:1212121", "9x9@8,0:19199")


def list_seeds(target: str) -> list[bytes]:
    """Return the first inputs of a target."""
    return _SEEDS[target]


def _encode_all(texts: tuple[str, ...]) -> list[bytes]:
    return [text.encode() for text in texts]


def _make_weights() -> list[bytes]:
    """Make a header and as many blocks of zeros as its tensors need; each tensor is a multiple of 64 bytes long."""
    network = ReferenceNetwork.random(1, channels=32, blocks=1)
    inputs = []
    for dtype in ("bf16", "f32"):
        header = {
            "channels": 32, "blocks": 1, "planes": 16, "value_hidden": 64, "policy_hidden": 32, "dtype": dtype,
        }  # fmt: skip
        text = json.dumps(header).encode()
        sizes = [
            tensor.size * (2 if dtype == "bf16" and tensor.ndim == 4 else 4) for tensor in network.tensors.values()
        ]
        blocks = sum(-(-size // 64) for size in sizes)
        inputs.append(blocks.to_bytes(2, "little") + pad(b"F4W1" + struct.pack("<II", 1, len(text)) + text))
    return inputs


def _make_protocol() -> list[bytes]:
    board = Board.parse("4x5@1,2:33")
    return [
        format_cell((5, 3)).encode(),
        format_json_cell((5, 3)).encode(),
        frame_message("5 3"),
        write_start(board.geometry) + write_question(board),
        write_start(Geometry(9, 10)) + write_question(Board(9, 10)),
        write_json_start(board.geometry)[4:],
        write_json_question(board)[4:],
        JSON_END,
        b"info depth 9 score cp -35 nodes 5 pv 4 4",
        b"info score mate -2",
    ]


_SPECS = (
    """name = "evening"
format = "gauntlet"
challenger = "mine"
pairs = 4
seed = 7
opening = 2
[limits]
move_time_s = 0.5
memory_mb = 256
[boards]
list = ["9x9@4,4", "10x12@0,3:55"]
[[agents]]
name = "mine"
address = "seed-002?simulations=100"
[[agents]]
address = "level-30"
group = "weak"
""",
    """[sprt]
elo0 = 0
elo1 = 30
[[agents]]
address = "fourfall?time=0.1"
[[agents]]
address = "seed-000"
move_time_s = 1
[[groups]]
name = "all"
format = "round-robin"
agents = ["seed-000"]
pairs = 1
""",
)
_MESSAGES = (
    {"type": "new", "ref": "1", "board": "random", "opponent": "level-30", "side": "first", "move_time_s": None},
    {"type": "new", "board": "6x7:44", "opponent": "fourfall", "side": "second", "move_time_s": 1.5, "simulations": 9},
    {"type": "open", "game": "pV1StGXR8Z5jdHi6B"},
    {"type": "move", "game": "pV1StGXR8Z5jdHi6B", "ply": 4, "column": 3},
    {"type": "analyse", "position": "6x7:44", "engine": "fourfall", "time_s": None, "key": "7"},
    {"type": "review", "game": "a17", "thresholds": {"inaccuracy": 0.08, "mistake": 0.16, "blunder": 0.3}},
    {"type": "watch", "event": 3},
    {"type": "ping"},
)
_ADDRESSES = (
    "fourfall", "level-30", "seed-004-v12?simulations=10&threads=2", "./bot.so", "program:./bot --fast",
    "python:bot.py:choose", "platform:./bot", "ugi:./engine?memory_mb=64&time=1",
)  # fmt: skip
_PASTES = (
    *_POSITIONS, "4, 4, 5", "https://example.org/#6x7:445&ply=2", ". . . .\n. . . .\n. # . .\nX O X .",
    '{"position": "6x7:44"}', EXAMPLE.to_json(), str(Board.parse("6x7:1122334")),
)  # fmt: skip

_UGI = (
    "ugi\nisready\nuginewgame\nposition startpos moves 4 4\nquery p1turn\ngo nodes 20\nquit\n",
    "position fen 9x9@4,4:55 moves 6\ngo infinite\nisready\nstop\nquery result\n",
    "setoption name MultiPV value 3\nsetoption name Move Overhead value 5\ngo movetime 5\nstop\nmoves 1\ngo depth 2\n",
    "setoption name Preset value level-2\ndebug on\ngo p1time 50 p2time 50 p1inc 1 p2inc 1 movestogo 3\nquery gameover",
)

_SEEDS = {
    "notation": _encode_all(_POSITIONS),
    "weights": _make_weights(),
    "spec": _encode_all(_SPECS),
    "record": [EXAMPLE.to_json().encode()],
    "protocol": _make_protocol(),
    "address": _encode_all(_ADDRESSES),
    "message": [json.dumps(message).encode() for message in _MESSAGES],
    "paste": _encode_all(_PASTES),
    "ugi": _encode_all(_UGI),
}
