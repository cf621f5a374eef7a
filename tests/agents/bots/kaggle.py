"""A sample bot of Kaggle's protocol: takes a win, else the lowest landing cell."""

import sys
from typing import Any

asked = 0


def agent(observation: Any, configuration: Any) -> int:  # noqa: ANN401 (Kaggle's own structures)
    """Choose a column."""
    global asked
    asked += 1
    print("thinking")
    print(f"asked {asked}", file=sys.stderr)
    rows, cols = configuration["rows"], configuration.columns
    assert observation["board"] == observation.board
    cells, mine = observation.board, observation.mark
    assert sum(cell in (1, 2) for cell in cells) == observation.step

    def run(row: int, col: int, down: int, right: int) -> int:
        row, col = row + down, col + right
        inside = 0 <= row < rows and 0 <= col < cols
        return 1 + run(row, col, down, right) if inside and cells[row * cols + col] == mine else 0

    landing = {}
    for col in range(cols):
        free = [row for row in range(rows) if cells[row * cols + col] == 0]
        if free:
            landing[col] = max(free)
    for col, row in landing.items():
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if run(row, col, down, right) + run(row, col, -down, -right) >= configuration.inarow - 1:
                return col
    return max(landing, key=lambda col: landing[col])
