"""Faulty Python agents, one function for each fault."""

import os
import sys
import time
from collections.abc import Callable

from fourfall import Board, Limit


def raise_exception(board: Board, limit: Limit) -> int:
    """Raise an exception."""
    raise KeyError("on purpose")


def call_sys_exit(board: Board, limit: Limit) -> int:
    """Exit by SystemExit."""
    sys.exit(0)


def call_os_exit(board: Board, limit: Limit) -> int:
    """Exit at once, without an exception."""
    os._exit(0)


def loop_forever(board: Board, limit: Limit) -> int:
    """Never return."""
    while True:
        pass


def sleep(board: Board, limit: Limit) -> int:
    """Return too late."""
    time.sleep(60)
    return 0


def print_to_stdout(board: Board, limit: Limit) -> int:
    """Write to the descriptor on which programs usually answer."""
    print("noise")
    os.write(1, b"more noise")
    return board.legal_moves[0]


def read_stdin(board: Board, limit: Limit) -> int:
    """Try to read the judge's next question."""
    assert sys.stdin.read() == ""
    return board.legal_moves[0]


def close_descriptors(board: Board, limit: Limit) -> int:
    """Close all descriptors."""
    os.closerange(0, 256)
    time.sleep(60)
    return 0


def write_to_descriptors(board: Board, limit: Limit) -> int:
    """Write garbage to all descriptors."""
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, b"garbage!")
        except OSError:
            continue
    return board.legal_moves[0]


def allocate_memory(board: Board, limit: Limit) -> int:
    """Allocate memory without end."""
    blocks = []
    while True:
        blocks.append(bytearray(16 << 20))


def return_column_off_board(board: Board, limit: Limit) -> int:
    """Return a column that does not exist."""
    return board.cols


def _make_constant(answer: object) -> Callable[[Board, Limit], object]:
    return lambda board, limit: answer


return_text = _make_constant("3")
return_float = _make_constant(3.0)
return_none = _make_constant(None)
return_true = _make_constant(True)
return_huge_integer = _make_constant(10**5000)
