"""The command ``fourfall puzzles make``: mines puzzles from stored games or from games of levels."""

import itertools
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from fourfall import Board
from fourfall.arena.store import Store
from fourfall.coach.puzzles import Miner, Puzzle, append_puzzles, mine_games, play_games, read_puzzles
from fourfall.coach.puzzles.mining import is_trivial
from fourfall.coach.puzzles.puzzle_file import append_comment

_PLAIN_EVERY_S = 10.0
_COMMENT_EVERY = 100


def make_puzzles(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Puzzle file to extend.")],
    database: Annotated[
        Path | None,
        typer.Option("--from", metavar="DB", help="Database of the arena with games.", show_default=False),
    ] = None,
    is_random: Annotated[bool, typer.Option("--random", help="Search games that levels play at random.")] = False,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="Number of puzzles in the file at the end.")] = 20,
    seed: Annotated[int, typer.Option(min=0, max=2**63, help="Random seed of the games of --random.")] = 0,
) -> None:
    """Mine puzzles: positions in which exactly one move is good, proved by the solver or by forced sequences.

    Give --from DB or --random. Ctrl-C keeps what was found. The same command with a file that exists continues where it
    stopped: puzzles in the file count, their positions and mirror images are not added again.

    Examples:

      fourfall puzzles make --random --count 50 -o mine.txt

      fourfall puzzles make --from arena.db --count 20 -o mine.txt
    """
    if (database is None) == (not is_random):
        raise typer.BadParameter("give either --from DB or --random")
    known = read_puzzles(output) if output.exists() else []
    source = f"random seed {seed}" if database is None else f"database {database.resolve()}"
    run = _Run(output, source, count, known)
    missing = count - len(known)
    if missing <= 0:
        typer.echo(f"{output} has {len(known)} puzzles already; choose a greater --count")
        return
    try:
        run.mine(play_games(seed, run.games) if database is None else _read_games(database, run.games), missing)
    except KeyboardInterrupt:
        run.finish()
        typer.echo(f"\ninterrupted: {output} has {run.total} puzzles; run the same command to continue")
        raise typer.Exit(130) from None
    run.finish()
    typer.echo(f"{output} has {run.total} puzzles, {run.total - len(known)} of them new")
    if run.total < count:
        typer.echo(f"fourfall: the database has no more puzzles than these {run.total}", err=True)
        raise typer.Exit(1)


def _read_games(database: Path, start: int) -> Iterator[Board]:
    with Store(database, read_only=True) as store:
        for record in itertools.islice(store.find_records(), start, None):
            yield record.final_board


@dataclass
class _Run:
    """One run of the miner, which appends to a file and stores how many games it has searched."""

    output: Path
    source: str
    count: int
    known: list[Puzzle]

    def __post_init__(self) -> None:
        self.games = self._saved = self._find_searched_games()
        self.total = len(self.known)
        self.miner = Miner(
            known={puzzle.id for puzzle in self.known},
            found=len(self.known),
            trivial=sum(is_trivial(puzzle.board) for puzzle in self.known),
        )

    def _find_searched_games(self) -> int:
        """Return the number of games of this source that earlier runs have searched, from the comments in the file."""
        if not self.output.exists():
            return 0
        pattern = rf"^# {re.escape(self.source)}: (\d{{1,18}}) games$"
        numbers = re.findall(pattern, self.output.read_text(encoding="utf-8"), re.MULTILINE)
        return max(map(int, numbers), default=0)

    def mine(self, games: Iterator[Board], missing: int) -> None:
        """Append puzzles of the games to the file until enough are found or no game is left."""
        console = Console(stderr=True, highlight=False)
        bar = Progress(
            TextColumn("puzzles"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        due = time.monotonic() + _PLAIN_EVERY_S
        with bar:
            task = bar.add_task("puzzles", total=self.count, completed=self.total, state="")

            def report(miner: Miner) -> None:
                nonlocal due
                self.games += 1
                if self.games >= self._saved + _COMMENT_EVERY:
                    self.finish()
                state = f"{self.games} games, {miner.tested} positions tested"
                bar.update(task, completed=self.total, state=state)
                if not console.is_terminal and time.monotonic() >= due:
                    due = time.monotonic() + _PLAIN_EVERY_S
                    typer.echo(f"{self.total} of {self.count} puzzles, {state}", err=True)

            for puzzle in itertools.islice(mine_games(games, self.miner, report), missing):
                append_puzzles(self.output, [puzzle])
                self.total += 1
                bar.update(task, completed=self.total)

    def finish(self) -> None:
        """Store the number of searched games as a comment in the file."""
        if self.games > self._saved:
            self._saved = self.games
            append_comment(self.output, f"{self.source}: {self.games} games")
