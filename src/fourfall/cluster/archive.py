"""Archive of the files of an agent: plain bytes with a content hash, made and unpacked without running any of them.

The hash covers the paths, the contents and the permission to execute, and nothing else. So the same files have the same
hash on every machine, and an unpacked folder can be checked again before each use.
"""

import hashlib
import json
import os
import stat
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MAX_BYTES = 64 << 20
"""Size limit of the files of one agent together."""

MAX_FILES = 10_000
_LENGTH_BYTES = 8
_FORMAT = "fourfall agent 1"


class ArchiveError(ValueError):
    """Files that cannot be sent to workers, or a damaged archive; the message says why."""


@dataclass(frozen=True)
class ArchivedFile:
    """The content of a file, and whether it may be executed."""

    content: bytes
    is_executable: bool = False


def compute_digest(files: Mapping[str, ArchivedFile]) -> str:
    """Return the hash of files by their relative paths.

    >>> compute_digest({"bot.py": ArchivedFile(b"")})[:12]
    '03af82e151d9'
    """
    return hashlib.sha256(_write_manifest(files)).hexdigest()


def pack(files: Mapping[str, ArchivedFile]) -> bytes:
    """Return an archive of files by their relative paths; it depends on nothing else.

    >>> unpack(pack({"data/book.bin": ArchivedFile(b"abc")}))
    {'data/book.bin': ArchivedFile(content=b'abc', is_executable=False)}
    """
    manifest = _write_manifest(files)
    contents = b"".join(files[path].content for path in sorted(files))
    return zlib.compress(len(manifest).to_bytes(_LENGTH_BYTES) + manifest + contents, level=6)


def unpack(archive: bytes) -> dict[str, ArchivedFile]:
    """Return the files of an archive; ArchiveError if it is damaged or names a path outside of its folder."""
    decompressor = zlib.decompressobj()
    try:
        data = decompressor.decompress(archive, 2 * MAX_BYTES)
        length = int.from_bytes(data[:_LENGTH_BYTES])
        table = json.loads(data[_LENGTH_BYTES : _LENGTH_BYTES + length])
        rows = [(str(path), int(size), bool(is_executable)) for path, size, is_executable, _ in table["files"]]
    except (zlib.error, ValueError, TypeError, KeyError) as error:
        raise ArchiveError(f"damaged archive: {error}") from None
    files: dict[str, ArchivedFile] = {}
    at = _LENGTH_BYTES + length
    for path, size, is_executable in rows:
        _check_path(path)
        files[path] = ArchivedFile(data[at : at + size], is_executable)
        at += size
    if at != len(data) or not decompressor.eof:
        raise ArchiveError("damaged archive: its length differs from that of its files")
    return files


def write_files(files: Mapping[str, ArchivedFile], folder: Path) -> None:
    """Write files into an empty folder, from which everybody may read them."""
    folder.chmod(0o755)
    for path, file in files.items():
        _check_path(path)
        target = folder / path
        for parent in reversed(PurePosixPath(path).parents[:-1]):
            (folder / parent).mkdir(mode=0o755, exist_ok=True)
        with target.open("xb") as output:  # x: never through a link, and no path twice
            output.write(file.content)
        target.chmod(0o555 if file.is_executable else 0o444)


def read_folder(folder: Path) -> dict[str, ArchivedFile]:
    """Return all files below a folder; ArchiveError if it has links or other things that an archive never has."""
    files: dict[str, ArchivedFile] = {}
    for parent, folders, names in os.walk(folder, onerror=_raise):
        for name in [*folders, *names]:
            path = Path(parent, name)
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode):
                relative = path.relative_to(folder).as_posix()
                files[relative] = ArchivedFile(path.read_bytes(), bool(mode & stat.S_IXUSR))
            elif not stat.S_ISDIR(mode):
                raise ArchiveError(f"{path} is neither a file nor a folder")
    return files


def _write_manifest(files: Mapping[str, ArchivedFile]) -> bytes:
    rows = [
        [path, len(file.content), file.is_executable, hashlib.sha256(file.content).hexdigest()]
        for path, file in sorted(files.items())
    ]
    return json.dumps({"format": _FORMAT, "files": rows}, separators=(",", ":")).encode()


def _check_path(path: str) -> None:
    parts = path.split("/")
    if not path or path.startswith("/") or "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise ArchiveError(f"damaged archive: {path!r} is not a path in its folder")


def _raise(error: OSError) -> None:
    raise error
