"""``fourfall serve``: starts the web page."""

import contextlib
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import resolve_paths
from fourfall.cli.terminal import create_data_folder
from fourfall.system.users import has_desktop

DEFAULT_PORT = 4444


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on. If other machines can reach it, every page needs a token.")
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
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File with the token, a secret that every page must know; created with a random token if missing. "
            "Only its owner may have access to it.",
            show_default="the token in the environment variable FOURFALL_TOKEN, if set",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Third-party agent that can be chosen as opponent; repeatable."),
    ] = None,
    no_sandbox: Annotated[
        bool,
        typer.Option("--no-sandbox", help="Run third-party agents without the sandbox; the records of games say so."),
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Start the web page: play, analyse, review and watch games in a browser.

    Examples:

      fourfall serve

      fourfall serve --db arena.db --agent library:./bot.so

      fourfall serve --host 0.0.0.0

      fourfall serve --host 0.0.0.0 --token-file page.token

      FOURFALL_TOKEN="$(cat secret.txt)" fourfall serve --host 0.0.0.0

    The printed address contains the token. Without --token-file and FOURFALL_TOKEN, a server that other machines can
    reach uses a new random token at each start. The token itself is not an option, because all users of a machine can
    read the command lines of its processes.
    """
    try:
        from fourfall.web.access.token import TokenError
        from fourfall.web.app import Settings
        from fourfall.web.middleware import is_loopback
        from fourfall.web.server import ServeError, bind_socket, format_url, run_server
    except ModuleNotFoundError as missing:
        typer.echo(f"fourfall: the page needs {missing.name}: pip install 'fourfall[web]'", err=True)
        raise typer.Exit(1) from None
    is_local = is_loopback(host)
    try:
        token = _find_token(token_file, is_local=is_local)
    except TokenError as error:
        raise typer.BadParameter(str(error)) from None
    agents = [resolve_paths(address, Path()) for address in agent or []]
    try:
        sock = bind_socket(host, port)
    except ServeError as error:
        typer.echo(f"fourfall: {error}", err=True)
        raise typer.Exit(1) from None
    url = format_url(sock, host, token)

    def announce() -> None:
        typer.echo(f"Fourfall is at {url}  (Ctrl-C stops it)")
        # The address with a token would be visible in the command line of the browser.
        if not no_browser and token is None and _has_screen():
            webbrowser.open(url)

    with contextlib.suppress(KeyboardInterrupt):
        settings = Settings(db or create_default_path(), agents, token, is_local, sandbox=not no_sandbox)
        run_server(settings, sock, announce)


def _find_token(token_file: Path | None, *, is_local: bool) -> str | None:
    """Return the token from the file or the environment; a random one if other machines can reach the server."""
    from fourfall.web.access.token import create_token, read_token_file, take_environment_token

    environment_token = take_environment_token()
    if token_file is not None:
        return read_token_file(token_file)
    return environment_token or (None if is_local else create_token())


def create_default_path() -> Path:
    """Return the path of the page's database in the user's data folder; create the folder if necessary."""
    return create_data_folder() / "page.db"


def _has_screen() -> bool:
    """Whether a graphical browser can be opened: the command runs in a terminal of a desktop."""
    return sys.stdout.isatty() and has_desktop()
