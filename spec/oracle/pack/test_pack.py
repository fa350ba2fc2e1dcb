"""Slow checks of the oracle on every vector of pack, and of the documents that come from it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spec.matrix.pack.catalogue import all_schemas
from spec.matrix.pack.pairs import make_lines
from spec.oracle.core.errors import SamewireError
from spec.oracle.core.frames import frame, scan
from spec.oracle.core.limits import Limits
from spec.oracle.core.primitives import varint
from spec.oracle.pack import examples
from spec.oracle.pack.canonical import annotated, canonical, digest
from spec.oracle.pack.decode import decode, decode_resolved
from spec.oracle.pack.encode import encode, encode_measured
from spec.oracle.pack.parse import parse
from spec.oracle.pack.schema import Type

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "pack"
#: As stored: spec/oracle/test_parts.py makes them anew, and compares.
TOPICS = sorted(path.stem for path in VECTORS.glob("*.json"))
ALL_PREFIXES = 400
LIMIT_ERRORS = {
    "depth": "limit_depth",
    "items": "limit_items",
    "cells": "limit_items",
    "text_bytes": "limit_size",
    "frame_bytes": "limit_size",
}


@cache
def stored(topic: str) -> list[Any]:
    found: list[Any] = json.loads((VECTORS / f"{topic}.json").read_text(encoding="utf-8"))["cases"]
    return found


def cases(topic: str, kind: str) -> list[Any]:
    return [case for case in stored(topic) if case["kind"] == kind]


#: Each schema is parsed once, where what is tested is its messages.
parsed = cache(parse)


def failure(t: Type, data: bytes, limits: Limits = Limits()) -> tuple[str, int | None]:  # noqa: B008
    with pytest.raises(SamewireError) as caught:
        decode(t, data, limits)
    return caught.value.code, caught.value.at


def test_vectors_are_enough() -> None:
    kinds = [case["kind"] for topic in TOPICS for case in stored(topic)]
    assert len(kinds) >= 2000
    # Readers are made by their refusals: of messages, of schemas, and of one schema for another.
    refused = sum(kinds.count(kind) for kind in ("rejected", "bad_schema", "unresolved"))
    assert 5 * refused >= 2 * len(kinds)


def named(case: dict[str, Any]) -> int:
    """How many bytes of the digest the message of a case carries."""
    return 8 if "digest" in case else 2 if "check" in case else 0


@pytest.mark.parametrize("topic", TOPICS)
def test_canonical_messages(topic: str) -> None:
    for case in cases(topic, "canonical"):
        t, data = parsed(case["schema"]), bytes.fromhex(case["hex"])
        value = decode(t, data)
        assert value == case["value"], case["name"]
        assert encode(t, value, case["profile"], named(case)) == data, case["name"]
        cuts = range(len(data))
        if len(data) > ALL_PREFIXES:
            cuts = range(0, len(data), len(data) // 50)
        for size in cuts:
            assert failure(t, data[:size]) == ("truncated", size), case["name"]
        for extra in (b"\x00", b"\xff"):
            assert failure(t, data + extra) == ("trailing", len(data)), case["name"]
        assert scan(frame(data) * 2) == ([data, data], None)


@pytest.mark.parametrize("topic", TOPICS)
def test_limits_are_exact(topic: str) -> None:
    for case in cases(topic, "canonical"):
        t, data = parsed(case["schema"]), bytes.fromhex(case["hex"])
        # A vector need not name its cells, but they are checked for every topic.
        uses = vars(encode_measured(t, case["value"], case["profile"], named(case))[1])
        assert case["uses"].items() <= uses.items(), case["name"]
        at_limit = Limits(**{name: max(1, used) for name, used in uses.items()})
        assert decode(t, data, at_limit) == case["value"], case["name"]
        carried = named(case)
        assert encode_measured(t, case["value"], case["profile"], carried, at_limit)[0] == data, case["name"]
        for name, used in uses.items():
            if used >= 2:
                tight = replace(Limits(), **{name: used - 1})
                code, _ = failure(t, data, tight)
                assert code == LIMIT_ERRORS[name], (case["name"], name)
                if name != "text_bytes":
                    with pytest.raises(SamewireError) as caught:
                        encode_measured(t, case["value"], case["profile"], carried, tight)
                    assert caught.value.code == code, (case["name"], name)


@pytest.mark.parametrize("topic", TOPICS)
def test_accepted_values_have_canonical_bytes(topic: str) -> None:
    for case in cases(topic, "accepted"):
        t = parsed(case["schema"])
        again = encode(t, decode(t, bytes.fromhex(case["hex"])))
        assert again.hex() == case["canonical"], case["name"]
        assert decode(t, again) == case["value"], case["name"]


@pytest.mark.parametrize("topic", TOPICS)
def test_damaged_messages_are_refused_or_have_a_value(topic: str) -> None:
    """Any bytes give a coded error inside the message, or a value that can be written."""
    rng = random.Random(topic)
    for case in cases(topic, "canonical"):
        t, data = parsed(case["schema"]), bytes.fromhex(case["hex"])
        for _ in range(4 if len(data) < 1000 else 0):
            damaged = bytearray(data)
            damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            try:
                value = decode(t, bytes(damaged))
            except SamewireError as error:
                assert error.at is not None and 0 <= error.at <= len(damaged)
                assert error.path is not None and error.path.startswith("$")
                continue
            assert decode(t, encode(t, value)) == value


@pytest.mark.parametrize("topic", TOPICS)
def test_a_schema_resolves_to_itself(topic: str) -> None:
    for case in cases(topic, "canonical"):
        text, data = case["schema"], bytes.fromhex(case["hex"])
        assert decode_resolved(parse(text), parse(text), data) == case["value"], case["name"]


def test_schemas_of_the_matrix_are_canonical_and_distinct() -> None:
    texts = list(all_schemas().values())
    assert len(set(texts)) == len(texts)
    assert all(annotated(parse(text)) == text for text in texts)
    assert len({digest(text) for text in texts}) == len(texts)


def test_random_values_come_back() -> None:
    types = {name: parse(text) for name, text in all_schemas().items()}
    for line in make_lines(600, 7):
        assert decode(types[line.schema], bytes.fromhex(line.message)) == line.value


def test_worked_examples_are_those_of_the_oracle() -> None:
    assert examples.BEGIN + examples.section() + examples.END in examples.DOCUMENT.read_text(encoding="utf-8")


def test_schema_text_over_the_limits() -> None:
    def refused(text: str) -> tuple[str, int | None]:
        with pytest.raises(SamewireError) as caught:
            parse(text)
        return caught.value.code, caught.value.at

    assert refused("i8" + " " * (1 << 20)) == ("limit_size", 0)
    assert refused(f"enum E{{{','.join(f's{i:014}' for i in range(65_000))}}}") == ("limit_size", 0)
    assert canonical(parse("i8" + " " * ((1 << 20) - 2))) == "i8"
    row = f"tuple<{','.join(['i8'] * 255)}>"
    rows = f"tuple<{','.join([row] * 255)}>"
    assert canonical(parse(rows)).startswith("tuple<tuple<i8, i8,")
    text = f"tuple<{rows},{row}>"
    assert refused(text) == ("limit_items", len(text) - len("i8,i8>>"))


def test_zeros_that_would_be_nulls_by_the_million_are_refused_at_their_count() -> None:
    struct = "struct Row { " + ", ".join(f"f{i}: option<i32>" for i in range(8)) + " }"
    count = varint((1 << 24) - 1)
    assert failure(parse(f"list<{struct}>"), b"\x80" + count + bytes((1 << 24) - 1)) == ("limit_items", 1)


def test_writers_keep_the_limits() -> None:
    chain = parse("struct Chain { next: option<Chain> }")
    value: Any = None
    for _ in range(65):
        value = {"next": value}
    with pytest.raises(SamewireError) as caught:
        encode(chain, value)
    assert (caught.value.code, caught.value.path) == ("limit_depth", "$" + ".next" * 64)
    with pytest.raises(SamewireError) as caught:
        encode_measured(parse("string"), "abc", limits=Limits(frame_bytes=5))
    assert (caught.value.code, caught.value.path) == ("limit_size", "$")


def test_numbers_out_of_range_are_the_callers_fault() -> None:
    for schema, value, path in [("list<u8>", ["1", "256"], "$"), ("tuple<i8, i16>", ["0", "40000"], "$[1]")]:
        with pytest.raises(SamewireError) as caught:
            encode(parse(schema), value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", path)


def test_keys_of_maps_in_any_are_texts_and_integers_of_64_bits() -> None:
    keys: list[object] = [None, True, {"bigint": str(1 << 63)}, {"f64": "3ff0000000000000"}, {"date": "1"}, {"list": []}]
    for key in keys:
        value = {"list": [{"map": [[{"int": "1"}, None], [key, None]]}]}
        with pytest.raises(SamewireError) as caught:
            encode(parse("any"), value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[0][1].key")


def test_keys_of_one_map_in_an_any_are_of_one_kind() -> None:
    one, five, text = {"int": "1"}, {"int": "5"}, {"string": "5"}
    for keys in ([one, five, text, True], [text, {"string": ""}, five]):
        with pytest.raises(SamewireError) as caught:
            encode(parse("any"), {"map": [[one, {"map": [[key, None] for key in keys]}]]})
        assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[0].value[2].key")
