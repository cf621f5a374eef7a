"""Python bots for many ways to misbehave, one function for each."""

import os
import sys
import time
from collections.abc import Callable

from fourfall import Board, Limit


def raises(board: Board, limit: Limit) -> int:
    """Fail with an exception."""
    raise KeyError("on purpose")


def leaves(board: Board, limit: Limit) -> int:
    """Leave the interpreter politely."""
    sys.exit(0)


def vanishes(board: Board, limit: Limit) -> int:
    """Leave the interpreter at once."""
    os._exit(0)


def hangs(board: Board, limit: Limit) -> int:
    """Never answer."""
    while True:
        pass


def sleeps(board: Board, limit: Limit) -> int:
    """AgentMove late."""
    time.sleep(60)
    return 0


def shouts(board: Board, limit: Limit) -> int:
    """Write to every descriptor that a program usually answers on."""
    print("noise")
    os.write(1, b"more noise")
    return board.legal_moves[0]


def listens(board: Board, limit: Limit) -> int:
    """Try to take the judge's next question away."""
    assert sys.stdin.read() == ""
    return board.legal_moves[0]


def closes(board: Board, limit: Limit) -> int:
    """Close everything."""
    os.closerange(0, 256)
    time.sleep(60)
    return 0


def scribbles(board: Board, limit: Limit) -> int:
    """Write garbage to every descriptor there is."""
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, b"garbage!")
        except OSError:
            continue
    return board.legal_moves[0]


def hogs(board: Board, limit: Limit) -> int:
    """Eat memory."""
    kept = []
    while True:
        kept.append(bytearray(16 << 20))


def off_the_board(board: Board, limit: Limit) -> int:
    """AgentMove with a column that is not there."""
    return board.cols


def _answers(answer: object) -> Callable[[Board, Limit], object]:
    return lambda board, limit: answer


says_text = _answers("3")
says_float = _answers(3.0)
says_nothing = _answers(None)
says_true = _answers(True)
says_huge = _answers(10**5000)
