"""Sections about results: standings, cross table, and first and second player."""

from fourfall.arena.event_summary import StandingSummary
from fourfall.report.figures import draw_sides, draw_standings
from fourfall.report.figures.sides import list_side_rows
from fourfall.report.figures.standings import MAX_AGENTS as MAX_DRAWN
from fourfall.report.figures.standings import format_estimate
from fourfall.report.html import Html, element, join, name_element
from fourfall.report.model import Report
from fourfall.report.numbers import format_counts, format_percent, format_score
from fourfall.report.results import GroupReport, Pairing
from fourfall.report.sections.layout import Column, figures, paragraphs, section, table
from fourfall.report.words import Words

MAX_MATRIX = 16
"""Groups with more agents have a list of pairings instead of a matrix."""
MAX_PAIRINGS = 200
_PAIR_POINTS = ("2", "1½", "1", "½", "0")


def render_standings(report: Report, words: Words) -> Html:
    """Return figures and tables of the standings of each group."""
    tables = [_render_group_table(group, report, words) for group in report.groups if group.standings]
    many = max((len(group.standings) for group in report.groups), default=0)
    kinds = sorted({group.elo_kind for group in report.groups})
    cut = words("standings.cut", drawn=MAX_DRAWN) if many > MAX_DRAWN else ""
    return section(
        "standings",
        words("standings.title"),
        paragraphs(
            " ".join([*(words(f"standings.kind.{kind}") for kind in kinds), words("standings.intro")]),
            cut,
        ),
        figures(draw_standings(report, words)),
        *tables,
    )


def _render_group_table(group: GroupReport, report: Report, words: Words) -> Html:
    has_failures = any(row.failures for row in group.standings)
    columns = [
        Column("#"),
        Column(words("column.agent"), is_text=True),
        Column(words("column.games")),
        Column(words("column.results")),
        Column(words("column.score")),
        Column(words("column.interval")),
        Column(words(f"column.elo.{group.elo_kind}")),
    ]
    if has_failures:
        columns.append(Column(words("column.failures"), is_text=True, kind="list"))
    listed = list_standings(group)
    rows = []
    for row in listed:
        cells: list[str] = [f"{row.rank}", name_element(row.agent), f"{row.games}"]
        if row.games:
            low, high = (100 * (bound or 0.0) for bound in (row.score.low, row.score.high))
            score = format_percent(row.score.value or 0.0, 1)
            cells += [f"{row.won}-{row.drawn}-{row.lost}", score, f"{low:.0f}..{high:.0f} %", format_estimate(row)]
        else:
            cells += ["", "", "", ""]
        if has_failures:
            cells.append(describe_failure_counts(row.failures, words))
        rows.append(cells)
    strong = [at for at, row in enumerate(listed) if row.agent == report.focus.agent]
    unplayed = len(group.standings) - len(listed)
    return join(
        table(_name_caption("standings.table", group, words), columns, rows, strong),
        paragraphs(words("standings.unplayed", count=unplayed) if unplayed else ""),
    )


def list_standings(group: GroupReport) -> list[StandingSummary]:
    """List the rows of the standings; a gauntlet without the opponents that it did not choose."""
    return [row for row in group.standings if row.games or group.format != "gauntlet"]


def describe_failure_counts(failures: dict[str, int], words: Words) -> str:
    """List the number of failures of each kind."""
    return ", ".join(f"{count} {words.get_ending(ending)}" for ending, count in sorted(failures.items()))


def _name_caption(key: str, group: GroupReport, words: Words) -> str:
    return words(key) if not group.name else f"{words(key)}: {group.name}"


def render_cross_table(report: Report, words: Words) -> Html:
    """Return the results of each agent against each: a matrix, or a list for a gauntlet, a match or a large group."""
    parts = []
    for group in report.groups:
        if not group.pairings:
            continue
        is_list = group.format == "gauntlet" or len(group.standings) > MAX_MATRIX or len(group.standings) == 2
        parts.append(_render_pairings(group, report, words) if is_list else _render_matrix(group, report, words))
    return section("cross-table", words("cross.title"), paragraphs(words("cross.intro")), *parts)


def _render_matrix(group: GroupReport, report: Report, words: Words) -> Html:
    cells = {(pairing.agent, pairing.opponent): pairing for pairing in group.pairings}
    names = [row.agent for row in group.standings]
    columns = [Column("#"), Column(words("column.agent"), is_text=True)]
    columns += [Column(f"{rank}") for rank in range(1, len(names) + 1)]
    rows = [
        [f"{rank}", name_element(name), *(_render_cell(cells.get((name, other)), name == other) for other in names)]
        for rank, name in enumerate(names, 1)
    ]
    strong = [at for at, name in enumerate(names) if name == report.focus.agent]
    return join(
        paragraphs(words("cross.matrix")), table(_name_caption("cross.table", group, words), columns, rows, strong)
    )


def _render_cell(pairing: Pairing | None, is_self: bool) -> Html:
    if is_self or pairing is None:
        return Html("-" if is_self else "")
    zero, half, one, three_halves, two = pairing.pairs
    results = pairing.results
    points = element("span", f"{results.points:g}/{results.games}", class_="points")
    pairs = element("span", f"{two + three_halves}-{one}-{zero + half}", class_="pairs")
    return join(points, pairs)


def _render_pairings(group: GroupReport, report: Report, words: Words) -> Html:
    places = {row.agent: row.rank for row in group.standings}
    wanted = [pairing for pairing in group.pairings if _is_listed(pairing, group, report, places)]
    wanted.sort(key=lambda pairing: (places[pairing.agent], places[pairing.opponent]))
    agents = {pairing.agent for pairing in wanted}
    columns = [
        *([Column(words("column.agent"), is_text=True)] if len(agents) > 1 else []),
        Column(words("column.opponent"), is_text=True),
        Column(words("column.results")),
        Column(words("column.score")),
        Column(words("column.as_first")),
        Column(words("column.as_second")),
        *(Column(words("column.pairs", points=points)) for points in _PAIR_POINTS),
    ]
    rows = [
        [
            *map(name_element, [pairing.agent, pairing.opponent] if len(agents) > 1 else [pairing.opponent]),
            f"{pairing.results.wins}-{pairing.results.draws}-{pairing.results.losses}",
            format_percent(pairing.results.points / pairing.results.games),
            format_counts(pairing.first),
            format_counts(pairing.second),
            *(f"{count}" for count in reversed(pairing.pairs)),
        ]
        for pairing in wanted[:MAX_PAIRINGS]
    ]
    caption = _name_caption("cross.table", group, words)
    if len(agents) == 1:
        caption = f"{caption}: {wanted[0].agent}"
    left_out = len(wanted) - len(rows)
    unpaired = sum(pairing.unpaired for pairing in wanted)
    return join(
        paragraphs(words("cross.list")),
        table(caption, columns, rows),
        paragraphs(
            words("cross.unpaired", count=unpaired) if unpaired else "",
            words("cross.left_out", count=left_out) if left_out else "",
        ),
    )


def _is_listed(pairing: Pairing, group: GroupReport, report: Report, places: dict[str, int]) -> bool:
    """Whether the list has a pairing: from the view of the focus or a challenger, else of the better agent."""
    focus = report.focus.agent
    if focus is not None and any(row.agent == focus for row in group.standings):
        return pairing.agent == focus
    if group.challengers:
        return pairing.agent in group.challengers
    return places[pairing.agent] < places[pairing.opponent]


def render_sides(report: Report, words: Words) -> Html:
    """Return the results as first and as second player."""
    won, drawn, lost = report.first_player
    overall = ""
    if won + drawn + lost:
        score = format_score(report.first_player, 1)
        overall = words("sides.overall", won=won, drawn=drawn, lost=lost, score=score)
    parts = []
    for group in report.groups:
        rows = list_side_rows(group, report)
        if rows:
            parts.append(_render_side_table(group, rows, report, words))
    drawn_figures = figures(draw_sides(report, words))
    return section("sides", words("sides.title"), paragraphs(overall), drawn_figures, *parts)


def _render_side_table(group: GroupReport, rows: list[StandingSummary], report: Report, words: Words) -> Html:
    columns = [
        Column(words("column.agent"), is_text=True),
        Column(words("column.as_first")),
        Column(words("column.score")),
        Column(words("column.as_second")),
        Column(words("column.score")),
    ]
    cells = [
        [
            name_element(row.agent),
            *(text for side in (row.first, row.second) for text in (format_counts(side), format_score(side, 1))),
        ]
        for row in rows
    ]
    strong = [at for at, row in enumerate(rows) if row.agent == report.focus.agent]
    return table(_name_caption("sides.table", group, words), columns, cells, strong)
