"""A schema that was inferred from one half of a data set fits the rows of the other half."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from fitting import misfit
from samewire.schema.infer import infer
from samewire.schema.infer.inferred_type import InferredList

ROWS = 2_000
Row = dict[str, Any]


def _place(random: random.Random) -> Row:
    return {"type": "Point", "coordinates": [random.randint(-180, 180), round(random.uniform(-90, 90), 4)]}


def orders(random: random.Random, number: int) -> Row:
    """Columns whose values are few and stay few, and some that look so in the first rows."""
    row: Row = {
        "id": number,
        "status": random.choices(["open", "paid", "sent"], [1, 5, 3])[0],
        "shop": f"shop {int(random.paretovariate(0.9))}",
        "day": str(date(2024, 1, 1) + timedelta(number // 9)),
        "batch": f"batch {number // 100}",
        "total": random.choice([12, 12.5, 99.99]),
        "ship to": {"name": "n", "at": _place(random)},
        "bill to": {"name": "n", "at": _place(random)},
    }
    if random.random() < 0.3:
        row["note"] = "x" * random.randint(0, 60)
    return row


def countries(random: random.Random, number: int) -> Row:
    """Objects whose keys are data: few each, many altogether."""
    languages = {f"{random.choice('abcdefghij')}{random.choice('abcdefghij')}": "name" for _ in range(random.randint(0, 3))}
    return {
        "code": f"c{number}",
        "languages": languages,
        "latlng": [number % 90, 0.5],
        "borders": [f"c{number + 1}"] * (number % 3),
    }


def tweets(random: random.Random, number: int) -> Row:
    """A row in a row, identifiers of 64 bits in some, and links in several places."""
    links = [{"url": "u", "indices": [number, number + 9]} for _ in range(random.randint(0, 2))]
    row: Row = {
        "id": number << 40,
        "text": "t",
        "lang": random.choice(["ja", "en"]),
        "links": links,
        "user": {"n": 1, "links": links},
    }
    row["reply_to"] = random.randint(1 << 28, 1 << 32) if random.random() < 0.2 else None
    if random.random() < 0.4:
        row["retweeted"] = dict(row)
    return row


@pytest.mark.parametrize("make", [orders, countries, tweets])
@pytest.mark.parametrize("halves", ["first", "second", "even", "odd"])
def test_the_other_half_fits(make: Callable[[random.Random, int], Row], halves: str) -> None:
    source = random.Random(7)
    rows = [make(source, number) for number in range(ROWS)]
    middle = ROWS // 2
    seen, other = {
        "first": (rows[:middle], rows[middle:]),
        "second": (rows[middle:], rows[:middle]),
        "even": (rows[::2], rows[1::2]),
        "odd": (rows[1::2], rows[::2]),
    }[halves]
    inferred = infer(seen).type
    assert isinstance(inferred, InferredList)
    wrong = [path for row in other if (path := misfit(inferred.item, row)) is not None]
    assert len(wrong) <= len(other) // 100, wrong[:5]
    assert not any(misfit(inferred.item, row) for row in seen)


def test_what_an_expert_would_write() -> None:
    source = random.Random(7)
    assert infer([orders(source, number) for number in range(ROWS)]).schema.text == (
        "list<struct Record { id: i32, status: enum Status { open, paid, sent }, shop: string, day: date, batch: string, "
        'total: f64, "ship to": struct ShipTo { name: string, at: struct At { type: string, coordinates: tuple<f64, f64> } }, '
        '"bill to": ShipTo, note: option<string> }>'
    )
