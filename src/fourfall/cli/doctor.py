"""The command ``fourfall doctor``: reports the sandbox protections and the hardware of this machine."""

import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fourfall import __version__
from fourfall.agents import sandbox
from fourfall.agents.child_processes import find_program
from fourfall.agents.sandbox import Protection
from fourfall.cli.agent_permissions import show_permissions
from fourfall.cluster.worker_report import describe_evaluation
from fourfall.system.cores import count_cores
from fourfall.system.hardware import read_memory
from fourfall.system.load import read_load
from fourfall.system.support import get_system_name, list_missing_features

KERNEL = "needs Linux 5.13 or newer with Landlock; in a container, the runtime must allow it"
NAMESPACES = "allow user namespaces: sysctl user.max_user_namespaces, AppArmor and container rules"

# For each protection: its effect on third-party code, and what to do if it is missing.
ADVICE = {
    "files": ("reads what its address names and the system's libraries, writes a scratch folder", KERNEL),
    "calls": ("no sockets, no tracing, nothing that changes the system", "needs seccomp in the kernel"),
    "processes": ("cannot touch other processes", f"{NAMESPACES}; or Linux 6.12 with Landlock 6"),
    "user": (
        "third-party code never runs as root",
        "run as an ordinary user, or allow root to change users (CAP_SETUID)",
    ),
    "namespaces": ("all its processes end together, no network, a separate process count", NAMESPACES),
    "mounts": ("file system read-only, other files hidden, scratch folder in memory", NAMESPACES),
    "proc": ("sees only its own processes; their memory is limited together", NAMESPACES),
    "freezer": (
        "the kernel freezes it on the opponent's turn; otherwise signals stop it",
        "run as root, or with a delegated cgroup: systemd-run --user --scope -p Delegate=yes fourfall ...",
    ),
    "memory": (
        "one limit for the memory of all its processes, buffers and files",
        "run as root, or with a delegated cgroup that has the memory controller",
    ),
}


@dataclass(frozen=True)
class Machine:
    """Software and hardware that affect games."""

    fourfall: str
    python: str
    system: str
    compiler: str
    cores: int
    load: float | None
    evaluation: str
    memory_mb: int
    free_memory_mb: int | None


def doctor(
    agent: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Show what this agent may read, write and use, without running it."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show which sandbox protections this machine has, and its hardware.

    The exit code is 1 if third-party code (libraries, programs, Python functions) cannot be sandboxed; it is then
    refused unless --no-sandbox is given. docs/sandbox.md describes what the sandbox protects and what it does not.

    Examples:

      fourfall doctor

      fourfall doctor --json

      fourfall doctor --agent "python:bot.py?read=data"
    """
    if agent is not None:
        return show_permissions(agent, as_json)
    found = sandbox.detect_protections()
    lacking = sandbox.find_missing_protections()
    machine = read_machine()
    if as_json:
        rows = [asdict(protection) | {"purpose": ADVICE[protection.name][0]} for protection in found]
        report = {
            "third_party_code_accepted": not lacking,
            "protections": rows,
            "missing_features": list_missing_features(),
            "machine": asdict(machine),
        }
        typer.echo(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        print_report(found, machine)
    if lacking:
        raise typer.Exit(1)
    return None


def print_report(found: tuple[Protection, ...], machine: Machine) -> None:
    """Print both tables and advice for missing protections; on other systems than Linux, what they lack."""
    console = Console(highlight=False)
    if missing_features := list_missing_features():
        _print_missing_features(console, missing_features)
    else:
        _print_protections(console, found)
    console.print()
    table = Table(box=None, show_header=False)
    for name, value in asdict(machine).items():
        table.add_row(name.replace("_mb", " (MiB)").replace("_", " "), "unknown" if value is None else str(value))
    console.print(table)


def _print_missing_features(console: Console, features: list[str]) -> None:
    console.print(f"Not available on {get_system_name()}:")
    for feature in features:
        console.print(f"- {feature}", soft_wrap=True)
    console.print("Third-party code is refused unless --no-sandbox is given.")


def _print_protections(console: Console, found: tuple[Protection, ...]) -> None:
    table = Table("protection", "here", "effect on third-party code", "found", box=None)
    for protection in found:
        here = "yes" if protection.is_available else "MISSING" if protection.is_essential else "no"
        table.add_row(protection.name, here, ADVICE[protection.name][0], protection.detail)
    console.print(table)
    console.print()
    missing = [protection for protection in found if not protection.is_available]
    for protection in missing:
        console.print(f"{protection.name}: {ADVICE[protection.name][1]}", soft_wrap=True)
    if any(protection.is_essential for protection in missing):
        console.print("Third-party code is refused unless --no-sandbox is given.")
    elif missing:
        console.print("Third-party code is sandboxed, with fewer layers than possible.")
    else:
        console.print("Third-party code is sandboxed.")


def read_machine() -> Machine:
    """Collect software versions, cores, load and memory."""
    memory = read_memory()
    return Machine(
        fourfall=__version__,
        python=f"{platform.python_version()} ({sys.executable})",
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        compiler=_describe_compiler(),
        cores=count_cores(),
        load=read_load(),
        evaluation=describe_evaluation(),
        memory_mb=memory.total_mb,
        free_memory_mb=memory.free_mb,
    )


def _describe_compiler() -> str:
    for name in (os.environ.get("CXX", ""), "g++", "clang++", "c++"):
        path = find_program(name) if name else None
        if path is not None:
            result = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False)  # noqa: S603
            return result.stdout.partition("\n")[0]
    return "none"
