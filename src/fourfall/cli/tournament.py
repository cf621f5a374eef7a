"""The command ``fourfall tournament``: plays a tournament described by a TOML file."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import check_address
from fourfall.arena.spec_file import load_spec
from fourfall.cli.cluster_options import ClusterOption
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption
from fourfall.cli.event_options import (
    NoPinOption,
    NoSandboxOption,
    PonderOption,
    ResumeOption,
    WorkersOption,
)
from fourfall.cli.event_runner import run_event_in_terminal


def tournament(
    spec: Annotated[
        Path, typer.Argument(metavar="SPEC", help="Tournament file (TOML) with agents, boards, pairs and limits.")
    ],
    db: DatabaseOption = DEFAULT_DATABASE,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    no_pin: NoPinOption = False,
    ponder: PonderOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Play a tournament from a file: round robin or gauntlet, with one or several groups.

    Ctrl-C lets the running games finish, a second Ctrl-C stops at once; --resume continues. docs/arena.md describes the
    file.

    Examples:

      fourfall tournament league.toml

      fourfall tournament league.toml --db league.db --workers 2 --resume

      fourfall tournament league.toml --cluster tcp://10.0.0.1:8786
    """
    loaded = load_spec(spec, check_address)
    loaded = replace(loaded, sandbox=not no_sandbox, ponder=ponder or loaded.ponder)
    run_event_in_terminal(loaded, db, resume=resume, workers=workers, pin=not no_pin, cluster=cluster)
