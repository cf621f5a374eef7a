"""Collects what an address names, so that a worker can open the same agent from a folder of its own.

The driver reads files and runs none of them. What an agent needs of the system (interpreters, installed packages,
programs on the PATH) is not sent: the worker must have it.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import fourfall.cluster
from fourfall import presets
from fourfall.agents.address import Address, AddressError, parse_address
from fourfall.agents.base import AgentError, Conditions
from fourfall.agents.permissions import Grant
from fourfall.agents.private_files import find_databases, is_own_database
from fourfall.agents.registry import open_agent, resolve_paths, split_python_target
from fourfall.agents.third_party import ThirdPartyAgent
from fourfall.cluster.archive import MAX_BYTES, MAX_FILES, ArchivedFile, ArchiveError, compute_digest, pack
from fourfall.system.command_line import is_bare_name, join_command, split_command

_PACKAGE = Path(fourfall.cluster.__file__).resolve().parents[1]
_SKIPPED_FOLDERS = ("__pycache__", ".git")
_COMMAND_KINDS = ("program", "program+json", "ugi")


@dataclass(frozen=True)
class PortableAgent:
    """How a worker opens an agent: the address with paths relative to the folder `base` of an unpacked archive.

    `digest` is the hash of the archive, empty if the agent needs no files. `root` is the folder of the driver that
    corresponds to the archive; messages of the agent name it instead of the worker's folder.
    """

    address: str
    digest: str = ""
    base: str = ""
    root: str = ""


@dataclass(frozen=True)
class AgentBundle:
    """An agent and its archive, empty if the agent needs no files."""

    agent: PortableAgent
    archive: bytes = b""


def make_bundle(address: str) -> AgentBundle:
    """Collect the files of an agent; AddressError or ArchiveError says why it cannot be sent.

    >>> make_bundle("level-2").agent
    PortableAgent(address='level-2', digest='', base='', root='')
    """
    base = Path().absolute()
    parsed = parse_address(resolve_paths(address, base))
    agent = open_agent(address, Conditions(), base)
    if not isinstance(agent, ThirdPartyAgent):
        agent.close()
        return _make_preset_bundle(parsed) if presets.is_preset_file(parsed.target) else _keep(address)
    try:
        grants = [grant for grant in agent.prepare().grants if not _is_installed(grant.path)]
    except AgentError as error:
        raise AddressError(f"{address!r}: {error}") from None
    if not grants:
        return _keep(address)
    needs_base = parsed.kind in _COMMAND_KINDS or (parsed.kind == "python" and split_python_target(parsed) is None)
    parents = [grant.path.parent for grant in grants]
    root = Path(os.path.commonpath([*parents, base] if needs_base else parents))
    files = _read_files(address, grants, root)
    start = base if needs_base else root
    portable = _make_relative(parsed, start, [grant.path for grant in grants])
    inner_base = "" if start == root else start.relative_to(root).as_posix()
    agent_in_bundle = PortableAgent(str(portable), compute_digest(files), inner_base, str(root))
    return AgentBundle(agent_in_bundle, pack(files))


def _keep(address: str) -> AgentBundle:
    return AgentBundle(PortableAgent(address))


def _make_preset_bundle(parsed: Address) -> AgentBundle:
    """Send a preset file as one file without a base, and its weights file unless it is that of the package."""
    config = presets.load(parsed.target).config
    name = Path(parsed.target).name
    name = name if name.endswith(".toml") else f"{name}.toml"
    files = {}
    weights_file = getattr(config, "weights", "")
    if weights_file and not is_bare_name(weights_file):
        own_name = Path(weights_file).name
        files[own_name] = ArchivedFile(Path(weights_file).read_bytes())
        config.weights = own_name  # type: ignore[union-attr]
    files[name] = ArchivedFile(presets.to_toml(config).encode())
    inner = replace(parsed, target=f"./{name}")
    return AgentBundle(
        PortableAgent(str(inner), compute_digest(files), "", str(Path(parsed.target).parent)), pack(files)
    )


def _is_installed(path: Path) -> bool:
    """Whether a path belongs to the system, to this interpreter or to Fourfall."""
    prefixes = ("/usr", "/bin", "/lib", "/lib64", "/sbin", sys.prefix, sys.base_prefix, sys.exec_prefix)
    return any(path.is_relative_to(prefix) for prefix in (*prefixes, _PACKAGE)) or path == Path(sys.executable)


def _make_relative(parsed: Address, start: Path, named: Sequence[Path]) -> Address:
    """Return the address with paths relative to the folder `start`; `named` are the paths that are sent."""

    def relate(text: str) -> str:
        path = Path(text)
        if not path.is_absolute() or not any(path == other or path.is_relative_to(other) for other in named):
            return text
        return f"./{Path(os.path.relpath(path, start)).as_posix()}" + ("/" if text.endswith("/") else "")

    parsed = replace(parsed, read=tuple(map(relate, parsed.read)))
    if parsed.kind in _COMMAND_KINDS:
        words = []
        for word in split_command(parsed.target):
            option, equals, value = word.partition("=")
            words.append(f"{option}={relate(value)}" if equals and word.startswith("-") else relate(word))
        return replace(parsed, target=join_command(words))
    if parsed.kind != "python":
        return replace(parsed, target=relate(parsed.target))
    parts = split_python_target(parsed)
    if parts is None:
        return parsed
    path, rest = parts
    folder = "/" if Path(path).is_dir() else ""
    return replace(parsed, target=relate(path).rstrip("/") + folder + rest)


def _read_files(address: str, grants: Sequence[Grant], root: Path) -> dict[str, ArchivedFile]:
    files: dict[str, ArchivedFile] = {}
    size = 0
    for path in dict.fromkeys(path for grant in grants for path in _list_files(grant, grants)):
        try:
            content = path.read_bytes()
            is_executable = os.access(path, os.X_OK)
        except OSError as error:
            raise ArchiveError(f"{address!r}: {path}: {error.strerror}") from None
        size += len(content)
        if size > MAX_BYTES or len(files) >= MAX_FILES:
            raise ArchiveError(
                f"{address!r}: the files of an agent on a cluster may have {MAX_BYTES >> 20} MiB and {MAX_FILES} files "
                "together; name fewer files, or a folder of the agent alone"
            )
        files[path.relative_to(root).as_posix()] = ArchivedFile(content, is_executable)
    return files


def _list_files(grant: Grant, grants: Sequence[Grant]) -> Iterator[Path]:
    """Yield the files of a grant; links only where the agent may read their targets."""
    if grant.is_list_only:
        return
    if grant.path.is_file():
        if not is_own_database(grant.path):
            yield grant.path
        return
    databases = find_databases(grant.path)
    for parent, folders, names in os.walk(grant.path):
        folders[:] = sorted(set(folders) - set(_SKIPPED_FOLDERS))
        for name in sorted(names):
            path = Path(parent, name)
            if path in databases or not path.is_file():
                continue
            if path.is_symlink() and not any(other.allows(path.resolve()) for other in grants):
                continue
            yield path
