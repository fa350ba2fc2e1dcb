"""Random lists and maps that are long enough for columns (spec/columns.md), and the oracle's messages of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from spec.matrix.pack.random_schemas import random_schemas
from spec.matrix.pack.values import Heights, ValueMaker
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.encode import encode
from spec.oracle.pack.parse import parse
from spec.oracle.pack.schema import List, Map, Struct, Tuple, Type

COUNTS = [63, 64, 65, 80, 128, 129, 200]


class Message(NamedTuple):
    """A value in the notation, and its message."""

    schema: str
    value: Any
    data: bytes


class RowMaker(ValueMaker):
    """Makes values with fewer distinct parts: those of a column are often alike."""

    def rows(self, t: Struct | Tuple, count: int) -> list[Any]:
        """Returns so many structs or tuples, which repeat the parts of a few."""
        self.value(t)
        few = []
        for _ in range(self.rng.choice([1, 4, 30, count])):
            self.budget = 40
            few.append(self.make(t, 0))
        steps = [name for name, _ in t.fields] if isinstance(t, Struct) else range(len(t.items))
        chosen = [{step: self.rng.choice(few)[step] for step in steps} for _ in range(count)]
        return chosen if isinstance(t, Struct) else [list(row.values()) for row in chosen]


def shareless(text: str) -> bool:
    """Whether a schema has no shared structs, whose numbers would depend on the order of columns."""
    return "ref<" not in text


def messages(count: int, seed: int) -> Iterator[Message]:
    """Yields values of random types, at most so many."""
    rng = random.Random(seed)
    schemas = [text for text in random_schemas() if shareless(text)]
    types = [parse(f"tuple<{text}, i32, f64, string>") for text in schemas]
    possible = [t for t in types if Heights().of(t) is not None]
    maker = RowMaker(rng)
    for _ in range(count):
        element = rng.choice(possible)
        assert isinstance(element, Tuple)
        rows = maker.rows(element, rng.choice(COUNTS))
        root: Type = List(element)
        value: Any = rows
        if rng.random() < 0.2:
            root = Map(parse("u16"), element)
            value = [[str(key), row] for key, row in zip(rng.sample(range(1 << 16), len(rows)), rows, strict=True)]
        yield Message(canonical(root), value, encode(parse(canonical(root)), value, named=2))
