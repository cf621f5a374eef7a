"""Experiments across the reports: a league of the five systems, systems without one part, and exploration."""

from itertools import combinations

from fourfall.agents.levels import LEVELS
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.ratings import tally_games
from fourfall.arena.tables import Grid, format_interval
from fourfall.experiments.comparison import ELO_NOTE, ReportedScore, compare_scores
from fourfall.experiments.event_experiment import EventExperiment, QuickSize, Records
from fourfall.experiments.experiment import Report
from fourfall.experiments.run import RunSettings
from fourfall.experiments.variants import Effect, describe_effects, format_score, join_records, tabulate_effects

_REPORTED = {
    "seed-000": ReportedScore(0.956, 500, "95.6 %"),
    "seed-002": ReportedScore(0.99, 100, "99 %"),
    "seed-003": ReportedScore(0.87, 100, "87 %"),
    "seed-004-v1": ReportedScore(0.78, None, "78 %"),
    "seed-004-v3": ReportedScore(0.92, None, "92 %"),
    "seed-004-v4": ReportedScore(0.97, None, "97 %"),
}
_LOSS_BY_VALUE = compare_scores(ReportedScore(0.5, None, ""), ReportedScore(0.92, None, ""))
_ABLATIONS = (
    Effect(
        "000: weights of columns",
        "seed-000",
        "seed-000, uniform columns",
        compare_scores(ReportedScore(0.9, None, ""), ReportedScore(0.93, None, "")),
    ),
    Effect("002: informed rollouts, equal simulations", "seed-002", "seed-002, uniform rollouts"),
    Effect("002: final choice by visits, not by value", "seed-002", "seed-002, choice by value", _LOSS_BY_VALUE),
    Effect("003: rules at the root", "seed-003", "seed-003, no root rules"),
    Effect("004: proofs in the tree (v8)", "seed-004-v8", "seed-004-v8, no proofs"),
)


def analyse_league(records: Records, _: RunSettings) -> Report:
    """Rate all systems on the scale of the levels, and compare the order with that of the reports' scores."""
    from fourfall.arena.rating_model import fit_rating_model

    games = join_records(records)
    names = sorted({name for record in games for name in record.names})
    anchors = {name: float(LEVELS[name].elo) for name in names if name in LEVELS}
    model = fit_rating_model(RatingInput.from_records(games), anchors)
    rows = []
    for name in sorted(names, key=lambda name: -model.ratings[name].value):
        rating, tally = model.ratings[name], tally_games(games, name)
        reported = _REPORTED[name].text if name in _REPORTED else "—"
        bounds = "anchor" if name in anchors else f"{rating.low:.0f} to {rating.high:.0f}"
        score = f"{100 * tally.score.value:.1f} %"
        rows.append((name, reported, f"{rating.value:.0f}", bounds, score, f"{tally.total.games}"))
    header = ("agent", "report, against the samples", "Elo", "95 %", "score in the league", "games")
    opposite, compared = [], 0
    for one, other in combinations([name for name in _REPORTED if name in names], 2):
        theirs, ours = compare_scores(_REPORTED[other], _REPORTED[one]), model.compute_difference(one, other)
        if theirs.low <= 0 <= theirs.high:
            continue
        compared += 1
        if ours.high < 0 < theirs.low or theirs.high < 0 < ours.low:
            opposite.append(f"{one} and {other} ({format_interval(ours)} Elo)")
    listed = (
        f"the order of {'; '.join(opposite)} is the opposite here"
        if opposite
        else "for none of these pairs is the opposite order here larger than the error"
    )
    reading = (
        f"The reports' scores of {compared} pairs of systems differ by more than their errors; {listed}.",
        "The reports measured with different times and machines, so their scores do not rank the systems.",
    )
    note = (
        "Every system has the same number of simulations per move, so that only the quality of a simulation counts. "
        "The Elo scale is that of the levels, 0 is random play; the intervals do not contain the error of the anchors."
    )
    return Report((note,), (Grid(header, tuple(rows), frozenset({"agent"})),), reading)


def analyse_ablations(records: Records, _: RunSettings) -> Report:
    """Compare each system with the same system without one part."""
    games = join_records(records)
    note = (
        "Each row is a match between a system and the same system without one part, with equal simulations, on random "
        "official boards. Report 002 measured informed rollouts at equal time, so its figures are not compared here."
    )
    table = tabulate_effects(games, _ABLATIONS, "Systems against themselves without one part")
    return Report((note, ELO_NOTE), (table,), describe_effects(games, _ABLATIONS))


def analyse_exploration(records: Records, _: RunSettings) -> Report:
    """Compare seed-004-v5 with itself with less exploration."""
    tally = tally_games(join_records(records), "seed-004-v5, less exploration")
    header = ("change", "score with the change (95 %)", "games", "Elo (95 %)")
    row = ("c = 0.354 instead of 1", format_score(tally.score), f"{tally.total.games}", format_interval(tally.elo))
    if tally.elo.low > 0:
        verdict = "so the exploration of seed-004-v5 is too large at this number of simulations"
    else:
        verdict = "so less exploration is worse" if tally.elo.high < 0 else "which decides nothing"
    note = (
        "Relative to the range of its rewards, the exploration constant of 004 is 2.8 times that of 002 (rewards from "
        "0 to 1 with √2 · 1, against rewards from -1 to 1 with 1)."
    )
    reading = f"Less exploration changes the strength by {format_interval(tally.elo)} Elo, {verdict}."
    return Report((note,), (Grid(header, (row,), frozenset({"change"})),), (reading,))


EXPERIMENTS = (
    EventExperiment(
        "systems-league",
        "The five systems at equal simulations",
        "The reports' scores against the 50 samples, measured on different machines with different times per move.",
        Grid(
            ("system", "score against the samples"),
            tuple((name, figure.text) for name, figure in _REPORTED.items()),
            frozenset({"system"}),
        ),
        ("systems-league",),
        analyse_league,
        QuickSize(simulations=50),
    ),
    EventExperiment(
        "systems-ablations",
        "Systems without one part",
        "Claims of reports 000, 002, 003 and 004 about single parts; the experiments of each report examine them with "
        "more games.",
        Grid(
            ("part", "report"),
            (
                ("000: weights of columns", "about 90 to about 93 %"),
                ("002: informed rollouts", "88 to 99 %"),
                ("002: final choice by visits", "about 50 to over 90 %"),
                ("003: rules at the root", "no figures"),
                ("004: proofs in the tree", "no figures"),
            ),
            frozenset({"part"}),
        ),
        ("systems-ablations",),
        analyse_ablations,
    ),
    EventExperiment(
        "systems-exploration",
        "Exploration of the early versions of report 004",
        "No claim of a report: a question of the league, in which the early versions of 004 are weaker than 002 "
        "although their rollouts are informed, too.",
        Grid(("system", "c"), (("seed-004-v5", "1"), ("changed", "0.354")), frozenset({"system"})),
        ("systems-exploration",),
        analyse_exploration,
    ),
)
