"""Options shared by the commands that run an event: match, compare, gauntlet and tournament."""

from typing import Annotated

import typer

from fourfall.arena.spec import SpecError
from fourfall.arena.sprt import Sprt

GamesOption = Annotated[
    int, typer.Option(min=2, help="Number of games per pairing (even: each board is played twice).")
]
MoveTimeOption = Annotated[float, typer.Option("--time", min=0.001, max=86400, help="Time per move in seconds.")]
StartupTimeOption = Annotated[
    float, typer.Option(min=0.001, max=86400, help="Time allowed for an agent to start, in seconds.")
]
MemoryLimitOption = Annotated[int, typer.Option(min=16, max=2**20, help="Memory limit of third-party agents in MiB.")]
BoardOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="POSITION", help="Start position; may be given several times.", show_default="random official boards"
    ),
]
OpeningOption = Annotated[int, typer.Option(min=0, max=40, help="Number of random moves before the agents begin.")]
SeedOption = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed for boards, openings and engines.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue the same event where it was stopped.")]
WorkersOption = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Number of games played in parallel.", show_default="free cores")
]
NoPinOption = Annotated[
    bool, typer.Option("--no-pin", help="Do not pin each game to one core (for multi-threaded agents).")
]
PonderOption = Annotated[
    bool,
    typer.Option(
        "--ponder",
        help="Let agents think on the opponent's time; each game then takes two cores. Without it third-party agents "
        "are frozen between their moves.",
    ),
]
NoSandboxOption = Annotated[
    bool, typer.Option("--no-sandbox", help="Run third-party code without the sandbox; the records say so.")
]


def count_pairs(games: int) -> int:
    """Return the number of pairs of games; an odd number of games is a usage error."""
    if games % 2:
        raise typer.BadParameter(
            f"{games} is odd, but each board is played twice; use {games - 1} or {games + 1}", param_hint="--games"
        )
    return games // 2


def parse_sprt(text: str) -> Sprt:
    """Parse two Elo differences; the spec checks their range.

    >>> parse_sprt("0,30")
    Sprt(elo0=0.0, elo1=30.0)
    """
    try:
        elo0, elo1 = (float(number) for number in text.split(","))
        return Sprt(elo0, elo1)
    except ValueError:
        raise SpecError(
            f"--sprt must be two Elo differences, the lower first, for example 0,30, not {text!r}"
        ) from None


def complete_address(text: str) -> str:
    """Return the address of an agent; a path that ends in .so is a strategy library, one in .py a Python agent.

    >>> complete_address("./A.so"), complete_address("bot.py"), complete_address("seed-002")
    ('library:./A.so', 'python:bot.py', 'seed-002')
    >>> complete_address("library:A.so")
    'library:A.so'
    """
    kind = {".so": "library", ".py": "python"}.get(text[-3:])
    return text if kind is None or ":" in text else f"{kind}:{text}"
