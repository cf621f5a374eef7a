"""The engine as a program with the Universal Game Interface (UGI): commands on one stream, replies on another.

`commands` parses, `limits` and `replies` convert, `options` holds the settings: all of them are pure. `search` runs one
search in threads, `session` carries out the commands, `server` connects a session with two streams.
"""

from fourfall.ugi.options import Options
from fourfall.ugi.server import serve, serve_stdio
from fourfall.ugi.session import Session

__all__ = ["Options", "Session", "serve", "serve_stdio"]
