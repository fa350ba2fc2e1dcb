"""Objects whose keys are data are maps; objects whose keys are names are structs."""

from __future__ import annotations

import random
from typing import Any

import pytest
from samewire.schema.infer import infer

Row = dict[str, Any]
SOURCE = random.Random(5)
TAGS = [f"{one}{two}" for one in "abcdefghij" for two in "klmnopq"]


def some(keys: list[str], least: int, most: int, value: Any) -> list[Row]:
    """Objects of some of the keys each."""
    return [dict.fromkeys(SOURCE.sample(keys, SOURCE.randint(least, most)), value) for _ in range(300)]


MAPS: list[tuple[Any, str]] = [
    # 70 keys, of which an object has a third: a struct of 70 options is implausible.
    (some(TAGS, 10, 34, "x"), "map<string, string>"),
    (some(["de", "en", "fr", "it", "pt-BR", "zh-Hans"], 1, 4, "x"), "map<string, string>"),
    (some(["EUR", "USD", "GBP", "JPY"], 1, 3, 1.5), "map<string, f64>"),
    (some([f"user_{number}" for number in range(20)], 1, 6, 3), "map<string, i32>"),
    (some(["5f3a9c0012ab", "0123456789abcdef", "a1b2c3d4e5f6"], 1, 2, True), "map<string, bool>"),
    (some(["me@example.com", "you@example.org"], 1, 1, 1), "map<string, i32>"),
    (some(["/users", "/users/{id}", "/"], 1, 2, 1), "map<string, i32>"),
    (some(["https://a.example/x", "http://b.example"], 1, 1, 1), "map<string, i32>"),
    (some(["2024-01-01", "2024-01-02", "2024-01-03"], 1, 2, 1), "map<string, i32>"),
    (some(["17", "4", "1003"], 1, 2, [1]), "map<string, list<i32>>"),
    ([{f"k{number}{at}": at for at in range(3)} for number in range(1_000)], "map<string, i32>"),
]


@pytest.mark.parametrize(("objects", "schema"), MAPS)
def test_maps(objects: list[Row], schema: str) -> None:
    assert infer([{"it": each} for each in objects]).schema.text == f"list<struct Record {{ it: {schema} }}>"


STRUCTS: list[list[Row]] = [
    # Fields, of which some are missing.
    some(["lat", "lon", "alt"], 2, 3, 1.5),
    some(["id", "to", "at", "by"], 3, 4, 1),
    some(["address1", "address2", "address3"], 1, 3, "x"),
    some([f"q{number}" for number in range(20)], 15, 20, 1),
    # Many fields of several kinds: no value would have a type.
    [{f"f{number % 70}": number, f"g{number % 40}": "x"} for number in range(600)],
    # Languages that all objects have.
    [{"de": "x", "en": "y", "fr": "z", "it": "w"}] * 20,
]


@pytest.mark.parametrize("objects", STRUCTS)
def test_structs(objects: list[Row]) -> None:
    assert infer([{"it": each} for each in objects]).schema.text.startswith("list<struct Record { it: struct It {")


def test_keys_without_end_take_no_place_each() -> None:
    """Observations are bounded: beyond 256 keys that are data the values share one place."""
    seen = infer({"counts": {f"k{number}": number for number in range(5_000)}})
    assert seen.schema.text == "struct Record { counts: map<string, i32> }"
    rows = ({"by": {f"u{number}": {"n": 1}, f"u{number + 7}": {"n": 2}}} for number in range(3_000))
    assert infer(list(rows)).schema.text == "list<struct Record { by: map<string, struct By { n: i32 }> }>"


def test_wide_rows_stay_structs() -> None:
    rows = [{f"c{number}": 1.5 for number in range(600)} for _ in range(40)]
    assert infer(rows).schema.text.startswith("list<struct Record { c0: f64, c1: f64, ")
