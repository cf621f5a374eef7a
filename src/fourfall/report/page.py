"""Puts the sections together to one HTML file that loads nothing from elsewhere."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from fourfall.report import replay
from fourfall.report.figures.drawing import STYLE as FIGURE_STYLE
from fourfall.report.html import Html, element, join
from fourfall.report.model import Report
from fourfall.report.sections.games import render_boards, render_lengths, render_times
from fourfall.report.sections.losses import render_failures, render_games, render_turning_points
from fourfall.report.sections.results import render_cross_table, render_sides, render_standings
from fourfall.report.sections.settings import render_settings
from fourfall.report.sections.summary import render_contents, render_footer, render_header
from fourfall.report.words import Language, Words

_SECTIONS = (
    ("standings", "standings.title", render_standings),
    ("cross-table", "cross.title", render_cross_table),
    ("sides", "sides.title", render_sides),
    ("boards", "boards.title", render_boards),
    ("lengths", "lengths.title", render_lengths),
    ("times", "times.title", render_times),
    ("failures", "failures.title", render_failures),
    ("turning-points", "points.title", render_turning_points),
    ("games", "games.title", render_games),
    ("settings", "settings.title", render_settings),
)
_WITHOUT_GAMES = ("settings",)


def render_page(report: Report, language: Language = "en") -> str:
    """Return the HTML file of a report.

    A Content-Security-Policy forbids every request and every script but the one of the replayable board, so that even
    text that escaping had missed could not run.
    """
    words = Words(language)
    shown = [part for part in _SECTIONS if report.read_games or part[0] in _WITHOUT_GAMES]
    script = replay.get_script()
    style = f"{_read_style()}{FIGURE_STYLE}{replay.get_style()}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        _make_policy(script),
        element("title", words("page.title", name=report.event.name)),
        element("style", Html(style)),
    )
    body = element(
        "body",
        render_header(report, words),
        render_contents([(identifier, words(title)) for identifier, title, _ in shown], words),
        element("main", *(render(report, words) for _, _, render in shown)),
        render_footer(report, words),
        element("script", script, type="module") if report.games.games else "",
    )
    return f"<!doctype html>\n{element('html', head, join(body), lang=words.tag)}\n"


def _make_policy(script: Html) -> Html:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    # The quotes of the policy stay readable: it contains no other special characters.
    return Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}; form-action \'none\'">')


@cache
def _read_style() -> Html:
    return Html(Path(__file__).with_name("style.css").read_text(encoding="utf-8"))
