"""Sections about what went wrong: failures, turning points of lost games, and the games themselves."""

from collections.abc import Iterator

from fourfall.report.failures import Failure
from fourfall.report.html import Html, element, join, name_element
from fourfall.report.model import Report
from fourfall.report.numbers import format_percent
from fourfall.report.replay import render_replay
from fourfall.report.report_game import ReportGame
from fourfall.report.sections.games import link_game
from fourfall.report.sections.layout import Column, paragraphs, preformatted, section, table
from fourfall.report.words import Words
from fourfall.system.command_line import join_command

_LINE_MOVES = 12
_LONG_STDERR = 200


def render_failures(report: Report, words: Words) -> Html:
    """Return every failure with its stderr and the command that reproduces it."""
    if not report.failures_total:
        return section("failures", words("failures.title"), paragraphs(words("failures.none")))
    columns = [
        Column(words("column.agent"), is_text=True),
        Column(words("column.ending"), is_text=True),
        Column(words("column.games")),
    ]
    rows = [
        [name_element(count.agent), words.get_ending(count.ending), f"{count.count}"] for count in report.failure_counts
    ]
    embedded = {game.id for game in report.games.games}
    left_out = report.failures_total - len(report.failures)
    kind = report.failure_counts[0].ending.replace(" ", "-")
    command = _make_listing_command(report, "--ending", kind, "--limit", "1000")
    rest = words("failures.left_out", count=left_out, shown=len(report.failures), command=command) if left_out else ""
    return section(
        "failures",
        words("failures.title"),
        paragraphs(words("failures.intro")),
        table(words("failures.table"), columns, rows),
        *_render_failures(report.failures, embedded, words),
        paragraphs(rest),
    )


def _render_failures(failures: list[Failure], embedded: set[int], words: Words) -> Iterator[Html]:
    """Yield the failures; a stderr that was shown before is not repeated."""
    shown: dict[tuple[str, str], int] = {}
    for failure in failures:
        earlier = shown.setdefault((failure.agent, failure.stderr), failure.game)
        yield _render_failure(failure, earlier, failure.game in embedded, words)


def _render_failure(failure: Failure, earlier: int, is_embedded: bool, words: Words) -> Html:
    """Return one failure; `earlier` is the game whose entry has the same stderr, or this game."""
    heading = element(
        "h3",
        name_element(failure.agent),
        f": {words.get_ending(failure.ending)} ({words('column.game')} ",
        link_game(failure.game, is_embedded),
        ")",
    )
    about = words("failures.about", opponent=failure.opponent, stones=failure.stones, board=failure.board)
    parts = [heading, element("p", about)]
    if failure.detail:
        parts.append(element("p", element("strong", failure.detail)))
    if failure.reproducer:
        parts.append(element("p", words("failures.reproduce")))
        parts.append(preformatted(failure.reproducer))
    if earlier != failure.game and len(failure.stderr) >= _LONG_STDERR:
        parts.append(element("p", words("failures.same_stderr", game=earlier)))
    elif failure.stderr:
        parts += [element("p", words("failures.stderr")), preformatted(failure.stderr)]
    else:
        parts.append(element("p", words("failures.no_stderr")))
    return element("article", *parts, class_="failure")


def render_turning_points(report: Report, words: Words) -> Html:
    """Return the list of lost games with the move that lost the most."""
    lost = [game for game in report.games.games if game.analysis != "not lost"]
    if not lost:
        return section("turning-points", words("points.title"), paragraphs(words("points.no_losses")))
    focus = report.focus.agent
    names = ["column.opponent"] if focus is not None else ["column.loser", "column.winner"]
    columns = [
        Column(words("column.game")),
        *(Column(words(name), is_text=True) for name in names),
        Column(words("column.stone")),
        Column(words("column.played")),
        Column(words("column.better")),
        Column(words("column.before")),
        Column(words("column.after")),
        Column(words("column.line"), is_text=True, kind="line"),
    ]
    places = {row.agent: row.rank for group in report.groups for row in group.standings}
    lost.sort(key=lambda game: -places.get(game.names[game.winner or 0], 0))
    rows = [_make_row(game, focus, words) for game in lost]
    games = report.games
    missing = sum(game.analysis == "open" for game in lost)
    return section(
        "turning-points",
        words("points.title"),
        paragraphs(
            words("points.intro"),
            words("points.count", shown=len(lost), lost=games.lost),
            words("points.open", count=missing) if missing else "",
        ),
        table(words("points.table") if focus is None else words("points.table.focus", agent=focus), columns, rows),
    )


def _make_row(game: ReportGame, focus: str | None, words: Words) -> list[str]:
    winner = game.winner or 0
    names = [game.names[winner]] if focus is not None else [game.names[1 - winner], game.names[winner]]
    cells: list[str] = [link_game(game.id, is_embedded=True), *map(name_element, names)]
    point = game.turning_point
    if point is None:
        return [
            *cells,
            "",
            "",
            "",
            "",
            "",
            words(f"points.state.{game.analysis}", ending=words.get_ending(game.ending)),
        ]
    line = " ".join(point.line[:_LINE_MOVES]) + (" …" if len(point.line) > _LINE_MOVES else "")
    proof = f" ({words('points.proof')})" if point.kind == "proof" else ""
    chances = [format_percent(point.win_chance_before), format_percent(point.win_chance_after)]
    return [*cells, f"{point.ply + 1}", point.played, point.better, *chances, f"{line}{proof}"]


def render_games(report: Report, words: Words) -> Html:
    """Return the games on the replayable board, and how to get the others."""
    games = report.games
    left_out = games.total - len(games.games)
    rest = ""
    if left_out:
        command = _make_listing_command(report, "--limit", str(report.event.games))
        rest = words("games.left_out", shown=len(games.games), total=games.total, command=command)
    return section(
        "games",
        words("games.title"),
        element("p", words("games.intro"), class_="screen"),
        paragraphs(rest),
        join(render_replay(games.games, words)),
    )


def _make_listing_command(report: Report, *options: str) -> str:
    """Return the command that lists games of the event, to be run in the folder of the database."""
    return join_command(["fourfall", "games", report.event.database, "--event", str(report.event.id), *options])
