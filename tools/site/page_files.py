"""Creates the files of the page without a server from those of the server's page, with addresses that name a version.

Modules and style sheets are joined (`tools.site.bundle`), so that a first visit needs few requests. As on the server
(`fourfall.web.static_files`), the HTML refers to all other files below `v/VERSION/`. A data file has the hash of its
content in its name, so that a new version of the page does not download it again if it has not changed. All addresses
are relative: the folder works below any path of a static host.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from fourfall.web.static_files import VERSION_FOLDER, rewrite_page
from tools.site.bundle import bundle
from tools.site.icons import draw_icon

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
SERVICE_WORKER = "service_worker.js"
MAIN, WORKER = "local/main.js", "local/worker.js"
THEME = "ui/theme.js"
"""A classic script, which runs before the page is drawn."""
STYLE = "styles/page.css"
"""The style sheets of the page in one file."""
_ENTRIES = (MAIN, WORKER, "embed.js")
_FILE_LIST = "local/files.js"
_FROM_FILE_LIST = "../../../"
"""From `v/VERSION/local/` to the folder of the site."""
_NOT_SERVED = (".d.ts",)
_STYLE_LINK = re.compile(r'[ \t]*<link rel="stylesheet" href="([^"]+)">\n')
_ICON_SIZES = (192, 512)
_HEAD = f"""<meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">"""
_INDEX_HEAD = """<link rel="manifest" href="/manifest.webmanifest">
    <link rel="apple-touch-icon" href="/icons/icon-192.png">
    <meta name="theme-color" content="#1d2a36">"""


def create_site(static: Path, data: Mapping[str, tuple[str, bytes]]) -> dict[str, bytes]:
    """Return the files of the site by their path.

    Args:
        static: folder of the files of the server's page.
        data: content of the data files by their name in `local/files.js`, each with its file name.
    """
    page = {
        path.relative_to(static).as_posix(): path.read_bytes()
        for path in sorted(static.rglob("*"))
        if path.is_file() and not path.name.endswith(_NOT_SERVED)
    }
    html = {name: page.pop(name).decode() for name in ("index.html", "embed.html")}
    service_worker = page.pop(f"local/{SERVICE_WORKER}").decode()
    named = {key: (_name_by_content(name, content), content) for key, (name, content) in data.items()}
    page[_FILE_LIST] = _write_file_list(named).encode()
    html["index.html"] = _change_index(html["index.html"])
    html["embed.html"] = _add_to_head(html["embed.html"], _HEAD)
    page = _join_scripts(page)
    html["index.html"] = _join_styles(html["index.html"], page, html["embed.html"])
    icons = {f"icons/icon-{size}.png": draw_icon(size) for size in _ICON_SIZES}
    icons["icons/icon-maskable-512.png"] = draw_icon(512, maskable=True)
    files = dict(named.values()) | icons
    files["manifest.webmanifest"] = _write_manifest().encode()
    version = _hash({**page, **files, **{name: text.encode() for name, text in html.items()}})
    for name, text in html.items():
        files[name] = _make_relative(rewrite_page(text, version, page)).encode()
    files |= {f"{VERSION_FOLDER}/{version}/{name}": content for name, content in page.items()}
    files[SERVICE_WORKER] = _write_service_worker(service_worker, version, files).encode()
    files["icon.svg"] = page["icon.svg"]
    return files


def _change_index(html: str) -> str:
    html = html.replace('src="main.js"', f'src="{MAIN}"')
    html = html.replace("</head>", '  <link rel="stylesheet" href="styles/local.css">\n  </head>')
    return _add_to_head(html, f"{_HEAD}\n    {_INDEX_HEAD}")


def _join_scripts(page: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with the bundles of the entry points instead of the modules."""
    others = {name: content for name, content in page.items() if not name.endswith(".js") or name == THEME}
    return others | bundle(page, _ENTRIES)


def _join_styles(html: str, page: dict[str, bytes], other_html: str) -> str:
    """Replace the style sheets of a page by one file; those that the other page does not use are removed."""
    names = _STYLE_LINK.findall(html)
    page[STYLE] = b"\n".join(page[name] for name in names)
    for name in set(names).difference(_STYLE_LINK.findall(other_html)):
        del page[name]
    html = html.replace(f'href="{names[0]}"', f'href="{STYLE}"')
    return _STYLE_LINK.sub(lambda link: link[0] if link[1] == STYLE else "", html)


def _add_to_head(html: str, elements: str) -> str:
    """Add elements after the character set, before everything that is loaded."""
    return html.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n    {elements}', 1)


def _make_relative(html: str) -> str:
    """Make the addresses relative that `rewrite_page` must leave alone."""
    return re.sub(r'(href|src)="/(?!/)', r'\1="', html)


def _name_by_content(name: str, content: bytes) -> str:
    """Return the path of a data file: `data/weights.0a1b2c3d4e5f.f4w`."""
    stem, _, suffix = name.partition(".")
    return f"data/{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{suffix}"


def _write_file_list(data: Mapping[str, tuple[str, bytes]]) -> str:
    files = {key: {"path": _FROM_FILE_LIST + path, "bytes": len(content)} for key, (path, content) in data.items()}
    return f"// Addresses and sizes of the data files.\n\nexport const FILES = {json.dumps(files)};\n"


def _write_manifest() -> str:
    icons = [{"src": f"icons/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in _ICON_SIZES]
    maskable = {"src": "icons/icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"}
    manifest = {
        "name": "Fourfall",
        "short_name": "Fourfall",
        "description": "Four in a row with falling stones: play, analyse, review, solve puzzles.",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f4f6f8",
        "theme_color": "#1d2a36",
        "icons": [*icons, maskable],
    }
    return json.dumps(manifest, indent=2) + "\n"


def _write_service_worker(source: str, version: str, files: Mapping[str, bytes]) -> str:
    """Fill the version and the list of files in."""
    kept = [name for name in files if not name.endswith(".html")]
    changed = source.replace('const VERSION = "development";', f'const VERSION = "{version}";')
    changed = changed.replace("const FILES = [];", f"const FILES = {json.dumps(kept)};")
    if version not in changed or "const FILES = [];" in changed:
        raise ValueError(f"{SERVICE_WORKER} has no place for the version or the files")
    return changed


def _hash(contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]
