"""The charts of a report: ratios with their intervals, and speed beside size with the frontier of what nothing beats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.lab import svg
from bench.lab.cells import Row
from bench.lab.languages import TITLES
from bench.lab.suite import Suite
from bench.lab.svg import Log
from bench.lab.words import count, digits, duration, figure, span, times

ROW, HEAD, FOOT, LABEL, WIDTH = 19.0, 26.0, 30.0, 132.0, 470.0
"""Pixels: height of a line, above the first, below the last; width of the labels and of the whole."""
LEAST, MOST = 0.5, 4.0
"""The ratio axis reaches at least so far."""


def ratios(some: Sequence[Row], suite: Suite, op: str) -> str:
    """One line a row: a dot at its ratio to the best peer and its interval, on a logarithmic axis. Empty without rows."""
    chosen = [row for row in some if row.op == op and row.ratio]
    if not chosen:
        return ""
    ends = [value for row in chosen for value in (row.ratio_low or row.ratio, row.ratio_high or row.ratio) if value]
    axis = Log(min(LEAST, *ends) / 1.08, max(MOST, *ends) * 1.08, LABEL, WIDTH - 12)
    workloads = list(suite.workloads)
    chosen.sort(key=lambda row: workloads.index(row.workload) if row.workload in workloads else len(workloads))
    languages = [name for name in TITLES if any(row.language == name for row in chosen)]
    height = HEAD + ROW * (len(chosen) + len(languages)) + FOOT
    parts = [_grid(axis, height)]
    y = HEAD
    for language in languages:
        parts.append(svg.text(TITLES[language], x=0, y=y + 14, class_=f"group {language}"))
        y += ROW
        for row in chosen:
            if row.language == language:
                parts.append(_dot(row, axis, y + ROW / 2))
                y += ROW
    parts.append(svg.text("times as fast as the best peer →", x=axis.at(1.0), y=height - 4, class_="axis", text_anchor="middle"))
    return svg.document(WIDTH, height, f"{op}: ratio to the best peer, by language and workload", parts)


def _grid(axis: Log, height: float) -> str:
    parts = []
    ticks = axis.doublings()
    for tick in ticks if len(ticks) < 8 else ticks[::2]:
        x = axis.at(tick)
        parts.append(svg.element("line", x1=x, x2=x, y1=HEAD, y2=height - FOOT, class_="one" if tick == 1.0 else "grid"))
        parts.append(svg.text(f"{tick:g}×", x=x, y=HEAD - 8, class_="axis", text_anchor="middle"))
    return "".join(parts)


def _dot(row: Row, axis: Log, y: float) -> str:
    state = "faster" if row.faster else "slower" if row.slower else "same"
    about = f"{row.workload} {row.op}: {times(row.ratio)} ({span(row.ratio_low, row.ratio_high)}) as fast as {row.reference}"
    parts = [svg.title(about), svg.text(row.workload, x=10, y=y + 4, class_="label")]
    if row.ratio_low and row.ratio_high:
        parts.append(svg.element("line", x1=axis.at(row.ratio_low), x2=axis.at(row.ratio_high), y1=y, y2=y, class_="interval"))
    parts.append(svg.element("circle", cx=axis.at(row.ratio or 1.0), cy=y, r=4.2, class_="dot"))
    return svg.element("g", "".join(parts), class_=f"{row.language} {state}")


@dataclass(frozen=True)
class Point:
    """A peer on the chart of speed and size. time: nanoseconds to encode and decode. size: bytes."""

    peer: str
    ours: bool
    time: float
    size: int


def points(found: Sequence[Row], language: str, workload: str, leads: Sequence[str]) -> list[Point]:
    """Peers of one language that have a size and both times.

    Of ours those with the leading row's kind of types: others have the same bytes in nearly the same time.
    """
    first = [name for name in leads if any(row.peer == name for row in found)][:1]
    forms = {name.partition(".")[2] for name in first}
    mine = {(row.peer, row.op): row for row in found if (row.language, row.workload) == (language, workload) and row.time}
    made = []
    for peer in dict.fromkeys(peer for peer, _ in mine):
        encode, decode = mine.get((peer, "encode")), mine.get((peer, "decode"))
        if encode and encode.ours and forms and peer.partition(".")[2] not in forms:
            continue
        if encode and decode and encode.time and decode.time and encode.bytes:
            made.append(Point(peer, encode.ours, encode.time + decode.time, encode.bytes))
    return made


def frontier(some: Sequence[Point]) -> list[Point]:
    """Points that no other is both faster and smaller than, from the fastest to the smallest."""
    best: list[Point] = []
    for point in sorted(some, key=lambda point: (point.time, point.size)):
        if not best or point.size < best[-1].size:
            best.append(point)
    return best


SCATTER_WIDTH, SCATTER_HEIGHT = 400.0, 270.0


def scatter(some: Sequence[Point], language: str, label: str) -> str:
    """Time to encode and decode across, bytes upwards, both logarithmic; lower left is better. Empty under two points."""
    if len(some) < 2:
        return ""
    x = svg.spanning([point.time for point in some], 62, SCATTER_WIDTH - 24, 1.35)
    y = svg.spanning([point.size for point in some], SCATTER_HEIGHT - 44, 14, 1.12)
    front = frontier(some)
    parts = [_axes(x, y), _steps(front, x, y)]
    # Places of names and marks: a line's height, and from where to where.
    taken = [(y.at(point.size) + 4, x.at(point.time) - 6, x.at(point.time) + 6) for point in some]
    # The frontier and ours are named first; others as long as there is room.
    order = sorted(some, key=lambda point: (point not in front, not point.ours, point.size))
    parts += [_mark(point, x, y, point in front, taken) for point in order]
    return svg.document(SCATTER_WIDTH, SCATTER_HEIGHT, label, parts, f"chart scatter {language}")


def _axes(x: Log, y: Log) -> str:
    bottom, left = SCATTER_HEIGHT - 44, 62.0
    parts = []
    for tick in x.ticks(5):
        parts.append(svg.element("line", x1=x.at(tick), x2=x.at(tick), y1=14, y2=bottom, class_="grid"))
        parts.append(
            svg.text(
                duration(tick).replace(".00", "").replace(".0 ", " "),
                x=x.at(tick),
                y=bottom + 15,
                class_="axis",
                text_anchor="middle",
            )
        )
    sizes = y.ticks(5)
    if len(sizes) < 2:
        sizes = [float(f"{y.low * 1.12:.2g}"), float(f"{y.high / 1.12:.2g}")]
    for tick in sizes:
        parts.append(svg.element("line", x1=left, x2=SCATTER_WIDTH - 24, y1=y.at(tick), y2=y.at(tick), class_="grid"))
        parts.append(svg.text(count(int(tick)), x=left - 6, y=y.at(tick) + 4, class_="axis", text_anchor="end"))
    parts.append(svg.text("encode + decode →", x=SCATTER_WIDTH - 24, y=SCATTER_HEIGHT - 10, class_="axis", text_anchor="end"))
    parts.append(svg.text("bytes ↑", x=left - 6, y=SCATTER_HEIGHT - 10, class_="axis", text_anchor="end"))
    return "".join(parts)


def _steps(front: Sequence[Point], x: Log, y: Log) -> str:
    first, last = front[0], front[-1]
    way = f"M{x.at(first.time):.1f} 14"
    for index, point in enumerate(front):
        way += f"V{y.at(point.size):.1f}"
        if index + 1 < len(front):
            way += f"H{x.at(front[index + 1].time):.1f}"
    way += f"M{x.at(last.time):.1f} {y.at(last.size):.1f}H{SCATTER_WIDTH - 24:.1f}"
    return svg.element("path", d=way, class_="frontier")


def _mark(point: Point, x: Log, y: Log, best: bool, taken: list[tuple[float, float, float]]) -> str:
    at, up = x.at(point.time), y.at(point.size)
    about = f"{point.peer}: {duration(point.time)}, {count(point.size)} bytes{', on the frontier' if best else ''}"
    shape = (
        svg.element("circle", cx=at, cy=up, r=5.0, class_="ours")
        if point.ours
        else svg.element("rect", x=at - 3.6, y=up - 3.6, width=7.2, height=7.2, class_="peer")
    )
    return svg.element("g", svg.title(about) + shape + _name(point, at, up, best, taken), class_="best" if best else None)


def _name(point: Point, at: float, up: float, best: bool, taken: list[tuple[float, float, float]]) -> str:
    """The peer's name beside its point, where it covers no other name; else none, the mark has it as its title."""
    name = point.peer.replace("samewire-", "")
    width = 6.1 * len(name)
    for left, lift in (
        (at + 8, 4.0),
        (at - 8 - width, 4.0),
        (at + 4, -8.0),
        (at + 4, 16.0),
        (at - 4 - width, -8.0),
        (at - 4 - width, 16.0),
    ):
        line = up + lift
        inside = left > 62 and left + width < SCATTER_WIDTH and 14 < line < SCATTER_HEIGHT - 46
        if inside and all(abs(line - other) > 11 or left + width < low or left > high for other, low, high in taken):
            taken.append((line, left, left + width))
            kind = "name ours" if point.ours else "name best" if best else "name"
            return svg.text(name, x=left, y=line, class_=kind)
    return ""


def bar(row: Row) -> str:
    """A cell's interval as percents of a bar that reaches from 1/8 to 8, for the page's own style; empty without a ratio."""
    if row.ratio is None or row.peer == row.reference:
        return ""
    axis = Log(0.125, 8.0, 0.0, 100.0)
    low, high = row.ratio_low or row.ratio, row.ratio_high or row.ratio
    return f"--l:{axis.at(low):.0f}%;--h:{axis.at(high):.0f}%;--m:{axis.at(row.ratio):.0f}%"


def about(row: Row) -> str:
    """All that is known of a cell, in one line."""
    parts = [f"{row.peer}, {row.workload} {row.op}: {figure(row.time, row.unit)}"]
    if row.cpu_median is not None:
        parts.append(f"wall {duration(row.median)} ({duration(row.low)}–{duration(row.high)})")
    if row.ratio is not None and row.peer != row.reference:
        interval = f" ({span(row.ratio_low, row.ratio_high)})" if row.ratio_low else ""
        parts.append(f"{digits(row.ratio)}× as fast as {row.reference}{interval}")
    return "; ".join(parts)
