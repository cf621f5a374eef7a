"""Messages of the strategy interface and of the platform's two protocols, for the judge and for the agent.

The newer protocol is text, the older one JSON. All functions are pure: they convert between boards and bytes.
"""

from fourfall.agents.protocol.frames import MAX_ANSWER_BYTES, frame_message, parse_frame_length, quote_bytes
from fourfall.agents.protocol.json_messages import (
    JSON_END,
    format_json_cell,
    parse_json_cell,
    parse_json_length,
    read_json_message,
    write_json_question,
    write_json_start,
)
from fourfall.agents.protocol.questions import (
    Cell,
    ProtocolError,
    Question,
    build_board,
    compute_tops,
    encode_cells,
    make_question,
    update_board,
)
from fourfall.agents.protocol.text_messages import (
    format_cell,
    parse_cell,
    read_question,
    read_start,
    write_question,
    write_start,
)

__all__ = [
    "JSON_END",
    "MAX_ANSWER_BYTES",
    "Cell",
    "ProtocolError",
    "Question",
    "build_board",
    "compute_tops",
    "encode_cells",
    "format_cell",
    "format_json_cell",
    "frame_message",
    "make_question",
    "parse_cell",
    "parse_frame_length",
    "parse_json_cell",
    "parse_json_length",
    "quote_bytes",
    "read_json_message",
    "read_question",
    "read_start",
    "update_board",
    "write_json_question",
    "write_json_start",
    "write_question",
    "write_start",
]
