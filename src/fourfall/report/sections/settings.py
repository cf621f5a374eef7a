"""Section about how the event was set up and how to repeat it."""

from typing import Any

from fourfall.report.html import Html, element, name_element
from fourfall.report.model import Report
from fourfall.report.repeat import SPEC_FILE
from fourfall.report.sections.layout import Column, paragraphs, preformatted, section, table
from fourfall.report.sections.summary import is_ladder
from fourfall.report.words import Words


def render_settings(report: Report, words: Words) -> Html:
    """Return the spec, the versions, the conditions and the command that repeats the event."""
    settings = report.settings
    parts = []
    if settings.spec is None:
        key = "settings.ladder" if is_ladder(report.event) else "settings.no_spec"
        parts.append(element("p", words(key, database=report.event.database)))
    else:
        parts += [_render_facts(settings.spec, words), _render_agents(settings.spec, words)]
    parts.append(_render_conditions(report, words))
    if settings.repeat_command is not None:
        parts += [element("h3", words("settings.repeat")), preformatted(settings.repeat_command)]
    if settings.spec_file is not None:
        title = words("settings.spec_file", file=SPEC_FILE)
        parts += [element("h3", title), element("p", words("settings.spec_file.use", file=SPEC_FILE))]
        parts.append(preformatted(settings.spec_file))
    return section("settings", words("settings.title"), *parts)


def _render_facts(spec: dict[str, Any], words: Words) -> Html:
    boards = spec["boards"].get("list")
    facts = [
        (words("settings.boards"), words("settings.official") if boards is None else ", ".join(boards)),
        (words("settings.opening"), words("settings.stones", count=spec["opening"])),
        (words("settings.seed"), str(spec["seed"])),
        (words("settings.ponder"), words("yes") if spec["ponder"] else words("no")),
        (words("settings.sandbox"), words("yes") if spec["sandbox"] else words("no")),
    ]
    for group in spec["groups"]:
        form = words(f"format.{group['format']}")
        name = f"{words('settings.group')} {group['name']}" if group["name"] else words("settings.format")
        facts.append((name, words("settings.pairs", format=form, pairs=group["pairs"])))
    if "sprt" in spec:
        facts.append((words("settings.sprt"), "{:g}..{:g} Elo".format(*spec["sprt"])))
    return _render_list(facts)


def _render_list(facts: list[tuple[str, str]]) -> Html:
    pairs = [element("div", element("dt", name), element("dd", value)) for name, value in facts]
    return element("dl", *pairs, class_="settings")


def _render_agents(spec: dict[str, Any], words: Words) -> Html:
    columns = [
        Column(words("column.agent"), is_text=True),
        Column(words("column.address"), is_text=True),
        Column(words("column.limit")),
        Column(words("column.startup")),
        Column(words("column.memory")),
    ]
    rows = [
        [
            name_element(agent["name"], width=10_000),
            element("code", agent["address"]),
            f"{agent['move_time_s']:g} s",
            f"{agent['startup_time_s']:g} s",
            f"{agent['memory_mb']} MiB",
        ]
        for agent in spec["agents"]
    ]
    return table(words("settings.agents"), columns, rows)


def _render_conditions(report: Report, words: Words) -> Html:
    conditions = report.settings.conditions
    versions = ", ".join(f"{version} ({count})" for version, count in conditions.versions.items())
    facts = [
        (words("settings.versions"), versions or "-"),
        (words("settings.sandboxed"), words("games.count", count=conditions.sandboxed)),
        (words("settings.without_sandbox"), words("games.count", count=conditions.without_sandbox)),
        (words("settings.repeated"), words("games.count", count=conditions.repeated)),
        (words("settings.report_version"), report.version),
    ]
    slow = [item for item in sorted(conditions.startup_ms.items(), key=lambda item: -item[1]) if item[1] >= 1][:5]
    if slow:
        text = ", ".join(f"{name} {time:.0f} ms" for name, time in slow)
        facts.append((words("settings.startup"), text))
    return Html(paragraphs(words("settings.conditions")) + _render_list(facts))
