"""Recursive types, shared values, and forward references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, Optional, TypedDict

import msgspec
import pytest
from samewire import pack


@dataclass
class Tree:
    name: str
    kids: list[Tree]
    twin: Tree | None = None


@dataclass(slots=True)
class SlotsTree:
    name: str
    kids: list[SlotsTree]


class NamedTree(NamedTuple):
    name: str
    kids: list[NamedTree]


class StructTree(msgspec.Struct):
    name: str
    kids: list[StructTree]


class KeysTree(TypedDict):
    name: str
    kids: list[KeysTree]


@dataclass(slots=True)
class Odd:
    evens: dict[str, Even]


@dataclass(slots=True)
class Even:
    odd: Odd | None
    pair: tuple[Odd | None, Even | None] | None = None


@dataclass
class Node:
    n: int
    next: Annotated[Node, pack.REF] | None = None


@dataclass
class Graph:
    nodes: list[Annotated[Node, pack.REF]] = field(default_factory=list)
    start: Annotated[Node, pack.REF] | None = None


def chain(cls: Any, depth: int) -> Any:
    value = cls(name="0", kids=[])
    for n in range(1, depth):
        value = cls(name=str(n), kids=[value])
    return value


@pytest.mark.parametrize("cls", [SlotsTree, NamedTree, StructTree, KeysTree])
def test_every_kind_of_class_may_contain_itself(cls: Any) -> None:
    own = pack.codec(cls)
    assert own.schema.text == f"struct {cls.__name__} {{ name: string, kids: list<{cls.__name__}> }}"
    value = cls(name="root", kids=[cls(name=f"kid {n}", kids=[cls(name="leaf", kids=[])] * n) for n in range(5)])
    for profile in pack.Profile:
        assert own.decode(pack.codec(cls, profile=profile).encode(value)) == value


@pytest.mark.parametrize("cls", [SlotsTree, NamedTree, StructTree, KeysTree, Tree])
def test_depth(cls: Any) -> None:
    own = pack.codec(cls, limits=pack.Limits(depth=20))
    free = pack.codec(cls)
    value = chain(cls, 20)
    assert own.decode(own.encode(value)) == value
    deep = chain(cls, 21)
    with pytest.raises(pack.SamewireError) as caught:
        own.encode(deep)
    assert caught.value.code == "limit_depth"
    with pytest.raises(pack.SamewireError) as caught:
        own.decode(free.encode(deep))
    assert caught.value.code == "limit_depth"
    # The C stack is not exhausted even under a larger limit.
    bold = pack.codec(cls, limits=pack.Limits(depth=10**6))
    with pytest.raises(pack.SamewireError) as caught:
        bold.encode(chain(cls, 200_000))
    assert caught.value.code == "limit_depth"


@dataclass
class Bough:
    kids: list[Bough]


@pytest.mark.parametrize(("kind", "level"), [(Any, b"\x08\x01"), (Bough, b"\x01"), (list[Bough], b"\x01")])
def test_no_depth_that_is_read_exhausts_the_stack(kind: Any, level: bytes) -> None:
    bold = pack.codec(kind, limits=pack.Limits(depth=10**6))
    for levels in (100, 1000, 3000, 10_000, 30_000, 400_000):
        for end, code in ((b"", "truncated"), (b"\x00\x00", "trailing")):
            with pytest.raises(pack.SamewireError) as caught:
                bold.decode(b"\x80" + level * levels + end)
            assert caught.value.code in ((code,) if levels <= 1000 else (code, "limit_depth"))


def test_a_cycle_runs_into_the_depth() -> None:
    tree = Tree("a", [])
    tree.kids.append(tree)
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(Tree).encode(tree)
    assert caught.value.code == "limit_depth"
    node = Node(1)
    node.next = node
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(Annotated[Node, pack.REF]).encode(node)
    assert caught.value.code == "limit_depth"
    anything: Any = Any
    items: list[Any] = []
    items.append(items)
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(anything).encode(items)
    assert caught.value.code == "limit_depth"


def test_types_that_contain_each_other() -> None:
    own = pack.codec(Odd)
    value = Odd({"a": Even(None), "b": Even(Odd({}), (Odd({"c": Even(None)}), Even(None)))})
    assert own.decode(own.encode(value)) == value
    assert own.schema.text == (
        "struct Odd { evens: map<string, struct Even { odd: option<Odd>, pair: option<tuple<option<Odd>, option<Even>>> }> }"
    )


def test_shared_structs_keep_their_identity() -> None:
    own = pack.codec(Graph)
    last = Node(3)
    first, second = Node(1, last), Node(2, last)
    value = own.decode(own.encode(Graph([first, second, first, last, Node(3)], second)))
    nodes = value.nodes
    assert [node.n for node in nodes] == [1, 2, 1, 3, 3]
    assert nodes[0] is nodes[2]
    assert nodes[0].next is nodes[1].next is nodes[3]
    assert nodes[3] is not nodes[4]
    assert value.start is nodes[1]
    # Equal but not identical: identity decides.
    apart = own.decode(own.encode(Graph([Node(1), Node(1)])))
    assert apart.nodes[0] is not apart.nodes[1]


def test_a_property_cannot_make_two_objects_of_one_address_one() -> None:
    class Fleeting(Graph):
        @property
        def nodes(self) -> list[Node]:
            return [Node(n) for n in range(100)]

        @nodes.setter
        def nodes(self, value: list[Node]) -> None:
            pass

        start = None

    own = pack.codec(Graph)
    decoded = own.decode(own.encode(Fleeting()))
    assert [node.n for node in decoded.nodes] == list(range(100))
    assert len({id(node) for node in decoded.nodes}) == 100


class Step(msgspec.Struct, gc=False):
    n: Annotated[int, pack.U8]
    before: Annotated[Step, pack.REF] | None


def test_chains_of_references_are_no_longer_than_a_stack() -> None:
    """msgspec frees untracked Structs by recursion."""
    own = pack.codec(list[Annotated[Step, pack.REF]])
    longest = 2048 + 16 * pack.Limits().depth
    steps: list[Step] = []
    for _ in range(longest + 2):
        steps.append(Step(7, steps[-1] if steps else None))
    message = own.encode(steps[:-1])
    assert len(own.decode(message)) == longest + 1
    message = own.encode(steps)
    with pytest.raises(pack.SamewireError) as caught:
        own.decode(message)
    assert (caught.value.code, caught.value.at) == ("limit_depth", len(message) - 2)
    assert caught.value.path == f"$[{longest + 1}].before"


@dataclass
class Row:
    name: str
    left: list[Row]
    good: bool
    right: list[Row]
    last: str


@pytest.mark.parametrize("profile", ["compact", "fast"])
def test_rows_of_any_depth_go_on_where_they_were_left(profile: pack.Profile) -> None:
    own = pack.codec(Row, profile=profile, limits=pack.Limits(depth=80))
    value = Row("leaf", [], True, [], "")
    for depth in range(1, 80):
        beside = Row("beside", [], False, [], "é" * depth)
        left, right = ([value, beside], []) if depth % 3 else ([], [beside, value])
        value = Row(f"n{depth}", left, depth % 2 == 0, right, "x" * depth)
        assert own.decode(own.encode(value)) == value
    with pytest.raises(pack.SamewireError) as caught:
        own.encode(Row("one too many", [], True, [value], ""))
    assert caught.value.code == "limit_depth"


def test_forward_references_inside_functions() -> None:
    @dataclass
    class Outer:
        inner: Inner
        more: list[Optional[Inner]]  # noqa: UP045 - the older spelling

    @dataclass
    class Inner:
        back: Outer | None
        x: int

    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(Outer)
    assert caught.value.code == "misuse"
    assert "namespace" in caught.value.text
    own = pack.codec(Outer, namespace={"Inner": Inner})
    value = Outer(Inner(None, 1), [None, Inner(Outer(Inner(None, 2), []), 3)])
    assert own.decode(own.encode(value)) == value
    assert pack.codec("Outer", namespace={"Outer": Outer, "Inner": Inner}).schema == own.schema
    assert pack.codec(list["Outer"], namespace={"Outer": Outer, "Inner": Inner}).decode(
        pack.codec(list[Outer], namespace={"Inner": Inner}).encode([value])
    ) == [value]
