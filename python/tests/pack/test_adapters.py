"""Types of the program's, written as others: the same bytes as of what they are made into."""

from __future__ import annotations

import collections
import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

import pydantic
import pytest
from samewire import pack


@dataclass(frozen=True)
class Money:
    cents: int

    def as_text(self) -> str:
        return str(self.cents)

    @classmethod
    def of_text(cls, text: str) -> Money:
        return cls(int(text))


@dataclass
class Pair:
    first: int
    second: str


def whole(money: Money) -> int:
    return money.cents


def pair(money: Money) -> Pair:
    return Pair(money.cents, str(money.cents))


def unpair(value: Pair) -> Money:
    assert value.second == str(value.first)
    return Money(value.first)


#: How `Money` is written; the wire's type and value of each.
WRITTEN: list[tuple[Any, Any, Any]] = [
    (int, whole, Money),
    (Annotated[int, pack.I16], whole, Money),
    (str, Money.as_text, Money.of_text),
    (Decimal, lambda money: Decimal(money.cents), lambda value: Money(int(value))),
    (Pair, pair, unpair),
    (tuple[int, str], lambda money: (money.cents, "x"), lambda value: Money(value[0])),
    (list[int], lambda money: [money.cents] * 2, lambda value: Money(value[1])),
    (dict[str, int], lambda money: {"cents": money.cents}, lambda value: Money(value["cents"])),
    (timedelta, lambda money: timedelta(seconds=money.cents), lambda value: Money(value.seconds)),
]
MONEY = [Money(cents) for cents in (0, 1, 5, 5, 1_000, 77) * 16]


def shapes(inner: Any, one: Any, key: bool) -> list[tuple[Any, Any]]:
    """Types around another, with a value of each, made by what is done to each `Money`."""

    @pack.named("Row")
    @dataclass
    class Row:
        id: str
        price: inner
        maybe: inner | None
        many: list[inner]

    Row.__annotations__.update(price=inner, maybe=inner | None, many=list[inner])
    made = [one(money) for money in MONEY]
    found: list[tuple[Any, Any]] = [
        (inner, made[2]),
        (inner | None, made[2]),
        (inner | None, None),
        (list[inner], made),
        (tuple[inner, ...], tuple(made)),
        (collections.deque[inner], collections.deque(made)),
        (list[inner | None], [*made, None]),
        (tuple[inner, str], (made[1], "x")),
        (dict[str, inner], {"a": made[1], "b": made[2]}),
        (list[Row], [Row(str(i), value, value if i % 3 else None, made[: i % 4]) for i, value in enumerate(made)]),
    ]
    if key:
        found += [
            (set[inner], set(made)),
            (frozenset[inner], frozenset(made)),
            (dict[inner, inner], {value: value for value in made}),
            (collections.OrderedDict[inner, str], collections.OrderedDict((value, "x") for value in made)),
            (list[Row], [Row("x", made[0], None, made)]),
        ]
    return found


def plain(value: Any) -> Any:
    """Rows as tuples, since each shape has a class of its own."""
    if isinstance(value, list) and value and type(value[0]).__name__ == "Row":
        return [(row.id, row.price, row.maybe, row.many) for row in value]
    return value


@pytest.mark.parametrize("profile", [*pack.Profile])
@pytest.mark.parametrize(("wire", "encode", "decode"), WRITTEN, ids=[str(wire) for wire, _, _ in WRITTEN])
def test_the_same_bytes_as_of_what_is_written(profile: pack.Profile, wire: Any, encode: Any, decode: Any) -> None:
    key = wire in (int, str, timedelta) or wire == Annotated[int, pack.I16]
    adapted = shapes(Annotated[Money, pack.As(wire, encode, decode)], lambda money: money, key)
    written = shapes(wire, encode, key)
    assert len(adapted) == len(written) >= 10
    for (kind, value), (other, expected) in zip(adapted, written, strict=True):
        own, theirs = pack.codec(kind, profile=profile), pack.codec(other, profile=profile)
        assert own.schema.text == theirs.schema.text
        data = own.encode(value)
        if not isinstance(value, set | frozenset):
            assert data == theirs.encode(expected), kind
        for decoded in (own.decode(data), own.resolve(own.schema).decode(data)):
            assert plain(decoded) == plain(value), kind
            assert type(decoded) is type(value)


def test_the_codec_may_say_how_a_class_is_written() -> None:
    @dataclass
    class Item:
        price: Money
        others: dict[str, list[Money]]

    own = pack.codec(Item, adapters={Money: pack.As(int, whole, Money)})
    assert own.schema.text == "struct Item { price: i64, others: map<string, list<i64>> }"
    value = Item(Money(5), {"a": [Money(1), Money(2)]})
    assert own.decode(own.encode(value)) == value
    # One that names its own class as the wire's type does not go round in a circle.
    doubled = pack.codec(list[int], adapters={int: pack.As(int, lambda n: 2 * n, lambda n: n // 2)})
    assert pack.codec(list[int]).decode(doubled.encode([1, 2])) == [2, 4]


def test_one_upon_another() -> None:
    kind = Annotated[
        Money, pack.As(Annotated[Path, pack.As(str, str, Path)], lambda m: Path(str(m.cents)), lambda p: Money(int(str(p))))
    ]
    own: Any = pack.codec(list[kind])
    assert own.schema.text == "list<string>"
    assert own.decode(own.encode(MONEY)) == MONEY


def test_paths_and_addresses_are_texts() -> None:
    for value in (
        Path("/etc/hosts"),
        PurePosixPath("a/b"),
        ipaddress.ip_address("10.0.0.1"),
        ipaddress.ip_address("::1"),
        ipaddress.ip_network("10.0.0.0/8"),
    ):
        cls: Any = Path if isinstance(value, Path) else type(value)
        own: Any = pack.codec(dict[cls, list[cls]])
        assert own.schema.text == "map<string, list<string>>"
        assert own.decode(own.encode({value: [value] * 3})) == {value: [value] * 3}


def test_models_of_pydantic_are_structs_and_validated() -> None:
    class Book(pydantic.BaseModel):
        id: str
        year: int = pydantic.Field(default=1974, ge=0)
        tags: list[str] = pydantic.Field(default_factory=list)
        at: datetime | None = None

    own = pack.codec(list[Book])
    assert own.schema.text == "list<struct Book { id: string, year: i64, tags: list<string>, at: option<timestamp> }>"
    books = [Book(id="a"), Book(id="b", year=1, tags=["x"])] * 40
    for profile in pack.Profile:
        assert own.decode(pack.codec(list[Book], profile=profile).encode(books)) == books

    @pack.named("Book")
    @dataclass
    class Older:
        id: str
        at: datetime | None

    written = pack.codec(list[Older])
    assert own.resolve(written.schema).decode(written.encode([Older("a", None)])) == [Book(id="a")]
    with pytest.raises(pydantic.ValidationError):
        own.decode(own.encode([Book.model_construct(id="a", year=-1, tags=[])]))

    class Aliased(pydantic.BaseModel):
        id: str = pydantic.Field(alias="ID")

    with pytest.raises(pack.SamewireError, match="populate_by_name=True") as caught:
        pack.codec(Aliased)
    assert caught.value.code == "unsupported"


def test_mistakes() -> None:
    own: Any = pack.codec(list[Annotated[Money, pack.As(str, Money.as_text, Money.of_text)]])
    with pytest.raises(pack.SamewireError, match="expected Money, got int 5") as caught:
        own.encode([Money(1), 5])
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[1]")
    with pytest.raises(pack.SamewireError, match="expected str, got int 7") as caught:
        pack.codec(Annotated[Money, pack.As(str, lambda money: 7, Money)]).encode(Money(1))
    assert caught.value.code == "type_mismatch"
    # What the program's functions raise is passed on.
    with pytest.raises(ValueError, match="invalid literal"):
        own.decode(pack.codec(list[str]).encode(["1", "zwei"]))
    with pytest.raises(ZeroDivisionError):
        pack.codec(Annotated[Money, pack.As(int, lambda money: 1 // 0, Money)]).encode(Money(1))
    same: Any = Annotated[Money, pack.As(int, lambda money: money.cents // 10, Money)]
    for kind, value in ((set[same], {Money(1), Money(2)}), (dict[same, int], {Money(1): 1, Money(2): 2})):
        with pytest.raises(pack.SamewireError, match="1 different keys of 2") as caught:
            pack.codec(kind).encode(value)
        assert caught.value.code == "type_mismatch"
    for wire in (bool, Any, int | None):
        with pytest.raises(pack.SamewireError, match="not as bool, Any or an optional") as caught:
            pack.codec(Annotated[Money, pack.As(wire, whole, Money)])
        assert caught.value.code == "misuse"
    with pytest.raises(pack.SamewireError, match="expected a mapping of classes") as caught:
        pack.codec(Money, adapters={Money: int})  # type: ignore[dict-item]
    assert caught.value.code == "misuse"


def test_what_adapters_make_counts_against_the_limit_of_cells() -> None:
    kind: Any = list[Annotated[Money, pack.As(str, Money.as_text, Money.of_text)]]
    data = pack.codec(list[str]).encode(["1"] * 10_000)
    pack.codec(kind, limits=pack.Limits(cells=400_000)).decode(data)
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind, limits=pack.Limits(cells=300_000)).decode(data)
    assert caught.value.code == "limit_items"
