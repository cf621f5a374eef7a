"""Experiment of report 000: plain UCT, weights of columns, and rules for immediate wins and blocks."""

from fourfall.arena.tables import Grid
from fourfall.experiments.comparison import ELO_NOTE, ReportedScore, compare_scores
from fourfall.experiments.event_experiment import EventExperiment, Records
from fourfall.experiments.experiment import Report
from fourfall.experiments.run import RunSettings
from fourfall.experiments.variants import (
    Effect,
    Variant,
    describe_effects,
    describe_field,
    join_records,
    tabulate_effects,
    tabulate_field,
)

_PLAIN = ReportedScore(0.90, None, "about 90 %")
_WEIGHTED = ReportedScore(0.93, None, "about 93 %, lowest 86 %")
_RULES = ReportedScore(0.956, 500, "95.6 % (97, 94, 93, 96, 98 %)")
_VARIANTS = (
    Variant("plain", "plain UCT", _PLAIN),
    Variant("weighted", "with weights of columns", _WEIGHTED),
    Variant("win and block", "with weights, and win or block before the search", _RULES),
)
_EFFECTS = (
    Effect("weights of columns", "weighted", "plain", compare_scores(_PLAIN, _WEIGHTED)),
    Effect("win or block before the search", "win and block", "weighted", compare_scores(_WEIGHTED, _RULES)),
    Effect("win or block, 100 simulations", "win and block, 100 simulations", "weighted, 100 simulations"),
)


def analyse_steps(records: Records, settings: RunSettings) -> Report:
    """Compare the three versions of the report."""
    games = join_records(records)
    note = (
        "The report gives five runs for its last version, taken as 100 games each, and no numbers of games for the "
        f"others, for which 100 are assumed. {ELO_NOTE}"
    )
    tables = (
        tabulate_field(games, _VARIANTS, settings),
        tabulate_effects(games, _EFFECTS, "Matches between the variants"),
    )
    return Report((note, describe_field(games, settings)), tables, describe_effects(games, _EFFECTS))


EXPERIMENTS = (
    EventExperiment(
        "000-steps",
        "Plain UCT, weights of columns, win and block",
        'Report 000: plain UCT reaches "about 90 %" against the 50 samples; columns near the centre drawn with up to '
        'twice the weight give "an average of about 93 %, but 86 % also occurred"; playing an immediate win or block '
        'before each search gives "an average of 95 %", which "is a significant improvement".',
        Grid(
            ("version", "score against the samples", "games"),
            (
                ("plain UCT", "about 90 %", "not given"),
                ("+ weights of columns", "about 93 %, lowest 86 %", "not given"),
                ("+ win and block", "97, 94, 93, 96, 98 %; no draws", "five runs"),
            ),
            frozenset({"version"}),
        ),
        ("000-steps",),
        analyse_steps,
    ),
)
