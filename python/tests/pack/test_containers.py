"""The standard library's containers, and classes that are like them."""

from __future__ import annotations

import collections
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from typing import Annotated, Any, DefaultDict, Deque  # noqa: UP035 - users' code has them

import pytest
from samewire import pack


@dataclass
class Item:
    name: str


@dataclass
class Shelf:
    queue: deque[Item]
    counts: Counter[str]
    groups: defaultdict[str, list[int]]
    order: OrderedDict[int, Item] = field(default_factory=OrderedDict)


CONTAINERS = [
    (deque[int], "list<i64>", deque([3, 1])),
    (Deque[str], "list<string>", deque(["a", "b"])),  # noqa: UP006
    (deque, "list<any>", deque([1, "a"])),
    (deque[Item], "list<struct Item { name: string }>", deque([Item("a")])),
    (OrderedDict[str, int], "map<string, i64>", OrderedDict(b=1, a=2)),
    (Counter[str], "map<string, i64>", Counter("aab")),
    (defaultdict[str, list[int]], "map<string, list<i64>>", defaultdict(list, a=[1])),
    (DefaultDict[str, int], "map<string, i64>", defaultdict(int, a=1)),  # noqa: UP006
    (list[deque[bool]], "list<list<bool>>", [deque([True, False]), deque()]),
    (dict[str, deque[int] | None], "map<string, option<list<i64>>>", {"a": deque([1]), "b": None}),
]


@pytest.mark.parametrize(("kind", "text", "value"), CONTAINERS)
@pytest.mark.parametrize("gc", [True, False])
def test_round_trip(kind: Any, text: str, value: Any, gc: bool) -> None:
    codec = pack.codec(kind, gc=gc)
    assert codec.schema.text == text
    decoded = codec.decode(codec.encode(value))
    assert decoded == value
    assert type(decoded) is type(value)


def test_in_a_record_and_from_another_schema() -> None:
    codec = pack.codec(Shelf)
    groups: defaultdict[str, list[int]] = defaultdict(list, a=[1, 2])
    shelf = Shelf(deque([Item("x"), Item("y")]), Counter(a=2), groups, OrderedDict({2: Item("q"), 1: Item("r")}))
    decoded = codec.decode(codec.encode(shelf))
    assert decoded == shelf
    decoded.queue.rotate(1)
    decoded.groups["new"].append(1)
    decoded.counts["b"] += 1
    assert list(decoded.order) == [2, 1]
    older = codec.schema.text.replace("counts: map<string, i64>", "counts: map<string, i8>")
    resolved = codec.resolve(older).decode(bytes.fromhex("8000000000"))
    assert resolved == Shelf(deque(), Counter(), defaultdict(list), OrderedDict())
    assert type(resolved.order) is OrderedDict


def test_the_order_of_an_ordered_dict_is_its_own() -> None:
    value = OrderedDict(a=1, b=2)
    value.move_to_end("a")
    assert list(pack.codec(dict[str, int]).decode(pack.codec(dict[str, int]).encode(value))) == ["b", "a"]
    codec = pack.codec(OrderedDict[str, int])
    assert codec.decode(codec.encode(value)) == value


def test_defaults_are_of_the_declared_type() -> None:
    def made(kind: Any) -> Any:
        return pack.codec(defaultdict[str, kind]).decode(bytes.fromhex("8000")).default_factory

    assert made(Annotated[int, pack.I8]) is int
    assert made(set[int]) is set
    assert made(dict[str, int]) is dict
    assert made(deque[int]) is deque
    assert made(Item) is None


@pytest.mark.parametrize("kind", [Item | int, Item | None | str, pack.Profile | int, set[int] | str])
def test_unions_that_no_value_would_fit(kind: Any) -> None:
    with pytest.raises(pack.SamewireError, match="union") as caught:
        pack.codec(kind)
    assert caught.value.code == "unsupported"


def test_options_that_are_none() -> None:
    for options in ({"profile": "quick"}, {"limits": {"depth": 1}}):
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(int, **options)
        assert caught.value.code == "misuse"


def test_what_has_no_end_is_too_long() -> None:
    """Parts that occur repeatedly share memory in Python and grow without bound on the wire."""

    @dataclass
    class Node:
        name: str
        kids: list[Node]

    @dataclass
    class Pair:
        left: Pair | None = None
        right: Pair | None = None

    node, pair = Node("x", []), Pair()
    anything: list[Any] = []
    for _ in range(60):
        node, pair, anything = Node("", [node, node]), Pair(pair, pair), [anything, anything]
    long, wide = "x" * 10_000, "字" * 10_000
    limits = pack.Limits(frame_bytes=1 << 16)
    cases = [
        *((Node, node), (Pair, pair), (Any, anything), (list[str], [long] * 100_000), (list[str], [wide] * 100_000)),
        (list[bytes], [bytes(10_000)] * 100_000),
        (list[list[int]], [[1 << 60] * 10_000] * 100_000),
        (collections.OrderedDict[str, str], OrderedDict((str(i), long) for i in range(100_000))),
    ]
    for kind, value in cases:
        for profile in ("compact", "fast"):
            codec: pack.Codec[Any] = pack.codec(kind, limits=limits, profile=profile, namespace=locals())
            for encode in (codec.encode, lambda value, codec=codec: codec.encode_into(value, bytearray())):
                with pytest.raises(pack.SamewireError) as caught:
                    encode(value)
                assert (caught.value.code, caught.value.path, caught.value.at) == ("limit_size", "$", None)


class Word(str):
    """Every instance is a key of its own."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def test_keys_that_are_distinct_to_python_only() -> None:
    cases: list[tuple[Any, Any]] = [
        (set[str], {Word("a"), Word("b"), Word("a")}),
        (dict[str, int], {Word("a"): 1, Word("b"): 2, Word("a"): 3}),
        (list[set[str]], [{Word("x")}, {Word("a"), Word("a")}]),
    ]
    for kind, value in cases:
        with pytest.raises(pack.SamewireError, match="same on the wire") as caught:
            pack.codec(kind).encode(value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[1]" if kind == list[set[str]] else "$")
    own = pack.codec(dict[str, int])
    assert own.decode(own.encode({Word("b"): 1, Word("a"): 2})) == {"b": 1, "a": 2}
