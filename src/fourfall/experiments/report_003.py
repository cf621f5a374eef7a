"""Experiments of report 003: interventions before and after the search, bitboards, and the profile of phases."""

import time
from collections.abc import Mapping

from fourfall._core import Board, Limit
from fourfall.arena.ratings import tally_games
from fourfall.arena.tables import Grid, format_interval
from fourfall.engine import Engine
from fourfall.experiments.comparison import ReportedScore
from fourfall.experiments.event_experiment import EventExperiment, QuickSize, Records
from fourfall.experiments.experiment import Report
from fourfall.experiments.measurements import (
    MeasurementExperiment,
    Measurements,
    MeasurementSize,
    compute_median_interval,
)
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

_RULES = {
    "without win": "win at once",
    "without block": "block",
    "without double threat": "make a double threat",
    "without avoiding gifts": "avoid moves that let the opponent win",
    "without avoiding double threats": "avoid moves that allow a double threat",
    "without all rules": "all rules together",
}
_EFFECTS = tuple(Effect(description, "all rules", agent) for agent, description in _RULES.items())
_VARIANTS = (
    Variant("all rules", "with all interventions", ReportedScore(0.87, 100, "87 wins, 13 losses of 100")),
    Variant("without all rules", "without interventions"),
)
_FEW = {"003-interventions-200": 200, "003-interventions-50": 50}


def analyse_interventions(records: Records, settings: RunSettings) -> Report:
    """Compare the system with the same system without each rule."""
    games = join_records(records)
    tables = (
        tabulate_field(games, _VARIANTS, settings),
        tabulate_effects(games, _EFFECTS, "Each rule: the system as it is against the system without the rule"),
    )
    return Report((describe_field(games, settings),), tables, describe_effects(games, _EFFECTS[-1:]) + _count(records))


def analyse_few_simulations(records: Records, settings: RunSettings) -> Report:
    """Compare the system with and without each rule at few simulations, where the search misses more."""
    tables, readings = [], []
    for name, played in records.items():
        simulations = min(_FEW[name], QuickSize().simulations) if settings.quick else _FEW[name]
        title = f"Each rule with {simulations} simulations per move: the system against the system without the rule"
        tables.append(tabulate_effects(played, _EFFECTS, title))
        readings += [
            f"With {simulations} simulations: {sentence}" for sentence in describe_effects(played, _EFFECTS[-1:])
        ]
    note = "With few simulations the search itself misses immediate wins and threats, so that rules should matter more."
    return Report((note,), tuple(tables), (*readings, *_count(records)))


def _count(records: Records) -> tuple[str, ...]:
    """Say which single rules make a difference that is larger than the error."""
    decided = []
    for played in records.values():
        for effect in _EFFECTS[:-1]:
            tally = tally_games(played, effect.after, effect.before)
            if tally.total.games and not tally.elo.low <= 0 <= tally.elo.high:
                address = next(record.addresses[0] for record in played if effect.after in record.names)
                simulations = address.rpartition("=")[2]
                decided.append(f"{effect.subject} ({format_interval(tally.elo)} Elo at {simulations} simulations)")
    if not decided:
        return ("No single rule makes a difference larger than the error.",)
    return (f"Single rules with a difference larger than the error: {'; '.join(decided)}.",)


_SIZES = ((9, 9), (10, 11), (12, 12))
_BITS, _CELLS = "seed-003", "seed-003-array"
_PHASES = ("selection", "expansion", "evaluation", "backup")
# Shares in the report; the shares of recorded time follow from dividing by their sum, 86.51 %.
_REPORTED_PHASES = {"selection": 16.80, "expansion": 1.61, "evaluation": 59.33, "backup": 3.31, "restore": 5.45}
_WORDS = {"selection": "traversal", "expansion": "expand", "evaluation": "rollout", "backup": "backup"}


def measure_bitboards(simulations: int, round_number: int) -> Mapping[str, float]:
    """Measure simulations per second of processor time with bitboards and with an array, on three boards."""
    measured = {}
    for rows, cols in _SIZES:
        board = Board(rows, cols, hole=(rows // 3, cols // 2))
        order = (_BITS, _CELLS) if round_number % 2 == 0 else (_CELLS, _BITS)
        for preset in order:
            measured[f"{preset} {rows}x{cols}"] = _measure_speed(preset, board, simulations)
    return measured


def _measure_speed(preset: str, board: Board, simulations: int) -> float:
    engine = Engine(preset, seed=1)
    engine.search(board, Limit(simulations=max(1, simulations // 10)))  # touches the memory of the node pool
    started = time.process_time()
    analysis = engine.search(board, Limit(simulations=simulations))
    return analysis.simulations / (time.process_time() - started)


def analyse_bitboards(rounds: Measurements) -> Report:
    """Compare the speed with bitboards with that of an array of cells."""
    rows, gains = [], []
    for height, width in _SIZES:
        size = f"{height}x{width}"
        bits, cells = rounds[f"{_BITS} {size}"], rounds[f"{_CELLS} {size}"]
        ratio = compute_median_interval([one / other for one, other in zip(bits, cells, strict=True)])
        means = (f"{compute_median_interval(values).value / 1e3:.0f}" for values in (cells, bits))
        claim = "array on both sides" if height * width > 128 else "nearly 2"
        rows.append((size, claim, *means, f"{ratio.value:.2f} ({ratio.low:.2f}..{ratio.high:.2f})"))
        if height * width <= 128:
            gains.append(ratio)
    header = ("board", "report, ratio", "array, thousand/s", "bitboards, thousand/s", "ratio (95 %)")
    low, high = min(gain.low for gain in gains), max(gain.high for gain in gains)
    if low <= 2 <= high:
        verdict = "agrees within error"
    elif low > 2:
        verdict = "agrees in direction and is larger"
    else:
        verdict = "contradicts the report" if high < 1 else "agrees in direction and is smaller"
    reading = (
        f"Bitboards: the report claims nearly twice the speed, ours is {low:.2f} to {high:.2f} times on boards of at "
        f"most 128 cells, which {verdict}."
    )
    note = (
        "Simulations per second of processor time from the empty board, both sides alternating; one column of each "
        "board has a hole. 12x12 does not fit into 128 bits, and both sides use the array there, as in the report."
    )
    return Report((note,), (Grid(header, tuple(rows), frozenset(header[:2])),), (reading,))


def measure_phases(simulations: int, round_number: int) -> Mapping[str, float]:
    """Measure the shares of the phases of a search on 10x11, with bitboards and with an array of cells."""
    board = Board(10, 11, hole=(3, 5))
    measured: dict[str, float] = {}
    for preset in (_BITS, _CELLS):
        engine = Engine(preset, seed=round_number + 1)
        engine.search(board, Limit(simulations=max(1, simulations // 10)))
        profile = engine.search(board, Limit(simulations=simulations)).profile
        measured |= {f"{preset} {phase}": 100 * profile[phase] for phase in _PHASES}
    return measured


def analyse_phases(rounds: Measurements) -> Report:
    """Compare the shares of the phases with those of the report."""
    recorded = sum(_REPORTED_PHASES.values())
    rows = []
    for phase in _PHASES:
        share_of_report = 100 * _REPORTED_PHASES[phase] / recorded
        both = [compute_median_interval(rounds[f"{preset} {phase}"]) for preset in (_BITS, _CELLS)]
        ours = (f"{share.value:.1f} % ({share.low:.1f}..{share.high:.1f})" for share in both)
        rows.append((phase, _WORDS[phase], f"{share_of_report:.1f} %", *ours))
    rows.append(("—", "restore", f"{100 * _REPORTED_PHASES['restore'] / recorded:.1f} %", "none", "none"))
    header = ("phase", "report's name", "report", "ours, bitboards (95 %)", "ours, array (95 %)")
    theirs = 100 * _REPORTED_PHASES["evaluation"] / recorded
    reading = (
        f"Rollouts: the report has {theirs:.0f} % of the recorded time, its largest phase.",
        *(
            _describe_largest_phase(rounds, preset, name)
            for preset, name in ((_CELLS, "an array"), (_BITS, "bitboards"))
        ),
    )
    note = (
        "The report's shares are divided by its recorded time, 86.51 %. Ours does not restore a board: each simulation "
        "starts from a copy, and setting up the position counts as selection. Evaluation is the rollout."
    )
    return Report((note,), (Grid(header, tuple(rows), frozenset(header[:2])),), reading)


def _describe_largest_phase(rounds: Measurements, preset: str, name: str) -> str:
    shares = {phase: compute_median_interval(rounds[f"{preset} {phase}"]).value for phase in _PHASES}
    largest = max(shares, key=lambda phase: shares[phase])
    share = f"With {name} ours have {shares['evaluation']:.0f} %"
    if largest == "evaluation":
        return f"{share} and are the largest phase, as in the report."
    return f"{share}; the largest phase is {largest}, which contradicts the report."


_INTERVENTION_CLAIM = Grid(
    ("system", "won", "drawn", "lost", "score"),
    (("with interventions", "87", "0", "13", "87 %"), ("without", "not given", "", "", "")),
    frozenset({"system"}),
)
_INTERVENTION_SOURCE = (
    'Report 003, section 2.1: interventions "before and after the simulations" prevent "bad moves and missed chances"; '
    'with the other optimisations they "improve the performance of the AI considerably". The report has no '
    "figures without them."
)

EXPERIMENTS = (
    EventExperiment(
        "003-interventions",
        "With and without each intervention",
        _INTERVENTION_SOURCE,
        _INTERVENTION_CLAIM,
        ("003-interventions",),
        analyse_interventions,
    ),
    EventExperiment(
        "003-interventions-few-simulations",
        "Interventions where the search is weak",
        f"A further experiment to 003-interventions. {_INTERVENTION_SOURCE}",
        _INTERVENTION_CLAIM,
        tuple(_FEW),
        analyse_few_simulations,
    ),
    MeasurementExperiment(
        "003-bitboards",
        "Speed of bitboards against an array of cells",
        'Report 003, section 2.3: bitboards of 128 bits bring "nearly one more time the performance overall"; boards '
        "with more than 128 cells use an array.",
        Grid(("change", "speed"), (("array to bitboards", "nearly 2 times"),), frozenset({"change"})),
        measure_bitboards,
        analyse_bitboards,
        MeasurementSize(21, 40_000),
        MeasurementSize(3, 2_000),
    ),
    MeasurementExperiment(
        "003-phase-profile",
        "Shares of the phases of a search",
        "Report 003, section 2.4.2: times recorded in a debug build; one run, on a board that is not given.",
        Grid(
            ("phase", "share of the time"),
            (
                ("recorded", "86.51 %"),
                *((_WORDS.get(phase, phase), f"{share:.2f} %") for phase, share in _REPORTED_PHASES.items()),
            ),
            frozenset({"phase"}),
        ),
        measure_phases,
        analyse_phases,
        MeasurementSize(21, 40_000),
        MeasurementSize(3, 2_000),
    ),
)
