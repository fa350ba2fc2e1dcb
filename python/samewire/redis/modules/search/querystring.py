"""Texts of queries from conditions: `union(intersect(title="a", year=ge(2000)), tag=tags("x", "y"))`.

A node joins texts, other nodes and conditions on fields, which are keywords: a value, a list of them, or one of the functions
`tags`, `between`, `equal`, `lt`, `le`, `gt`, `ge` and `geo`. `str(node)` is the query.
"""

from __future__ import annotations

from typing import Any, ClassVar


class Value:
    """A condition on a field. combinable: whether several are written in one pair of brackets."""

    combinable: ClassVar[bool] = False

    def to_string(self) -> str:
        """As a query has it."""
        raise NotImplementedError

    @staticmethod
    def make_value(v: Any) -> Value:
        """A condition as it is, anything else as its text."""
        return v if isinstance(v, Value) else ScalarValue(v)

    def __str__(self) -> str:
        return self.to_string()


class ScalarValue(Value):
    """A word."""

    combinable = True

    def __init__(self, v: Any) -> None:
        self.v = str(v)

    def to_string(self) -> str:
        return self.v


class RangeValue(Value):
    """Numbers from `a` to `b`; None for no end."""

    def __init__(self, a: Any, b: Any, inclusive_min: bool = False, inclusive_max: bool = False) -> None:
        self.range = ["-inf" if a is None else str(a), "inf" if b is None else str(b)]
        self.inclusive_min = inclusive_min
        self.inclusive_max = inclusive_max

    def to_string(self) -> str:
        low, high = ("" if inclusive else "(" for inclusive in (self.inclusive_min, self.inclusive_max))
        return f"[{low}{self.range[0]} {high}{self.range[1]}]"


class TagValue(Value):
    """Any of some tags."""

    def __init__(self, *tags: Any) -> None:
        self.tags = tags

    def to_string(self) -> str:
        return "{" + " | ".join(map(str, self.tags)) + "}"


class GeoValue(Value):
    """Points within a radius."""

    def __init__(self, lon: float, lat: float, radius: float, unit: str = "km") -> None:
        self.lon = lon
        self.lat = lat
        self.radius = radius
        self.unit = unit

    def to_string(self) -> str:
        return f"[{self.lon} {self.lat} {self.radius} {self.unit}]"


def tags(*t: Any) -> TagValue:
    """Any of some tags. Raises ValueError for none."""
    if not t:
        raise ValueError("tags needs a tag at least")
    return TagValue(*t)


def between(a: Any, b: Any, inclusive_min: bool = True, inclusive_max: bool = True) -> RangeValue:
    """Numbers from `a` to `b`."""
    return RangeValue(a, b, inclusive_min, inclusive_max)


def equal(n: Any) -> RangeValue:
    """One number."""
    return between(n, n)


def lt(n: Any) -> RangeValue:
    """Numbers less than `n`."""
    return between(None, n, inclusive_max=False)


def le(n: Any) -> RangeValue:
    """Numbers up to `n`."""
    return between(None, n)


def gt(n: Any) -> RangeValue:
    """Numbers greater than `n`."""
    return between(n, None, inclusive_min=False)


def ge(n: Any) -> RangeValue:
    """Numbers from `n` on."""
    return between(n, None)


def geo(lat: float, lon: float, radius: float, unit: str = "km") -> GeoValue:
    """Points within a radius."""
    return GeoValue(lon, lat, radius, unit)


class Node:
    """Conditions that a word joins."""

    JOINSTR: ClassVar[str] = " "
    #: Stands before the conditions.
    SIGN: ClassVar[str] = ""

    def __init__(self, *children: Any, **kwparams: Any) -> None:
        self.params: list[Node] = [child if isinstance(child, Node) else BaseNode(child) for child in children]
        for name, given in kwparams.items():
            values = [given] if isinstance(given, (str, int, float, Value)) else given
            self.params += self.join_fields(name, list(map(Value.make_value, values)))

    def join_fields(self, key: str, vals: list[Value]) -> list[Node]:
        """The conditions on one field."""
        if len(vals) > 1 and vals[0].combinable:
            return [BaseNode(f"@{key}:({self.JOINSTR.join(map(str, vals))})")]
        return [BaseNode(f"@{key}:{value}") for value in vals]

    def to_string(self, with_parens: bool | None = None) -> str:
        """As a query has it, in parentheses if there are several conditions."""
        made = self.SIGN + self.JOINSTR.join(node.to_string() for node in self.params)
        return f"({made})" if (len(self.params) > 1 if with_parens is None else with_parens) else made

    def __str__(self) -> str:
        return self.to_string()


class BaseNode(Node):
    """A text."""

    def __init__(self, s: Any) -> None:
        super().__init__()
        self.s = str(s)

    def to_string(self, with_parens: bool | None = None) -> str:
        return self.s


class IntersectNode(Node):
    """All conditions hold."""


class UnionNode(Node):
    """Any condition holds."""

    JOINSTR = "|"


class DisjunctNode(IntersectNode):
    """Not all conditions hold."""

    SIGN = "-"


class DistjunctUnion(DisjunctNode):
    """No condition holds. The name is redis-py's."""

    JOINSTR = "|"


class OptionalNode(IntersectNode):
    """Documents for which the conditions hold come first."""

    SIGN = "~"


def intersect(*args: Any, **kwargs: Any) -> IntersectNode:
    """All conditions hold."""
    return IntersectNode(*args, **kwargs)


def union(*args: Any, **kwargs: Any) -> UnionNode:
    """Any condition holds."""
    return UnionNode(*args, **kwargs)


def disjunct(*args: Any, **kwargs: Any) -> DisjunctNode:
    """Not all conditions hold."""
    return DisjunctNode(*args, **kwargs)


def disjunct_union(*args: Any, **kwargs: Any) -> DistjunctUnion:
    """No condition holds."""
    return DistjunctUnion(*args, **kwargs)


def querystring(*args: Any, **kwargs: Any) -> str:
    """The text of a query for which all conditions hold."""
    return intersect(*args, **kwargs).to_string()
