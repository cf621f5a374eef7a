"""The option ``--cluster`` of the commands that play games or run tasks."""

from typing import Annotated

import typer

from fourfall.cluster.address import parse_cluster_address

ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Dask cluster that does the work: tcp://HOST:PORT or tls://HOST:PORT of its scheduler, or local:N for N "
        "worker processes of this machine. See docs/cluster.md.",
        show_default="no cluster",
    ),
]


def check_cluster_option(
    cluster: str | None, *, workers: int | None = None, no_pin: bool = False, ponder: bool = False
) -> None:
    """Raise ClusterAddressError or a usage error if the address is malformed or does not go with other options.

    >>> check_cluster_option("local:2")
    """
    if cluster is None:
        return
    parse_cluster_address(cluster)
    if workers is not None:
        raise typer.BadParameter(
            "cannot be used with --cluster, whose workers play one game each; for processes of this machine use "
            f"--cluster local:{workers}",
            param_hint="--workers",
        )
    if ponder:
        raise typer.BadParameter(
            "cannot be used with --cluster, whose workers have one core each; an event with ponder needs two",
            param_hint="--ponder",
        )
    if no_pin:
        raise typer.BadParameter(
            "cannot be used with --cluster, whose workers do not pin games to cores", param_hint="--no-pin"
        )
