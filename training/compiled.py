"""Owns what the compiler made: kept as one file in the run's folder, so that a resumed run need not compile again."""

import tarfile
import tempfile
from pathlib import Path

import jax

NAME = "compiled.tar"


class Compiled:
    """The framework's persistent compilation cache, unpacked from and packed into one file."""

    def __init__(self, out: Path) -> None:
        self._file = out / NAME
        self._folder = Path(tempfile.mkdtemp(prefix="fourfall-compiled-"))
        if self._file.exists():
            try:
                with tarfile.open(self._file) as archive:
                    archive.extractall(self._folder, filter="data")
            except (OSError, tarfile.TarError):
                self._file.unlink()  # half a file is worth nothing, and compiling again costs only time
        jax.config.update("jax_compilation_cache_dir", str(self._folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.5)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
        self._packed = self._content()

    def _content(self) -> list[str]:
        return sorted(path.name for path in self._folder.iterdir() if not path.name.endswith("-atime"))

    def pack(self) -> None:
        """Write the file anew if anything was compiled since."""
        content = self._content()
        if content == self._packed:
            return
        partial = self._file.with_name(NAME + ".partial")
        with tarfile.open(partial, "w") as archive:
            for name in content:
                archive.add(self._folder / name, name)
        partial.replace(self._file)
        self._packed = content
