"""A correct agent for Kaggle's interface: plays a winning move, else on the lowest landing cell.

On a board with 5 rows it waits for a minute, so that tests can stop it.
"""

import sys
import time
from typing import Any

questions = 0


def agent(observation: Any, configuration: Any) -> int:  # noqa: ANN401 (Kaggle's structures)
    """Choose a column."""
    global questions
    questions += 1
    print("thinking")
    print(f"question {questions}, time {configuration.actTimeout}", file=sys.stderr)
    rows, cols = configuration["rows"], configuration.columns
    if rows == 5:
        time.sleep(60)
    assert observation["board"] == observation.board
    cells, own = observation.board, observation.mark
    assert sum(cell in (1, 2) for cell in cells) == observation.step

    def count_own(row: int, col: int, down: int, right: int) -> int:
        row, col = row + down, col + right
        is_inside = 0 <= row < rows and 0 <= col < cols
        return 1 + count_own(row, col, down, right) if is_inside and cells[row * cols + col] == own else 0

    landing_rows = {}
    for col in range(cols):
        free_rows = [row for row in range(rows) if cells[row * cols + col] == 0]
        if free_rows:
            landing_rows[col] = max(free_rows)
    for col, row in landing_rows.items():
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if count_own(row, col, down, right) + count_own(row, col, -down, -right) >= configuration.inarow - 1:
                return col
    return max(landing_rows, key=lambda col: landing_rows[col])
