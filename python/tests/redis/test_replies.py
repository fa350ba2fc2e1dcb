"""Conversions of replies against redis-py's on a real server, with either protocol and in each of its shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import redis
from reply_cases import CASES, CONTENTS
from samewire._native import Link
from samewire.redis.commands.replies import Callbacks, response_callbacks
from servers import link, valkey

SHAPES = [(protocol, legacy) for protocol in (None, 2, 3) for legacy in (True, False)]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with valkey(**{"enable-debug-command": "yes"}) as server:
        filler = link(server.port)
        for command in CONTENTS:
            filler.call((*command[0].split(), *command[1:]))
        yield server.port


def ours(connected: Link, callbacks: Callbacks, args: tuple[Any, ...], options: dict[str, Any], decode: bool) -> Any:
    """What a client of ours returns."""
    conversion = callbacks.get(args[0])
    sent = (*args[0].split(), *args[1:])
    if not options:
        return connected.call(sent, conversion, decode)
    reply = connected.call(sent, None, decode)
    return conversion(reply, **options) if callable(conversion) else reply


def form(value: Any) -> Any:
    """A value with the types in it; equal to another one's if both are alike."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [form(one) for one in value]
    if isinstance(value, dict):
        return "dict", sorted(((form(key), form(one)) for key, one in value.items()), key=repr)
    if isinstance(value, (set, frozenset)):
        return "set", sorted((form(one) for one in value), key=repr)
    return type(value).__name__, value


def outcome(call: Callable[[], Any]) -> Any:
    """What is returned, or the text of what is raised."""
    try:
        return form(call())
    except Exception as error:
        return str(error).removeprefix("ERR ")


@pytest.mark.parametrize("decode", [False, True], ids=["bytes", "str"])
@pytest.mark.parametrize(("protocol", "legacy"), SHAPES)
def test_shapes_are_those_of_redis_py(port: int, protocol: int | None, legacy: bool, decode: bool) -> None:
    theirs = redis.Redis(port=port, protocol=protocol, legacy_responses=legacy, decode_responses=decode)
    connected = link(port, decode_responses=decode)
    connected.call(("HELLO", protocol or 3))
    callbacks = response_callbacks(protocol, legacy)
    different = []
    for args, options in CASES:
        told = {"decode_responses": decode} if args[0] == "SLOWLOG GET" else options
        expected = outcome(partial(theirs.execute_command, *args, **told))
        came = outcome(partial(ours, connected, callbacks, args, told, decode))
        if came != expected:
            different.append(f"{args} {told}\n  redis-py: {expected!r:.600}\n  ours:     {came!r:.600}")
    theirs.close()
    assert not different, "\n".join(different)


def test_debug_object_is_a_dict_where_redis_py_makes_it_one() -> None:
    reply = b"Value at:0x7f refcount:1 encoding:embstr serializedlength:7 lru:234793 lru_seconds_idle:0"
    for protocol, legacy in SHAPES:
        theirs = redis.Redis(protocol=protocol, legacy_responses=legacy).response_callbacks.get("DEBUG OBJECT")  # type: ignore[no-untyped-call]
        conversion = response_callbacks(protocol, legacy).get("debug object")
        assert (conversion and conversion(reply)) == (theirs and theirs(reply))


def test_callbacks_are_found_in_any_case() -> None:
    callbacks = response_callbacks()
    assert callbacks["config get"] is callbacks["CONFIG GET"]
    callbacks["my.command"] = len
    assert callbacks["MY.COMMAND"] is len and "My.Command" in callbacks
    del callbacks["MY.command"]
    assert callbacks.get("my.command") is None
    callbacks.update({"ping": len})
    assert callbacks["PING"] is len
    assert response_callbacks()["PING"] is not len
