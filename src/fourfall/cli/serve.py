"""``fourfall serve``: starts the web page."""

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
    host: Annotated[
        str, typer.Option(help="Address to listen on. Any address that other machines can reach requires --token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any free port.")] = DEFAULT_PORT,
    db: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Database for the page's games and the arena's events.",
            show_default="page.db in the user's data folder",
        ),
    ] = None,
    token: Annotated[str | None, typer.Option(help="Secret that every page must know.", show_default=False)] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Third-party agent that can be chosen as opponent; repeatable."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Start the web page: play, analyse, review and watch games in a browser.

    Examples:

      fourfall serve

      fourfall serve --db arena.db --agent library:./bot.so

      fourfall serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"
    """
    try:
        from fourfall.web.app import Settings
        from fourfall.web.middleware import is_loopback
        from fourfall.web.server import ServeError, bind_socket, format_url, run_server
    except ModuleNotFoundError as missing:
        typer.echo(f"fourfall: the page needs {missing.name}: pip install 'fourfall[web]'", err=True)
        raise typer.Exit(1) from None
    is_local = is_loopback(host)
    if not is_local and not token:
        raise typer.BadParameter(f"other machines can reach {host}: set a --token that every page must know")
    agents = [resolve_paths(address, Path()) for address in agent or []]
    try:
        sock = bind_socket(host, port)
    except ServeError as error:
        typer.echo(f"fourfall: {error}", err=True)
        raise typer.Exit(1) from None
    url = format_url(sock, host, token)

    def announce() -> None:
        typer.echo(f"Fourfall is at {url}  (Ctrl-C stops it)")
        if not no_browser and _has_screen():
            webbrowser.open(url)

    with contextlib.suppress(KeyboardInterrupt):
        run_server(Settings(db or create_default_path(), agents, token, is_local), sock, announce)


def create_default_path() -> Path:
    """Return the path of the page's database in the user's data folder; create the folder if necessary."""
    data_home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = data_home / "fourfall"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "page.db"


def _has_screen() -> bool:
    """Whether a graphical browser can be opened: the command runs in a terminal of a desktop."""
    return sys.stdout.isatty() and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
