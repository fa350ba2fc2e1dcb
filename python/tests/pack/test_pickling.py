"""A codec reaches other processes as the arguments that it was made of."""

from __future__ import annotations

import copy
import datetime
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from samewire import pack
from samewire.errors import SamewireError


class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and self.cents == other.cents


def cents(money: Money) -> int:
    return money.cents


@dataclass
class Sale:
    name: str
    price: Money
    counts: Annotated[list[Annotated[int, pack.I32]], "of each day"]


SALE = Sale("tea", Money(250), [1, -2])
ADAPTERS = {Money: pack.As(int, cents, Money)}


@pytest.mark.parametrize(
    ("kind", "value", "options"),
    [
        (Sale, SALE, {"adapters": ADAPTERS}),
        (Sale, SALE, {"adapters": ADAPTERS, "profile": "fast", "digest": True, "require_digest": True, "gc": False}),
        (dict[str, Sale | None], {"a": SALE, "b": None}, {"adapters": ADAPTERS, "strict": True}),
        (list["Money"], [Money(1)], {"adapters": ADAPTERS, "namespace": {"Money": Money}}),
    ],
)
@pytest.mark.parametrize("copied", [lambda codec: pickle.loads(pickle.dumps(codec)), copy.copy, copy.deepcopy])
def test_a_copy_writes_and_reads_the_same(kind: Any, value: object, options: dict[str, Any], copied: Any) -> None:
    codec = pack.codec(kind, **options)
    same = copied(codec)
    assert same.schema == codec.schema
    assert same.encode(value) == codec.encode(value)
    assert same.decode(codec.encode(value)) == value


def test_limits_and_times_are_kept() -> None:
    codec = pack.codec(datetime.datetime, times="truncate")
    same = pickle.loads(pickle.dumps(codec))
    nanoseconds = pack.codec(Annotated[int, pack.TIMESTAMP]).encode(1_999)
    assert same.decode(nanoseconds) == datetime.datetime.fromtimestamp(0.000_001, datetime.UTC)
    texts = pickle.loads(pickle.dumps(pack.codec(list[str], limits=pack.Limits(text_bytes=3))))
    with pytest.raises(SamewireError) as raised:
        texts.decode(pack.codec(list[str]).encode(["long"]))
    assert raised.value.code == "limit_size"


def encoded(codec: pack.Codec[Sale], sale_of: str) -> bytes:
    return codec.encode(Sale(sale_of, Money(1), []))


def test_another_process_makes_it_of_its_own_classes() -> None:
    codec = pack.codec(Sale, adapters=ADAPTERS)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        message = other.submit(encoded, codec, "tea").result(timeout=60)
    assert codec.decode(message) == Sale("tea", Money(1), [])
