"""Experiments of report 004: ratings of its seventeen versions, at equal simulations and at equal processor time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from fourfall.arena.rating_input import RatingInput
from fourfall.arena.rating_model import RatingModel
from fourfall.arena.ratings import Interval, tally_games
from fourfall.arena.record import GameRecord
from fourfall.arena.tables import Grid, format_interval
from fourfall.experiments.comparison import ReportedScore, compare_scores, describe_effect
from fourfall.experiments.event_experiment import EventExperiment, QuickSize, Records
from fourfall.experiments.experiment import Report
from fourfall.experiments.run import RunSettings


@dataclass(frozen=True)
class Version:
    """A version of system 004: its name, what it adds, and its score against the samples in the report."""

    name: str
    adds: str
    theirs: ReportedScore | None = None


@dataclass(frozen=True)
class Band:
    """Versions that the report rates together: their names, its range of scores and its Elo, as far as it has them."""

    name: str
    members: tuple[str, ...]
    score: str = "a little more"
    elo: int | None = None


VERSIONS = (
    Version("v1", "UCT; a bug keeps its tree one ply deep", ReportedScore(0.78, None, "78 %")),
    Version("v2", "immediate wins at the root", ReportedScore(0.80, None, "80 %")),
    Version("v3", "correct test for the end, exact sums", ReportedScore(0.92, None, "92 %")),
    Version("v4", "positions with an immediate win are terminal", ReportedScore(0.97, None, "97 %")),
    Version("v5", "bitboards"),
    Version("v6", "proofs in the tree"),
    Version("v7", "tree kept between moves"),
    Version("v8", "forced replies"),
    Version("v9", "2.95 s instead of 2.9 s"),
    Version("v10", "fewer shifts on small boards"),
    Version("v11", "distances, with a mistake"),
    Version("v12", "distances, corrected"),
    Version("v13", "new children visited twice"),
    Version("v14", "graph"),
    Version("v15", "graph, reference counting"),
    Version("v16", "graph, reclaiming by scanning"),
    Version("v17", "graph, generations"),
)
_NAMES = tuple(version.name for version in VERSIONS)
BANDS = (
    Band("v1-v2", _NAMES[:2], "10-20 %", 700),
    Band("v3-v7", _NAMES[2:7], "40-60 %", 1000),
    Band("v8-v12", _NAMES[7:12], "70-80 %", 1200),
    Band("v13-v17", _NAMES[12:]),
)
_RATED = _NAMES[:12]  # versions that the report's own tool compared
_ORIGIN = BANDS[1]  # its mean rating here is set to that of the report
_ROUNDING = 50  # the report's ratings are multiples of 100
_LADDERS = {"004-equal-simulations": "equal simulations", "004-equal-time": "equal time"}


def analyse_versions(records: Records, _: RunSettings) -> Report:
    """Rate the versions in both ladders, and compare bands and steps with the report."""
    ladders = {_LADDERS[name]: list(played) for name, played in records.items()}
    models = {name: _fit(played) for name, played in ladders.items()}
    conditions = (
        "All seventeen versions play each other on random official boards. At equal simulations every move has 2,000; "
        "v4 and v5, then v8, v9 and v10, then v14 to v17 make the same moves in the same game there, so differences "
        "between them show the error of measurement.",
        "At equal time every version has the simulations that it makes in 4 ms of processor time (004-speed), from v9 "
        "on in 4.07 ms. Searches with fixed simulations repeat on every machine.",
        "v1 to v4 play with bitboards, which do not change their moves; their simulations at equal time are those of "
        "their arrays of cells.",
        f"In each ladder the mean of {_ORIGIN.name} is set to the report's {_ORIGIN.elo}.",
    )
    tables = (_tabulate_ratings(ladders, models), _tabulate_bands(ladders), _tabulate_steps(models))
    return Report(conditions, tables, (*_describe_bands(ladders), *_describe_steps(models)))


def _fit(records: Sequence[GameRecord]) -> RatingModel:
    from fourfall.arena.rating_model import fit_rating_model

    return fit_rating_model(RatingInput.from_records(records, _NAMES))


def _tabulate_ratings(ladders: Mapping[str, Sequence[GameRecord]], models: Mapping[str, RatingModel]) -> Grid:
    rows = []
    for version in VERSIONS:
        band = next(band for band in BANDS if version.name in band.members)
        cells = [version.name, version.adds, version.theirs.text if version.theirs else "—"]
        cells += [band.score, f"{band.elo or '—'}"]
        for name, played in ladders.items():
            ratings = models[name].ratings
            origin = (_ORIGIN.elo or 0) - sum(ratings[member].value for member in _ORIGIN.members) / len(
                _ORIGIN.members
            )
            rating = ratings[version.name]
            cells.append(f"{origin + rating.value:.0f} ± {(rating.high - rating.low) / 2:.0f}")
            field = [record for record in played if set(record.names) <= {*_RATED, version.name}]
            cells.append(f"{100 * tally_games(field, version.name).score.value:.0f} %")
        rows.append(tuple(cells))
    ours = (f"{column}, {name}" for name in ladders for column in ("Elo (95 %)", "score against v1-v12"))
    header = ("version", "adds", "report, against the samples", "report, score", "report, Elo", *ours)
    return Grid(header, tuple(rows), frozenset(header[:2]), "Ratings of the versions")


def _compare_bands(records: Sequence[GameRecord], one: Band, other: Band) -> Interval:
    """Return the Elo difference of two bands: all games between them, each band counted as one player."""
    members = dict.fromkeys(one.members, one.name) | dict.fromkeys(other.members, other.name)
    games = []
    for record in records:
        first, second = (members.get(name) for name in record.names)
        if first and second and first != second:
            # Each pairing of versions keeps its pairs of games.
            pairing = "-".join(sorted(record.names))
            games.append(replace(record, names=(first, second), group=pairing))
    return tally_games(games, one.name).elo


def _get_claim(one: Band, other: Band) -> Interval | None:
    if one.elo is None or other.elo is None:
        return None
    value = one.elo - other.elo
    return Interval(value, value - _ROUNDING, value + _ROUNDING)


def _tabulate_bands(ladders: Mapping[str, Sequence[GameRecord]]) -> Grid:
    rows = []
    for before, after in pairwise(BANDS):
        claim = _get_claim(after, before)
        theirs = "gain, no figures" if claim is None else f"about +{claim.value:.0f}"
        ours = (format_interval(_compare_bands(played, after, before)) for played in ladders.values())
        rows.append((f"{after.name} over {before.name}", theirs, *ours))
    header = ("versions", "report, Elo", *(f"Elo (95 %), {name}" for name in ladders))
    return Grid(header, tuple(rows), frozenset(header[:2]), "Groups of versions in the games between them")


def _tabulate_steps(models: Mapping[str, RatingModel]) -> Grid:
    rows = []
    for before, after in pairwise(VERSIONS):
        claim = _get_step_claim(before, after)
        theirs = "—" if claim is None else format_interval(claim)
        steps = [model.compute_difference(after.name, before.name) for model in models.values()]
        rows.append((f"{before.name} to {after.name}", after.adds, theirs, *map(format_interval, steps)))
    header = ("step", "adds", "report, Elo against the samples (95 %)", *(f"Elo (95 %), {name}" for name in models))
    return Grid(header, tuple(rows), frozenset(header[:2]), "Steps between neighbours, from the ratings")


def _get_step_claim(before: Version, after: Version) -> Interval | None:
    if before.theirs is None or after.theirs is None:
        return None
    return compare_scores(before.theirs, after.theirs)


def _describe_bands(ladders: Mapping[str, Sequence[GameRecord]]) -> list[str]:
    sentences = []
    for name, played in ladders.items():
        for before, after in pairwise(BANDS):
            ours = _compare_bands(played, after, before)
            subject = f"Versions {after.name} over {before.name} at {name}"
            sentences.append(describe_effect(subject, _get_claim(after, before), ours))
    return sentences


def _describe_steps(models: Mapping[str, RatingModel]) -> list[str]:
    """List the steps that are larger than the error, up or down, in each ladder."""
    sentences = []
    for name, model in models.items():
        steps = {
            f"{before.name} to {after.name}": model.compute_difference(after.name, before.name)
            for before, after in pairwise(VERSIONS)
        }
        rises = [f"{step} ({difference.value:+.0f})" for step, difference in steps.items() if difference.low > 0]
        falls = [f"{step} ({difference.value:+.0f})" for step, difference in steps.items() if difference.high < 0]
        sentences.append(
            f"Steps larger than the error at {name}: {', '.join(rises) or 'none'}; falls: {', '.join(falls) or 'none'}."
        )
    return sentences


_CLAIM = Grid(
    ("versions", "score", "Elo"),
    tuple((band.name, band.score, f"about {band.elo}" if band.elo else "—") for band in BANDS),
    frozenset({"versions"}),
)

EXPERIMENTS = (
    EventExperiment(
        "004-versions",
        "Elo of the seventeen versions",
        'Report 004: a local tool like the platform compared v1 to v12; "the most important optimisations are to '
        'compute and play wins and losses within a few moves correctly, and to prune the tree"; v13 to v17 improve '
        '"a little, but not particularly much". v1 to v4 also have scores against the samples: 78, 80, 92 and 97 %.',
        _CLAIM,
        tuple(_LADDERS),
        analyse_versions,
        QuickSize(pairs=1, simulations=50),
    ),
)
