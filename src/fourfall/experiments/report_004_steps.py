"""Single steps of report 004 in matches: the mistakes of v1 and v2, and immediate wins as end nodes."""

from collections.abc import Iterable, Sequence

from fourfall.arena.ratings import tally_games
from fourfall.arena.record import GameRecord
from fourfall.arena.tables import Grid, format_interval
from fourfall.experiments.comparison import compare_scores
from fourfall.experiments.event_experiment import EventExperiment, Records
from fourfall.experiments.experiment import Report
from fourfall.experiments.report_004 import VERSIONS, Version
from fourfall.experiments.run import RunSettings
from fourfall.experiments.variants import Effect, describe_effects, format_score, join_records, tabulate_effects

_SAMPLES = {version.name: version.theirs for version in VERSIONS if version.theirs}
_QUICK_SIMULATIONS = 100
_FLAT = {"004-flat-search": 2_000, "004-flat-search-20000": 20_000}
_FLAT_STEPS = (
    Effect("step from v1 to v2", "v2", "v1", compare_scores(_SAMPLES["v1"], _SAMPLES["v2"])),
    Effect("step from v2 to v3", "v3", "v2", compare_scores(_SAMPLES["v2"], _SAMPLES["v3"])),
)
_FLAT_PARTS = (
    Effect("v1 with a tree of full depth (late test) against v1", "v1, late test", "v1"),
    Effect("v3 against v1 with a tree of full depth (late test)", "v3", "v1, late test"),
)
_TERMINAL_STEPS = (Effect("step from v3 to v4", "v4", "v3", compare_scores(_SAMPLES["v3"], _SAMPLES["v4"])),)
_TERMINAL_PARTS = (
    Effect("v4 against v3, both with c = 0.354", "v4, c = 0.354", "v3, c = 0.354"),
    Effect("v4 with c = 0.354 against v4", "v4, c = 0.354", "v4"),
)

_GRAPH_STEPS = (
    Effect("step from v13 to v14 at equal simulations", "v14", "v13"),
    Effect("step from v13 to v14 at equal time", "v14, equal time", "v13"),
)


def analyse_flat_search(records: Records, settings: RunSettings) -> Report:
    """Compare v1 and v2 with versions whose tree grows, at few and at many simulations."""
    note = (
        "v1 and v2 stop at the children of the root (docs/seeds.md, inverted test). The variant with a late test grows "
        "a tree of full depth, but its first simulation of a position plays on after the end of the game."
    )
    tables: list[Grid] = []
    readings: list[str] = []
    for name, played in records.items():
        simulations = f"{_QUICK_SIMULATIONS if settings.quick else _FLAT[name]:,}"
        steps, parts = _select_played(played, _FLAT_STEPS), _select_played(played, _FLAT_PARTS)
        tables.append(tabulate_effects(played, steps, f"Steps of the report, {simulations} simulations per move"))
        tables.append(_tabulate_parts(played, parts, f"Their parts, {simulations} simulations per move"))
        sentences = (*describe_effects(played, steps), *_describe_parts(played, parts))
        readings += [f"With {simulations} simulations: {sentence}" for sentence in sentences]
    return Report((note,), tuple(tables), tuple(readings))


def analyse_terminal_wins(records: Records, _: RunSettings) -> Report:
    """Compare v4 with v3, with the exploration of the report and with less."""
    games = join_records(records)
    note = (
        "Less exploration is c = 0.354, which for rewards from 0 to 1 and 2 ln N is the exploration of seed-002. "
        "All agents have the same number of simulations per move."
    )
    tables = (
        tabulate_effects(games, _TERMINAL_STEPS, "Step of the report"),
        _tabulate_parts(games, _TERMINAL_PARTS, "The same step with less exploration, and less exploration alone"),
    )
    return Report(
        (note,), tables, (*describe_effects(games, _TERMINAL_STEPS), *_describe_parts(games, _TERMINAL_PARTS))
    )


def analyse_graph(records: Records, _: RunSettings) -> Report:
    """Compare the graph of v14 with the tree of v13 in searches that are ten times as long as those of the ladder."""
    games = join_records(records)
    note = (
        "v13 has 20,000 simulations per move; v14 has the same number, or 11,600, which it makes in the same time "
        "(004-speed)."
    )
    return Report((note,), (tabulate_effects(games, _GRAPH_STEPS, "Matches"),), describe_effects(games, _GRAPH_STEPS))


def _select_played(records: Sequence[GameRecord], effects: Iterable[Effect]) -> list[Effect]:
    return [effect for effect in effects if tally_games(records, effect.after, effect.before).total.games]


def _tabulate_parts(records: Sequence[GameRecord], effects: Iterable[Effect], title: str) -> Grid:
    """Make the table of matches to which no figure of the report corresponds."""
    rows = []
    for effect in effects:
        tally = tally_games(records, effect.after, effect.before)
        figures = format_score(tally.score), f"{tally.total.games}", format_interval(tally.elo)
        rows.append((effect.subject, *figures))
    header = ("match", "score (95 %)", "games", "Elo (95 %)")
    return Grid(header, tuple(rows), frozenset({"match"}), title)


def _describe_parts(records: Sequence[GameRecord], effects: Iterable[Effect]) -> list[str]:
    tallies = {effect.subject: tally_games(records, effect.after, effect.before) for effect in effects}
    return [f"{subject}: {format_interval(tally.elo)} Elo." for subject, tally in tallies.items()]


def _make_claim(versions: Sequence[Version]) -> Grid:
    rows = tuple((version.name, version.adds, version.theirs.text) for version in versions if version.theirs)
    return Grid(("version", "adds", "score against the samples"), rows, frozenset({"version", "adds"}))


EXPERIMENTS = (
    EventExperiment(
        "004-flat-search",
        "The mistakes of v1 and v2",
        "Report 004: v2 plays an immediate win, v3 corrects the moment of the test for the end of the game and the "
        "precision of sums. A further experiment to 004-versions.",
        _make_claim(VERSIONS[:3]),
        tuple(_FLAT),
        analyse_flat_search,
    ),
    EventExperiment(
        "004-terminal-wins",
        "Positions with an immediate win as end nodes",
        "Report 004: if the side to move has an immediate win, v4 turns the position into an end node instead of "
        "expanding it at random, which raised the score from 92 to 97 %. A further experiment to 004-versions.",
        _make_claim(VERSIONS[2:4]),
        ("004-terminal-wins",),
        analyse_terminal_wins,
    ),
    EventExperiment(
        "004-graph",
        "Graph instead of tree",
        'Report 004: v14 uses "a graph instead of a tree, so that nodes are used again"; v13 to v17 improve "a little, '
        'but not particularly much". A further experiment to 004-versions.',
        Grid(("step", "strength"), (("v13 to v14", "a little more"),), frozenset({"step", "strength"})),
        ("004-graph",),
        analyse_graph,
    ),
)
