"""The command ``fourfall export kaggle``: a submission for Kaggle's ConnectX."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.system.command_line import join_command


def export_kaggle_command(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="Python file to write.")],
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE.f4w", help="Weights file of the network.", show_default="the packaged one"),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write an agent for Kaggle's ConnectX: one Python file with the network, which needs only NumPy.

    Examples:

      fourfall export kaggle submission.py

      fourfall gauntlet kaggle:submission.py --quick --board 6x7 --opening 4 --time 2
    """
    from fourfall.exports.kaggle_submission import STRENGTH, export_kaggle

    if file.suffix != ".py":
        raise typer.BadParameter(f"{file} must end in .py, as Kaggle requires", param_hint="FILE.py")
    if file.exists() and not overwrite:
        raise typer.BadParameter(f"{file} exists; choose another name or add --overwrite", param_hint="FILE.py")
    size = export_kaggle(file, weights, overwrite=overwrite)
    typer.echo(f"{file}: {size / 1024:.0f} KiB, one file for Python 3.10 or newer with NumPy")
    typer.echo(f"Strength: {STRENGTH}" if weights is None else "Strength: not measured for this weights file")
    command = ["fourfall", "gauntlet", f"kaggle:{file}", "--quick", "--board", "6x7", "--opening", "4", "--time", "2"]
    typer.echo(f"Next: measure it with {join_command(command)}")
