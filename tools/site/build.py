"""Builds the page without a server: `python -m tools.site.build build/browser --wasm build/wasm`.

`tools.site.build_wasm` compiles the WebAssembly modules before.
"""

import argparse
import gzip
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from fourfall import weights
from fourfall.web.app import STATIC_FOLDER
from fourfall.web.static_files import VERSION_FOLDER
from tools.site.build_wasm import PLAIN_NAME, SIMD_NAME
from tools.site.bundle import BundleError
from tools.site.data_files import write_census, write_engines, write_puzzles
from tools.site.page_files import MAIN, STYLE, THEME, WORKER, create_site

_LOADED_FIRST = re.compile(
    rf"(index.html|manifest.webmanifest|data/(engines|engine_simd|weights)\..*"
    rf"|{VERSION_FOLDER}/\w+/({MAIN}|{WORKER}|{THEME}|{STYLE}|icon.svg))"
)
"""Files that the first visit loads; the others are loaded when a view needs them, and for offline use."""


def read_data(wasm_folder: Path) -> dict[str, tuple[str, bytes]]:
    """Return the data files by their name in `local/files.js`, each with its file name."""
    return {
        "engine_simd": (SIMD_NAME, (wasm_folder / SIMD_NAME).read_bytes()),
        "engine_plain": (PLAIN_NAME, (wasm_folder / PLAIN_NAME).read_bytes()),
        "weights": ("weights.f4w", _read_weights()),
        "engines": ("engines.json", write_engines().encode()),
        "census": ("census.json", write_census().encode()),
        "puzzles": ("puzzles.json", write_puzzles().encode()),
    }


def _read_weights() -> bytes:
    content = weights.read(weights.PACKAGED)
    if content is None:
        raise SystemExit(f"the package has no weights file {weights.PACKAGED}; the site needs it")
    return content


def write_site(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def describe_sizes(files: Mapping[str, bytes]) -> str:
    """Return one line with the number of files, their size, and the compressed size of those of the first visit."""
    compressed = {name: len(gzip.compress(content, 9)) for name, content in files.items()}
    first = sum(size for name, size in compressed.items() if _LOADED_FIRST.fullmatch(name))
    total = sum(map(len, files.values()))
    return (
        f"{len(files)} files, {total / 1e6:.2f} MB; compressed {sum(compressed.values()) / 1e6:.2f} MB, "
        f"of which the first visit loads {first / 1e3:.0f} KB"
    )


def main() -> None:
    """Build the site into a folder and print its size."""
    parser = argparse.ArgumentParser(description="Build the page without a server.")
    parser.add_argument("folder", type=Path, help="folder of the site; its old content is removed")
    parser.add_argument("--wasm", type=Path, default=Path("build/wasm"), help="folder of the WebAssembly modules")
    arguments = parser.parse_args()
    if not (arguments.wasm / SIMD_NAME).is_file():
        parser.error(f"{arguments.wasm} has no {SIMD_NAME}: python -m tools.site.build_wasm {arguments.wasm}")
    try:
        files = create_site(STATIC_FOLDER, read_data(arguments.wasm))
    except BundleError as error:
        raise SystemExit(f"the modules of the page cannot be joined: {error}") from None
    write_site(arguments.folder, files)
    print(f"{arguments.folder}: {describe_sizes(files)}")


if __name__ == "__main__":
    main()
