"""Experiments of report 002: informed rollouts, and the choice of the final move."""

from fourfall.arena.tables import Grid
from fourfall.experiments.comparison import ReportedScore, compare_scores
from fourfall.experiments.event_experiment import EventExperiment, Records
from fourfall.experiments.experiment import Report
from fourfall.experiments.run import RunSettings
from fourfall.experiments.variants import (
    Effect,
    Variant,
    describe_effects,
    describe_field,
    tabulate_effects,
    tabulate_field,
)

_VISITS, _VALUE = ReportedScore(0.92, None, "over 90 %"), ReportedScore(0.5, None, "about 50 %")
_CHOICES = (
    Variant("visits", "final choice by visits", _VISITS),
    Variant("value", "final choice by value", _VALUE),
)
_CHOICE_EFFECT = Effect("value instead of visits", "value", "visits", compare_scores(_VISITS, _VALUE), is_gain=False)


def analyse_final_choice(records: Records, settings: RunSettings) -> Report:
    """Compare the final choice by visits and by value."""
    games = [record for played in records.values() for record in played]
    return Report(
        (describe_field(games, settings),),
        (
            tabulate_field(games, _CHOICES, settings),
            tabulate_effects(games, [_CHOICE_EFFECT], "Match between the variants"),
        ),
        describe_effects(games, [_CHOICE_EFFECT]),
    )


EXPERIMENTS = (
    EventExperiment(
        "002-final-choice",
        "Final choice by visits or by value",
        'Report 002, section 3.1: choosing "the node with the greatest value instead of the most visited one" as the '
        'final move lowered the score against the 50 samples "from over 90 % to about 50 %".',
        Grid(
            ("final choice", "score", "games"),
            (("most visited move", "over 90 %", "not given"), ("greatest value", "about 50 %", "not given")),
            frozenset({"final choice"}),
        ),
        ("002-final-choice",),
        analyse_final_choice,
    ),
)
