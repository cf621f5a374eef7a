"""Elements of the figures: texts, lines and axes, and the file of a figure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from fourfall.arena.tables import replace_control_characters
from fourfall.report.html import Html
from fourfall.report.names import shorten

WIDTH = 640
"""Width of the figures in user units; about one pixel on a wide screen."""

LIGHT = {
    "--ink": "#17222c",
    "--faint": "#55636f",
    "--rule": "#c9d3dc",
    "--accent": "#00629b",
    "--middle": "#9cc3dd",
    "--paper": "#ffffff",
    "--heat-0": "#f7fafc",
    "--heat-1": "#e4eff6",
    "--heat-2": "#cfe2ef",
    "--heat-3": "#b4d2e5",
    "--heat-4": "#2a78a8",
    "--heat-5": "#1d6593",
    "--heat-6": "#11527c",
    "--heat-7": "#083f63",
    "--heat-dark": "#17222c",
    "--heat-light": "#ffffff",
}
"""Colours of the light theme; the page has the same variables for both themes."""

STYLE = """
.figure-text { font: 13px/1 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
.figure-text { fill: var(--ink); }
.figure-small { font-size: 11px; fill: var(--faint); }
.figure-strong { font-weight: 600; }
.figure-rule { stroke: var(--rule); stroke-width: 1; }
.figure-axis { stroke: var(--faint); stroke-width: 1; }
.figure-limit { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 4 3; }
.figure-interval { stroke: var(--accent); stroke-width: 2.5; fill: none; stroke-linecap: round; }
.figure-dot { fill: var(--accent); stroke: var(--paper); stroke-width: 1.5; }
.figure-full { fill: var(--accent); stroke: var(--accent); }
.figure-half { fill: var(--middle); stroke: var(--accent); }
.figure-empty { fill: var(--paper); stroke: var(--accent); }
.heat-none { fill: var(--paper); stroke: var(--rule); }
.heat-0 { fill: var(--heat-0); stroke: var(--rule); }
.heat-1 { fill: var(--heat-1); stroke: var(--rule); }
.heat-2 { fill: var(--heat-2); stroke: var(--rule); }
.heat-3 { fill: var(--heat-3); stroke: var(--rule); }
.heat-4 { fill: var(--heat-4); stroke: var(--rule); }
.heat-5 { fill: var(--heat-5); stroke: var(--rule); }
.heat-6 { fill: var(--heat-6); stroke: var(--rule); }
.heat-7 { fill: var(--heat-7); stroke: var(--rule); }
.heat-low { fill: var(--heat-dark); }
.heat-high { fill: var(--heat-light); }
"""
"""Rules for the classes of the figures; the page and the files contain them."""


@dataclass(frozen=True)
class Figure:
    """A figure: name of its file, SVG, caption, and a text that says the same as the picture."""

    name: str
    svg: Html
    caption: str
    alternative: str

    def to_file(self) -> str:
        """Return the content of an SVG file, with the colours of the light theme."""
        style = STYLE
        for variable, color in LIGHT.items():
            style = style.replace(f"var({variable})", color)
        start = self.svg.index(">") + 1
        return f"{self.svg[:start]}<style>{style}</style>{self.svg[start:]}\n"


def make_figure(name: str, height: float, parts: Sequence[str], caption: str, alternative: str) -> Figure:
    """Put the parts of a drawing into an SVG element."""
    label = escape(replace_control_characters(alternative))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}"'
        f' role="img" aria-label="{label}">'
    )
    return Figure(name, Html("".join([head, *parts, "</svg>"])), caption, alternative)


def text(x: float, y: float, content: str, kind: str = "", anchor: str = "start", title: str = "") -> str:
    """Return a text whose middle line is at `y`; `kind` are classes besides the common one."""
    classes = " ".join(["figure-text", *(f"figure-{name}" for name in kind.split())])
    hover = f"<title>{escape(replace_control_characters(title))}</title>" if title else ""
    shown = escape(replace_control_characters(content))
    return (
        f'<text class="{classes}" x="{x:.4g}" y="{y + 4.5:.5g}" text-anchor="{anchor}" unicode-bidi="isolate">'
        f"{hover}{shown}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a line of one of the kinds "rule", "axis", "limit" and "interval"."""
    return f'<line class="figure-{kind}" x1="{x1:.5g}" y1="{y1:.5g}" x2="{x2:.5g}" y2="{y2:.5g}"/>'


def rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a rectangle: "full", "half" or "empty"."""
    return f'<rect class="figure-{kind}" x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}"/>'


def draw_legend(labels: Sequence[str], left: float, spacing: float) -> list[str]:
    """Return the legend of bars that are filled "full", "half" and "empty", in this order."""
    parts = []
    for at, (kind, label) in enumerate(zip(("full", "half", "empty"), labels, strict=True)):
        x = left + spacing * at
        parts += [rect(x, 6, 12, 12, kind), text(x + 18, 12, label, "small")]
    return parts


def choose_ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Return round numbers between two bounds, at most about `count`.

    >>> choose_ticks(-130, 210)
    [-100.0, 0.0, 100.0, 200.0]
    """
    span = max(high - low, 1e-9)
    step = 10.0 ** math.floor(math.log10(span / count))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (factor * step) <= count)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step) + 1)]


def make_name_label(x: float, y: float, name: str, width: int, anchor: str = "end", kind: str = "") -> str:
    """Return the name of an agent, shortened; the whole name appears when the pointer is over it."""
    short = shorten(name, width)
    return text(x, y, short, kind, anchor, title=name if short != name else "")
