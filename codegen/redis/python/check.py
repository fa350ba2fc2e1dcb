"""Compares the definitions of methods with the table of commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.redis.python.definitions import Group, Method
from codegen.redis.python.stubs import kind
from codegen.redis.python.wire import Optional, Piece, Value, Word, parse
from codegen.redis.table import Table

#: Words that are data: the documentation of the commands does not list them.
DATA = frozenset({"0", "1", "*", "-1"})


def words(pieces: list[Piece]) -> Iterator[str]:
    """Every word of a wire form."""
    for piece in pieces:
        if isinstance(piece, Word):
            yield piece.text
        elif isinstance(piece, Optional):
            for choice in piece.choices:
                yield from (inner.text for inner in choice if isinstance(inner, Word))


def values(pieces: list[Piece]) -> Iterator[Value]:
    """Every parameter of a wire form."""
    for piece in pieces:
        if isinstance(piece, Value):
            yield piece
        elif isinstance(piece, Optional):
            for choice in piece.choices:
                yield from (inner for inner in choice if isinstance(inner, Value))


def least(pieces: list[Piece]) -> int:
    """How many arguments are sent at least, with one item of what must have items."""
    return sum(
        2 if isinstance(piece, Value) and piece.form == "mapping" else 1 for piece in pieces if not isinstance(piece, Optional)
    )


def is_key(piece: Piece, method: Method) -> bool:
    if not isinstance(piece, Value):
        return False
    if piece.form == "mapping":
        return True
    found = kind(method.parameter(piece.name))
    return "KeyT" in found or "KeysT" in found


def keys(row: dict[str, Any], pieces: list[Piece], method: Method, skipped: int) -> Iterator[str]:
    """What is wrong with the positions of keys, where they are at a fixed place."""
    fixed = [piece for piece in pieces if not isinstance(piece, Optional)]
    for spec in row["key_specs"]:
        at = spec["begin"].get("index")
        if at is None or "not_key" in spec["flags"]:
            continue
        at -= skipped
        if spec["find"]["type"] == "keynum":
            at += spec["find"]["firstkey"]
        if at >= len(fixed) or not is_key(fixed[at], method):
            yield f"argument {at + 1} is a key of the command, and no KeyT here"
    single = [piece for piece in fixed if isinstance(piece, Value) and piece.form == "one"]
    if not row["key_specs"] and any(kind(method.parameter(piece.name)) == "KeyT" for piece in single):
        yield "the command has no key, the method has one"


def faults(method: Method, table: Table) -> Iterator[str]:
    """What is wrong with one definition."""
    if method.wire is None:
        return
    name, rest = method.command, parse(method.wire)
    row = table.rows[name]
    for given in values(rest):
        method.parameter(given.name)
    if name in table.pinned:
        known = table.tokens(name) | DATA | method.redis_only
        yield from (f"{name} has no word {word}" for word in words(rest) if word not in known)
    skipped = name.count(" ") + 1
    count = least(rest) + skipped
    arity = row["arity"]
    if arity > 0 and (any(isinstance(piece, Optional) for piece in rest) or count != arity):
        yield f"{name} has {arity} words, the method sends {count}"
    if arity < 0 and count < -arity:
        yield f"{name} has at least {-arity} words, the method sends {count}"
    yield from keys(row, rest, method, skipped)


#: Commands without a method, and why.
WITHOUT_METHOD = {
    "INCR": "incr() sends INCRBY",
    "DECR": "decr() sends DECRBY",
    "CLUSTER SLAVES": "the old name of CLUSTER REPLICAS",
    "ASKING": "sent by cluster clients",
    "REPLCONF": "between servers",
    "CLUSTER SYNCSLOTS": "between servers",
    "RESTORE-ASKING": "between servers",
    "PFDEBUG": "a test of the server",
    "PFSELFTEST": "a test of the server",
    "DEBUG": "its subcommands are not in the table",
    "MULTI": "pipelines",
    "EXEC": "pipelines",
    "DISCARD": "pipelines",
    "MONITOR": "monitor()",
    "SUBSCRIBE": "pubsub()",
    "PSUBSCRIBE": "pubsub()",
    "SSUBSCRIBE": "pubsub()",
    "UNSUBSCRIBE": "pubsub()",
    "PUNSUBSCRIBE": "pubsub()",
    "SUNSUBSCRIBE": "pubsub()",
}


def uncovered(groups: list[Group], table: Table) -> list[str]:
    """Commands that no method sends."""
    sent = set(WITHOUT_METHOD)
    for method in (method for group in groups for method in group.methods):
        sent.add(method.command)
    containers = table.containers()
    return sorted(name for name in table.rows if name not in sent and name not in containers and not name.endswith(" HELP"))


def violations(groups: list[Group], table: Table) -> list[str]:
    """Every fault of every definition, one line each."""
    found = []
    seen: dict[str, str] = {}
    for group in groups:
        for method in group.methods:
            for name in (method.name, *method.aliases):
                if name in seen:
                    found.append(f"{method.where}: {name} is defined at {seen[name]} too")
                seen[name] = method.where
            found += [f"{method.where}: {method.name}: {fault}" for fault in faults(method, table)]
    return found
