"""The head of the report: event, result in a few sentences, and remarks about what is missing."""

from fourfall.arena.event_summary import SprtSummary, StandingSummary
from fourfall.arena.tables import format_interval
from fourfall.report.figures.standings import format_estimate
from fourfall.report.html import Html, element, join, name_element
from fourfall.report.model import EventFacts, Report
from fourfall.report.numbers import format_counts, format_percent, format_score, format_time
from fourfall.report.results import LevelSummary
from fourfall.report.sections.layout import notes
from fourfall.report.words import Words

_NAMED = 6  # agents of each set that are named


def render_header(report: Report, words: Words) -> Html:
    """Return the title, the facts about the event, the remarks and the result in short."""
    event = report.event
    if event.planned is None:
        games = words("games.count", count=event.games)
    else:
        games = words("games.of", count=event.games, planned=event.planned)
    state = words("state.ladder" if is_ladder(event) and event.state == "stopped" else f"state.{event.state}")
    facts = words("header.event", id=event.id, database=event.database, games=games, state=state)
    conditions = report.settings.conditions
    dates = words("header.dates", first=_format_date(conditions.started), last=_format_date(conditions.ended))
    return element(
        "header",
        element("p", words("header.kind"), class_="kind"),
        element("h1", element("bdi", event.name)),
        element("p", facts),
        element("p", dates) if conditions.started else Html(""),
        element("p", describe_focus(report, words)),
        notes(list_notes(report, words)),
        _render_short_result(report, words),
    )


def _format_date(text: str) -> str:
    return text[:19].replace("T", " ")


def is_ladder(event: EventFacts) -> bool:
    """Whether the event is a ladder: it is not imported, but has no planned number of games."""
    return event.planned is None and event.state != "imported"


def describe_focus(report: Report, words: Words) -> str:
    """Say whose lost games and boards are reported, and why."""
    return words(f"focus.{report.focus.reason}", agent=report.focus.agent)


def list_notes(report: Report, words: Words) -> list[str]:
    """List what the reader must know: games that are missing or damaged, few agents, no sandbox."""
    event, conditions = report.event, report.settings.conditions
    found = []
    agents = {row.agent for group in report.groups for row in group.standings if row.games}
    if not report.read_games:
        found.extend([] if event.damaged else [words("note.empty")])
    elif len(agents) < 2:
        found.append(words("note.one_agent"))
    if event.planned is not None and event.games < event.planned:
        key = "note.running" if event.state == "running" else "note.stopped"
        found.append(words(key, count=event.games, planned=event.planned))
    for group in report.groups:
        if group.unconnected:
            sets = "; ".join(
                ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "") for names in group.unconnected
            )
            found.append(words("note.unconnected", sets=sets))
    if event.damaged:
        examples = ", ".join(map(str, event.damaged_examples))
        found.append(words("note.damaged", count=event.damaged, examples=examples))
    if event.state == "imported":
        found.append(words("note.imported"))
    if event.spec_error is not None:
        found.append(words("note.spec", error=event.spec_error))
    if conditions.repeated:
        found.append(words("note.repeated", count=conditions.repeated, delay=format_time(conditions.delay_ms)))
    return found


def _render_short_result(report: Report, words: Words) -> Html:
    items = [*_describe_ranking(report, words), *_describe_failures_and_losses(report, words)]
    if report.sprt is not None:
        items.append(element("li", _describe_sprt(report.sprt, words)))
    if not items:
        return Html("")
    return element(
        "section",
        element("h2", words("short.title"), id="short-title"),
        element("ul", *items, class_="facts"),
        id="short",
        aria_labelledby="short-title",
    )


def _describe_sprt(test: SprtSummary, words: Words) -> str:
    bounds = {"low": f"{test.elo0:g}", "high": f"{test.elo1:g}", "llr": f"{test.llr:.2f}", "pairs": sum(test.pairs)}
    if test.accepted is None:
        return words("short.sprt.undecided", **bounds)
    return words("short.sprt.accepted", accepted=f"{test.accepted:g}", **bounds)


def _describe_ranking(report: Report, words: Words) -> list[Html]:
    items = []
    for group in report.groups:
        rows = [row for row in group.standings if row.games]
        focus = next((row for row in rows if row.agent == report.focus.agent), None)
        label = f"{group.name}: " if group.name else ""
        if focus is not None:
            items += [_describe_level(level, label, words) for level in group.levels if level.agent == focus.agent]
            place = words("short.place", rank=focus.rank, agents=len(rows))
            items.append(_make_item(label, focus, f" {place} {_describe_row(focus, words)}"))
            sides = words(
                "short.sides",
                first=format_score(focus.first, missing="-"),
                second=format_score(focus.second, missing="-"),
            )
            items.append(element("li", label, sides))
            if focus.agent in group.challengers:
                points = words("short.course", points=2 * focus.won + focus.drawn, maximum=2 * focus.games)
                items.append(element("li", label, points))
        elif rows:
            items += [_make_item(f"{label}{row.rank}. ", row, f" {_describe_row(row, words)}") for row in rows[:3]]
    return items


def _describe_level(estimate: LevelSummary, label: str, words: Words) -> Html:
    level, low, high = (_name_level(number, words) for number in (estimate.level, estimate.low, estimate.high))
    text = words("short.level", level=level, low=low, high=high, elo=format_interval(estimate.elo.to_interval()))
    return element("li", label, element("strong", name_element(estimate.agent)), " ", text)


def _name_level(number: int, words: Words) -> str:
    if number < 2:
        return words("level.below")
    return words("level.above") if number > 100 else words("level.number", number=number)


def _make_item(label: str, row: StandingSummary, text: str) -> Html:
    return element("li", label, element("strong", name_element(row.agent)), text)


def _describe_row(row: StandingSummary, words: Words) -> str:
    score, low, high = (format_percent(bound or 0.0, 1) for bound in (row.score.value, row.score.low, row.score.high))
    results = format_counts((row.won, row.drawn, row.lost))
    return words("short.row", score=score, low=low, high=high, elo=format_estimate(row), results=results)


def _describe_failures_and_losses(report: Report, words: Words) -> list[Html]:
    items = []
    if report.read_games:
        own = sum(count.count for count in report.failure_counts if report.focus.agent in (None, count.agent))
        key = "short.failures" if own else "short.no_failures"
        content = words(key, count=own)
        items.append(element("li", element("a", content, href="#failures") if own else content))
    found = sum(game.turning_point is not None for game in report.games.games)
    if found:
        text = words("short.turning_points", found=found, lost=report.games.lost)
        items.append(element("li", element("a", text, href="#turning-points")))
    return items


def render_contents(identifiers: list[tuple[str, str]], words: Words) -> Html:
    """Return the list of sections."""
    links = [element("li", element("a", title, href=f"#{identifier}")) for identifier, title in identifiers]
    return element("nav", element("ol", *links), aria_label=words("contents.title"))


def render_footer(report: Report, words: Words) -> Html:
    """Return who made the report and when."""
    return element("footer", join(words("footer.text", version=report.version, created=_format_date(report.created))))
