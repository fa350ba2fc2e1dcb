"""Methods against redis-py's: the same signatures, and the same bytes for the same calls."""

from __future__ import annotations

import asyncio
import inspect
import warnings
from typing import Any

import pytest
import redis
from calls import combinations, outcome
from redis._parsers import Encoder
from samewire.redis.commands import AsyncCommands, Commands

from codegen.redis.python.check import uncovered
from codegen.redis.python.definitions import Method, groups
from codegen.redis.table import Table

ENCODER = Encoder("utf-8", "strict", False)  # type: ignore[no-untyped-call]

METHODS = [method for group in groups() for method in group.methods]


def recorded(*args: Any, **options: Any) -> tuple[list[bytes], dict[str, Any]]:
    """The words of a command as bytes, and the options that say something about its reply."""
    name, *rest = args
    words = [*str(name).split(" "), *rest] if isinstance(name, str) else list(args)
    # `keys` is for redis-py's client-side cache alone. What is false is as good as not there.
    told = {name: value for name, value in options.items() if name != "keys" and value not in (None, False)}
    return [bytes(ENCODER.encode(word)) for word in words], told  # type: ignore[no-untyped-call]


class Ours(Commands[bytes]):
    def execute_command(self, *args: Any, **options: Any) -> Any:
        return recorded(*args, **options)


class Theirs(redis.Redis):
    def execute_command(self, *args: Any, **options: Any) -> Any:
        return recorded(*args, **options)


def signature(function: Any) -> list[tuple[str, Any, Any]]:
    """Names, defaults and kinds of parameters; a method's own object is left out."""
    found = inspect.signature(inspect.unwrap(function)).parameters.values()
    return [(parameter.name, repr(parameter.default), parameter.kind) for parameter in found][1:]


#: Methods whose parameters differ from redis-py's, and why.
OTHER_SIGNATURE: dict[str, str] = {
    "client_list": "the default of client_id cannot be changed by a caller",
    "client_tracking": "the default of prefix cannot be changed by a caller",
    "client_tracking_off": "the default of prefix cannot be changed by a caller",
    "client_tracking_on": "the default of prefix cannot be changed by a caller",
    "command_docs": "redis-py does not run it",
    "command_info": "redis-py does not run it",
    "failover": "redis-py does not run it",
    "geosearch": "takes polygons too",
    "geosearchstore": "takes polygons too",
    "latency_graph": "redis-py does not run it",
    "latency_histogram": "redis-py does not run it",
}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_has_the_signature_of_redis_py(method: Method) -> None:
    for name in (method.name, *method.aliases):
        ours = getattr(Commands, name)
        theirs = getattr(redis.Redis, name, None)
        if theirs is not None and name not in OTHER_SIGNATURE:
            assert signature(ours) == signature(theirs)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_has_the_signature_of_its_definition(method: Method) -> None:
    function = getattr(Commands, method.name)
    defined = [(parameter.name, parameter.default) for parameter in method.parameters]
    found = [
        (parameter.name, None if parameter.default is inspect.Parameter.empty else parameter.default)
        for parameter in list(inspect.signature(function).parameters.values())[1:]
    ]
    assert [name for name, _ in found] == [name for name, _ in defined]
    for (_, ours), (_, text) in zip(found, defined, strict=True):
        assert ours == (None if text is None else eval(text))


#: Calls that redis-py sends otherwise, or refuses otherwise, and why.
OTHERWISE: dict[str, str] = {
    "bitfield": "sends nothing itself",
    "hsetex": "sends FNX before KEEPTTL and behind EX",
    "command_docs": "redis-py does not run it",
    "command_info": "redis-py does not run it",
    "failover": "redis-py does not run it",
    "geosearch": "takes polygons too",
    "geosearchstore": "takes polygons too",
    "latency_doctor": "redis-py does not run it",
    "latency_graph": "redis-py does not run it",
    "latency_histogram": "redis-py does not run it",
    "memory_doctor": "redis-py does not run it",
    "shutdown": "returns only when the server ends",
    "slowlog_get": "leaves texts as bytes only if it knows that the client decodes them",
    "sort_ro": "sends SORT",
    "memory_help": "raises NotImplementedError",
    "unwatch": "sends nothing",
    "watch": "sends nothing",
}

#: Methods that redis-py has, and that raise there and here.
REFUSED = {"debug_segfault", "hello", "script_debug"}

COMPARED = [method for method in METHODS if hasattr(redis.Redis, method.name) and method.name not in OTHERWISE]


@pytest.mark.parametrize("method", COMPARED, ids=lambda method: method.name)
def test_sends_what_redis_py_sends(method: Method) -> None:
    ours, theirs = Ours(), Theirs()
    sent = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for arguments, keywords in combinations(method, 40):
            found = outcome(getattr(ours, method.name), arguments, keywords)
            expected = outcome(getattr(theirs, method.name), arguments, keywords)
            # Errors have the same class, and say it in their own words.
            if expected[0] == "raised":
                assert found[0] == "raised", (arguments, keywords)
                assert expected[1][0] in found[1], (arguments, keywords, found)
            else:
                assert found == expected, (arguments, keywords)
            sent += expected[0] == "sent"
    assert sent or method.name in REFUSED, "no call of the forty was a valid one"


def test_collects_operations_on_bit_fields() -> None:
    for client in (Ours(), Theirs()):
        with_overflow = client.bitfield("key", "fail").set("u8", 0, 255).incrby("u8", "#1", 3, "WRAP").get("i5", 100)
        assert with_overflow.command == (
            ["BITFIELD", "key", "OVERFLOW", "FAIL", "SET", "u8", 0, 255]
            + ["OVERFLOW", "WRAP", "INCRBY", "u8", "#1", 3, "GET", "i5", 100]
        )
        words, _ = with_overflow.execute()
        assert words[:2] == [b"BITFIELD", b"key"]
        assert with_overflow.command == ["BITFIELD", "key", "OVERFLOW", "FAIL"]


@pytest.mark.parametrize("name", ["watch", "unwatch"])
def test_clients_do_not_watch(name: str) -> None:
    with pytest.warns(DeprecationWarning, match="pipeline"):
        assert getattr(Ours(), name)() is None
    with pytest.warns(DeprecationWarning, match="pipeline"):
        assert asyncio.run(getattr(AsyncCommands(), name)()) is None


#: Methods of redis-py that are not here, and why.
NOT_HERE = {
    "digest_local": "needs the package xxhash",
    "execute_command": "the clients' own",
    "register_script": "the clients' own",
}


@pytest.mark.parametrize(
    "pair", [(redis.commands.CoreCommands, Commands), (redis.commands.AsyncCoreCommands, AsyncCommands)], ids=["sync", "asyncio"]
)
def test_has_every_method_of_redis_py(pair: tuple[type, type]) -> None:
    theirs, ours = ({name for name in dir(commands) if not name.startswith("_")} for commands in pair)
    assert theirs - ours == set(NOT_HERE)


def test_every_command_of_the_table_has_a_method() -> None:
    assert uncovered(groups(), Table()) == []
