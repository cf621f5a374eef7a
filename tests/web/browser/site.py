"""Serves the page without a server for the browser tests: the folder that `make site` writes."""

import threading
from pathlib import Path

import pytest

from fourfall.web.app import STATIC_FOLDER
from tools.site.serve import SiteHandler, create_server

SITE_FOLDER = Path(__file__).resolve().parents[3] / "build" / "browser"


class _PlainAddressHandler(SiteHandler):
    """Serves the modules of the page under their plain addresses, too, because tests import them one by one."""

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
        self._server = create_server(folder, handler=_PlainAddressHandler)
        self._thread = threading.Thread(target=self._server.serve_forever)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        """Start to serve the files."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
