"""Entry point of the command `fourfall`; imports only what `fourfall ugi` needs, so that it starts quickly."""

import sys


def main() -> None:
    """Run the command line; `fourfall ugi` without options needs none of its other commands."""
    if sys.argv[1:] == ["ugi"]:
        from fourfall.ugi import serve_stdio

        serve_stdio()
    else:
        from fourfall.cli import main as run_command_line

        run_command_line()
