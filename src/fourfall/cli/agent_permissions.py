"""Prints what an agent may read, write and use: ``fourfall doctor --agent``."""

import json
from dataclasses import asdict

import typer
from rich.console import Console
from rich.table import Table

from fourfall.agents.base import AgentError, Conditions
from fourfall.agents.permission_report import PathPermission, PermissionReport, report_permissions
from fourfall.agents.registry import open_agent
from fourfall.agents.third_party import ThirdPartyAgent
from fourfall.arena.tables import replace_control_characters

_LIMITS = {
    "address_space_mb": "address space (MiB)",
    "memory_mb": "memory (MiB)",
    "cpu_time_s": "processor time (s)",
    "open_files": "open files",
    "file_size_mb": "file size (MiB)",
    "tasks": "processes and threads",
}


def show_permissions(address: str, as_json: bool) -> None:
    """Print what an agent may do, as a table or as one JSON object; the agent does not run."""
    agent = open_agent(address, Conditions())
    try:
        report = report_permissions(agent) if isinstance(agent, ThirdPartyAgent) else None
    except AgentError as failure:
        typer.echo(f"fourfall: {replace_control_characters(f'{address}: {failure}')}", err=True)
        raise typer.Exit(1) from None
    finally:
        agent.close()
    if as_json:
        permissions = None if report is None else asdict(report)
        typer.echo(json.dumps({"agent": address, "permissions": permissions}, indent=2, ensure_ascii=False))
    elif report is None:
        typer.echo(f"{address} is a built-in engine: part of Fourfall, not third-party code.")
    else:
        print_permissions(report)


def print_permissions(report: PermissionReport) -> None:
    """Print the tables of files, environment and limits."""
    console = Console(highlight=False, markup=False)
    _print_table(console, "may read", _make_rows(report.read))
    if report.list:
        _print_table(console, "may list, but not read", _make_rows(report.list))
    _print_table(console, "may write", _make_rows(report.write))
    _print_table(console, "environment", list(report.environment.items()))
    _print_table(console, "limits", [(_LIMITS[name], str(value)) for name, value in report.limits.items()])


def _make_rows(permissions: tuple[PathPermission, ...]) -> list[tuple[str, str]]:
    return [(permission.path, permission.reason) for permission in permissions]


def _print_table(console: Console, title: str, rows: list[tuple[str, str]]) -> None:
    console.print(title)
    table = Table(box=None, show_header=False, padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for left, right in rows:
        table.add_row(replace_control_characters(left), replace_control_characters(right))
    console.print(table)
    console.print()
