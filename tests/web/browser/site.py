"""Serves the page without a server for the browser tests: the folder that `make site` writes."""

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import pytest

from fourfall.web.app import STATIC_FOLDER
from tools.site.serve import SiteHandler, create_server

SITE_FOLDER = Path(__file__).resolve().parents[3] / "build" / "browser"


class _PlainAddressHandler(SiteHandler):
    """Serves the modules of the page under their plain addresses, too, because tests import them one by one."""

    connections: ClassVar[set[socket.socket]]

    def setup(self) -> None:
        """Remember the connection, so that the host can end it."""
        super().setup()
        self.connections.add(self.connection)

    def finish(self) -> None:
        """Forget the connection."""
        self.connections.discard(self.connection)
        super().finish()

    def translate_path(self, path: str) -> str:
        """Return the file of an address."""
        found = super().translate_path(path)
        module = STATIC_FOLDER / path.partition("?")[0].lstrip("/")
        return str(module) if module.is_file() and not Path(found).exists() else found


class Site:
    """The folder of static files on a free port of this machine."""

    def __init__(self, folder: Path = SITE_FOLDER, name: str = "") -> None:
        """Serve a folder; `name` is the path below it at which the page lies."""
        if not (folder / name / "index.html").is_file():
            pytest.skip("no build/browser: make site")
        self._connections: set[socket.socket] = set()

        class Handler(_PlainAddressHandler):
            connections = self._connections

        self._server = create_server(folder, handler=Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        """Start to serve the files."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the server, and end the connections that browsers keep open."""
        self._server.shutdown()
        self._server.server_close()
        for connection in list(self._connections):
            with suppress(OSError):  # the browser has closed it
                connection.shutdown(socket.SHUT_RDWR)
        self._thread.join()
