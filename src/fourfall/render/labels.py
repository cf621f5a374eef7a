"""Names of the columns, and the values that a drawing shows below them."""

from collections.abc import Sequence

from fourfall._core import Board

Value = float | str | None
"""Value below a column: a number (drawn with its sign), a text, or None for nothing."""

COLUMN_NAMES = "123456789abc"


def format_values(board: Board, values: Sequence[Value] | None) -> list[str]:
    """Return the texts below the columns; none without values."""
    if values is None:
        return []
    if len(values) != board.cols:
        raise ValueError(f"expected {board.cols} values, one for each column, not {len(values)}")
    return ["" if value is None else value if isinstance(value, str) else f"{value:+.2f}" for value in values]
