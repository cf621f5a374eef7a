"""Draws how long the games were: a histogram of the number of stones, by winner."""

from fourfall.report.figures.drawing import WIDTH, Figure, choose_ticks, draw_legend, line, make_figure, rect, text
from fourfall.report.model import Report
from fourfall.report.words import Words

_TOP, _LEFT, _RIGHT, _PLOT = 34, 56, 16, 170
_MAX_BARS = 36
_STEPS = (1, 2, 4, 5, 10)


def draw_lengths(report: Report, words: Words) -> list[Figure]:
    """Draw the histogram; none without games."""
    if not report.lengths:
        return []
    shortest, longest = report.lengths[0].stones, report.lengths[-1].stones
    step = next((step for step in _STEPS if (longest - shortest) // step < _MAX_BARS), _STEPS[-1])
    start = shortest // step * step
    bars: dict[int, list[int]] = {at: [0, 0, 0] for at in range(start, longest + 1, step)}
    for count in report.lengths:
        bar = bars[(count.stones - start) // step * step + start]
        for at, games in enumerate((count.first_won, count.drawn, count.second_won)):
            bar[at] += games
    highest = max(map(sum, bars.values()))
    width = min(40.0, (WIDTH - _LEFT - _RIGHT) / len(bars))
    bottom = _TOP + _PLOT
    parts = draw_legend([words(key) for key in ("lengths.first", "lengths.drawn", "lengths.second")], _LEFT, 160)
    for tick in choose_ticks(0, highest, 4):
        if tick == int(tick):
            y = bottom - tick / highest * _PLOT
            parts += [line(_LEFT, y, WIDTH - _RIGHT, y, "rule"), text(_LEFT - 8, y, f"{tick:.0f}", "small", "end")]
    every = max(1, -(-len(bars) // 12))
    for place, (stones, counts) in enumerate(bars.items()):
        x, y = _LEFT + place * width, float(bottom)
        for kind, games in zip(("full", "half", "empty"), counts, strict=True):
            if games:
                height = games / highest * _PLOT
                y -= height
                parts.append(rect(x + 1, y, width - 2, height, kind))
        if place % every == 0:
            label = f"{stones}" if step == 1 else f"{stones}-{stones + step - 1}"
            parts.append(text(x + width / 2, bottom + 12, label if len(bars) <= 12 else f"{stones}", "small", "middle"))
    parts += [line(_LEFT, bottom, WIDTH - _RIGHT, bottom, "axis")]
    parts.append(text(_LEFT + (WIDTH - _LEFT - _RIGHT) / 2, bottom + 30, words("lengths.axis"), "small", "middle"))
    caption = words("lengths.caption") if step == 1 else words("lengths.caption.steps", step=step)
    median = find_median_length(report)
    alternative = words("lengths.text", shortest=shortest, median=median, longest=longest)
    return [make_figure("lengths", bottom + 40, parts, caption, f"{caption} {alternative}")]


def find_median_length(report: Report) -> int:
    """Return the median number of stones of all games."""
    total = sum(count.first_won + count.drawn + count.second_won for count in report.lengths)
    seen = 0
    for count in report.lengths:
        seen += count.first_won + count.drawn + count.second_won
        if 2 * seen >= total:
            return count.stones
    return 0
