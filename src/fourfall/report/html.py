"""Builds HTML: text is escaped unless it is `Html`, so that names and stderr of third-party code stay text."""

import json
from html import escape

from fourfall.arena.tables import clean_lines, replace_control_characters
from fourfall.report.names import shorten

MAX_NAME = 80
"""Longest name in tables and sentences; the list of agents in the settings has whole names."""
_VOID = frozenset({"meta", "br", "hr", "input", "col"})


class Html(str):
    """A piece of HTML or SVG; every other string is text and is escaped.

    >>> element("p", "a < b", Html("<br>"))
    '<p>a &lt; b<br></p>'
    """

    __slots__ = ()


def join(*parts: str) -> Html:
    """Join pieces; plain strings are escaped and their control characters and direction marks replaced.

    >>> join("1 & 2", Html("<br>"))
    '1 &amp; 2<br>'
    """
    return Html("".join(part if isinstance(part, Html) else escape(clean_lines(part)) for part in parts))


def element(tag: str, *content: str, **attributes: str | int | float | None) -> Html:
    """Return an element; attribute names may end with an underscore and use underscores instead of hyphens.

    Attributes with the value None are left out.

    >>> element("td", "x", class_="number", colspan=2, title=None)
    '<td class="number" colspan="2">x</td>'
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(replace_control_characters(str(value)))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{join(*content)}</{tag}>")


def name_element(name: str, width: int = MAX_NAME) -> Html:
    """Return the name of an agent: isolated from the direction of the text around it, and empty names visible.

    A name longer than `width` is shortened; the whole name appears when the pointer is over it.

    >>> name_element("a<b")
    '<bdi class="name">a&lt;b</bdi>'
    """
    short = shorten(name, width)
    whole = name if len(short) < len(name) else None
    return element("bdi", short if short.strip() else "(…)", class_="name", title=whole)


def data_script(identifier: str, value: object) -> Html:
    r"""Return data for a script of the page as JSON that cannot end its element.

    >>> data_script("games", ["</script>"])
    '<script type="application/json" id="games">["\\u003c/script\\u003e"]</script>'
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Html(f'<script type="application/json" id="{escape(identifier)}">{text}</script>')
