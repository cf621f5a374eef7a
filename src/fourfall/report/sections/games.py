"""Sections about the games: boards, lengths and endings, time per move."""

from fourfall.report.figures import draw_holes, draw_lengths, draw_sizes
from fourfall.report.figures.heat_maps import MAX_AGENTS, list_shown_agents
from fourfall.report.figures.lengths import find_median_length
from fourfall.report.figures.times import MAX_AGENTS as MAX_TIMES
from fourfall.report.figures.times import draw_times, sort_times
from fourfall.report.html import Html, element, name_element
from fourfall.report.model import Report
from fourfall.report.move_times import SlowMove
from fourfall.report.numbers import format_counts, format_percent, format_small_percent, format_time
from fourfall.report.sections.layout import Column, figures, paragraphs, section, table
from fourfall.report.words import Words

_SLOWEST = 10


def render_boards(report: Report, words: Words) -> Html:
    """Return the score by board size and by the position of the hole."""
    agents = {row.agent for group in report.groups for row in group.standings if row.games}
    drawn_sizes, drawn_holes = draw_sizes(report, words), draw_holes(report, words)
    if not drawn_sizes and report.sizes:
        size = words("sizes.one", rows=report.sizes[0].rows, cols=report.sizes[0].cols)
    else:
        size = ""
    focus = report.focus.agent
    whose = words("boards.intro.all") if focus is None else words("boards.intro.focus", agent=focus)
    is_cut = focus is None and len(agents) > MAX_AGENTS
    return section(
        "boards",
        words("boards.title"),
        paragraphs(whose, words("boards.cut", drawn=MAX_AGENTS) if is_cut else "", size),
        figures(drawn_sizes),
        figures(drawn_holes),
        "" if drawn_holes or not report.sizes else element("p", words("holes.none")),
        _render_size_table(report, words) if drawn_sizes else "",
    )


def _render_size_table(report: Report, words: Words) -> Html:
    shown = list_shown_agents(report)[0]
    columns = [
        Column(words("column.size"), is_text=True),
        Column(words("column.games")),
        Column(words("column.results")),
        Column(words("column.score")),
    ]
    rows = [
        [
            f"{result.rows}x{result.cols}",
            f"{result.games}",
            format_counts((result.won, result.drawn, result.lost)),
            format_percent(result.score, 1),
        ]
        for result in report.sizes
        if result.agent == shown
    ]
    name = words("boards.first_player") if shown is None else shown
    return table(words("sizes.table", name=name), columns, rows)


def render_lengths(report: Report, words: Words) -> Html:
    """Return the distribution of the game length and the endings."""
    text = ""
    if report.lengths:
        shortest, longest = report.lengths[0].stones, report.lengths[-1].stones
        text = words("lengths.text", shortest=shortest, median=find_median_length(report), longest=longest)
    columns = [Column(words("column.ending"), is_text=True), Column(words("column.games")), Column("%")]
    total = sum(report.endings.values())
    rows = [
        [words.get_ending(ending), f"{count}", f"{100 * count / total:.1f}"] for ending, count in report.endings.items()
    ]
    endings = table(words("lengths.table"), columns, rows) if rows else ""
    return section("lengths", words("lengths.title"), paragraphs(text), figures(draw_lengths(report, words)), endings)


def render_times(report: Report, words: Words) -> Html:
    """Return the time per move: distribution, table, slowest moves."""
    rows = sort_times(report)
    cut = words("times.cut", drawn=MAX_TIMES) if len(rows) > MAX_TIMES else ""
    return section(
        "times",
        words("times.title"),
        paragraphs(words("times.intro"), cut),
        figures(draw_times(report, words)),
        _render_time_table(report, words),
        _render_slowest(report, words),
    )


def _render_time_table(report: Report, words: Words) -> Html:
    columns = [
        Column(words("column.agent"), is_text=True),
        Column(words("column.moves")),
        Column(words("column.mean")),
        Column(words("column.median")),
        Column("95 %"),
        Column("99 %"),
        Column(words("column.maximum")),
        Column(words("column.limit")),
        Column(words("column.share")),
    ]
    times = sort_times(report)
    rows = [
        [
            name_element(row.agent),
            f"{row.moves}",
            *(format_time(value) for value in (row.mean_ms, row.median_ms, row.p95_ms, row.p99_ms, row.max_ms)),
            ", ".join(f"{limit:g} s" for limit in row.limits_s),
            format_small_percent(row.max_share),
        ]
        for row in times
    ]
    strong = [at for at, row in enumerate(times) if row.agent == report.focus.agent]
    return table(words("times.table"), columns, rows, strong)


def list_slowest(report: Report) -> list[SlowMove]:
    """Return the slowest moves of the focus, by the share of the limit."""
    moves = [move for row in report.times if report.focus.agent in (None, row.agent) for move in row.slowest]
    return sorted(moves, key=lambda move: -move.time_ms / move.limit_s)[:_SLOWEST]


def _render_slowest(report: Report, words: Words) -> Html:
    columns = [
        Column(words("column.game")),
        Column(words("column.agent"), is_text=True),
        Column(words("column.stone")),
        Column(words("column.time")),
        Column(words("column.limit")),
        Column(words("column.share")),
    ]
    embedded = {game.id for game in report.games.games}
    rows = [
        [
            link_game(move.game, move.game in embedded),
            name_element(move.agent),
            f"{move.stone}",
            format_time(move.time_ms),
            f"{move.limit_s:g} s",
            format_small_percent(move.time_ms / (1000 * move.limit_s)),
        ]
        for move in list_slowest(report)
    ]
    return table(words("times.slowest"), columns, rows) if rows else Html("")


def link_game(game: int, is_embedded: bool) -> str:
    """Return the number of a game, as a link if the report contains the game."""
    return element("a", f"{game}", href=f"#game-{game}") if is_embedded else f"{game}"
