"""Analysis of experiments that compare variants of a system: scores against a field, and matches between variants."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fourfall.arena.ratings import Interval, tally_games
from fourfall.arena.record import GameRecord
from fourfall.arena.tables import Grid, format_interval
from fourfall.experiments.comparison import (
    ReportedScore,
    Verdict,
    compute_game_score_interval,
    describe_effect,
    judge_effect,
)
from fourfall.experiments.event_experiment import FIELD, Records
from fourfall.experiments.run import RunSettings


@dataclass(frozen=True)
class Variant:
    """An agent of the specs, what it is, and its score in the report, if the report has one."""

    agent: str
    description: str
    theirs: ReportedScore | None = None


@dataclass(frozen=True)
class Effect:
    """A change: the agent with it, the agent without it, and the Elo difference in the report, if it has figures."""

    subject: str
    after: str
    before: str
    theirs: Interval | None = None
    is_gain: bool = True


def join_records(records: Records) -> list[GameRecord]:
    """Return the records of all events of an experiment; names of agents must differ between events."""
    return [record for played in records.values() for record in played]


def tabulate_field(records: Iterable[GameRecord], variants: Sequence[Variant], settings: RunSettings) -> Grid:
    """Make the table of each variant's score against the samples in the report and against the field here."""
    played = [record for record in records if record.group == FIELD]
    rows = []
    for variant in variants:
        tally = tally_games(played, variant.agent)
        theirs = "—" if variant.theirs is None else variant.theirs.text
        ours = format_score(tally.score) if tally.total.games else "—"
        rows.append((variant.description, theirs, ours, f"{tally.total.games}"))
    opponents = "samples" if settings.samples else "levels"
    header = ("variant", "report, against the samples", f"ours, against {opponents} (95 %)", "games")
    return Grid(header, tuple(rows), frozenset(header[:2]), "Scores against a field")


def tabulate_effects(records: Sequence[GameRecord], effects: Sequence[Effect], title: str) -> Grid:
    """Make the table of matches between variants: the claimed effect beside ours, and the verdict."""
    rows = []
    for effect in effects:
        tally = tally_games(records, effect.after, effect.before)
        if not tally.total.games:
            rows.append((effect.subject, _format_claim(effect), "—", "0", "—", Verdict.UNDECIDED.value))
            continue
        verdict = judge_effect(effect.theirs, tally.elo, is_gain=effect.is_gain)
        figures = format_score(tally.score), f"{tally.total.games}", format_interval(tally.elo)
        rows.append((effect.subject, _format_claim(effect), *figures, verdict.value))
    header = ("change", "report, Elo (95 %)", "score with the change (95 %)", "games", "Elo (95 %)", "result")
    return Grid(header, tuple(rows), frozenset({"change", "result"}), title)


def tabulate_sides(records: Sequence[GameRecord], effects: Iterable[Effect]) -> Grid:
    """Make the table of matches by side: the score of the agent with the change as first and as second player."""
    rows = []
    for effect in effects:
        tally = tally_games(records, effect.after, effect.before)
        scores = (
            format_score(compute_game_score_interval(side)) if side.games else "—"
            for side in (tally.first, tally.second)
        )
        rows.append((effect.subject, *scores, f"{tally.total.games}"))
    header = ("change", "as first player (95 %)", "as second player (95 %)", "games")
    return Grid(header, tuple(rows), frozenset({"change"}), "The same matches by side")


def describe_effects(records: Sequence[GameRecord], effects: Iterable[Effect]) -> tuple[str, ...]:
    """Write a sentence for each effect whose match was played."""
    sentences = []
    for effect in effects:
        tally = tally_games(records, effect.after, effect.before)
        if tally.total.games:
            sentences.append(describe_effect(effect.subject, effect.theirs, tally.elo, is_gain=effect.is_gain))
    return tuple(sentences)


def describe_field(records: Iterable[GameRecord], settings: RunSettings) -> str:
    """Say who the opponents in the field are."""
    if settings.samples:
        return f"The field consists of {len(settings.samples)} strategy libraries, at 3 s per move."
    challengers = {name for record in records if record.group == FIELD for name in record.names}
    levels = sorted((name for name in challengers if name.startswith("level-")), key=lambda name: int(name[6:]))
    listed = ", ".join(levels)
    return (
        f"The field consists of levels of Fourfall ({listed}), because the course's 50 samples are not part of it; so "
        "the scores of the two columns are not comparable, only the differences between variants are."
    )


def format_score(score: Interval) -> str:
    """Format a score in per cent with its bounds.

    >>> format_score(Interval(0.575, 0.509, 0.639))
    '57.5 % (50.9..63.9)'
    """
    return f"{100 * score.value:.1f} % ({100 * score.low:.1f}..{100 * score.high:.1f})"


def _format_claim(effect: Effect) -> str:
    if effect.theirs is None:
        return "gain, no figures" if effect.is_gain else "loss, no figures"
    return format_interval(effect.theirs)
