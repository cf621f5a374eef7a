"""Formats results as tables and lines of text, for the terminal and for files."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from fourfall.arena.ratings import (
    Interval,
    ResultCounts,
    Tally,
    compute_pair_score_interval,
    convert_score_to_elo,
    tally_games,
)
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import LOWER, UPPER, SprtState
from fourfall.arena.standings import Standing, make_cross_table, rank_groups

_PAIR_POINTS = ("0", "0.5", "1", "1.5", "2")
MAX_FAILURES = 10
MAX_COLUMNS = 16  # of a cross table
_MAX_NAMES = 5  # of a set of agents


@dataclass(frozen=True)
class Grid:
    """A table of texts; columns named in `text_columns` are aligned left, the others (numbers) right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: frozenset[str] = frozenset({"agent"})
    title: str = ""

    def to_rich(self) -> Table:
        """Return a Rich table for the terminal."""
        title = Text(replace_control_characters(self.title)) if self.title else None
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        for name in self.header:
            if name in self.text_columns:
                table.add_column(name, overflow="fold")
            else:
                table.add_column(name, justify="right", no_wrap=True)
        for row in self.rows:
            table.add_row(*(Text(replace_control_characters(cell)) for cell in row))  # Text is not parsed as markup
        return table

    def to_lines(self) -> list[str]:
        """Return lines of plain text with aligned columns; a Chinese character is two columns wide.

        >>> Grid(("rank", "agent"), (("1", "me"), ("2", "you"))).to_lines()
        ['rank  agent', '   1  me', '   2  you']
        >>> Grid(("agent", "games"), (("机器人", "2"), ("you", "10"))).to_lines()
        ['agent   games', '机器人      2', 'you        10']
        """
        rows = [self.header, *([replace_control_characters(cell) for cell in row] for row in self.rows)]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        drawn = [
            "  ".join(
                _pad(cell, width, left=name not in self.text_columns)
                for name, cell, width in zip(self.header, row, widths, strict=True)
            ).rstrip()
            for row in rows
        ]
        return [replace_control_characters(self.title), *drawn] if self.title else drawn


def format_standings(standings: Sequence[Standing], title: str = "") -> Grid:
    """Format the standings of a group, best first; the last column's title says to what the Elo value is relative."""
    reference = "opponent" if len(standings) == 2 else "mean"
    header = ["", "agent", "games", "W-D-L", "first", "second", "score % (95 %)", f"Elo to {reference} (95 %)"]
    rows = []
    for rank, row in enumerate(standings, 1):
        results, score, rating = row.tally.total, row.tally.score, row.rating
        sides = [_format_share(side, 0) for side in (row.tally.first, row.tally.second)]
        estimates = ["", ""]
        if results.games:
            estimates = [
                f"{_format_percent(score.value)} ({_format_percent(score.low, 0)}..{_format_percent(score.high, 0)})",
                format_interval(rating),
            ]
        rows.append([f"{rank}", row.name, f"{results.games}", _format_counts(results), *sides, *estimates])
    if any(row.tally.failures for row in standings):
        header.append("failures")
        for cells, row in zip(rows, standings, strict=True):
            cells.append(format_failure_counts(row.tally))
    return Grid(tuple(header), tuple(tuple(cells) for cells in rows), frozenset({"agent", "failures"}), title)


def describe_unconnected(sets: Sequence[Sequence[str]]) -> list[str]:
    """Say that the ratings of sets of agents cannot be compared.

    >>> describe_unconnected([["a", "b", "c", "d", "e", "f", "g"], ["x", "y"]])[1]
    '  a, b, c, d, e and 2 more'
    """
    if len(sets) < 2:
        return []
    lines = ["No games connect these sets of agents. Each has a mean of its own; compare ratings only within a set:"]
    for names in sets:
        shown = list(names) if len(names) <= _MAX_NAMES + 1 else names[:_MAX_NAMES]
        rest = len(names) - len(shown)
        lines.append("  " + ", ".join(shown) + (f" and {rest} more" if rest else ""))
    return [replace_control_characters(line) for line in lines]


def format_groups(records: Sequence[GameRecord], members: Mapping[str, Sequence[str]] | None = None) -> list[Grid]:
    """Format the standings of each group; `members` has the groups and agents that are scheduled, played or not."""
    return [format_standings(rows, group) for group, rows in rank_groups(records, members).items()]


def format_cross_table(records: Sequence[GameRecord], names: Sequence[str]) -> Grid | None:
    """Format the cross table: points of the row's agent against the column's, and the number of games.

    With many agents those without games are left out, and if necessary there are columns only for agents with several
    opponents, which in a gauntlet are the challengers. None if even these are too many for a terminal.
    """
    table = make_cross_table(records)
    ranks = {name: rank for rank, name in enumerate(names, 1)}
    opponents = Counter(name for name, _ in table)
    shown = list(names) if len(names) <= MAX_COLUMNS else [name for name in names if opponents[name]]
    columns = shown if len(shown) <= MAX_COLUMNS else [name for name in shown if opponents[name] > 1]
    if len(columns) > MAX_COLUMNS:
        return None
    rows = []
    for name in shown:
        cells = [table.get((name, other)) for other in columns]
        texts = ("" if cell is None else f"{cell.points:g}/{cell.games}" for cell in cells)
        rows.append((f"{ranks[name]}", name, *texts))
    return Grid(("", "agent", *(f"{ranks[name]}" for name in columns)), tuple(rows))


def format_match(records: Sequence[GameRecord], agent: str, opponent: str) -> list[str]:
    """Format a match from the view of one agent: results by side, score, Elo difference, pairs and failures."""
    mine, theirs = tally_games(records, agent, opponent), tally_games(records, opponent, agent)
    sides = (("first", mine.first), ("second", mine.second), ("together", mine.total))
    rows = [
        (name, *(str(count) for count in (side.games, side.wins, side.draws, side.losses)), _format_share(side))
        for name, side in sides
    ]
    header = ("side", "games", "won", "drawn", "lost", "score %")
    lines = [f"{agent} against {opponent}", *Grid(header, tuple(rows), frozenset({"side"})).to_lines(), ""]
    if mine.total.games:
        score, rating = mine.score, mine.elo
        limits = f"{_format_percent(score.low)} to {_format_percent(score.high)}"
        lines.append(f"score     {_format_percent(score.value)} %, 95 % confidence {limits}")
        limits = f"{format_elo(rating.low)} to {format_elo(rating.high)}"
        lines.append(f"Elo       {format_elo(rating.value)}, 95 % confidence {limits}")
        lines.append("          difference to the opponent: 400 log10(s / (1 - s)) of the score s, as in the table")
    by_points = ", ".join(f"{points}: {count}" for points, count in zip(_PAIR_POINTS, mine.pairs, strict=True))
    lines.append(f"pairs     {sum(mine.pairs)}, by points {by_points}")
    if mine.unpaired:
        lines.append(f"          {mine.unpaired} games of incomplete pairs count in the score, not in the intervals")
    for name, side in ((agent, mine), (opponent, theirs)):
        if side.failures:
            lines.append(f"failures  {name}: {format_failure_counts(side)}")
    return [replace_control_characters(line) for line in lines]


def format_sprt(test: SprtState, spec: Spec) -> str:
    """Format the sequential test of a match in one line: decision, evidence, agents and conditions.

    >>> from fourfall.arena.sprt import Sprt
    >>> test = SprtState(Sprt(0, 200), [(0, 0), (1, 1), (2, None), (3, 0)])
    >>> format_sprt(test, Spec.match("a", "b", pairs=50, opening=2)).split("; ")[0]
    'SPRT 0..200 Elo: undecided (LLR -0.07 of -2.94..2.94), 2 pairs, 0.625 ± 0.476, +89 Elo'
    >>> format_sprt(test, Spec.match("a", "b", pairs=50, opening=2)).split("; ")[1]
    'a against b, 3 s, opening 2, seed 0'
    """
    score = compute_pair_score_interval(test.pairs)
    one, other = spec.groups[0].list_pairings()[0]
    limits = dict.fromkeys(f"{spec.find_entrant(name).move_time_s:g} s" for name in (one, other))
    boards = spec.boards if len(spec.boards) == 1 else [f"{len(spec.boards)} boards"] if spec.boards else []
    opening = [f"opening {spec.opening}"] if spec.opening else []
    conditions = ", ".join([" and ".join(limits), *boards, *opening, f"seed {spec.seed}"])
    decision = f"SPRT {test.sprt.elo0:g}..{test.sprt.elo1:g} Elo: {format_sprt_decision(test)} ({format_llr(test)})"
    half_width = (score.high - score.low) / 2
    elo = format_elo(convert_score_to_elo(score.value))
    evidence = f"{sum(test.pairs)} pairs, {score.value:.3f} ± {half_width:.3f}, {elo} Elo"
    return replace_control_characters(f"{decision}, {evidence}; {one} against {other}, {conditions}")


def format_sprt_decision(test: SprtState) -> str:
    """Format the accepted Elo difference of a test.

    >>> from fourfall.arena.sprt import Sprt
    >>> format_sprt_decision(SprtState(Sprt(0, 30)))
    'undecided'
    """
    return "undecided" if test.accepted is None else f"accepted {test.accepted:g}"


def format_llr(test: SprtState) -> str:
    """Format the log-likelihood ratio of a test and its bounds.

    >>> from fourfall.arena.sprt import Sprt
    >>> format_llr(SprtState(Sprt(0, 30)))
    'LLR 0.00 of -2.94..2.94'
    """
    return f"LLR {test.llr:.2f} of {LOWER:.2f}..{UPPER:.2f}"


def format_failures(games: Iterable[tuple[int, GameRecord]], limit: int = MAX_FAILURES) -> list[str]:
    """List the games that an agent lost by a failure: agent, ending, detail and the command that reproduces it.

    Each record comes with its number in the database, which ``fourfall show`` accepts.
    """
    failed = [(number, record, record.culprit) for number, record in games if record.culprit is not None]
    lines = []
    for number, record, culprit in failed[:limit]:
        detail = f": {record.detail}" if record.detail else ""
        lines.append(replace_control_characters(f"game {number}  {record.names[culprit]}  {record.ending}{detail}"))
        lines.append(replace_control_characters(f"  reproduce with: {record.reproducer}"))
    if len(failed) > limit:
        lines.append(f"and {len(failed) - limit} more")
    return lines


def describe_repeats(record: GameRecord) -> str:
    """Say how often a game was repeated and how long the machine delayed each player; empty if it was not repeated.

    >>> from dataclasses import replace
    >>> from fourfall.arena.record import EXAMPLE
    >>> describe_repeats(replace(EXAMPLE, repeats=2, delays_ms=(0.0, 120.0)))
    'repeated 2 times because the machine was busy; it still delayed right by 120 ms'
    """
    if not record.repeats:
        return ""
    text = f"repeated {record.repeats} time{'s' * (record.repeats > 1)} because the machine was busy"
    delays = [
        f"{name} by {delay:.0f} ms" for name, delay in zip(record.names, record.delays_ms, strict=True) if delay > 0
    ]
    return f"{text}; it still delayed {' and '.join(delays)}" if delays else text


def format_repeats(games: Iterable[tuple[int, GameRecord]], limit: int = MAX_FAILURES) -> list[str]:
    """List the games that were repeated because the machine delayed an agent; each comes with its number."""
    repeated = [(number, record) for number, record in games if record.repeats]
    lines = [replace_control_characters(f"game {number}  {describe_repeats(record)}") for number, record in repeated]
    return lines[:limit] + ([f"and {len(lines) - limit} more"] if len(lines) > limit else [])


def replace_control_characters(text: str) -> str:
    r"""Replace control characters by spaces, so that text of third-party code stays on one line without terminal codes.

    This includes the C1 control characters and the marks that change the direction of the text.

    >>> replace_control_characters("two\nlines \x1b[31m \x9b1m \u202eabc")
    'two lines  [31m  1m  abc'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


def clean_lines(text: str) -> str:
    r"""Replace control characters in each line of a text of third-party code; only the ends of lines are kept.

    >>> clean_lines("two\nlines \x1b[31m\r\n")
    'two\nlines  [31m'
    """
    return "\n".join(replace_control_characters(line) for line in text.splitlines())


def format_failure_counts(tally: Tally) -> str:
    """Format the number of failures of each kind.

    >>> from collections import Counter
    >>> from fourfall.arena.judge import Ending
    >>> format_failure_counts(Tally("me", failures=Counter({Ending.CRASH: 2, Ending.TIMEOUT: 1})))
    '2 crash, 1 timeout'
    """
    return ", ".join(f"{count} {ending}" for ending, count in sorted(tally.failures.items()))


def format_elo(rating: float) -> str:
    """Format an Elo difference with its sign.

    >>> format_elo(12.4), format_elo(-3.2), format_elo(0.1), format_elo(float("inf"))
    ('+12', '-3', '0', '+inf')
    """
    if math.isinf(rating):
        return "+inf" if rating > 0 else "-inf"
    return f"{round(rating):+d}" if round(rating) else "0"


def format_interval(estimate: Interval) -> str:
    """Format an estimate in Elo with its bounds.

    >>> format_interval(Interval(40.2, 15.0, 65.1))
    '+40 (+15..+65)'
    """
    return f"{format_elo(estimate.value)} ({format_elo(estimate.low)}..{format_elo(estimate.high)})"


def _format_share(results: ResultCounts, digits: int = 1) -> str:
    return _format_percent(results.points / results.games, digits) if results.games else ""


def _format_percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}"


def _pad(cell: str, width: int, *, left: bool) -> str:
    spaces = " " * (width - cell_len(cell))
    return spaces + cell if left else cell + spaces


def _format_counts(results: ResultCounts) -> str:
    return f"{results.wins}-{results.draws}-{results.losses}"
