"""Runs the example notebook and a few more cells in a real kernel of Jupyter, which is started once."""

import asyncio
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "analysis.ipynb"
UPDATE = "update_display_data"
INTERRUPTED = """
from fourfall.notebook import review_live
analysis = analyse_live("9x9@4,4", "fourfall-classic", Limit(time=600), interval_s=0.05)
print(analysis.stopped_by, analysis.simulations > 0)
"""
# The last position needs no search; that of the one before it would take ten minutes.
INTERRUPTED_REVIEW = """
partial = review_live("9x9@4,4:1212121", "seed-001", Limit(time=600), interval_s=0.05)
print("review kept", partial.is_complete)
"""
LIVE_REVIEW = """
live = review_live("6x7:112233", "seed-002", Limit(simulations=5000), interval_s=0.01)
print(live == review_game("6x7:112233", "seed-002", Limit(simulations=5000)))
"""
HOSTILE = """
Game("6x7:44", names=("<script>alert(1)</script>", "</svg>&"))
"""


class RecordingClient(NotebookClient):
    """Records the messages of every cell and interrupts the kernel at the first update of two cells."""

    def __init__(self, notebook: nbformat.NotebookNode, **options: Any) -> None:  # noqa: ANN401 (of the base class)
        super().__init__(notebook, **options)
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.interrupts: list[asyncio.Future[None]] = []

    def process_message(
        self, msg: dict[str, Any], cell: nbformat.NotebookNode, cell_index: int
    ) -> nbformat.NotebookNode | None:
        """Record a message, then process it as usual."""
        if msg["msg_type"] in ("display_data", UPDATE):
            known = self.messages.setdefault(cell.source, [])
            known.append(msg)
            is_first_update = [message["msg_type"] for message in known] == ["display_data", UPDATE]
            if cell.source in (INTERRUPTED, INTERRUPTED_REVIEW) and is_first_update:
                manager: Any = self.km
                self.interrupts.append(asyncio.ensure_future(manager.interrupt_kernel()))
        return super().process_message(msg, cell, cell_index)


@pytest.fixture(scope="module")
def client() -> RecordingClient:
    """Run all cells."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    for source in (INTERRUPTED, INTERRUPTED_REVIEW, LIVE_REVIEW, HOSTILE):
        notebook.cells.append(nbformat.v4.new_code_cell(source))  # type: ignore[no-untyped-call]
    client = RecordingClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}})
    client.execute()
    return client


def find_cell(client: RecordingClient, text: str) -> nbformat.NotebookNode:
    """Return the code cell whose source contains a text."""
    cell: nbformat.NotebookNode
    [cell] = [cell for cell in client.nb.cells if cell.cell_type == "code" and text in cell.source]
    return cell


def get_html(client: RecordingClient, text: str) -> str:
    """Return the HTML of the last output of a cell."""
    return str(find_cell(client, text).outputs[-1].data["text/html"])


def get_text(client: RecordingClient, source: str) -> str:
    """Return what a cell printed."""
    return "".join(output.text for output in find_cell(client, source).outputs if output.output_type == "stream")


def test_board_is_drawn_as_html_and_as_image(client: RecordingClient) -> None:
    """The output of a board has HTML in the colour of the page, an image on white, and text."""
    [output] = find_cell(client, 'board = Board.parse("9x10').outputs
    assert set(output.data) == {"text/html", "image/svg+xml", "text/plain"}
    assert 'fill="currentColor"' in output.data["text/html"]
    assert 'fill="#ffffff"' in output.data["image/svg+xml"]
    assert output.data["text/plain"] == "Board.parse('9x10@4,7:55556466')"


def test_analysis_is_drawn(client: RecordingClient) -> None:
    """An analysis has the board with values and a row for each of the ten columns."""
    html = get_html(client, "engine.analyse(")
    assert html.count("<tr>") == 11
    assert "to move: column" in html
    assert len(re.findall(r">\d+%</text>|>(?:win|loss) \d+</text>|>draw</text>", html)) == 10


def test_live_analysis_updates_one_output(client: RecordingClient) -> None:
    """The board is displayed first; the analysis then replaces it, several times, in the same output."""
    cell = find_cell(client, "analysis = analyse_live(board")
    messages = client.messages[cell.source]
    assert [message["msg_type"] for message in messages[:2]] == ["display_data", UPDATE]
    assert len(messages) >= 3
    assert len({message["content"]["transient"]["display_id"] for message in messages}) == 1
    searching = messages[1]["content"]["data"]["text/html"]
    assert ", searching" in searching
    assert len(cell.outputs) == 1
    assert ", stopped by " in cell.outputs[0].data["text/html"]


def test_interrupt_keeps_the_result(client: RecordingClient) -> None:
    """The interrupt of the kernel ends the search long before its limit; the cell goes on with the result."""
    assert len(client.interrupts) == 2
    assert get_text(client, INTERRUPTED) == "stop True\n"
    assert "stopped by stop" in find_cell(client, INTERRUPTED).outputs[0].data["text/html"]


def test_interrupt_keeps_the_review(client: RecordingClient) -> None:
    """The interrupt of the kernel ends a review; it has only the moves that were reviewed until then."""
    assert get_text(client, INTERRUPTED_REVIEW) == "review kept False\n"


def test_live_review_equals_the_review(client: RecordingClient) -> None:
    """A review that is redrawn while it runs gives the same result as one that is not."""
    assert get_text(client, LIVE_REVIEW) == "True\n"
    assert "6 moves reviewed by seed-002" in find_cell(client, LIVE_REVIEW).outputs[0].data["text/html"]


def test_game_and_review_are_drawn(client: RecordingClient) -> None:
    """A game has one radio button for each of its 43 positions; a review also has a graph and marks."""
    game, review = get_html(client, 'game = Game("6x7'), get_html(client, "review = review_game(")
    assert game.count('type="radio"') == review.count('type="radio"') == 43
    assert "turning point: stone 9, blue plays 5??" in review
    assert "Win chance of the first player" in review
    assert "image/png" in find_cell(client, "plot_evaluation(review)").outputs[-1].data


def test_names_are_escaped(client: RecordingClient) -> None:
    """Names of players are text in HTML and in SVG."""
    data = find_cell(client, HOSTILE).outputs[-1].data
    for mime_type in ("text/html", "image/svg+xml"):
        assert "<script>" not in data[mime_type]
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in data[mime_type]
        assert "&lt;/svg&gt;&amp;" in data[mime_type]
