"""Formats numbers for people: shares in per cent, scores, counts and times."""

from fourfall.arena.event_summary import WinsDrawsLosses


def format_percent(share: float, digits: int = 0) -> str:
    """Format a share in per cent.

    >>> format_percent(0.625, 1)
    '62.5 %'
    """
    return f"{100 * share:.{digits}f} %"


def format_small_percent(share: float) -> str:
    """Format a share in whole per cent; a positive one below 1 % is not written as 0.

    >>> format_small_percent(0.004), format_small_percent(0.42)
    ('< 1 %', '42 %')
    """
    return "< 1 %" if 0 < share < 0.01 else format_percent(share)


def format_score(results: WinsDrawsLosses, digits: int = 0, missing: str = "") -> str:
    """Format the share of points, a draw counting as half a point; `missing` without games.

    >>> format_score((1, 1, 2), 1), format_score((0, 0, 0))
    ('37.5 %', '')
    """
    won, drawn, _ = results
    games = sum(results)
    return format_percent((won + drawn / 2) / games, digits) if games else missing


def format_counts(results: WinsDrawsLosses) -> str:
    """Format wins, draws and losses.

    >>> format_counts((3, 0, 1))
    '3-0-1'
    """
    return "-".join(map(str, results))


def format_time(milliseconds: float) -> str:
    """Format a time with a suitable unit.

    >>> format_time(0.05), format_time(12.3), format_time(950), format_time(2934)
    ('50 µs', '12.3 ms', '950 ms', '2.93 s')
    """
    if milliseconds < 1:
        return f"{1000 * milliseconds:.3g} µs"
    if milliseconds < 1000:
        return f"{milliseconds:.3g} ms"
    return f"{milliseconds / 1000:.3g} s" if milliseconds < 1e6 else f"{milliseconds / 1000:.0f} s"
