"""Finds running processes by their command line."""

from pathlib import Path


def find_processes(*words: str) -> list[int]:
    """Return the running processes whose command line contains all the words."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if all(word.encode() in command for word in words):
                found.append(int(folder.name))
    return found
