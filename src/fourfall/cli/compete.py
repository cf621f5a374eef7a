"""The command ``fourfall compete``: the course's classic judge, with its result file."""

import secrets
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.base import Conditions
from fourfall.agents.registry import check_address, open_agent
from fourfall.arena.compete import CompeteResult, format_round, format_statistics, play_rounds
from fourfall.arena.tables import replace_control_characters
from fourfall.cli.event_options import complete_address


def compete(
    a: Annotated[str, typer.Argument(metavar="A", help="Strategy library (.so) or address of any agent.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Opponent of A: library or address.")],
    result_file: Annotated[Path, typer.Argument(metavar="RESULT", help="Result file; it is overwritten.")],
    rounds: Annotated[int, typer.Argument(metavar="ROUNDS", min=1, max=10**6, help="Number of rounds of two games.")],
    time: Annotated[float, typer.Option(min=0.001, max=1e6, help="Time per move in seconds.")] = Conditions.move_time_s,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="Random seed of the boards.", show_default="random")
    ] = None,
    no_sandbox: Annotated[bool, typer.Option("--no-sandbox", help="Run third-party code without the sandbox.")] = False,
) -> None:
    """Play rounds of two games on a random board, as the course's judge does: first A begins, then B.

    Each line of the result file holds a code and the thinking times of A and B in milliseconds. Codes: 0 tie, 1 A won,
    2 B won; failures of A / of B: crash 3 / 5, illegal move 4 / 6, timeout 7 / 8, cannot be loaded -1 / -2,
    interface functions missing -3 / -4.

    Examples:

      fourfall compete A.so B.so result.txt 5

      fourfall compete mine.so seed-002 result.txt 10 --seed 7
    """
    addresses = complete_address(a), complete_address(b)
    for address in addresses:
        check_address(address)
    seed = secrets.randbits(32) if seed is None else seed
    conditions = Conditions(move_time_s=time, sandbox=not no_sandbox, seed=seed)
    codes: list[int] = []
    with result_file.open("w", encoding="utf-8", newline="\n") as file:
        typer.echo(f"Random boards from --seed {seed}.")
        try:
            for number, results in enumerate(play_rounds(addresses, rounds, open_agent, conditions, seed)):
                file.write(format_round(number, results))
                file.flush()  # after an interrupt the file holds complete rounds
                codes += [result.code for result in results]
                _print_round(number, results)
        except KeyboardInterrupt:
            typer.echo(f"\nInterrupted: {result_file} has {len(codes) // 2} complete rounds and no statistics.")
            raise typer.Exit(130) from None
        file.write(format_statistics(codes))
    typer.echo(f"\n{format_statistics(codes)}", nl=False)
    for code, count in sorted(Counter(code for code in codes if code < 0).items()):
        culprit = "A" if code in (-1, -3) else "B"
        typer.echo(
            f"{count} games with code {code} count for neither side; the course counts them as losses of {culprit}."
        )


def _print_round(number: int, results: Sequence[CompeteResult]) -> None:
    typer.echo(f"Round {number}: {results[0].record.board}")
    for first, result in zip("AB", results, strict=True):
        typer.echo(f"  {first} first: {_describe_result(result)}")


def _describe_result(result: CompeteResult) -> str:
    """Describe the result of a game in words."""
    record = result.record
    how = "tie" if record.winner is None else f"{record.names[record.winner]} won"
    if record.culprit is not None:
        how = f"{record.names[record.culprit]}: {record.ending}, {record.detail}"
    times = f"{result.time_a_ms} ms and {result.time_b_ms} ms"
    return f"{replace_control_characters(how)} (code {result.code}, {times})"
