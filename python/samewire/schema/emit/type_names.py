"""A schema's definitions, unions and tuples with their native names, for every emitter; and which of them are recursive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from samewire.pack.schema import (
    Enum,
    List,
    Map,
    Named,
    Option,
    Ref,
    Scalar,
    Schema,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
)
from samewire.pack.type import text_of

from .casing import MAX_LENGTH
from .naming import Idioms


def flat(node: Type) -> Type:
    """`node` with every struct and enum as a name."""
    match node:
        case Struct(name) | Enum(name):
            return Named(name)
        case Option(item):
            return Option(flat(item))
        case List(item):
            return List(flat(item))
        case Set(item):
            return Set(flat(item))
        case Ref(item):
            return Ref(Named(item.name))
        case Map(key, value):
            return Map(flat(key), flat(value))
        case Tuple(items):
            return Tuple(tuple(map(flat, items)))
        case Union(members, fallback):
            return Union(tuple(Named(member.name) for member in members), fallback)
        case Scalar() | Named():
            return node


def parts(node: Type) -> tuple[Type, ...]:
    """The types directly inside a flat type."""
    match node:
        case Option(item) | List(item) | Set(item) | Ref(item):
            return (item,)
        case Map(key, value):
            return (key, value)
        case Tuple(items):
            return items
        case Union(members):
            return members
        case _:
            return ()


def union_label(members: tuple[str, ...]) -> str:
    """The name of an anonymous union: `CircleOrSquare`, `JustCircle`; long ones end in `OrMore`."""
    if len(members) == 1:
        return f"Just {members[0]}"
    label = " Or ".join(members)
    if len(label) <= MAX_LENGTH - 8:
        return label
    kept = members[0]
    for member in members[1:]:
        if len(kept) + len(member) > MAX_LENGTH - 20:
            break
        kept += f" Or {member}"
    return f"{kept[: MAX_LENGTH - 20]} Or More"


class TypeNames:
    """The parts of a schema, with native names by the idioms of one language.

    structs, enums: flat definitions in order of first occurrence. unions: by their members' names. tuples: by their
    flat text. Types, unions and tuples share one name space.
    """

    def __init__(self, schema: Schema, idioms: Idioms) -> None:
        self.root = flat(schema.root)
        self.structs: dict[str, Struct] = {}
        self.enums: dict[str, Enum] = {}
        for name, definition in schema.definitions.items():
            if isinstance(definition, Enum):
                self.enums[name] = definition
            else:
                fields = tuple(replace(field, type=flat(field.type)) for field in definition.fields)
                self.structs[name] = replace(definition, fields=fields)
        self.unions: dict[tuple[str, ...], Union] = {}
        self.tuples: dict[str, Tuple] = {}
        for node in self._nodes():
            if isinstance(node, Union):
                members = tuple(member.name for member in node.members)
                if members not in self.unions or node.fallback is not None:
                    self.unions[members] = node
            elif isinstance(node, Tuple):
                self.tuples.setdefault(text_of(node), node)
        self._groups = components({name: self._held(name) for name in self.structs})

        # No schema name equals this key, so labels of unions and tuples do not collide with names of types.
        labels = {f"\0{index}": union_label(members) for index, members in enumerate(self.unions)}
        labels |= {f"\1{index}": f"Tuple {index + 1}" for index in range(len(self.tuples))}
        wished = [*schema.definitions, *labels]
        native = _allot_labelled(idioms, wished, labels)
        self.types = {name: native[name] for name in schema.definitions}
        self.union_names = {m: native[f"\0{i}"] for i, m in enumerate(self.unions)}
        self.tuple_names = {text: native[f"\1{i}"] for i, text in enumerate(self.tuples)}
        self.fields = {name: idioms.fields.allot(field.name for field in struct.fields) for name, struct in self.structs.items()}
        self.symbols = {name: idioms.symbols.allot(enum.symbols) for name, enum in self.enums.items()}

    def _nodes(self) -> Iterator[Type]:
        """Every flat type, left to right."""
        stack = [field.type for struct in reversed(self.structs.values()) for field in reversed(struct.fields)]
        stack.append(self.root)
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(parts(node)))

    def union_name(self, node: Union) -> str:
        """The native name of a union."""
        return self.union_names[tuple(member.name for member in node.members)]

    def tuple_name(self, node: Tuple) -> str:
        """The native name of a tuple."""
        return self.tuple_names[text_of(node)]

    def memberships(self, struct: str) -> list[str]:
        """Native names of the unions that `struct` is a member of."""
        return [self.union_names[members] for members in self.unions if struct in members]

    def _held(self, struct: str) -> set[str]:
        """Structs that a value of `struct` contains directly, without a list or the like between."""
        found: set[str] = set()
        stack: list[Type] = [field.type for field in self.structs[struct].fields]
        while stack:
            node = stack.pop()
            if isinstance(node, Named):
                found |= {node.name} & self.structs.keys()
            elif isinstance(node, Option | Tuple | Union):
                stack.extend(parts(node))
        return found

    def needs_box(self, inside: str | None, node: Type) -> bool:
        """Whether `node`, a struct or union held by value in struct `inside`, would make it infinitely large."""
        if inside is None:
            return False
        group = self._groups.get(inside)
        if group is None:
            return False
        names = [node.name] if isinstance(node, Named) else [m.name for m in parts(node) if isinstance(m, Named)]
        return any(self._groups.get(name) == group for name in names)


def _allot_labelled(idioms: Idioms, wished: list[str], labels: dict[str, str]) -> dict[str, str]:
    """As `Idiom.allot`, but some names have a label, and rank after all others."""
    own = [name for name in wished if name not in labels]
    native = idioms.types.allot(own)
    taken = set(native.values())
    for name, label in labels.items():
        base = idioms.types.convert(label)
        candidate, number = base, 2
        while candidate in taken or candidate in idioms.types.reserved:
            candidate = f"{base}{number}"
            number += 1
        native[name] = candidate
        taken.add(candidate)
    return native


def components(graph: dict[str, set[str]]) -> dict[str, int]:
    """A number for every node on a cycle, equal for nodes on a common one.

    Tarjan's algorithm with a stack of our own: schemas may be thousands of structs long.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    groups: dict[str, int] = {}
    for start in graph:
        if start in index:
            continue
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        path.append(start)
        on_path.add(start)
        while work:
            node, edges = work[-1]
            for other in edges:
                if other not in index:
                    index[other] = low[other] = len(index)
                    path.append(other)
                    on_path.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_path:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    group = [path.pop()]
                    while group[-1] != node:
                        group.append(path.pop())
                    on_path -= set(group)
                    if len(group) > 1 or node in graph[node]:
                        groups |= dict.fromkeys(group, index[node])
    return groups
