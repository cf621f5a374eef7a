"""The command ``fourfall export onnx``: the network for other frameworks."""

from pathlib import Path
from typing import Annotated

import typer


def export_onnx_command(
    file: Annotated[Path, typer.Argument(metavar="FILE.onnx", help="ONNX file to write.")],
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE.f4w", help="Weights file of the network.", show_default="the packaged one"),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write the network as an ONNX model: planes of any batch and board size in, value and policy out.

    Examples:

      fourfall export onnx network.onnx

      fourfall export onnx network.onnx --weights runs/1/fourfall-64x4.f4w --overwrite
    """
    from fourfall.exports.onnx_network import OPSET, export_onnx

    if file.exists() and not overwrite:
        raise typer.BadParameter(f"{file} exists; choose another name or add --overwrite", param_hint="FILE.onnx")
    export_onnx(file, weights, overwrite=overwrite)
    typer.echo(f"{file}: ONNX model, opset {OPSET}; input planes, outputs value and policy (docs/onnx.md)")
