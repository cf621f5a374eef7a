"""Tests that bar, headline, column values and graph agree, for every perspective and both sides to move."""

import random
import re
from typing import Any

from fourfall import Board
from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import IMPORT_MODULE

POSITIONS = 24
SIDES = ("Blue", "Orange")
PERSPECTIVES = ("first", "second", "mover")
SETTINGS = {"isOn": True, "budget": "10k", "shown": {"graph": True}}

# Shortens the search limit of the setting "10,000 simulations".
SHORTEN_SEARCH = f"""async () => {{
  (await ({IMPORT_MODULE})("views/engine_panel.js")).BUDGETS["10k"].simulations = 60;
}}"""

# Opens a position, waits for the real engine, and reads what the page shows for each perspective.
READ_PAGE = """async ([notation, perspectives]) => {
  const { viewer } = window.fourfall;
  location.hash = `#${notation}`;
  const isReady = () => viewer.position.notation === notation && viewer.current.analysis?.done;
  while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 10));
  const find = (selector) => document.querySelector(selector);
  const shown = perspectives.map((perspective) => {
    const control = find("[data-field=perspective]");
    control.value = perspective;
    control.dispatchEvent(new Event("change"));
    const bar = find(".evaluation-bar");
    const middle = Number(find(".evaluation-graph .grid-line.even").getAttribute("y1"));
    return {
      bar: Number(bar.getAttribute("aria-valuenow")),
      barHeight: parseFloat(bar.querySelector(".share").style.height),
      barSide: Number(bar.dataset.side),
      barTooltip: bar.title,
      headline: find(".engine-output .evaluation").textContent,
      graph: middle - Number(find(".evaluation-graph .current-point").getAttribute("cy")),
      graphText: find("[role=slider]").getAttribute("aria-valuetext"),
      label: find(".perspective select").selectedOptions[0].textContent,
      columns: Array.from(document.querySelectorAll(".column-value:enabled"), (button) => (
        { column: Number(button.dataset.column), text: button.innerText, tooltip: button.title })),
    };
  });
  return { shown, analysis: viewer.current.analysis };
}"""


def create_positions(count: int) -> list[Board]:
    """Return positions of random games on official boards, with both sides to move equally often."""
    rng = random.Random(16)  # noqa: S311 (positions of a test)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board.random(seed=rng.randrange(2**32))
        for _ in range(2 * rng.randrange(3, 12) + len(boards) % 2):
            if board.outcome() is None:
                board.push(rng.choice(board.legal_moves))
        if board.outcome() is None and board.turn == len(boards) % 2:
            boards.append(board)
    return boards


def convert(score: dict[str, Any], is_mover: bool) -> tuple[float, str | None]:
    """Return win chance and proof of the side to move, or of its opponent."""
    chance, proof = score["win_chance"], score["proof"]
    if is_mover:
        return chance, proof
    return 1 - chance, {"win": "loss", "loss": "win"}.get(proof, proof)


def get_sign(chance: float, proof: str | None) -> int:
    """Return 1 if a side is better, -1 if it is worse, 0 if the percentage shown would be 50."""
    if proof is not None:
        return {"win": 1, "draw": 0, "loss": -1}[proof]
    return 0 if abs(chance - 0.5) < 0.006 else 1 if chance > 0.5 else -1


def read_sign(text: str) -> int | None:
    """Return the sign of a value that a person reads; None if the text has no value."""
    if match := re.search(r"(\d+)%", text):
        return (int(match[1]) > 50) - (int(match[1]) < 50)
    words = {r"\b[Dd]raw\b": 0, r"\bwins?\b": 1, r"\bloss\b|\bloses\b": -1}
    return next((sign for pattern, sign in words.items() if re.search(pattern, text)), None)


def test_all_values_agree_in_random_positions(visit: Visit) -> None:
    """Bar, headline, columns, graph and tooltips have the sign of the engine's score, seen from the labelled side."""
    page = visit("#6x7", settings={"analyse": SETTINGS})
    page.evaluate(SHORTEN_SEARCH)
    signs = set()
    for board in create_positions(POSITIONS):
        found = page.evaluate(READ_PAGE, [board.notation, PERSPECTIVES])
        analysis = found["analysis"]
        assert [entry["column"] for entry in analysis["columns"]] == list(board.legal_moves)
        for side, shown in zip((0, 1, board.turn), found["shown"], strict=True):
            where = (board.notation, side, shown)
            chance, proof = convert(analysis["score"], side == board.turn)
            sign = get_sign(chance, proof)
            signs.add((sign, side, board.turn))
            assert shown["label"] in (SIDES[side], "side to move"), where
            assert shown["barSide"] == side, where
            assert abs(shown["bar"] - 100 * chance) <= 0.5, where
            assert abs(shown["barHeight"] - 100 * chance) < 0.01, where
            assert shown["graph"] == 0 or (shown["graph"] > 0) == (chance > 0.5), where
            for text in (shown["headline"], shown["barTooltip"], shown["graphText"]):
                assert proof == "draw" or SIDES[side] in text, where
                assert read_sign(text) == sign or sign == 0, where
            for entry, cell in zip(analysis["columns"], shown["columns"], strict=True):
                assert cell["column"] == entry["column"], where
                if entry["win_chance"] is None:
                    assert "not evaluated yet" in cell["tooltip"], where
                    continue
                value = convert(entry, side == board.turn)
                assert read_sign(cell["text"]) == get_sign(*value) or get_sign(*value) == 0, (cell, entry, where)
                assert read_sign(cell["tooltip"]) == read_sign(cell["text"]), (cell, where)
    assert {(sign, side, turn) for sign in (1, -1) for side in (0, 1) for turn in (0, 1)} <= signs
