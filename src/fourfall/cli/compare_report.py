"""Prints the comparison of two versions: evaluates the games of a match and writes the answer as text or JSON."""

import json

import typer
from rich.console import Console

from fourfall import Board
from fourfall.agents.base import Conditions
from fourfall.arena.event_summary import load_sprt_state
from fourfall.arena.single_move import MoveFailure, request_move
from fourfall.arena.store import Event, Store, StoredGame
from fourfall.arena.tables import format_failures, format_sprt, replace_control_characters
from fourfall.report.compare_positions import Difference, find_differences, review_pairs
from fourfall.report.compare_statistics import (
    Comparison,
    SideGains,
    compare_versions,
    compute_side_gains,
    list_pairs,
)
from fourfall.report.compare_text import (
    describe_comparison,
    describe_details,
    describe_difference,
    describe_evaluation,
    to_json_data,
)
from fourfall.system.command_line import join_command

_BIAS_NOTE = (
    "The estimate of a match that a test has ended is biased towards the accepted hypothesis; for an unbiased one play "
    "a fixed number of games with fourfall match."
)


class ComparisonReport:
    """The comparison of an event: statistics, reviewed games and positions."""

    def __init__(self, store: Store, event: Event, is_complete: bool) -> None:
        test = load_sprt_state(store, event)
        assert event.spec is not None  # noqa: S101
        assert test is not None  # noqa: S101
        self.test = test
        self.spec = event.spec
        self._database = store.path
        self._event = event
        self._is_complete = is_complete
        self._games: list[StoredGame] = list(store.find_games(event.id))
        self._records = [game.record for game in self._games]
        self._new, self._old = self.spec.groups[0].list_pairings()[0]
        self._result: Comparison = compare_versions(self._records, test, self._new, self._old)
        self._sides: SideGains | None = None
        self._differences: list[Difference] = []

    def analyse(self, positions: int, max_time_s: float) -> None:
        """Evaluate the games and find the positions in which the versions differ."""
        if max_time_s <= 0 or self._result.is_identical:
            return
        pairs = list_pairs(self._records, self._new)
        new, old = (self.spec.find_entrant(name) for name in (self._new, self._old))
        conditions = Conditions(new.move_time_s, new.startup_time_s, new.memory_mb, self.spec.sandbox)
        try:
            with Console(stderr=True).status("Evaluating the games …") as status:
                reviews = review_pairs(
                    pairs,
                    max_time_s=max_time_s,
                    on_progress=lambda done, total: status.update(f"Evaluating the games: {done} of {total} pairs"),
                )
                self._sides = compute_side_gains([review.mistakes for review in reviews])
                if positions:
                    status.update("Comparing positions …")
                    addresses = new.address, old.address
                    self._differences = find_differences(
                        reviews,
                        count=positions,
                        addresses=addresses,
                        conditions=conditions,
                        ask_move=_ask_move,
                        max_time_s=max_time_s,
                    )
        except KeyboardInterrupt:
            typer.echo("The evaluation of the games was interrupted; the match is complete.", err=True)

    def print(self, as_json: bool) -> None:
        """Print the answer, the details and the positions."""
        if as_json:
            data = to_json_data(self._result, self.test, self._sides, self._differences)
            typer.echo(json.dumps({"event": self._event.id, "complete": self._is_complete, **data}))
            return
        answer = describe_comparison(self._result, self.test, self._sides)
        lines = [
            "",
            f"OLD  {self._old}",
            f"NEW  {self._new}",
            "",
            answer if self._is_complete else f"So far: {answer}",
            "",
        ]
        lines += describe_details(self._result, self._sides)
        lines += ["", format_sprt(self.test, self.spec)]
        if self.test.accepted is not None and not self._result.is_identical:
            lines.append(_BIAS_NOTE)
        failures = format_failures([(game.id, game.record) for game in self._games])
        lines += ["", *failures] if failures else []
        typer.echo("\n".join(map(replace_control_characters, lines)))
        self._print_positions()
        command = join_command(["fourfall", "games", str(self._database), "--event", str(self._event.id)])
        typer.echo(f"\nList the games: {command}")

    def _print_positions(self) -> None:
        if not self._differences:
            return
        typer.echo(f"\nPositions in which they differ most. {describe_evaluation()}")
        numbers = {game.record.number: game.id for game in self._games}
        for place, difference in enumerate(self._differences, 1):
            typer.echo("\n" + "\n".join(describe_difference(difference, place, self._database, numbers)))


def _ask_move(address: str, board: Board, conditions: Conditions) -> int | None:
    try:
        return request_move(address, board, conditions)
    except MoveFailure:
        return None
