"""Experiments of report 002: informed rollouts, the choice of the final move, and the cause of its large effect."""

from fourfall.arena.ratings import tally_games
from fourfall.arena.tables import Grid, format_interval
from fourfall.experiments.comparison import ELO_NOTE, ReportedScore, Verdict, compare_scores, judge_effect
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
    tabulate_sides,
)

_UNIFORM = ReportedScore(0.88, 100, "88 wins, 12 losses of 100")
_INFORMED = ReportedScore(0.99, 100, "99 wins, 1 loss of 100")
_RATIO = compare_scores(_UNIFORM, _INFORMED)
_MORE = "uniform, 4.5 times the simulations"
_ROLLOUTS = (
    Variant(_MORE, "uniform rollouts (report: 400,000 to 500,000 simulations; ours: 9,000)", _UNIFORM),
    Variant("informed", "informed rollouts (report: 80,000 to 120,000 simulations; ours: 2,000)", _INFORMED),
)
_ROLLOUT_EFFECTS = (
    Effect("informed rollouts, simulations as in the report", "informed", _MORE, _RATIO),
    Effect("informed rollouts, equal simulations", "informed", "uniform"),
)

_SIMULATION_EFFECTS = (
    Effect("informed, 500 against 2,250 simulations", "informed, 500", "uniform, 2250", _RATIO),
    Effect("informed, 10,000 against 45,000 simulations", "informed, 10000", "uniform, 45000", _RATIO),
    Effect("informed, 500 simulations each", "informed, 500", "uniform, 500"),
    Effect("informed, 10,000 simulations each", "informed, 10000", "uniform, 10000"),
)

_VISITS, _VALUE = ReportedScore(0.92, None, "over 90 %"), ReportedScore(0.5, None, "about 50 %")
_LOSS = compare_scores(_VISITS, _VALUE)
_CHOICES = (
    Variant("visits", "final choice by visits", _VISITS),
    Variant("value", "final choice by value", _VALUE),
)
_CHOICE_EFFECT = Effect("value instead of visits", "value", "visits", _LOSS, is_gain=False)

_MANY = ", 20000 simulations"
_CAUSES = (
    Effect("value, 100 simulations", "value, 100 simulations", "visits, 100 simulations", _LOSS, is_gain=False),
    Effect("value, 10,000 simulations", "value, 10000 simulations", "visits, 10000 simulations", _LOSS, is_gain=False),
    Effect("value, three times the exploration", "value, c = 3", "visits, c = 3", _LOSS, is_gain=False),
    Effect("upper confidence bound, 2,000 simulations", "upper bound", "visits", _LOSS, is_gain=False),
    Effect("sum of rewards, 2,000 simulations", "sum of rewards", "visits", _LOSS, is_gain=False),
    Effect("upper confidence bound, 20,000 simulations", f"upper bound{_MANY}", f"visits{_MANY}", _LOSS, is_gain=False),
    Effect("sum of rewards, 20,000 simulations", f"sum of rewards{_MANY}", f"visits{_MANY}", _LOSS, is_gain=False),
)
_CAUSE_VARIANTS = (
    Variant("visits", "final choice by visits", _VISITS),
    Variant("value", "by value, the mean reward w/n", _VALUE),
    Variant("upper bound", "by the upper confidence bound"),
    Variant("sum of rewards", "by the sum of rewards w"),
    Variant(f"visits{_MANY}", "by visits, 20,000 simulations", _VISITS),
    Variant(f"upper bound{_MANY}", "by the upper confidence bound, 20,000 simulations"),
    Variant(f"sum of rewards{_MANY}", "by the sum of rewards w, 20,000 simulations"),
)
_READINGS = {
    Verdict.AGREES: "These choices lose as much as",
    Verdict.OTHER_SIZE: "These lose, too, but by another amount than",
    Verdict.UNDECIDED: "These decide nothing about",
    Verdict.CONTRADICTS: "These do not lose and cannot explain",
}


def analyse_informed_rollouts(records: Records, settings: RunSettings) -> Report:
    """Compare informed with uniform rollouts, at the report's ratio of simulations and at equal numbers."""
    games = join_records(records)
    ratio = (
        "At equal time the report's program makes 4.5 times as many simulations with uniform rollouts; the match and "
        "the field use this ratio, because our implementation on bitboards has another one.",
        describe_field(games, settings),
        ELO_NOTE,
    )
    tables = (
        tabulate_field(games, _ROLLOUTS, settings),
        tabulate_effects(games, _ROLLOUT_EFFECTS, "Matches between the variants"),
    )
    return Report(ratio, tables, describe_effects(games, _ROLLOUT_EFFECTS))


def analyse_rollout_simulations(records: Records, _: RunSettings) -> Report:
    """Compare informed with uniform rollouts at the report's ratio for fewer and for more simulations."""
    games = join_records(records)
    note = (
        "At the report's ratio, uniform rollouts get 4.5 times the simulations of informed ones. The report has "
        "100,000 against 450,000 simulations; these matches show the trend towards them."
    )
    table = tabulate_effects(games, _SIMULATION_EFFECTS, "Matches, informed against uniform rollouts")
    return Report((note, ELO_NOTE), (table,), describe_effects(games, _SIMULATION_EFFECTS))


def analyse_final_choice(records: Records, settings: RunSettings) -> Report:
    """Compare the final choice by visits and by value."""
    games = join_records(records)
    tables = (
        tabulate_field(games, _CHOICES, settings),
        tabulate_effects(games, [_CHOICE_EFFECT], "Match between the variants"),
    )
    note = "The report gives no numbers of games; 100 are assumed for each of its figures, and 92 % for over 90 %."
    conditions = (note, ELO_NOTE, describe_field(games, settings))
    return Report(conditions, tables, describe_effects(games, [_CHOICE_EFFECT]))


def analyse_causes(records: Records, settings: RunSettings) -> Report:
    """Find which meaning of the greatest value loses as much as the report says."""
    games = join_records(records)
    found: dict[Verdict, list[str]] = {verdict: [] for verdict in Verdict}
    for effect in _CAUSES:
        tally = tally_games(games, effect.after, effect.before)
        if tally.total.games:
            verdict = judge_effect(effect.theirs, tally.elo, is_gain=False)
            found[verdict].append(f"{effect.subject} ({format_interval(tally.elo)} Elo)")
    readings = [
        f"{words} the report's {format_interval(_LOSS)} Elo: {'; '.join(found[verdict])}."
        for verdict, words in _READINGS.items()
        if found[verdict]
    ]
    note = (
        "Each hypothesis about what the report's choice by value did is a match against the choice by visits with the "
        "same number of simulations and the same exploration."
    )
    tables = (
        tabulate_effects(games, _CAUSES, "Hypotheses, each in a match against the choice by visits"),
        tabulate_sides(games, _CAUSES),
        tabulate_field(games, _CAUSE_VARIANTS, settings),
    )
    return Report((note, ELO_NOTE, describe_field(games, settings)), tables, tuple(readings))


_ROLLOUT_CLAIM = Grid(
    ("rollouts", "simulations at the first move", "won", "lost", "drawn", "score"),
    (
        ("uniform", "400,000 to 500,000", "88", "12", "0", "88 %"),
        ("win, else block, else uniform", "80,000 to 120,000", "99", "1", "0", "99 %"),
    ),
    frozenset({"rollouts"}),
)
_CHOICE_CLAIM = Grid(
    ("final choice", "score against the samples", "games"),
    (("most visited move", "over 90 %", "not given"), ("greatest value", "about 50 %", "not given")),
    frozenset({"final choice"}),
)

EXPERIMENTS = (
    EventExperiment(
        "002-informed-rollouts",
        "Informed against uniform rollouts",
        'Report 002, section 3.2: rollouts that play an immediate win and otherwise block an immediate loss ("with '
        'strategy") make a fifth of the simulations and yet raise the score against the 50 samples.',
        _ROLLOUT_CLAIM,
        ("002-informed-rollouts",),
        analyse_informed_rollouts,
    ),
    EventExperiment(
        "002-informed-rollouts-simulations",
        "Informed against uniform rollouts with fewer and more simulations",
        "A further experiment to 002-informed-rollouts, in which uniform rollouts with 4.5 times the simulations win. "
        "The report has fifty times as many simulations; here the number of simulations is varied.",
        _ROLLOUT_CLAIM,
        ("002-informed-rollouts-simulations",),
        analyse_rollout_simulations,
    ),
    EventExperiment(
        "002-final-choice",
        "Final choice by visits or by value",
        'Report 002, section 3.1: changing only the last step "from the most visited node to the node with the '
        'greatest value" lowered the score against the 50 samples "from over 90 % to about 50 %"; so the latter is '
        '"extremely bad".',
        _CHOICE_CLAIM,
        ("002-final-choice",),
        analyse_final_choice,
    ),
    EventExperiment(
        "002-final-choice-causes",
        "Why the final choice by value lost so much in report 002",
        "A further experiment, because 002-final-choice contradicts the report. The report calls w, which its backup "
        'adds to and subtracts from, "the value of the node", and adds that the choice by the upper confidence bound '
        "is wrong, too. Hypotheses: few or many simulations, more exploration (children with few visits), the upper "
        "bound, and the sum of rewards w in place of the mean w/n.",
        _CHOICE_CLAIM,
        ("002-final-choice-causes", "002-final-choice-causes-20000"),
        analyse_causes,
    ),
)
