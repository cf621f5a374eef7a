"""Tests of the HTML file: structure, notes about missing games, and hostile text."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from fourfall.arena.event_summary import summarise_standing
from fourfall.arena.record import EXAMPLE
from fourfall.arena.standings import rank_agents
from fourfall.arena.store import Store
from fourfall.report.collect import ReportLimits, load_records, read_event
from fourfall.report.figures.standings import format_estimate
from fourfall.report.page import render_page
from fourfall.report.report_game import ReportGame
from tests.report.generated_event import HOSTILE, make_spec, rename_agent, store_event

VOID = {"meta", "br"}


class Structure(HTMLParser):
    """Collects tags, attributes and text of a page, and fails on tags that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element, which must be the last one opened."""
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element without content."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text.append(data)

    def list_tags(self, name: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of a kind."""
        return [attributes for tag, attributes in self.tags if tag == name]


def make_page(path: Path, language: str = "en", agent: str | None = None) -> str:
    """Make the page about the latest event without turning points."""
    with Store(path, read_only=True) as store:
        collector = read_event(store, store.get_event(), agent, ReportLimits())
        games = [
            ReportGame.from_record(game, record, analysis="not lost" if record.winner is None else "open")
            for game, record in load_records(store, collector)
        ]
        return render_page(collector.make_report(store, games), "zh" if language == "zh" else "en")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store an event whose agents have hostile names."""
    path = tmp_path_factory.mktemp("report") / "arena.db"
    store_event(path, make_spec(HOSTILE, pairs=1))
    rename_agent(path, "moor =1+1", HOSTILE[3])
    return path


@pytest.mark.parametrize("language", ["en", "zh"])
def test_hostile_names_and_stderr_stay_text(hostile: Path, language: str) -> None:
    """No name and no stderr adds an element, an attribute or a script; direction marks are removed."""
    text = make_page(hostile, language)
    page = Structure(text)
    assert page.list_tags("img") == []
    assert [script.get("type") for script in page.list_tags("script")] == [
        "application/json",
        "application/json",
        "module",
    ]
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert not set("\u202e\u2066") & set(text)
    assert any(HOSTILE[0] in part for part in page.text)
    assert any("Segmentation fault" in part for part in page.text)


def test_page_refers_to_nothing_outside(hostile: Path) -> None:
    """Links lead to elements of the page; no element loads anything; ids are unique."""
    page = Structure(make_page(hostile))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [link["href"] or "" for link in page.list_tags("a")]
    assert links
    assert [link for link in links if not link.startswith("#") or link[1:] not in ids] == []
    loading = {"src", "srcset", "data", "action", "poster", "background"}
    assert [tag for tag, attributes in page.tags if loading & set(attributes)] == []
    assert page.list_tags("link") == page.list_tags("iframe") == []
    [policy] = [meta for meta in page.list_tags("meta") if "http-equiv" in meta]
    assert (policy["content"] or "").startswith("default-src 'none'")


def test_sections_tables_and_figures_have_names(hostile: Path) -> None:
    """Headings go down one level at a time, tables have captions and header cells, figures have text."""
    text = make_page(hostile)
    page = Structure(text)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(page.list_tags("caption")) == len(page.list_tags("table"))
    assert all(header.get("scope") in ("row", "col") for header in page.list_tags("th"))
    assert all(svg.get("role") == "img" for svg in page.list_tags("svg"))
    assert len(page.list_tags("figcaption")) == len(page.list_tags("figure"))


def test_event_without_games_shows_its_settings(tmp_path: Path) -> None:
    """An event without games has a note and the settings, but no empty sections."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "one"), pairs=1), games=0)
    text = make_page(path)
    assert "has no games yet" in text
    assert 'id="settings"' in text
    assert 'id="standings"' not in text


def test_perfect_score_of_a_match_is_an_infinite_difference() -> None:
    """The report states the same difference as the table of the terminal, and not 0."""
    games = [replace(EXAMPLE, number=0), replace(EXAMPLE, number=1, names=("right", "left"), winner=1)]
    winner, loser = (summarise_standing(rank, row) for rank, row in enumerate(rank_agents(games), 1))
    assert re.fullmatch(r"\+inf \([+-]\d+\.\.\+inf\)", format_estimate(winner))
    assert re.fullmatch(r"-inf \(-inf\.\.[+-]\d+\)", format_estimate(loser))


def test_event_that_was_cut_short_says_so(tmp_path: Path) -> None:
    """The page of a stopped event states how many games are missing."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "one"), pairs=5), games=3)
    assert "The event was stopped: 3 of 10 games are finished." in make_page(path)
    assert "只完成了 3 局" in make_page(path, "zh")


def test_damaged_games_and_one_agent_are_named(tmp_path: Path) -> None:
    """Damaged games are counted in a note; so is an event in which only one agent played."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "one"), pairs=2))
    rename_agent(path, "one", "mine")
    with Store(path) as store:
        store._connection.execute("UPDATE games SET record = '{' WHERE number = 2")
    text = make_page(path)
    assert "1 games could not be read" in text
    assert "Only one agent has played" in text
    with Store(path) as store:
        store._connection.execute("UPDATE games SET record = 'null'")
    text = make_page(path)
    assert "4 games could not be read" in text
    assert "has no games yet" not in text


def test_imported_games_have_no_settings(tmp_path: Path) -> None:
    """Imported games are reported; the page says that their settings are unknown."""
    path, other = tmp_path / "arena.db", tmp_path / "other.db"
    records = store_event(path, make_spec(("mine", "one"), pairs=2))
    with Store(other) as store:
        store.import_games("elsewhere", records)
    text = make_page(other)
    assert "These games were imported" in text
    assert 'id="standings"' in text


def test_ladder_has_no_planned_games(tmp_path: Path) -> None:
    """An event without a spec that is not imported is a ladder; the page names the command that shows it."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "one"), pairs=1))
    with Store(path, read_only=True) as store:
        report = read_event(store, store.get_event()).make_report(store, [])
    event = replace(report.event, planned=None, state="stopped")
    settings = replace(report.settings, spec=None, spec_file=None, repeat_command=None)
    text = render_page(replace(report, event=event, settings=settings))
    assert "2 games, not running now" in text
    assert "fourfall ladder show --db arena.db" in text


def test_damaged_spec_is_named(tmp_path: Path) -> None:
    """An event whose spec cannot be read is reported without settings."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "one"), pairs=1))
    with Store(path) as store:
        store._connection.execute("UPDATE events SET spec = '{'")
    assert "The settings of the event could not be read" in make_page(path)
