"""Owns ``fourfall serve``: the page in a browser."""

import contextlib
import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import resolve_paths

DEFAULT_PORT = 4444


def serve(
    host: Annotated[str, typer.Option(help="Where to listen; anything but this machine needs a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = DEFAULT_PORT,
    db: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The arena's database.", show_default="in your data folder")
    ] = None,
    token: Annotated[str | None, typer.Option(help="A secret that every page must know.", show_default=False)] = None,
    agent: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="A bot to play with; may be repeated.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Open the page: play, analyse, review, watch.

    Examples:

      fourfall serve

      fourfall serve --db arena.db --agent library:./bot.so

      fourfall serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"
    """
    try:
        from fourfall.web.app import Settings
        from fourfall.web.safety import is_loopback
        from fourfall.web.server import ServeError, address, bound_socket
        from fourfall.web.server import serve as run
    except ModuleNotFoundError as missing:
        typer.echo(f"fourfall: the page needs {missing.name}: pip install 'fourfall[web]'", err=True)
        raise typer.Exit(1) from None
    local = is_loopback(host)
    if not local and not token:
        raise typer.BadParameter(f"{host} can be reached by others: give a --token that they must know")
    agents = [resolve_paths(one, Path()) for one in agent or []]
    try:
        sock = bound_socket(host, port)
    except ServeError as error:
        typer.echo(f"fourfall: {error}", err=True)
        raise typer.Exit(1) from None
    where = address(sock, host, token)

    def announce() -> None:
        typer.echo(f"Fourfall is at {where}  (Ctrl-C ends it)")
        if not no_browser and _has_screen():
            webbrowser.open(where)

    with contextlib.suppress(KeyboardInterrupt):
        run(Settings(db or default_database(), agents, token, local), sock, announce)


def default_database() -> Path:
    """Return the page's database in the user's data folder, which is made where it is missing."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = home / "fourfall"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "page.db"


def _has_screen() -> bool:
    """Whether somebody sits here who could use a browser."""
    return sys.stdout.isatty() and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
