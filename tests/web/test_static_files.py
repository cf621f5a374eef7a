"""Tests the files of the page: compression, ETags, addresses of a version, preloaded modules."""

import gzip
import http.client
import re
from pathlib import Path

import pytest

from fourfall.web.app import STATIC_FOLDER
from fourfall.web.static_files import StaticSite
from tests.web.conftest import RunningServer

Headers = dict[str, str]


def request(server: RunningServer, path: str, method: str = "GET", **headers: str) -> tuple[int, Headers, bytes]:
    """Send a request without the defaults of urllib; return the status, the headers and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def read_version(server: RunningServer) -> str:
    """Return the version in the addresses of the page's files."""
    found = re.search(rb'src="v/([0-9a-f]+)/main\.js"', request(server, "/")[2])
    assert found is not None
    return found[1].decode()


def test_files_are_compressed_and_kept_forever_under_the_version(server: RunningServer) -> None:
    """A file below the version's folder is the file, compressed, and may be cached forever."""
    path = f"/v/{read_version(server)}/app.js"
    status, headers, body = request(server, path, Accept_Encoding="gzip, br")
    assert (status, headers["content-encoding"], headers["vary"]) == (200, "gzip", "Accept-Encoding")
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    content = (STATIC_FOLDER / "app.js").read_bytes()
    assert gzip.decompress(body) == content
    assert len(body) < len(content) / 2
    _, plain_headers, plain_body = request(server, path)
    assert plain_body == content
    assert "content-encoding" not in plain_headers
    assert plain_headers["etag"] != headers["etag"]
    assert request(server, path, "HEAD", Accept_Encoding="gzip")[1]["content-length"] == str(len(body))


@pytest.mark.parametrize("path", ["/", "/index.html", "/app.js", "/v/0000000000000000/app.js"])
def test_other_addresses_are_revalidated(server: RunningServer, path: str) -> None:
    """HTML, plain addresses and those of another version must be checked; an unchanged file is not sent again."""
    status, headers, _ = request(server, path, Accept_Encoding="gzip")
    assert (status, headers["cache-control"]) == (200, "no-cache")
    again = request(server, path, Accept_Encoding="gzip", If_None_Match=f'"other", {headers["etag"]}')
    assert (again[0], again[1]["etag"], again[2]) == (304, headers["etag"], b"")
    assert request(server, path, Accept_Encoding="gzip", If_None_Match='"other"')[0] == 200


@pytest.mark.parametrize(
    "path", ["/nothing", "/v/", "/v/0", "/../limits.py", "/v/0/../../limits.py", "/%2e%2e/limits.py", "/words", "/v/0/"]
)
def test_only_files_of_the_folder_are_served(server: RunningServer, path: str) -> None:
    """Other paths get 404; other methods get 405."""
    assert request(server, path)[0] == 404
    assert request(server, "/app.js", "POST")[0] == 405
    assert request(server, "/model/messages.d.ts")[0] == 404


def test_every_reference_of_the_page_exists_below_the_version(server: RunningServer) -> None:
    """Scripts, styles, the icon and the preloaded modules have addresses of the version and can be loaded."""
    html = request(server, "/")[2].decode()
    references = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+)"', html)
    assert len(references) > 20
    version = read_version(server)
    for reference in references:
        assert reference.startswith(f"v/{version}/")
        assert request(server, f"/{reference}")[0] == 200, reference


def test_changed_file_changes_the_version(tmp_path: Path) -> None:
    """After an upgrade the page refers to new addresses; a change is noticed when the page is requested."""
    (tmp_path / "index.html").write_text('<head><script type="module" src="main.js"></script></head>')
    (tmp_path / "main.js").write_text('import "./other.js";')
    (tmp_path / "other.js").write_text("// One.")
    first = StaticSite(tmp_path).version
    assert StaticSite(tmp_path).version == first
    (tmp_path / "other.js").write_text("// Two, longer.")
    assert StaticSite(tmp_path).version != first
