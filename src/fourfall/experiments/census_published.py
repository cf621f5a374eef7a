"""Published results of boards without a hole, with which the census is compared."""

from fourfall._core import Score

TROMP = "https://tromp.github.io/c4/c4.html"
"""John Tromp: who wins, by width and height."""

STEININGER = "https://github.com/ChristopheSteininger/c4"
"""Christophe Steininger: who wins, and the number of the last stone."""

_TROMP_BY_ROWS = {
    4: "==-=----",
    5: "====+++",
    6: "==-+--",
    7: "==+=+",
    8: "==-+-",
    9: "==+",
    10: "==",
    11: "=",
}
"""Results of the boards with 4, 5, … columns: + the first player wins, - the second player wins, = draw."""

_LAST_STONE_BY_ROWS = {
    4: (16, 20, 24, 28, 32, 36, 40, 44, 48),
    5: (20, 25, 30, 35, 39, 41, 47, 51),
    6: (24, 30, 36, 41, 48, 52, 59),
    7: (28, 35, 41, 49, 53, 55),
    8: (32, 40, 48, 55, 62),
    9: (36, 45, 53, 63),
    10: (40, 50, 60, 69),
    11: (44, 55, 63),
    12: (48, 60, 72),
}
"""Number of the last stone of the boards with 4, 5, … columns."""


def find_tromp_result(rows: int, cols: int) -> str | None:
    """Return "+", "-" or "=" of John Tromp's table, or None if it does not have the size.

    >>> find_tromp_result(6, 7), find_tromp_result(12, 12)
    ('+', None)
    """
    results = _TROMP_BY_ROWS.get(rows, "")
    return results[cols - 4] if cols - 4 < len(results) else None


def find_last_stone(rows: int, cols: int) -> int | None:
    """Return the number of the last stone in Christophe Steininger's table, or None if it does not have the size.

    >>> find_last_stone(6, 7), find_last_stone(12, 12)
    (41, None)
    """
    stones = _LAST_STONE_BY_ROWS.get(rows, ())
    return stones[cols - 4] if cols - 4 < len(stones) else None


def agrees_with_published(rows: int, cols: int, score: Score) -> bool:
    """Whether a score of the empty board without a hole agrees with both tables, as far as they have the size.

    >>> agrees_with_published(6, 7, Score.win(41)), agrees_with_published(6, 7, Score.win(39))
    (True, False)
    """
    sign = "=" if score.is_draw else "+" if score.is_win else "-"
    return find_tromp_result(rows, cols) in (None, sign) and find_last_stone(rows, cols) in (None, score.distance)
