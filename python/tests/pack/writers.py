"""Python's writer against the Rust crate's: random values of the matrix's random schemas, and rows of thousands of texts.

The matrix compares both with the oracle, on the same values in each run and on rows of a few hundred texts at most.
`make matrix` runs this too: it needs the crate's peer.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from peer import Types, encode, outcome

from spec.matrix.pack.catalogue import all_schemas, file_text
from spec.matrix.pack.peers import all_peers
from spec.matrix.pack.random_schemas import random_schemas
from spec.matrix.pack.values import Heights, ValueMaker
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.parse import parse

VALUES = 300
ROWS = 120
SHOWN = 600
#: Around the count of misses that disables a dedup slot, and beyond the numbers that a back reference holds in two bytes.
ROW_LENGTHS = [1, 127, 128, 129, 130, 150, 200, 255, 256, 257, 400, 1_000, 3_000, 12_000]
LETTERS = ["abcdefgh", "abcdefgh", "abcd\xe9\xff", "a" * 200 + "\u0416\U0001f600", "ab\u0416\u4e2d\U0001f600"]
Entry = dict[str, Any]


def random_entries(rng: random.Random) -> Iterator[Entry]:
    """Values of the random schemas in turn."""
    texts = {canonical(parse(text)) for text in random_schemas()}
    types = {name: parse(text) for name, text in all_schemas().items() if text in texts}
    names = [name for name, kind in types.items() if Heights().of(kind) is not None]
    makers = {name: ValueMaker(rng) for name in names}
    for i in range(VALUES):
        name = names[i % len(names)]
        yield entry(rng, name, makers[name].value(types[name]))


def text_rows(rng: random.Random) -> Iterator[Entry]:
    """Rows of texts, alone and in records, of which none, few or most repeat, at the start or throughout."""
    names = {text: name for name, text in all_schemas().items()}
    lists = names["list<string>"]
    books = next(name for text, name in names.items() if text.startswith("list<struct Book {"))
    for _ in range(ROWS):
        texts = Texts(rng)
        length = rng.choice(ROW_LENGTHS)
        if rng.random() < 0.6:
            yield entry(rng, lists, [texts.next() for _ in range(length)])
        else:
            yield entry(rng, books, [book(rng, texts) for _ in range(length // 3)])


def entry(rng: random.Random, schema: str, value: Any) -> Entry:
    return {"schema": schema, "profile": rng.choice(["compact", "compact", "compact", "fast"]), "value": value}


class Texts:
    """Texts of one message: all new up to a first repeat, which often stands where a dedup slot is about to be disabled."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.made: list[str] = []
        self.repetition = rng.choice([0.001, 0.01, 0.2, 0.9])
        self.first_repeat = rng.choice([1, 126, 127, 128, 1_000, max(ROW_LENGTHS)])
        self.letters = rng.choice(LETTERS)
        self.shortest, self.longest = rng.choice([(0, 4), (1, 16), (1, 16), (1, 33), (1, 100)])

    def next(self) -> str:
        """A new text, or an earlier one."""
        number = len(self.made)
        if number == self.first_repeat or (number > self.first_repeat and self.rng.random() < self.repetition):
            text = self.rng.choice(self.made)
        else:
            text = "".join(self.rng.choices(self.letters, k=self.rng.randint(self.shortest, self.longest)))
            text = text if self.shortest == 0 and self.rng.random() < 0.05 else f"{text}{number}"
        self.made.append(text)
        return text


def book(rng: random.Random, texts: Texts) -> dict[str, Any]:
    return {
        "id": texts.next(),
        "title": texts.next(),
        "author": rng.choice([None, texts.next()]),
        "year": str(rng.randint(1900, 2030)),
        "tags": [texts.next() for _ in range(rng.choice([0, 0, 1, 3]))],
        "more": [[f"{i}", texts.next()] for i in range(rng.choice([0, 0, 2]))],
    }


@pytest.mark.parametrize("make", [random_entries, text_rows])
def test_both_writers_write_the_same_bytes(make: Any, tmp_path: Path) -> None:
    seed = random.randrange(1 << 32)
    entries = list(make(random.Random(seed)))
    schemas, values, messages = (tmp_path / name for name in ("schemas.json", "values.ndjson", "rust.hex"))
    schemas.write_text(file_text(), encoding="utf-8")
    values.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    rust = next(peer for peer in all_peers() if peer.language == "rust")
    assert not rust.missing(), "run `make build-rust`"
    rust.run("encode", schemas, values, messages)
    types = Types(str(schemas))
    for one, theirs in zip(entries, messages.read_text(encoding="utf-8").splitlines(), strict=True):
        ours = outcome(lambda one=one: encode(types, one))  # type: ignore[misc]
        assert not ours.startswith("error"), (seed, ours)
        assert ours == theirs, f"seed {seed}, {one['profile']}, {types.texts[one['schema']]}: {json.dumps(one['value'])[:SHOWN]}"
