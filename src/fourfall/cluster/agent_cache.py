"""Folder of a worker with the unpacked archives of third-party agents, one folder per content hash.

It is below the user's cache folder (`$XDG_CACHE_HOME` or `~/.cache`), so that workers of one machine, or of machines
with a common home folder, share it. Every use checks the files against the hash; a changed folder is removed and
fetched again. Folders that were not used for 30 days are removed when another one is added.
"""

import contextlib
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

from fourfall.cluster.archive import ArchiveError, compute_digest, read_folder, unpack, write_files

_DIGEST = re.compile(r"[0-9a-f]{64}")
_UNUSED_S = 30 * 86_400


def get_cache_folder() -> Path:
    """Return the folder of the archives; create it if necessary, readable for its owner alone."""
    cache_home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache_home / "fourfall" / "agents"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def find_agent_folder(digest: str) -> Path | None:
    """Return the folder with this content; None if there is none, or if it was changed (it is removed then)."""
    folder = get_cache_folder() / _check_digest(digest)
    if not folder.exists() and not folder.is_symlink():
        return None
    try:
        is_intact = not folder.is_symlink() and compute_digest(read_folder(folder)) == digest
    except (OSError, ArchiveError):
        is_intact = False
    if is_intact:
        with contextlib.suppress(OSError):
            os.utime(folder)
        return folder
    _remove(folder)
    return None


def install_agent(digest: str, archive: bytes) -> None:
    """Unpack an archive into the cache; ArchiveError if its content does not have this hash.

    The folder appears complete or not at all, also when several workers install it at the same time.
    """
    cache = get_cache_folder()
    files = unpack(archive)
    if compute_digest(files) != _check_digest(digest):
        raise ArchiveError("the content of an archive does not have its hash; it was changed on the way")
    if find_agent_folder(digest) is not None:
        return
    partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=cache))
    try:
        write_files(files, partial)
        with contextlib.suppress(OSError):  # another worker was faster
            partial.rename(cache / digest)
    finally:
        _remove(partial)
    _remove_unused(cache)


def _check_digest(digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise ArchiveError(f"{digest!r:.80} is not a content hash")
    return digest


def _remove_unused(cache: Path) -> None:
    for folder in cache.iterdir():
        with contextlib.suppress(OSError):
            if folder.lstat().st_mtime < time.time() - _UNUSED_S:
                _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder; it is renamed first, so that nobody finds it half removed."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink(missing_ok=True)
        return
    with contextlib.suppress(OSError):
        doomed = folder.with_name(f".removed-{os.getpid()}-{time.monotonic_ns()}")
        folder.rename(doomed)
        shutil.rmtree(doomed, ignore_errors=True)
