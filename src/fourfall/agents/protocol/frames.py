"""Frames of answers: both protocols send an answer after its length in four bytes, most significant byte first."""

from fourfall.agents.base import AgentError, Fault

MAX_ANSWER_BYTES = 1024
"""Length limit of an answer; every correct answer is shorter."""

_QUOTED_BYTES = 40


def frame_message(text: str) -> bytes:
    r"""Return a message after its length in four bytes.

    >>> frame_message("5 3")
    b'\x00\x00\x00\x035 3'
    """
    body = text.encode()
    return len(body).to_bytes(4, "big") + body


def parse_frame_length(header: bytes, max_bytes: int = MAX_ANSWER_BYTES) -> int:
    r"""Return the length that the four bytes before an answer give.

    The check also detects other output on stdout, whose first four bytes are read as a length.

    >>> parse_frame_length(b"\x00\x00\x00\x03")
    3
    >>> parse_frame_length(b"hell")
    Traceback (most recent call last):
    fourfall.agents.base.AgentError: an answer must begin with its length in four bytes (1 to 1024), not with 'hell'
    """
    length = int.from_bytes(header, "big")
    if not 0 < length <= max_bytes:
        raise make_broken_protocol_error(
            f"an answer must begin with its length in four bytes (1 to {max_bytes}), not with {quote_bytes(header)}"
        )
    return length


def quote_bytes(data: bytes) -> str:
    r"""Quote the first bytes of an invalid message for an error message.

    >>> quote_bytes(b"caf\xe9" * 100)
    "'caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9' and 360 more bytes"
    """
    text = repr(data[:_QUOTED_BYTES])[1:]
    return text if len(data) <= _QUOTED_BYTES else f"{text} and {len(data) - _QUOTED_BYTES} more bytes"


def make_broken_protocol_error(detail: str) -> AgentError:
    """Return the error for an answer that does not follow the protocol."""
    return AgentError(Fault.BROKEN_PROTOCOL, detail)
