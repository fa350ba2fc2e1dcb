"""A codec that sorts keys writes equal maps as equal bytes, independent of the order of their entries."""

from __future__ import annotations

import random
from typing import Any

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("sorted_maps", "pack.md#11-profiles-and-canonical-bytes")

Entries = list[list[Any]]
TEXTS = ["", "Z", "a", "ab", "b", "\xe9", "\u4e2d", "\ud7ff", "\U0001f600", "\ue000", "\uffff"]
SHUFFLES = random.Random(11)


def orders(entries: Entries) -> list[Entries]:
    """Returns the entries as they stand, the other way round and shuffled."""
    return [entries, entries[::-1], SHUFFLES.sample(entries, len(entries))]


def case(name: str, schema: str, keys: list[Any], values: list[Any]) -> None:
    """Adds a map of these keys, which are in ascending order, to these values in turn."""
    entries = [[key, values[i % len(values)]] for i, key in enumerate(keys)]
    TOPIC.sorted(name, schema, *orders(entries[::-1]))


case("texts, by UTF-16 code units", "map<string, i32>", TEXTS, [1, -2, 300])
case("integers", "map<i32, i32>", [-(1 << 31), -70_000, -1, 0, 3, 100, 70_000], [1, 2])
case("integers in numeric rows", "map<i32, i32>", [i * i * i for i in range(-20, 20)], [1, 2, 3])
case("unsigned integers", "map<u64, bool>", [0, 1, 1 << 63, (1 << 64) - 1], [True, False])
case("big integers", "map<bigint, u8>", [-(1 << 80), -(1 << 70), -5, 0, 300, 1 << 70, 1 << 80], [1, 2])
case("booleans", "map<bool, string>", [False, True], ["no", "yes"])
case("dates", "map<date, bool>", [-719_162, -1, 0, 20_000], [True])
case("times", "map<time, bool>", [0, 1_000, 86_399_999_999_000], [True])
case("timestamps", "map<timestamp, bool>", [-1_000_000_000, -1_000, 0, 1_000, 1_000_000_000], [True, False])
case("durations", "map<duration, bool>", [-1_000_001_000, -1_000, 0, 999_999_000], [True, False])
case("symbols", "map<enum Suit { clubs, diamonds, hearts, spades }, bool>", ["clubs", "hearts", "spades"], [True])
case("uuids", "map<uuid, bool>", [f"{byte}0000000-0000-0000-0000-00000000000{byte}" for byte in "178f"], [False, True])
case("64 and more structs, as columns", "map<i8, struct Point { x: i32, y: i32 }>", [*range(-40, 40)], [{"x": 1, "y": -2}])

TOPIC.sorted(
    "maps within maps",
    "map<i32, map<i32, bool>>",
    *([[i, inner] for i in (2, -1, 1)] for inner in orders([[7, True], [-3, False], [2, True]])),
)
TOPIC.sorted("maps in a list", "list<map<string, u8>>", *([part] * 3 for part in orders([[text, 1] for text in TEXTS[::-1]])))
TOPIC.sorted(
    "maps in columns",
    "list<struct Book { id: string, title: string, author: option<string>, year: i32, tags: list<string>, "
    "more: map<string, string> }>",
    *(
        [{"id": str(i), "title": "", "author": None, "year": i, "tags": [], "more": part} for i in range(70)]
        for part in orders([["b", "1"], ["\uffff", "2"], ["\U0001f600", "3"]])
    ),
)
TOPIC.sorted(
    "maps in an any",
    "map<string, any>",
    *(
        orders([["z", {"list": [{"map": part}]}], ["b", None], ["a", {"map": [[{"int": "2"}, True], [{"int": "-1"}, None]]}]])[i]
        for i, part in enumerate(orders([[{"string": text}, True] for text in TEXTS[::-1]]))
    ),
)
