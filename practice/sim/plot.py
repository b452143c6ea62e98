"""Line plots as SVG text, for the shell, the chapters and the browser.

Colours are CSS variables (--plot-1 to --plot-6) with fallbacks that can be read on white and on black, everything
else is currentColor, and there is no style element, so a page's content-security policy need not allow one. Lines
differ by dashes as well as by colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from zlib import crc32

_COLOURS = tuple(f"var(--plot-{n}, {fallback})" for n, fallback in
                 enumerate(("#2f7fd6", "#cf6318", "#2a9560", "#ab4fc0", "#8a8417", "#d0497c"), 1))
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 4")
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 34, 46


@dataclass(frozen=True)
class Line:
    """One curve."""

    label: str
    """Its name in the legend."""
    xs: Sequence[float]
    """Places."""
    ys: Sequence[float]
    """Values; a gap where one is not finite."""


@dataclass(frozen=True)
class Panel:
    """One set of axes."""

    lines: Sequence[Line]
    """At most six curves."""
    x_label: str
    """What the horizontal axis is, with its unit."""
    y_label: str
    """What the vertical axis is, with its unit."""
    limit: float | None = None
    """Draws a horizontal line here, an SLO for instance."""
    limit_label: str = ""
    """The words at that line."""
    log_y: bool = False
    """Logarithmic vertical axis; values of 0 and below become gaps."""


def line_plot(lines: Sequence[Line | tuple], *, title: str, x_label: str, y_label: str, desc: str = "", limit: float | None = None,
              limit_label: str = "", log_y: bool = False, width: int = 640, height: int = 320) -> str:
    """One set of axes with some curves, as the text of an <svg> element.

    lines: Line objects or plain tuples (label, xs, ys). desc: the plot in a sentence, for those who cannot see it; made
    from the lines where it is left out. Raises ValueError where there is nothing to draw.
    """
    return panel_plot([Panel([Line(*line) if isinstance(line, tuple) else line for line in lines], x_label, y_label, limit,
                             limit_label, log_y)], title=title, desc=desc, width=width, height=height)


def panel_plot(panels: Sequence[Panel], *, title: str, desc: str = "", width: int = 640, height: int = 260) -> str:
    """Several sets of axes below each other under one title; `height` is that of one panel."""
    body = "".join(_panel(panel, number * height, width, height) for number, panel in enumerate(panels))
    desc = desc or " ".join(_sentence(panel) for panel in panels)
    name = f"plot-{crc32((title + body).encode()):08x}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height * len(panels) + 24}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(desc)}</desc>'
        f'<text x="{_LEFT}" y="16" font-size="14" font-weight="600">{escape(title)}</text>'
        f'<g transform="translate(0 24)">{body}</g></svg>\n'
    )


def escape(text: str) -> str:
    """As html.escape, without html.entities: its tables of names are 40 KB more for every browser to load."""
    for letter, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot")):
        text = text.replace(letter, f"&{name};")
    return text


def _sentence(panel):
    parts = []
    for line in panel.lines:
        points = _points(line, panel.log_y)
        parts.append(f"{line.label} goes from {_number(points[0][1])} at {_number(points[0][0])} to {_number(points[-1][1])} at "
                     f"{_number(points[-1][0])}")
    limit = f" A line marks {panel.limit_label or 'the limit'} at {_number(panel.limit)}." if panel.limit is not None else ""
    return f"{panel.y_label} against {panel.x_label}: {'; '.join(parts)}.{limit}"


def _points(line, log_y):
    points = [(x, y) for x, y in zip(line.xs, line.ys) if isfinite(x) and isfinite(y) and (y > 0 or not log_y)]
    if not points:
        raise ValueError(f"line {line.label!r} has no finite values to draw")
    return points


def _panel(panel, top, width, height):
    if not panel.lines or len(panel.lines) > len(_COLOURS):
        raise ValueError(f"a panel has {len(panel.lines)} lines, but it must be from 1 to {len(_COLOURS)}")
    points = [_points(line, panel.log_y) for line in panel.lines]
    xs, ys = [x for line in points for x, _ in line], [y for line in points for _, y in line]
    if panel.limit is not None:
        ys.append(panel.limit)
    x_ticks = _ticks(min(xs), max(xs))
    y_ticks = _log_ticks(min(ys), max(ys)) if panel.log_y else _ticks(min(0.0, *ys), max(ys))
    left, right, upper, lower = _LEFT, width - _RIGHT, top + _TOP, top + height - _BOTTOM

    def x_at(x):
        return left + (x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0]) * (right - left)

    def y_at(y):
        low, high = y_ticks[0], y_ticks[-1]
        if panel.log_y:
            y, low, high = log10(y), log10(low), log10(high)
        return lower - (y - low) / (high - low) * (lower - upper)

    parts = [_axes(panel, x_ticks, y_ticks, x_at, y_at, (left, right, upper, lower))]
    for number, line in enumerate(panel.lines):
        parts.append(_curve(line, panel.log_y, number, x_at, y_at))
        parts.append(_legend(line.label, number, panel.lines, left, top + 14))
    if panel.limit is not None:
        y = y_at(panel.limit)
        parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="currentColor" stroke-dasharray="1 3" fill="none"/>'
                     f'<text x="{right - 4}" y="{y - 4:.1f}" text-anchor="end">{escape(panel.limit_label)}</text>')
    return "".join(parts)


def _axes(panel, x_ticks, y_ticks, x_at, y_at, box):
    left, right, upper, lower = box
    parts = []
    for tick in y_ticks:
        y = y_at(tick)
        parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="currentColor" stroke-opacity="0.18" fill="none"/>'
                     f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>')
    for tick in x_ticks:
        x = x_at(tick)
        parts.append(f'<path d="M{x:.1f} {lower}v4" stroke="currentColor" fill="none"/>'
                     f'<text x="{x:.1f}" y="{lower + 17}" text-anchor="middle">{_number(tick)}</text>')
    middle = (upper + lower) / 2
    parts.append(f'<path d="M{left} {upper}V{lower}H{right}" stroke="currentColor" fill="none"/>'
                 f'<text x="{(left + right) / 2:.1f}" y="{lower + 35}" text-anchor="middle">{escape(panel.x_label)}</text>'
                 f'<text transform="translate(14 {middle:.1f}) rotate(-90)" text-anchor="middle">{escape(panel.y_label)}</text>')
    return "".join(parts)


def _curve(line, log_y, number, x_at, y_at):
    """A path with a gap where a value is missing, and a dot on each point where there are few."""
    colour, dash = _COLOURS[number], _DASHES[number]
    path, pen = [], "M"
    for x, y in zip(line.xs, line.ys):
        if not isfinite(x) or not isfinite(y) or (log_y and y <= 0):
            pen = "M"
            continue
        path.append(f"{pen}{x_at(x):.1f} {y_at(y):.1f}")
        pen = "L"
    dots = ""
    if len(line.xs) <= 30:
        dots = "".join(f'<circle cx="{x_at(x):.1f}" cy="{y_at(y):.1f}" r="2.5" fill="{colour}"/>' for x, y in _points(line, log_y))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{"".join(path)}" stroke="{colour}" stroke-width="2" fill="none"{dashes}/>{dots}'


def _legend(label, number, lines, left, y):
    x = left + sum(40 + 7 * len(line.label) for line in lines[:number])
    dashes = f' stroke-dasharray="{_DASHES[number]}"' if _DASHES[number] else ""
    return (f'<path d="M{x} {y - 4}h22" stroke="{_COLOURS[number]}" stroke-width="2" fill="none"{dashes}/>'
            f'<text x="{x + 27}" y="{y}">{escape(label)}</text>')


def _ticks(low, high):
    """Round numbers that cover [low, high]: 4 to 8 of them, in steps of 1, 2 or 5 times a power of ten."""
    if high <= low:
        high = low + (abs(low) or 1.0)
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [number * step for number in range(first, last + 1)]


def _log_ticks(low, high):
    first, last = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]


def _number(value):
    """A tick as one would write it: 0.05, 12, 3k, 2.5M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size * 10 or (abs(value) >= size and size > 1e3):
            return f"{value / size:.4g}{letter}"
    return f"{value:.4g}"
