"""Methods of modules: they send what redis-py's send, and return what it returns of the same replies.

The replies in `module_replies` are those of Redis Stack 7.4 (`record_modules.py`).
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from module_calls import CALLS, Call
from module_exchange import Exchange, replay
from samewire.redis import routing
from samewire.redis.modules.facts import FACTS

FOLDER = Path(__file__).parent / "module_replies"
RECORDED = {
    name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for name in CALLS
    if (FOLDER / f"{name}.json").exists()
}

#: What the calls use, and in which modules of redis-py and ours it is.
PARTS = {
    "json": ("redis.commands.json.commands", "samewire.redis.modules.json"),
    **{
        name: (f"redis.commands.search.{name}", f"samewire.redis.modules.search.{name}")
        for name in ("aggregation", "field", "query", "reducers")
    },
    "index": ("redis.commands.search.index_definition", "samewire.redis.modules.search.index_definition"),
}

#: Keys of commands of which that server names the first one only, or which it does not have.
NOT_SAID: dict[str, Callable[[list[str]], list[str]]] = {
    "JSON.MGET": lambda words: words[1:-1],
    "JSON.MSET": lambda words: words[1::3],
    "CMS.MERGE": lambda words: [words[1], *words[3 : 3 + int(words[2])]],
    "TDIGEST.MERGE": lambda words: [words[1], *words[3 : 3 + int(words[2])]],
    "TS.CREATERULE": lambda words: words[1:3],
    "TS.DELETERULE": lambda words: words[1:3],
    "TS.MADD": lambda words: words[1::3],
    "TS.NRANGE": lambda words: words[2 : 2 + int(words[1])],
    "TS.NREVRANGE": lambda words: words[2 : 2 + int(words[1])],
    "TS.READ": lambda words: words[1:2],
}

#: Options of clients that choose conversions.
OPTIONS = [
    {"protocol": protocol, "legacy_responses": legacy, "decode_responses": decode}
    for protocol in (None, 2, 3)
    for legacy in (True, False)
    for decode in (False, True)
]


def libraries() -> tuple[SimpleNamespace, SimpleNamespace]:
    """redis-py's classes and ours."""
    pytest.importorskip("redis", reason="redis-py is not installed")
    theirs, ours = (
        SimpleNamespace(**{name: importlib.import_module(row[which]) for name, row in PARTS.items()}) for which in (0, 1)
    )
    return theirs, ours


def plain(value: Any) -> Any:
    """A value to compare: an object as its class's name and attributes, an error as its kind and the server's text."""
    if isinstance(value, Exception):
        kind = "ResponseError" if any(one.__name__ == "ResponseError" for one in type(value).__mro__) else "error"
        return kind, str(value) if kind == "ResponseError" else None
    if isinstance(value, (list, tuple, set)):
        return type(value).__name__, [plain(item) for item in value]
    if isinstance(value, dict):
        return "dict", [(plain(name), plain(item)) for name, item in value.items()]
    if hasattr(value, "__dict__"):
        return type(value).__name__, plain(
            {name: item for name, item in vars(value).items() if not name.startswith("_") and name != "duration"}
        )
    return type(value).__name__, "nan" if value != value else value


def outcomes(client: Any, lib: Any, calls: list[Call]) -> list[Any]:
    """What each call returned or raised."""
    found = []
    for call in calls:
        try:
            found.append(call(client, lib))
        except Exception as error:
            found.append(error)
    return found


async def awaited(client: Any, lib: Any, calls: list[Call]) -> list[Any]:
    """The same of an asyncio client."""
    found = []
    for call in calls:
        try:
            found.append(await call(client, lib))
        except Exception as error:
            found.append(error)
    await client.aclose()
    return found


def exchange_of(group: str, options: dict[str, Any]) -> Exchange:
    protocol = options["protocol"] or 3
    return Exchange(protocol, replay(RECORDED[group][str(protocol)]))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options.values())))
@pytest.mark.parametrize("group", CALLS)
def test_sends_and_returns_what_redis_py_does(group: str, options: dict[str, Any]) -> None:
    redis = pytest.importorskip("redis", reason="redis-py is not installed")
    results = []
    for make, lib in zip((redis.Redis, samewire.redis.Client), libraries(), strict=True):
        exchange = exchange_of(group, options)
        client = make(port=exchange.port, **options)
        values = outcomes(client, lib, CALLS[group])
        client.close()
        exchange.close()
        results.append((exchange.commands, values))
    (their_commands, their_values), (our_commands, our_values) = results
    assert our_commands == their_commands
    for number, (theirs, ours) in enumerate(zip(their_values, our_values, strict=True)):
        assert plain(ours) == plain(theirs), f"call {number} of {group}: {theirs!r}, not {ours!r}"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("group", CALLS)
def test_is_the_same_for_asyncio_and_in_pipelines(group: str) -> None:
    options = {"protocol": None, "decode_responses": True}
    ours = libraries()[1]
    exchange = exchange_of(group, options)
    client = samewire.redis.Client(port=exchange.port, **options)
    expected = outcomes(client, ours, CALLS[group])
    client.close()

    async def run() -> list[Any]:
        return await awaited(samewire.redis.aio.Client(port=second.port, **options), ours, CALLS[group])

    second = exchange_of(group, options)
    assert list(map(plain, asyncio.run(run()))) == list(map(plain, expected))
    assert second.commands == exchange.commands

    # Calls that fail before they are sent are not queued.
    sent = [call for call, value in zip(CALLS[group], expected, strict=True) if plain(value)[0] != "error"]
    third = exchange_of(group, options)
    piped = samewire.redis.Client(port=third.port, **options)
    pipe = piped.pipeline(transaction=False)
    assert all(value is pipe for value in outcomes(pipe, ours, sent))
    values = pipe.execute(raise_on_error=False)
    assert third.commands == exchange.commands
    texts = [plain(value) for value in expected if plain(value)[0] != "error"]
    assert [plain(value) for value in values] == texts
    piped.close()


@pytest.mark.parametrize("group", CALLS)
def test_finds_keys_where_the_server_does(group: str) -> None:
    for row in RECORDED[group]["3"]:
        words = row["words"]
        assert words[0] in FACTS or words[0] == "HSET", words
        if words[0].startswith("FT.") and not words[0].startswith("FT.SUG"):
            # That server takes an index for a key; a cluster's nodes know all indexes.
            expected = []
        else:
            expected = NOT_SAID[words[0]](words) if words[0] in NOT_SAID else row["keys"]
        assert list(routing.keys_of(words)) == expected, words
