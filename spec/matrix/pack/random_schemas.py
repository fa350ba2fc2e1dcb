"""Makes random schemas: all types, recursion, unions, refs, any, names that need quotes or are keywords."""

from __future__ import annotations

import random

SCALARS = ("bool i8 i16 i32 i64 u8 u16 u32 u64 bigint f32 f64 decimal string bytes uuid date time timestamp duration any").split()
FAVOURED = [*SCALARS, *["string"] * 5, *["any"] * 2]
NUMBERS = "i8 i16 i32 i64 u8 u16 u32 u64 f32 f64".split()
KEYS = "bool i8 i16 i32 i64 u8 u16 u32 u64 bigint string uuid date time timestamp duration".split()
FIELDS = (
    ["id", "name", "kind", "value", "x", "y", "items", "next", "left", "right", "a", "b", "note", "size", "At"]
    + ["class", "self", "default", "type", "fn", "constructor", "hashCode", "length", "None", "_", "r"]
    + ['"list"', '"two words"', '"1st"', '"\xe9t\xe9"', '"\u540d"', '"a-b"', '"say \\"hi\\""', '"$ref"', '"\U0001f600"']
)
SYMBOLS = ["red", "Green", "BLUE", "on", "off", "null", '"true"', '"map"', '"not yet"', '"\xdf"', '"\u4e2d"', "z9", "_0"]


RANDOM_SCHEMAS = 32
SEED = 20_260_101
MOST_NAMES = 8
"""Native types are compiled for each: a schema makes no more of them once it has this many."""


class Maker:
    """Makes one random schema. A struct refers back to one that encloses it only where a value can end without it."""

    def __init__(self, rng: random.Random, number: int) -> None:
        self.rng = rng
        self.number = number
        self.made = 0
        self.structs: list[str] = []
        self.enums: list[str] = []
        self.open: list[str] = []

    def name(self) -> str:
        self.made += 1
        plain = f"{self.rng.choice(['Node', 'Item', 'Page', 'Shape', 'Kind'])}{self.number}x{self.made}"
        return f'"{plain} \xfc"' if self.rng.random() < 0.1 else plain

    def type(self, depth: int) -> str:
        if depth <= 0 or self.made >= MOST_NAMES or self.rng.random() < 0.35:
            return self.rng.choice(FAVOURED)
        choices = ["option", "list", "list", "numbers", "set", "map", "tuple", "struct", "struct", "union", "ref", "enum"]
        return self.kind(self.rng.choice(choices), depth)

    def kind(self, kind: str, depth: int) -> str:
        match kind:
            case "option":
                return f"option<{self.optional(depth)}>"
            case "list":
                return f"list<{self.reachable(depth)}>"
            case "numbers":
                return f"list<{self.rng.choice(NUMBERS)}>"
            case "set":
                return f"set<{self.key()}>"
            case "map":
                return f"map<{self.key()}, {self.reachable(depth)}>"
            case "tuple":
                return f"tuple<{', '.join([self.type(depth - 1) for _ in range(self.rng.randint(1, 4))])}>"
            case "union":
                return self.union(depth)
            case "ref":
                return f"ref<{self.struct(depth)}>"
            case "enum":
                return self.enum()
            case _:
                return self.struct(depth)

    def reachable(self, depth: int) -> str:
        """Returns a type for inside a list, a map or an option. It may be a struct that encloses this place."""
        if self.open and self.rng.random() < 0.3:
            again = self.rng.choice(self.open)
            return f"ref<{again}>" if self.rng.random() < 0.3 else again
        return self.type(depth - 1)

    def optional(self, depth: int) -> str:
        inner = self.reachable(depth)
        return "string" if inner == "any" or inner.startswith("option<") else inner

    def key(self) -> str:
        return self.enum() if self.rng.random() < 0.1 else self.rng.choice(KEYS)

    def enum(self) -> str:
        if self.enums and self.rng.random() < 0.5:
            return self.rng.choice(self.enums)
        name = self.name()
        self.enums.append(name)
        return f"enum {name} {{ {', '.join(self.rng.sample(SYMBOLS, self.rng.randint(1, 6)))} }}"

    def struct(self, depth: int, least: int = 1) -> str:
        if least and self.structs and self.rng.random() < 0.4:
            return self.rng.choice(self.structs)
        name = self.name()
        names = self.rng.sample(FIELDS, self.rng.randint(least, 7))
        self.open.append(name)
        fields = [f"{field}: {self.type(depth - 1)}" for field in names]
        self.open.pop()
        if fields:
            self.structs.append(name)
        return f"struct {name} {{ {', '.join(fields)} }}" if fields else f"struct {name} {{}}"

    def union(self, depth: int) -> str:
        members = [self.struct(depth, 0) for _ in range(self.rng.randint(1, 4))]
        distinct = [member for i, member in enumerate(members) if member not in members[:i]]
        defined = [member.split(" {")[0].removeprefix("struct ") for member in distinct if member.startswith("struct ")]
        return f"union {{ {', '.join([m for m in distinct if m not in defined])} }}"


EVERY_SCALAR = "struct Every { " + ", ".join(f"f{i}: {name}, o{i}: option<{name}>" for i, name in enumerate(SCALARS[:-1]))
FIXED = [
    EVERY_SCALAR + ", last: any }",
    "tuple<" + ", ".join(f"list<{name}>" for name in SCALARS) + ">",
    "tuple<" + ", ".join(f"set<{name}>" for name in KEYS) + ">",
    "tuple<" + ", ".join(f"map<{name}, {value}>" for name, value in zip(KEYS, NUMBERS * 2, strict=False)) + ">",
    "struct Expr { pos: u32, of: union { struct Num { n: f64 }, struct Name { id: string }, struct Call { fn: Expr, args: list<Expr> }, struct Nothing {} } }",
    "list<struct Person { name: string, friends: list<ref<Person>>, boss: option<ref<Person>>, tags: map<string, any> }>",
    "list<any>",
    "list<struct Book { id: string, title: string, author: option<string>, year: i32, tags: list<string>, more: map<string, string> }>",
]  # fmt: skip


def random_schemas(count: int = RANDOM_SCHEMAS) -> list[str]:
    """Returns the fixed schemas, then random ones, in any form that the parser accepts."""
    rng = random.Random(SEED)
    return FIXED + [Maker(rng, number).struct(4) for number in range(count - len(FIXED))]
