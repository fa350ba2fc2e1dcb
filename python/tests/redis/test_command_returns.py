"""Replies of a real server are of the types that the stubs promise."""

from __future__ import annotations

import ast
import types
import warnings
from datetime import datetime
from typing import Any, Union, get_args, get_origin

import pytest
from samewire.redis.client import Client
from samewire.redis.exceptions import RedisError
from test_commands_alike import CALLS, NAMES

from spec.redis.definitions import groups

METHODS = {name: method for group in groups() for method in group.methods for name in (method.name, *method.aliases)}


def promised(name: str, text: type) -> list[Any]:
    """The return types of a method: one, and one for each overload."""
    method = METHODS[name]
    scope = {"Text": text, "Any": Any, "datetime": datetime}
    sources = [method.stubs.get("sync", method.returns), *(overload.returns for overload in method.overloads)]
    return [eval(source, {**scope}) for source in sources]


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type, with everything in it."""
    if kind is Any or kind is None:
        return kind is Any or value is None
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin in (list, set):
        return type(value) is origin and all(fits(item, inner[0]) for item in value)
    if origin is dict:
        return type(value) is dict and all(fits(key, inner[0]) and fits(item, inner[1]) for key, item in value.items())
    if origin is tuple:
        return type(value) is tuple and len(value) == len(inner) and all(map(fits, value, inner))
    return type(value) is kind or (kind is float and type(value) is int)


def calls(line: str) -> str:
    """The method that a line calls first."""
    tree = ast.parse(line, mode="eval").body
    while isinstance(tree, ast.Compare):
        tree = tree.left
    assert isinstance(tree, ast.Call)
    while isinstance(tree.func, ast.Attribute) and isinstance(tree.func.value, ast.Call):
        tree = tree.func.value
    assert isinstance(tree.func, ast.Name)
    return tree.func.id


@pytest.mark.parametrize("text", [bytes, str])
@pytest.mark.parametrize("group", CALLS)
def test_replies_are_of_the_promised_types(port: int, group: str, text: type) -> None:
    lines = [line for line in CALLS[group].strip().splitlines() if not line.startswith("list: ") and " is None" not in line]
    client: Client[Any]
    with Client(port=port, decode_responses=text is str, encoding_errors="replace") as client, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client.flushall()
        for line in lines:
            try:
                reply = eval(f"self.{line}", {**NAMES, "self": client})
            except RedisError:
                continue
            kinds = promised(calls(line), text)
            assert any(fits(reply, kind) for kind in kinds), (line, reply, kinds)
