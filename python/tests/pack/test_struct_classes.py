"""Struct classes of every kind: made without their constructor, and told apart from look-alikes."""

from __future__ import annotations

import enum
import tracemalloc
import weakref
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, ClassVar, Generic, NotRequired, TypedDict, TypeVar

import attrs
import msgspec
import pytest
from samewire import pack
from sample_classes import CLASSES, Cat, Dog, Frozen, FrozenSlots, Keys, Plain, one

T = TypeVar("T")


@pytest.mark.parametrize("cls", CLASSES)
def test_all_kinds_write_the_same_bytes_and_come_back(cls: Any) -> None:
    values = [one(cls, number) for number in range(40)]
    for profile in pack.Profile:
        # The classes' names are part of the digest.
        own = pack.codec(list[cls], profile=profile, check=False)
        data = own.encode(values)
        assert data == pack.codec(list[FrozenSlots], profile=profile, check=False).encode(
            [one(FrozenSlots, n) for n in range(40)]
        )
        decoded = own.decode(data)
        assert decoded == values
        assert all(type(value) is (dict if cls is Keys else cls) for value in decoded)


@pytest.mark.parametrize("cls", [Plain, Frozen, attrs.make_class("Loose", ["id"], slots=False)])
def test_an_instance_beside_its_values_is_an_ordinary_one(cls: Any) -> None:
    own = pack.codec(cls)
    value = one(cls, 7) if cls in (Plain, Frozen) else cls("x")
    decoded = own.decode(own.encode(value))
    assert list(decoded.__dict__) == list(value.__dict__)
    assert decoded.__dict__ == value.__dict__
    # Now with a dict, which has another key too.
    decoded.__dict__["extra"] = decoded
    assert own.encode(decoded) == own.encode(value)
    again = own.decode(own.encode(value))
    again.__dict__.clear()
    with pytest.raises(pack.SamewireError) as caught:
        own.encode(again)
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$.id")


def test_weak_references_and_subclasses() -> None:
    @dataclass(slots=True, weakref_slot=True)
    class Base:
        x: int

    @dataclass(slots=True)
    class More(Base):
        y: int

    own = pack.codec(Base)
    made = own.decode(own.encode(Base(5)))
    assert weakref.ref(made)() is made

    @dataclass(slots=True)
    class Same(Base):
        pass

    assert own.encode(Same(5)) == own.encode(Base(5))
    assert pack.codec(More).decode(pack.codec(More).encode(More(5, 6))) == More(5, 6)


def test_subclasses_are_written_as_the_member_unless_a_field_would_be_lost() -> None:
    @dataclass
    class Quiet(Dog):
        kind: ClassVar[str] = "small"

        def bark(self) -> None:
            """Nothing."""

    @dataclass
    class Loud(Dog):
        volume: int = 11

    own: Any = pack.codec(list[Cat | Dog])
    assert own.decode(own.encode([Cat("a"), Quiet("b", 3)])) == [Cat("a"), Dog("b", 3)]
    for value in ([Cat("a"), Loud("b", 3)], [Loud("b", 3)] * 100):
        with pytest.raises(
            pack.SamewireError, match=r"Dog has no volume, which this .*Loud would lose: declare .*Loud, or a union"
        ) as caught:
            own.encode(value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", f"$[{[type(each) for each in value].index(Loud)}]")
    both: Any = pack.codec(list[Dog | Loud], namespace={"Loud": Loud})
    assert both.decode(both.encode([Dog("a", 1), Loud("b", 2)])) == [Dog("a", 1), Loud("b", 2)]


@pytest.mark.parametrize("profile", [*pack.Profile])
@pytest.mark.parametrize(
    ("base", "bases"),
    [
        (attrs.make_class("Base", {"x": attrs.field(type=int)}), attrs.make_class),
        (msgspec.defstruct("Base", [("x", int)]), msgspec.defstruct),
        (make_dataclass("Base", [("x", int)]), make_dataclass),
    ],
    ids=["attrs", "msgspec", "dataclass"],
)
def test_a_subclass_with_a_field_more_is_refused(base: Any, bases: Any, profile: pack.Profile) -> None:
    more = bases("More", {"y": attrs.field(type=int)} if bases is attrs.make_class else [("y", int)], bases=(base,))
    own = pack.codec(list[base], profile=profile)
    with pytest.raises(pack.SamewireError, match="Base has no y, which this More would lose") as caught:
        own.encode([base(1)] * 99 + [more(1, 2)])
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[99]")


def test_properties_and_missing_attributes() -> None:
    @dataclass
    class Half:
        whole: int
        half: int = field(init=False)

    own = pack.codec(Half)
    with pytest.raises(pack.SamewireError) as caught:
        own.encode(Half(4))
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$.half")

    class Duck:
        whole = 1
        half = 2

    with pytest.raises(pack.SamewireError) as caught:
        own.encode(Duck())  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$")


def test_typed_dicts() -> None:
    class Movie(TypedDict):
        title: str
        year: NotRequired[Annotated[int, pack.I16]]

    own = pack.codec(Movie)
    assert own.schema.text == "struct Movie { title: string, year: option<i16> }"
    assert own.decode(own.encode({"title": "a"})) == {"title": "a"}
    assert own.decode(own.encode({"title": "a", "year": 3})) == {"title": "a", "year": 3}
    wrong: list[Any] = [{"year": 3}, {"title": "a", "other": 1}, []]
    for value in wrong:
        with pytest.raises(pack.SamewireError):
            own.encode(value)

    class Sub(dict[str, Any]):
        pass

    assert own.encode(Sub(title="a")) == own.encode({"title": "a"})  # type: ignore[arg-type]


def test_generic_classes() -> None:
    @dataclass
    class Box(Generic[T]):
        item: T
        rest: list[T]

    @dataclass
    class Ints(Box[int]):
        more: int

    own = pack.codec(tuple[Box[int], Box[str]])
    assert own.schema.text == (
        "tuple<struct Box_i64 { item: i64, rest: list<i64> }, struct Box_string { item: string, rest: list<string> }>"
    )
    value = (Box(1, [2]), Box("a", ["b"]))
    assert own.decode(own.encode(value)) == value
    assert pack.codec(list[Box[int]]).schema.text == "list<struct Box { item: i64, rest: list<i64> }>"
    assert pack.codec(list[Box[Box[int]]]).schema.text.startswith("list<struct Box_Box_i64 { item: struct Box_i64 {")
    assert pack.codec(Ints).schema.text == "struct Ints { item: i64, rest: list<i64>, more: i64 }"


@dataclass
class Ends(Generic[T]):
    first: Chain[T]
    sides: list[Chain[T]]


@dataclass
class Chain(Generic[T]):
    item: T
    next: Chain[T] | None = None
    lists: list[Chain[T]] | None = None


def test_generic_classes_that_contain_themselves() -> None:
    own = pack.codec(Chain[int])
    assert own.schema.text == ("struct Chain { item: i64, next: option<Chain>, lists: option<list<Chain>> }")
    value = Chain(1, Chain(2), [Chain(3)])
    assert own.decode(own.encode(value)) == value
    ends = pack.codec(tuple[Ends[list[str]], Chain[list[str]]])
    inner = "struct Chain { item: list<string>, next: option<Chain>, lists: option<list<Chain>> }"
    assert ends.schema.text == f"tuple<struct Ends {{ first: {inner}, sides: list<Chain> }}, Chain>"


def test_names() -> None:
    @pack.named("colour", RED="red")
    class Color(enum.Enum):
        RED = 1
        BLUE = 2

    @pack.named("struct")
    @dataclass
    class Odd:
        class_: Annotated[Color, pack.Name("class")]

    own = pack.codec(Odd, namespace={"Color": Color})
    assert own.schema.text == 'struct "struct" { class: enum colour { BLUE, red } }'
    assert own.decode(own.encode(Odd(Color.RED))) == Odd(Color.RED)

    class Renamed(msgspec.Struct, rename="camel"):
        first_name: str

    assert pack.codec(Renamed).schema.text == "struct Renamed { firstName: string }"
    assert pack.codec(Renamed).decode(pack.codec(Renamed).encode(Renamed("x"))) == Renamed("x")


def test_more_fields_than_inline_values_hold() -> None:
    from dataclasses import make_dataclass

    for count in (1, 8, 9, 28, 29, 30, 31, 64, 200):
        cls = make_dataclass("Many", [(f"f{i}", bool if i % 3 else int) for i in range(count)])
        own: pack.Codec[Any] = pack.codec(cls)
        value = cls(*[i % 2 == 0 if i % 3 else i for i in range(count)])
        for _ in range(3):
            made = own.decode(own.encode(value))
            assert made == value
            assert made.__dict__ == value.__dict__


def test_instances_that_came_before_the_codec_do_not_matter() -> None:
    @dataclass
    class Late:
        a: int
        b: int

    for i in range(40):
        early = Late.__new__(Late)
        setattr(early, f"z{i}", i)
    own = pack.codec(Late)
    for _ in range(3):
        made = own.decode(own.encode(Late(1, 2)))
        assert made.__dict__ == {"a": 1, "b": 2}
        made.c = 3  # type: ignore[attr-defined]


def test_instances_take_no_more_memory_than_the_constructor_gives_them() -> None:
    """CPython reserves inline values for thirty keys at first, and for fewer with each instance."""

    @dataclass
    class Lean:
        a: int
        b: int

    own = pack.codec(list[Lean], namespace={"Lean": Lean})
    data = own.encode([Lean(1, 2)] * 1000)
    own.decode(data)
    tracemalloc.start()
    try:
        decoded = own.decode(data)
        size = tracemalloc.get_traced_memory()[0]
        made = [Lean(1, 2) for _ in range(1000)]
        assert size <= tracemalloc.get_traced_memory()[0] - size + 1000
    finally:
        tracemalloc.stop()
    for one_more in decoded[:50]:
        for i in range(40):
            setattr(one_more, f"more{i}", i)
        assert list(one_more.__dict__) == ["a", "b", *(f"more{i}" for i in range(40))]
    assert made == decoded[50:] + made[:50]
