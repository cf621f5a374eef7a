"""Axes, colours and names that all plots share."""

from typing import TYPE_CHECKING

from fourfall.arena.tables import replace_control_characters
from fourfall.extras import describe_missing_package
from fourfall.render.svg import BLUE, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = (BLUE, ORANGE, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666")
"""Colours for every kind of colour vision, after Okabe and Ito; further lines have another style."""
LINE_STYLES = ("-", "--", "-.", ":")
_MAX_NAME = 40


def create_axes(ax: "Axes | None", size: tuple[float, float] = (8, 4)) -> "Axes":
    """Return `ax`, or the axes of a new figure; `size` is its width and height in inches."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError as missing:
        raise ImportError(describe_missing_package("a plot", "plots", missing)) from None
    _, new = plt.subplots(figsize=size, layout="constrained")
    return new


def clean_name(name: str) -> str:
    r"""Return a name for a plot: on one line, not too long, and with dollar signs as text, not as formulas.

    >>> clean_name("bot $x$\n" + "a" * 50)
    'bot \\$x\\$ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    text = replace_control_characters(name) or "(no name)"
    text = f" {text}" if text.startswith("_") else text  # Matplotlib leaves such labels out of the legend
    text = text if len(text) <= _MAX_NAME else text[: _MAX_NAME - 1] + "…"
    return text.replace("$", r"\$")


def add_legend(ax: "Axes", *, is_beside: bool = False) -> None:
    """Add a legend for all artists with a label, inside the axes or beside them at the right."""
    handles, labels = ax.get_legend_handles_labels()
    if handles and is_beside:
        ax.legend(handles, labels, fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    elif handles:
        ax.legend(handles, labels, fontsize="small", loc="best")
