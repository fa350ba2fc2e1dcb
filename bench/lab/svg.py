"""A small writer of SVG: elements, a logarithmic axis, and its round values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape


def element(name: str, content: str = "", **attributes: object) -> str:
    """One element. Attribute names with ``_`` get ``-``, a last ``_`` is dropped; numbers get one decimal."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items() if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(content: str, **attributes: object) -> str:
    """A line of text."""
    return element("text", escape(content, quote=False), **attributes)


def title(content: str) -> str:
    """What a reader sees on pointing at an element."""
    return element("title", escape(content, quote=False))


def document(width: float, height: float, label: str, parts: Iterable[str], class_: str = "chart") -> str:
    """A drawing that scales with its place, with a name for screen readers."""
    box = f"0 0 {_value(width)} {_value(height)}"
    return element(
        "svg", "".join(parts), class_=class_, viewBox=box, role="img", aria_label=label, style=f"--width:{width:.0f}px"
    )


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return escape(str(value))


@dataclass(frozen=True)
class Log:
    """A logarithmic axis: values from ``low`` to ``high`` (both above 0) to places from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value; values outside stand at the border."""
        share = math.log(min(max(value, self.low), self.high) / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def inside(self, value: float) -> bool:
        """Whether a value is on the axis."""
        return self.low <= value <= self.high

    def ticks(self, most: int = 6) -> list[float]:
        """Round values on the axis, at most about that many: fine steps where the axis is short, powers of ten where it is long."""
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps in ((1.0, 1.5, 2.0, 3.0, 5.0, 7.0), (1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
            found = [step * 10.0**decade for decade in decades for step in steps]
            found = [value for value in found if self.inside(value * 1.0000001)]
            if len(found) <= most:
                return found
        return found[:: math.ceil(len(found) / most)]

    def doublings(self) -> list[float]:
        """Powers of two on the axis."""
        first, last = math.ceil(math.log2(self.low) - 1e-9), math.floor(math.log2(self.high) + 1e-9)
        return [2.0**power for power in range(first, last + 1)]


def spanning(values: Iterable[float], start: float, end: float, margin: float = 1.25) -> Log:
    """An axis with room for all values and a margin, as a factor, on both sides."""
    found = list(values)
    return Log(min(found) / margin, max(found) * margin, start, end)
