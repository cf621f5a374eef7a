"""Owns how results are shown: the same cells as a table for the terminal and as plain aligned lines for a file."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from fourfall.arena.ratings import Results, Tally, elo, pair_interval, tally
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import LOWER, UPPER, Walk
from fourfall.arena.standings import Standing, cross_table, standings_by_group

_PAIR_POINTS = ("0", "0.5", "1", "1.5", "2")
SHOWN_FAILURES = 10


@dataclass(frozen=True)
class Grid:
    """Cells under a header, ready to be drawn; columns that are named in `words` stand left, numbers right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[str] = frozenset({"agent"})
    title: str = ""

    def table(self) -> Table:
        """Draw for a terminal."""
        title = Text(self.title) if self.title else None
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        for name in self.header:
            if name in self.words:
                table.add_column(name, overflow="fold")
            else:
                table.add_column(name, justify="right", no_wrap=True)
        for row in self.rows:
            table.add_row(*(Text(printable(cell)) for cell in row))  # which Rich takes as it is, without markup
        return table

    def lines(self) -> list[str]:
        """Write as plain text.

        >>> Grid(("rank", "agent"), (("1", "me"), ("2", "you"))).lines()
        ['rank  agent', '   1  me', '   2  you']
        """
        rows = [self.header, *([printable(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        drawn = [
            "  ".join(
                cell.ljust(width) if name in self.words else cell.rjust(width)
                for name, cell, width in zip(self.header, row, widths, strict=True)
            ).rstrip()
            for row in rows
        ]
        return [self.title, *drawn] if self.title else drawn


def standings_grid(lines: Sequence[Standing], title: str = "") -> Grid:
    """Lay out the table of a tournament, best first."""
    header = ["", "agent", "games", "W-D-L", "first", "second", "score % (95 %)", "Elo (95 %)"]
    rows = []
    for rank, line in enumerate(lines, 1):
        results, score, rating = line.tally.total, line.tally.score, line.rating
        sides = [_share(side, 0) for side in (line.tally.first, line.tally.second)]
        estimates = ["", ""]
        if results.games:
            estimates = [
                f"{_percent(score.value)} ({_percent(score.low, 0)}..{_percent(score.high, 0)})",
                f"{signed(rating.value)} ({signed(rating.low)}..{signed(rating.high)})",
            ]
        rows.append([f"{rank}", line.name, f"{results.games}", _counts(results), *sides, *estimates])
    if any(line.tally.failures for line in lines):
        header.append("failures")
        for row, line in zip(rows, lines, strict=True):
            row.append(failure_counts(line.tally))
    return Grid(tuple(header), tuple(tuple(row) for row in rows), frozenset({"agent", "failures"}), title)


def tournament_grids(records: Sequence[GameRecord], members: Mapping[str, Sequence[str]] | None = None) -> list[Grid]:
    """Lay out a table for each group; `members` names the groups and agents that are expected, played or not."""
    return [standings_grid(lines, group) for group, lines in standings_by_group(records, members).items()]


def cross_grid(records: Sequence[GameRecord], names: Sequence[str]) -> Grid:
    """Lay out how each fared against each: points of the agent in the row, of how many games."""
    table = cross_table(records)
    rows = []
    for rank, name in enumerate(names, 1):
        cells = [table.get((name, other)) for other in names]
        rows.append((f"{rank}", name, *("" if cell is None else f"{cell.points:g}/{cell.games}" for cell in cells)))
    return Grid(("", "agent", *(f"{rank}" for rank in range(1, len(names) + 1))), tuple(rows))


def match_lines(records: Sequence[GameRecord], agent: str, opponent: str) -> list[str]:
    """Sum up a match as seen by one agent: both sides apart, the score and the difference in Elo, and failures."""
    mine, theirs = tally(records, agent, opponent), tally(records, opponent, agent)
    sides = (("first", mine.first), ("second", mine.second), ("together", mine.total))
    rows = [
        (name, *(str(count) for count in (side.games, side.wins, side.draws, side.losses)), _share(side))
        for name, side in sides
    ]
    header = ("side", "games", "won", "drawn", "lost", "score %")
    lines = [f"{agent} against {opponent}", *Grid(header, tuple(rows), frozenset({"side"})).lines(), ""]
    if mine.total.games:
        score, rating = mine.score, mine.elo
        limits = f"{_percent(score.low)} to {_percent(score.high)}"
        lines.append(f"score     {_percent(score.value)} %, 95 % confidence {limits}")
        lines.append(f"Elo       {signed(rating.value)}, 95 % confidence {signed(rating.low)} to {signed(rating.high)}")
    by_points = ", ".join(f"{points}: {count}" for points, count in zip(_PAIR_POINTS, mine.pairs, strict=True))
    lines.append(f"pairs     {sum(mine.pairs)}, by points {by_points}")
    if mine.loose:
        lines.append(f"          {mine.loose} games of incomplete pairs count in the score, not in the intervals")
    for name, side in ((agent, mine), (opponent, theirs)):
        if side.failures:
            lines.append(f"failures  {name}: {failure_counts(side)}")
    return lines


def sprt_line(walk: Walk, spec: Spec) -> str:
    """Sum up the sequential test of a match in a line to quote: verdict, evidence, who, and under which conditions.

    >>> from fourfall.arena.spec import match_spec
    >>> from fourfall.arena.sprt import Sprt
    >>> walk = Walk(Sprt(0, 200), [(0, 0), (1, 1), (2, None), (3, 0)])
    >>> sprt_line(walk, match_spec("a", "b", 50, opening=2)).split("; ")[0]
    'SPRT 0..200 Elo: undecided (LLR -0.07 of -2.94..2.94), 2 pairs, 0.625 ± 0.476, +89 Elo'
    >>> sprt_line(walk, match_spec("a", "b", 50, opening=2)).split("; ")[1]
    'a against b, 3 s, opening 2, seed 0'
    """
    score = pair_interval(walk.pairs)
    one, other = spec.groups[0].pairings()[0]
    limits = dict.fromkeys(f"{spec.entrant(name).move_time_s:g} s" for name in (one, other))
    boards = spec.boards if len(spec.boards) == 1 else [f"{len(spec.boards)} boards"] if spec.boards else []
    opening = [f"opening {spec.opening}"] if spec.opening else []
    conditions = ", ".join([" and ".join(limits), *boards, *opening, f"seed {spec.seed}"])
    test = f"SPRT {walk.test.elo0:g}..{walk.test.elo1:g} Elo: {verdict_of(walk)} ({ratio_of(walk)})"
    width = (score.high - score.low) / 2
    evidence = f"{sum(walk.pairs)} pairs, {score.value:.3f} ± {width:.3f}, {signed(elo(score.value))} Elo"
    return printable(f"{test}, {evidence}; {one} against {other}, {conditions}")


def verdict_of(walk: Walk) -> str:
    """Say which difference in Elo a test has accepted.

    >>> from fourfall.arena.sprt import Sprt
    >>> verdict_of(Walk(Sprt(0, 30)))
    'undecided'
    """
    return "undecided" if walk.accepted is None else f"accepted {walk.accepted:g}"


def ratio_of(walk: Walk) -> str:
    """Write where a test stands between its bounds.

    >>> from fourfall.arena.sprt import Sprt
    >>> ratio_of(Walk(Sprt(0, 30)))
    'LLR 0.00 of -2.94..2.94'
    """
    return f"LLR {walk.llr:.2f} of {LOWER:.2f}..{UPPER:.2f}"


def failure_lines(games: Iterable[tuple[int, GameRecord]], shown: int = SHOWN_FAILURES) -> list[str]:
    """List the games that ended by somebody's failure: who, how, and the command that asks again.

    Each game comes with the number under which it is stored, for "fourfall show".
    """
    failed = [(number, record, record.culprit) for number, record in games if record.culprit is not None]
    lines = []
    for number, record, culprit in failed[:shown]:
        detail = f": {record.detail}" if record.detail else ""
        lines.append(printable(f"game {number}  {record.names[culprit]}  {record.ending}{detail}"))
        lines.append(printable(f"  again with: {record.reproducer}"))
    if len(failed) > shown:
        lines.append(f"and {len(failed) - shown} more")
    return lines


def printable(text: str) -> str:
    r"""Keep what foreign programs wrote on one line, and from steering the terminal.

    >>> printable("two\nlines \x1b[31m")
    'two lines  [31m'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


def failure_counts(tally: Tally) -> str:
    """List failures by kind.

    >>> from collections import Counter
    >>> from fourfall.arena.judge import Ending
    >>> failure_counts(Tally("me", failures=Counter({Ending.CRASH: 2, Ending.TIMEOUT: 1})))
    '2 crash, 1 timeout'
    """
    return ", ".join(f"{count} {ending}" for ending, count in sorted(tally.failures.items()))


def signed(rating: float) -> str:
    """Write an Elo difference.

    >>> signed(12.4), signed(-3.2), signed(0.1), signed(float("inf"))
    ('+12', '-3', '0', '+inf')
    """
    if math.isinf(rating):
        return "+inf" if rating > 0 else "-inf"
    return f"{round(rating):+d}" if round(rating) else "0"


def _share(results: Results, digits: int = 1) -> str:
    return _percent(results.points / results.games, digits) if results.games else ""


def _percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}"


def _counts(results: Results) -> str:
    return f"{results.wins}-{results.draws}-{results.losses}"
