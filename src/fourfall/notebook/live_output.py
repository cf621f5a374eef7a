"""Where a running analysis is drawn: the output of a notebook cell, the terminal, or nowhere."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fourfall import Analysis, Board, Review, render

if TYPE_CHECKING:
    from rich.live import Live

Drawable = Board | Analysis | Review


class LiveOutput(ABC):
    """Shows one object, which is replaced by the next one."""

    @abstractmethod
    def show(self, item: Drawable) -> None:
        """Replace what is shown."""


class NotebookOutput(LiveOutput):
    """The output of a cell in Jupyter, which is updated in place."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, item: Drawable) -> None:
        """Draw the object in the output of the cell that runs."""
        from IPython.display import display

        if self._handle is None:
            self._handle = display(item, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(item)


class TerminalOutput(LiveOutput):
    """A region of the terminal, which is redrawn; only the last object stays."""

    def __init__(self, screen: "Live") -> None:
        self._screen = screen

    def show(self, item: Drawable) -> None:
        """Write the object as text."""
        from rich.text import Text

        text = Text.from_ansi(format_text(item), no_wrap=True, overflow="ellipsis")
        self._screen.update(text, refresh=True)


class NoOutput(LiveOutput):
    """Shows nothing: the result is all that there is."""

    def show(self, item: Drawable) -> None:
        """Do nothing."""


def format_text(item: Drawable) -> str:
    """Write an object as text for the terminal.

    >>> print(format_text(Board.parse("4x4:2")))
        1 2 3 4
     0  . . . .
     1  . . . .
     2  . . . .
     3  .>X . .
    """
    if isinstance(item, Board):
        return render.draw_text(item)
    if isinstance(item, Analysis):
        return f"{render.draw_text(item.board)}\n\n{item}\n{item.simulations:,} simulations in {item.seconds:.1f} s"
    return str(item)


def is_notebook() -> bool:
    """Whether this code runs in a kernel of Jupyter."""
    # A program that did not import IPython does not run in it.
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


@contextmanager
def open_live_output() -> Iterator[LiveOutput]:
    """Yield the output of the notebook, else the terminal, else an output that shows nothing."""
    if is_notebook():
        yield NotebookOutput()
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.live import Live

        with Live(console=Console(highlight=False), auto_refresh=False) as screen:
            yield TerminalOutput(screen)
    else:
        yield NoOutput()
