"""Runs the application with uvicorn: binds the port, and stops cleanly on Ctrl-C."""

import errno
import socket
from collections.abc import Callable
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI

from fourfall.system.sockets import prepare_listening_socket
from fourfall.web.access.logs import configure_log
from fourfall.web.access.protocols import LimitedConfig
from fourfall.web.app import Settings, create_app
from fourfall.web.engine_catalogue import EngineCatalogue
from fourfall.web.game_repository import GameRepository
from fourfall.web.limits import Limits

_BACKLOG = 128
_SHUTDOWN_S = 1
_KEEP_ALIVE_S = 20


class ServeError(RuntimeError):
    """The server cannot start; the message says why in one line."""


def bind_socket(host: str, port: int) -> socket.socket:
    """Bind and listen, so that a port in use is reported before anything else starts. Raises ServeError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    prepare_listening_socket(sock)
    try:
        sock.bind((host, port))
        sock.listen(_BACKLOG)
    except OSError as error:
        sock.close()
        if isinstance(error, socket.gaierror) or error.errno in (None, errno.EADDRNOTAVAIL):
            raise ServeError(f"cannot bind to {host}: not an address of this machine; choose another --host") from None
        if error.errno == errno.EADDRINUSE:
            raise ServeError(f"port {port} of {host} is in use; choose another one with --port") from None
        raise ServeError(f"cannot bind to port {port} of {host}: {error.strerror}") from None
    return sock


def format_url(sock: socket.socket, host: str, token: str | None) -> str:
    """Return the address to open in a browser."""
    url_host = f"[{host}]" if ":" in host else host
    url = f"http://{url_host}:{sock.getsockname()[1]}/"
    return url if token is None else f"{url}?token={quote(token)}"


def create_config(app: FastAPI, limits: Limits) -> uvicorn.Config:
    """Create the configuration of uvicorn."""
    return LimitedConfig(
        app,
        limits,
        log_config=None,  # see access/logs.py
        access_log=False,
        server_header=False,
        # Any client could send the headers of a proxy and so pretend to have another address.
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_SHUTDOWN_S,
        timeout_keep_alive=_KEEP_ALIVE_S,
    )


def run_server(settings: Settings, sock: socket.socket, on_start: Callable[[], None] | None = None) -> None:
    """Serve until interrupted; before returning, stop all searches and close the database.

    Invalid agents and an unusable database raise an exception before the server starts.
    """
    configure_log()
    EngineCatalogue(settings.agents, sandbox=settings.sandbox)
    GameRepository(settings.database).close()
    _Server(create_config(create_app(settings), settings.limits), on_start).run(sockets=[sock])


class _Server(uvicorn.Server):
    """Server that calls `on_start` when it accepts requests."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self._on_start is not None:
            self._on_start()
