"""Runs the whole campaign and prints a table; the exit code is 1 if any attempt ended otherwise than expected.

With the argument ``--all`` it prints every attempt.
"""

import sys
import time
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from fourfall.agents import sandbox
from tests.attack.campaign import Result, prepare_temporary_campaign
from tests.attack.hostile_kinds import KINDS
from tests.attack.levels import Level, list_levels


def main() -> int:
    """Run the campaign."""
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 140)
    if missing := sandbox.find_missing_protections():
        console.print(f"this machine lacks protections of the sandbox: {', '.join(one.name for one in missing)}")
        return 1
    results: list[Result] = []
    start = time.perf_counter()
    with prepare_temporary_campaign() as campaign:
        for level in list_levels():
            found = list(campaign.attack(level, KINDS))
            results += found
            console.print(make_table(level, found))
    if "--all" in sys.argv[1:]:
        console.print(make_long_table(results))
    differences = [result for result in results if not result.is_expected]
    for result in differences:
        where = f"{result.level}, {result.kind}, {result.subject}: {result.name}"
        console.print(f"DIFFERENT  {where}: expected {result.expected}, found {result.found}", soft_wrap=True)
    seconds = time.perf_counter() - start
    console.print(f"{len(results)} attempts in {seconds:.0f} s, {len(differences)} different from what is expected")
    return 1 if differences else 0


def make_table(level: Level, results: Iterable[Result]) -> Table:
    """Return the table of a level: per subject what is expected, and per kind how many attempts ended so."""
    table = Table("subject", "expected", *KINDS, title=f"level: {level.name}", title_justify="left", box=None)
    by_subject: dict[str, list[Result]] = {}
    for result in results:
        by_subject.setdefault(result.subject, []).append(result)
    for subject, members in by_subject.items():
        expectations = list(dict.fromkeys(result.expected for result in members))
        for expected in expectations:
            rows = [result for result in members if result.expected == expected]
            counts = [_count([row for row in rows if row.kind in (kind, "all")]) for kind in KINDS]
            table.add_row(subject, expected, *counts)
    return table


def make_long_table(results: Iterable[Result]) -> Table:
    """Return a table of all attempts."""
    table = Table("level", "kind", "subject", "attempt", "expected", "found", box=None)
    for result in results:
        table.add_row(result.level, result.kind, result.subject, result.name, result.expected, result.found)
    return table


def _count(results: list[Result]) -> str:
    """Return how many results are as expected, of how many; an empty text without any."""
    good = sum(result.is_expected for result in results)
    return "" if not results else str(good) if good == len(results) else f"{good} of {len(results)}"


if __name__ == "__main__":
    sys.exit(main())
