"""Owns the proof that the page's own rules are the rules: checked against the native board."""

import random

from fourfall import Board
from tests.web.browser.conftest import Opener

ASK = """async (texts) => {
  const { Position } = await import("/rules.js");
  return texts.map((text) => {
    const position = Position.parse(text);
    return {
      text: position.text,
      drawing: position.drawing(),
      columns: position.isOver ? [] : position.columns,
      cells: (position.four ?? []).map(String).sort(),
      threats: [0, 1].map((player) => position.threats(player).map(String).sort()),
    };
  });
}"""


def test_the_pages_rules_are_the_rules(visit: Opener) -> None:
    """Landing, legal columns, winning lines, threats, notation and drawing agree with the library on random games."""
    boards = [_random_position(seed) for seed in range(300)]
    answers = visit("#games").evaluate(ASK, [board.notation for board in boards])
    for board, answer in zip(boards, answers, strict=True):
        outcome = board.outcome()
        assert answer == {
            "text": board.notation,
            "drawing": str(board),
            "columns": board.legal_moves,
            "cells": _names(outcome.cells if outcome else []),
            "threats": [_names(board.threats(player)) for player in (0, 1)],
        }


def _random_position(seed: int) -> Board:
    dice = random.Random(seed)  # noqa: S311 (a game, not a secret)
    rows, cols = dice.randint(4, 12), dice.randint(4, 12)
    board = Board(rows, cols, hole=(dice.randrange(rows), dice.randrange(cols)) if seed % 4 else None)
    for _ in range(dice.randint(0, rows * cols)):
        if board.is_over:
            break
        board.push(dice.choice(board.legal_moves))
    return board


def _names(cells: list[tuple[int, int]]) -> list[str]:
    return sorted(f"{row},{column}" for row, column in cells)
