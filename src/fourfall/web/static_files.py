"""Serves the files of the page from memory: compressed, with ETags, and under addresses that may be cached forever.

The HTML refers to all other files below `/v/VERSION/`, where VERSION is a hash of all files. Relative imports of
modules stay below it. A browser therefore keeps these files without asking again, and after an upgrade, the HTML
refers to new addresses. Under their plain addresses the files are served too, but the browser must check the ETag.
"""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fourfall.web.module_graph import list_modules

INDEX = "index.html"
VERSION_FOLDER = "v"
_FOREVER = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_HIDDEN_SUFFIXES = (".d.ts",)  # only for the type checker
_MIN_COMPRESSED_BYTES = 200
_TEXT_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
_MODULE_SCRIPT = re.compile(r'<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"')
_REFERENCE = re.compile(r'(<(?:script|link)\b[^>]*?\b(?:src|href)=")(?!/|#|[a-z]+:)([^"]+)"')


@dataclass(frozen=True)
class StaticFile:
    """A file with its compressed form (None if compression does not pay) and its media type."""

    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str

    @classmethod
    def create(cls, name: str, content: bytes) -> "StaticFile":
        """Compress a file."""
        compressed = gzip.compress(content, 9, mtime=0) if len(content) >= _MIN_COMPRESSED_BYTES else content
        suffix = Path(name).suffix
        media_type = _TEXT_TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        if media_type.startswith("text/"):
            media_type += "; charset=utf-8"
        digest = hashlib.sha256(content).hexdigest()[:32]
        return cls(content, compressed if len(compressed) < 0.9 * len(content) else None, media_type, digest)


@dataclass(frozen=True)
class SiteVersion:
    """All files of the page at one time."""

    version: str
    stamps: dict[str, tuple[int, int]]  # size and time of change
    files: dict[str, StaticFile]


class StaticSite:
    """ASGI application that serves a folder. It reads the folder again when a file in it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._site = _load_site(folder, _read_stamps(folder))

    @property
    def version(self) -> str:
        """Hash of all files."""
        return self._site.version

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file. Raises HTTPException 404 or 405."""
        if scope["type"] != "http":
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        name = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        name = name or INDEX
        if is_page(name):
            self._update()
        site, version = self._site, ""
        if name.startswith(f"{VERSION_FOLDER}/"):
            # A page of an earlier version gets the present file, but must not keep it under the old address.
            version, _, name = name.removeprefix(f"{VERSION_FOLDER}/").partition("/")
        file = site.files.get(name)
        if file is None or (version and is_page(name)):
            raise HTTPException(404)
        cache_control = _FOREVER if version == site.version else _REVALIDATE
        await create_file_response(file, cache_control, Headers(scope=scope))(scope, receive, send)

    def _update(self) -> None:
        stamps = _read_stamps(self._folder)
        if stamps != self._site.stamps:
            self._site = _load_site(self._folder, stamps)


def _read_stamps(folder: Path) -> dict[str, tuple[int, int]]:
    stamps = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.endswith(_HIDDEN_SUFFIXES):
            status = path.stat()
            stamps[path.relative_to(folder).as_posix()] = (status.st_size, status.st_mtime_ns)
    return stamps


def _load_site(folder: Path, stamps: dict[str, tuple[int, int]]) -> SiteVersion:
    contents = {name: (folder / name).read_bytes() for name in stamps}
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(f"{name} {len(content)}\n".encode() + content)
    version = digest.hexdigest()[:16]
    for name in filter(is_page, stamps):
        contents[name] = rewrite_page(contents[name].decode("utf-8"), version, contents).encode()
    return SiteVersion(version, stamps, {name: StaticFile.create(name, each) for name, each in contents.items()})


def is_page(name: str) -> bool:
    """Return whether a file is the HTML of a page.

    >>> is_page("index.html"), is_page("main.js")
    (True, False)
    """
    return name.endswith(".html") and "/" not in name


def rewrite_page(html: str, version: str, contents: dict[str, bytes]) -> str:
    """Let the HTML refer to the addresses of a version, and preload all modules.

    >>> html = '<head><script type="module" src="main.js"></script></head>'
    >>> print(rewrite_page(html, "0a", {"main.js": b'import "./a.js";', "a.js": b""}))
    <head><script type="module" src="v/0a/main.js"></script><link rel="modulepreload" href="v/0a/main.js">
    <link rel="modulepreload" href="v/0a/a.js">
    </head>
    """
    modules = list_modules(_MODULE_SCRIPT.findall(html), contents)
    prefix = f"{VERSION_FOLDER}/{version}/"
    links = "".join(f'<link rel="modulepreload" href="{prefix}{module}">\n' for module in modules)
    html = _REFERENCE.sub(lambda match: f'{match[1]}{prefix}{match[2]}"', html)
    return html.replace("</head>", f"{links}</head>", 1)


def create_file_response(file: StaticFile, cache_control: str, request: Headers) -> Response:
    """Create the response for a file: compressed if the client accepts it, 304 if the client has it already."""
    is_compressed = file.compressed is not None and accepts_gzip(request.get("accept-encoding", ""))
    etag = f'"{file.etag}-gzip"' if is_compressed else f'"{file.etag}"'
    headers = {"ETag": etag, "Cache-Control": cache_control, "Vary": "Accept-Encoding"}
    known = {each.strip().removeprefix("W/") for each in request.get("if-none-match", "").split(",")}
    if etag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    if is_compressed:
        headers["Content-Encoding"] = "gzip"
    content = file.compressed if is_compressed else file.content
    return Response(content, headers=headers, media_type=file.media_type)


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether a client accepts gzip.

    >>> [accepts_gzip(text) for text in ("gzip, br", "br;q=1.0, gzip;q=0.5", "gzip;q=0", "deflate", "")]
    [True, True, False, False, False]
    """
    for each in accept_encoding.lower().split(","):
        name, _, quality = each.strip().partition(";")
        if name.strip() == "gzip":
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
