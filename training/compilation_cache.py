"""Stores JAX's compilation cache as one file in the run's folder, so that a resumed run does not compile again."""

import atexit
import shutil
import tempfile
import zipfile
from pathlib import Path

import jax

FILE_NAME = "compilation_cache.zip"


class CompilationCache:
    """JAX's persistent compilation cache, unpacked from and packed into one file."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME
        self._unpacked = Path(tempfile.mkdtemp(prefix="fourfall-compilation-cache-"))
        atexit.register(shutil.rmtree, self._unpacked, ignore_errors=True)
        if self._file.exists():
            try:
                with zipfile.ZipFile(self._file) as archive:
                    archive.extractall(self._unpacked)
            except (OSError, zipfile.BadZipFile):
                self._file.unlink()  # a damaged cache costs only the time to compile again
        jax.config.update("jax_compilation_cache_dir", str(self._unpacked))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.5)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
        self._packed = self._list_entries()

    def _list_entries(self) -> list[str]:
        return sorted(path.name for path in self._unpacked.iterdir() if not path.name.endswith("-atime"))

    def save(self) -> None:
        """Write the file again if anything was compiled since the last call."""
        entries = self._list_entries()
        if entries == self._packed:
            return
        partial = self._file.with_name(FILE_NAME + ".partial")
        with zipfile.ZipFile(partial, "w") as archive:
            for name in entries:
                archive.write(self._unpacked / name, name)
        partial.replace(self._file)
        self._packed = entries
