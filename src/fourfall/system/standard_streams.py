"""Encoding of the standard streams."""

import io
import sys


def use_utf8() -> None:
    """Write UTF-8 to redirected standard streams on Windows, as other systems do; a console shows all characters."""
    if sys.platform == "win32":
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
                stream.reconfigure(encoding="utf-8")
