"""Owns the running server: its port, its log, its end."""

import socket
from collections.abc import Callable
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI

from fourfall.web.app import Settings, create_app
from fourfall.web.engines import Catalogue
from fourfall.web.limits import Limits
from fourfall.web.shelf import Shelf

_GRACE_S = 1


class ServeError(RuntimeError):
    """A server that cannot start; the message says why in one line."""


def bound_socket(host: str, port: int) -> socket.socket:
    """Take a port before anything else is begun; ServeError says that it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        if isinstance(error, socket.gaierror) or error.errno is None:
            raise ServeError(f"{host} is no address of this machine") from None
        reason = "is taken already; choose another one with --port" if error.errno == 98 else f"- {error.strerror}"
        raise ServeError(f"port {port} of {host} {reason}") from None
    return sock


def address(sock: socket.socket, host: str, token: str | None) -> str:
    """Write the address that a browser opens."""
    shown = f"[{host}]" if ":" in host else host
    where = f"http://{shown}:{sock.getsockname()[1]}/"
    return where if token is None else f"{where}?token={quote(token)}"


def configuration(app: FastAPI, limits: Limits) -> uvicorn.Config:
    """Configure the server that runs the application."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=limits.body_bytes,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_GRACE_S,
        timeout_keep_alive=20,
    )


def serve(settings: Settings, sock: socket.socket, on_start: Callable[[], None] | None = None) -> None:
    """Serve until interrupted; searches are stopped and the database is closed before this returns.

    A database or a bot that is not what it should be is complained of before anything is begun.
    """
    Catalogue(settings.agents)
    Shelf(settings.database).close()
    _Server(configuration(create_app(settings), settings.limits), on_start).run(sockets=[sock])


class _Server(uvicorn.Server):
    """A server that says when it is there."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self._on_start is not None:
            self._on_start()
