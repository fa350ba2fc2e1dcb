"""What a codec is compiled from: a schema's types with the Python classes that hold them.

`introspect` makes shapes from Python types; `compile` makes the engine's plan from them; `resolve` pairs them with a
writer's schema. Lists, options and the like are trees; a record or enum is one object however often it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypeAlias

from .schema_words import spelled, utf16_order

#: How a class makes its instances and keeps its fields.
RecordKind: TypeAlias = Literal["object", "msgspec", "namedtuple", "typeddict"]
SequenceForm: TypeAlias = Literal["list", "tuple", "array", "memoryview", "numpy"]


@dataclass(frozen=True, slots=True)
class Plain:
    """A scalar. `form` says which Python class holds it where there is a choice:

    "" the usual one; "int" for times in nanoseconds; "bytearray" and "memoryview" for bytes.
    """

    kind: str
    form: str = ""


@dataclass(eq=False, slots=True)
class Choice:
    """An enum: symbols in ascending order by UTF-16 code units, each with its member."""

    name: str
    cls: type[Enum]
    members: dict[str, Enum]


@dataclass(frozen=True, slots=True)
class Optionally:
    """An item or None."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list. The forms "array", "memoryview" and "numpy" hold numbers only.

    cast: what is called with the list that was read, where another class is declared (`deque`).
    """

    item: Shape
    form: SequenceForm = "list"
    cast: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Distinct:
    """A set or frozenset."""

    item: Shape
    frozen: bool


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict. cast: what is called with the dict that was read, where another class is declared (`OrderedDict`)."""

    key: Shape
    value: Shape
    cast: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Fixed:
    """A tuple of known length."""

    items: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Default:
    """What stands in a field that the writer does not have."""

    value: Any = None
    factory: Callable[[], Any] | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record.

    name: on the wire. attribute: in Python (a key for a TypedDict). absent: the key may be missing (TypedDict) and is
    then null on the wire.
    """

    name: str
    attribute: str
    shape: Shape
    default: Default | None = None
    absent: bool = False


@dataclass(eq=False, slots=True)
class Record:
    """A struct.

    after: name of a method called on each decoded instance (`__post_init__`).
    construct: instances come from calling the class with the fields as keywords, because it has its own `__new__`.
    frozen: the class forbids assignment, so that a record of immutable parts can never come to be in a cycle.
    setter: assignment goes through a `__setattr__` of the user's, which decoding then calls too.
    """

    name: str
    cls: type
    kind: RecordKind
    members: tuple[Member, ...] = ()
    after: str | None = None
    construct: bool = False
    frozen: bool = False
    setter: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """A union of records."""

    records: tuple[Record, ...]

    def ordered(self) -> list[Record]:
        """Ascending by name, as on the wire."""
        return sorted(self.records, key=lambda record: utf16_order(record.name))


@dataclass(frozen=True, slots=True)
class Shared:
    """A record shared by identity within a message."""

    record: Record


Shape: TypeAlias = Plain | Choice | Optionally | Sequence | Distinct | Mapping | Fixed | Record | Sum | Shared


def schema_text(shape: Shape) -> str:
    """Schema text of a shape: complete, each record and enum in full where it first occurs, not yet sorted."""
    defined: set[str] = set()

    def first(name: str) -> bool:
        fresh = name not in defined
        defined.add(name)
        return fresh

    def write(shape: Shape) -> str:
        match shape:
            case Plain(kind):
                return kind
            case Optionally(item):
                return f"option<{write(item)}>"
            case Sequence(item):
                return f"list<{write(item)}>"
            case Distinct(item):
                return f"set<{write(item)}>"
            case Mapping(key, value):
                return f"map<{write(key)}, {write(value)}>"
            case Fixed(items):
                return f"tuple<{', '.join(map(write, items))}>"
            case Sum(records):
                return f"union {{ {', '.join(map(write, records))} }}"
            case Shared(record):
                return f"ref<{write(record)}>"
            case Choice(name):
                symbols = ", ".join(map(spelled, shape.members))
                return f"enum {spelled(name)} {{ {symbols} }}" if first(name) else spelled(name)
            case Record(name):
                if not first(name):
                    return spelled(name)
                fields = ", ".join(f"{spelled(m.name)}: {write(m.shape)}" for m in shape.members)
                return f"struct {spelled(name)} {{ {fields} }}"

    return write(shape)


def parts(shape: Shape) -> Iterator[Shape]:
    """The shapes that stand directly in `shape`."""
    match shape:
        case Optionally(item) | Sequence(item) | Distinct(item):
            yield item
        case Mapping(key, value):
            yield key
            yield value
        case Fixed(items):
            yield from items
        case Sum(records):
            yield from records
        case Shared(record):
            yield record
        case Record():
            for member in shape.members:
                yield member.shape


def _records_in(shape: Shape) -> Iterator[Record]:
    """The records that a value of `shape` holds without another record between; `shape`'s own if it is one."""
    work = [shape]
    while work:
        node = work.pop()
        if isinstance(node, Record):
            yield node
        else:
            work.extend(reversed(list(parts(node))))


def records(shape: Shape) -> dict[Record, bool]:
    """Every record reachable from `shape`, with whether it is recursive: can contain itself (section 8, depth).

    A record is recursive exactly if it lies on a cycle, that is in a strongly connected component with an edge inside
    (Tarjan's algorithm, without native recursion).
    """
    order: dict[Record, int] = {}
    low: dict[Record, int] = {}
    answer: dict[Record, bool] = {}
    component: list[Record] = []
    edges: dict[Record, list[Record]] = {}
    work: list[tuple[Record, Iterator[Record]]] = []

    def enter(record: Record) -> None:
        order[record] = low[record] = len(order)
        component.append(record)
        edges[record] = [inner for member in record.members for inner in _records_in(member.shape)]
        work.append((record, iter(edges[record])))

    for root in _records_in(shape):
        if root not in order:
            enter(root)
        while work:
            record, rest = work[-1]
            inner = next(rest, None)
            if inner is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[record])
                if low[record] == order[record]:
                    # Searched from its end, where the component is: what stands before it may be as long as the schema.
                    at = len(component) - 1
                    while component[at] is not record:
                        at -= 1
                    together = component[at:]
                    del component[at:]
                    for one in together:
                        answer[one] = len(together) > 1 or one in edges[one]
            elif inner not in order:
                enter(inner)
            elif inner not in answer:
                low[record] = min(low[record], order[inner])
    return {record: answer[record] for record in order}
