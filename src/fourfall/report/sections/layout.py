"""Parts that several sections use: sections, tables, figures and notes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fourfall.report.figures.drawing import Figure
from fourfall.report.html import Html, element, join

_WIDE = 10  # columns from which a table is printed in smaller letters


@dataclass(frozen=True)
class Column:
    """A column of a table; numbers are aligned right, texts left. `kind` is the class of the cells of a text column."""

    title: str
    is_text: bool = False
    kind: str | None = None


def section(identifier: str, title: str, *content: str) -> Html:
    """Return a section with its heading."""
    heading = element("h2", title, id=f"{identifier}-title")
    return element("section", heading, *content, id=identifier, aria_labelledby=f"{identifier}-title")


def table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[str]], strong: Iterable[int] = ()) -> Html:
    """Return a table in a box that scrolls if it is too wide; the first text column names the row.

    `strong` are the indices of the rows that are emphasised.
    """
    head = element("tr", *(element("th", column.title, scope="col", class_=_get_class(column)) for column in columns))
    name_at = next((at for at, column in enumerate(columns) if column.is_text), 0)
    emphasised = set(strong)
    body = [
        element(
            "tr",
            *(_make_cell(cell, columns[at], is_name=at == name_at) for at, cell in enumerate(row)),
            class_="focus" if number in emphasised else None,
        )
        for number, row in enumerate(rows)
    ]
    kind = "data wide" if len(columns) >= _WIDE else "data"
    whole = element("table", element("caption", caption), element("thead", head), element("tbody", *body), class_=kind)
    return element("div", whole, class_="scroll", tabindex=0, role="group", aria_label=caption)


def _make_cell(cell: str, column: Column, *, is_name: bool) -> Html:
    if is_name:
        return element("th", cell, scope="row", class_=_get_class(column))
    return element("td", cell, class_=_get_class(column))


def _get_class(column: Column) -> str | None:
    return column.kind if column.is_text else "number"


def figures(drawn: Iterable[Figure]) -> Html:
    """Return figures with their captions."""
    return join(
        *(
            element(
                "figure",
                element("div", figure.svg, class_="scroll", tabindex=0, role="group", aria_label=figure.caption),
                element("figcaption", figure.caption),
            )
            for figure in drawn
        )
    )


def paragraphs(*texts: str) -> Html:
    """Return a paragraph for each text that is not empty."""
    return join(*(element("p", text) for text in texts if text))


def notes(texts: Sequence[str]) -> Html:
    """Return a box with remarks that the reader must know; nothing without remarks."""
    if not texts:
        return Html("")
    return element("ul", *(element("li", text) for text in texts), class_="notes")


def preformatted(text: str) -> Html:
    """Return text of a file or of a program in a box of its own."""
    return element("pre", text)
