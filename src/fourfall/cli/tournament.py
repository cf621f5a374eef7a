"""Owns ``fourfall tournament``: a spec file, played."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import check_address
from fourfall.arena.spec import Spec
from fourfall.cli.event_options import (
    DatabaseOption,
    NoPinOption,
    NoSandboxOption,
    ResumeOption,
    WorkersOption,
    contest,
)


def tournament(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="A TOML file: agents, boards, rounds, limits.")],
    db: DatabaseOption = Path("arena.db"),
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    no_pin: NoPinOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Play a tournament that is written down: round robin or gauntlet, in one group or several.

    Ctrl-C once finishes the games in flight, twice stops at once; --resume goes on. docs/arena.md shows a whole file.

    Examples:

      fourfall tournament league.toml

      fourfall tournament league.toml --db league.db --workers 2 --resume
    """
    written = replace(Spec.load(spec, check_address), sandbox=not no_sandbox)
    contest(written, db, resume=resume, workers=workers, pin=not no_pin)
