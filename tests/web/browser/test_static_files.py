"""Tests of the files of the page: header comment, length, total size."""

import gzip
import re
from pathlib import Path

import fourfall

STATIC = Path(fourfall.__file__).parent / "web" / "static"
MAX_LINES = 400
MAX_COMPRESSED_BYTES = 160_000


def test_every_file_starts_with_a_sentence_about_its_purpose() -> None:
    """Scripts and styles start with a comment that ends with a full stop, and none is long."""
    files = [file for suffix in ("js", "ts", "css") for file in STATIC.rglob(f"*.{suffix}")]
    assert len(files) > 30
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert re.match(r"// [A-Z].*(\n// .*)*\.\n|/\* [A-Z].*\. \*/\n", text), file.name
        assert not text.startswith(("// Owns", "/* Owns")), file.name
        assert len(text.splitlines()) < MAX_LINES, file.name


def test_total_size_is_small() -> None:
    """All files of the page together are smaller than 160 KB when they are compressed for the transfer."""
    files = [file for file in STATIC.rglob("*") if file.is_file()]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) < MAX_COMPRESSED_BYTES
