"""Serves the folder of `make site` on this machine: `python -m tools.site.serve build/browser --port 8780`."""

import argparse
import functools
import http.server
from pathlib import Path

_DEFAULT_PORT = 8780
_FOREVER = "public, max-age=31536000, immutable"


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files with the media types that browsers require, and keeps files with a version in the address."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 (declared by the base class)
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".json": "application/json",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        """Add the time for which a browser may keep the file."""
        is_versioned = "/v/" in self.path or "/data/" in self.path
        self.send_header("Cache-Control", _FOREVER if is_versioned else "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (name of the base class)
        """Print nothing for each request."""


def create_server(
    folder: Path, port: int = 0, handler: type[SiteHandler] = SiteHandler
) -> http.server.ThreadingHTTPServer:
    """Return a server for a folder on 127.0.0.1; port 0 chooses a free port."""
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(handler, directory=str(folder)))


def main() -> None:
    """Serve a folder until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder that make site wrote")
    parser.add_argument("--port", type=int, default=_DEFAULT_PORT, help="port on 127.0.0.1")
    arguments = parser.parse_args()
    if not (arguments.folder / "index.html").is_file():
        parser.error(f"{arguments.folder} has no index.html; run make site first")
    with create_server(arguments.folder, arguments.port) as server:
        print(f"The page: http://127.0.0.1:{server.server_port}/ (Ctrl-C ends)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
