"""Writes the report of an experiment as Markdown."""

import textwrap

from fourfall.arena.tables import Grid, replace_control_characters
from fourfall.experiments.experiment import Experiment, Report

_WIDTH = 120


def format_report(experiment: Experiment, report: Report, quick: bool, explanation: str = "") -> str:
    """Return the whole report: claim, conditions, tables, reading, and the explanation written by hand, if any."""
    option = " --quick" if quick else ""
    parts = [f"# {experiment.name}: {experiment.title}", _wrap(experiment.source)]
    if report.missing:
        what = "boards" if "boards" in report.missing else "games"
        parts.append(_wrap(f"**Incomplete: {report.missing}.** The figures below are those of the {what} so far."))
    if quick:
        small = "This is a quick run: its small size shows that the experiment works, no more."
        parts.append(_wrap(f"{small} Numbers of simulations in the tables are those of the full run."))
    parts += [
        "## Conditions",
        _wrap(" ".join(report.conditions)),
        f"    fourfall experiments run {experiment.name}{option}",
    ]
    parts += ["## Results", *map(format_grid, report.tables)]
    parts += ["## Reading", *map(_wrap, report.readings)]
    if explanation.strip():
        parts += ["## Explanation", explanation.strip()]
    return "\n\n".join(parts) + "\n"


def format_grid(grid: Grid) -> str:
    r"""Return a table in Markdown; text columns are aligned left, numbers right.

    >>> print(format_grid(Grid(("agent", "games"), (("a|b", "2"),), title="Played")))
    Played:
    <BLANKLINE>
    | agent | games |
    |---|---:|
    | a\|b | 2 |
    """
    rules = ["---" if name in grid.text_columns else "---:" for name in grid.header]
    lines = [_join(grid.header), f"|{'|'.join(rules)}|", *(_join(row) for row in grid.rows)]
    return "\n".join([f"{grid.title}:", "", *lines] if grid.title else lines)


def _join(cells: tuple[str, ...]) -> str:
    escaped = (replace_control_characters(cell).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _wrap(text: str) -> str:
    return textwrap.fill(replace_control_characters(text), _WIDTH, break_long_words=False, break_on_hyphens=False)
