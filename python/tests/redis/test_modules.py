"""Methods of modules: they send what redis-py's send, and return what it returns of the same replies.

The replies in `spec/redis/module_replies` are those of Redis Stack 7.4 (`record_modules.py`).
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import inspect
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
from samewire.redis.aio.cluster_pipeline import ClusterPipeline
from samewire.redis.cluster.placement import slot_of
from samewire.redis.exceptions import RedisClusterException
from samewire.redis.modules.facts import FACTS
from samewire.redis.modules.search.results import Suggestion
from samewire.redis.redis_py.as_redis import FACADES
from samewire.redis.rules import routing
from samewire.redis.rules.blocking import server_waits

FOLDER = Path(__file__).parents[3] / "spec/redis/module_replies"
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

#: Packages of redis-py's modules.
MODULES = ("bf", "json", "redismodules", "search", "timeseries")

#: The modules of those packages. indexDefinition is the name of an older redis-py.
OF_MODULES = [
    name
    for name in FACADES
    if name.startswith("redis.commands.") and name.split(".")[2] in MODULES and not name.endswith("indexDefinition")
]

#: Classes of redis-py that are inner parts of its pipelines.
NOT_OURS = {"Pipeline", "ClusterPipeline", "AsyncPipeline", "AbstractBloom", "AsyncSearchCommands"}

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
    """Calls of an asyncio client, as above of a client that blocks."""
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
    options: dict[str, Any] = {"protocol": None, "decode_responses": True}
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
            expected: list[str] = []
        else:
            expected = NOT_SAID[words[0]](words) if words[0] in NOT_SAID else row["keys"]
        assert list(routing.keys_of(words)) == expected, words


def both() -> tuple[Exchange, Any, Exchange, Any]:
    """A server for redis-py with its client, and one for ours, that reply OK or 1 to everything."""
    redis = pytest.importorskip("redis", reason="redis-py is not installed")
    servers = [Exchange(3, lambda words: b":1\r\n" if words[0] == b"FT.SUGADD" else b"+OK\r\n") for _ in range(2)]
    return servers[0], redis.Redis(port=servers[0].port), servers[1], samewire.redis.Client(port=servers[1].port)


def test_sends_files_and_suggestions_as_redis_py_does(tmp_path: Path) -> None:
    suggestion = pytest.importorskip("redis.commands.search.suggestion", reason="redis-py is not installed").Suggestion
    (tmp_path / "a.json").write_text('{"a": 1}')
    (tmp_path / "b.json").write_text("no JSON")
    theirs, client, ours, mine = both()
    results = []
    for one, kind in ((client, suggestion), (mine, Suggestion)):
        results.append(
            [
                one.json().set_file("file", "$", str(tmp_path / "a.json"), nx=True),
                one.json().set_path("$", str(tmp_path)),
                one.ft().sugadd("sug", kind("a", 2.0, "p"), kind("b"), increment=True),
            ]
        )
        one.close()
    assert results[1] == results[0]
    assert ours.commands == theirs.commands


def test_asyncio_reads_files_and_awaits_suggestions(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 1}')
    (tmp_path / "b.json").write_text("no JSON")
    server = Exchange(3, lambda words: b":1\r\n" if words[0] == b"FT.SUGADD" else b"+OK\r\n")

    async def run() -> list[Any]:
        async with samewire.redis.aio.Client(port=server.port) as client:
            return [
                await client.json().set_file("file", "$", str(tmp_path / "a.json")),
                await client.json().set_path("$", str(tmp_path)),
                await client.ft().sugadd("sug", Suggestion("a")),
            ]

    found = asyncio.run(run())
    assert found == [True, {str(tmp_path / "a.json"): True, str(tmp_path / "b.json"): False}, 1]


def test_a_module_has_pipelines_of_its_own() -> None:
    server = Exchange(3, lambda words: b"+OK\r\n" if words[0] == b"JSON.SET" else b"$8\r\n" + b'{"a": 1}' + b"\r\n")
    client = samewire.redis.Client(port=server.port)
    pipe = client.json().pipeline(transaction=False)
    assert pipe.set("k", "$", {"a": 1}).get("k").jsonget("k") is pipe
    assert pipe.execute() == [True, {"a": 1}, {"a": 1}]
    client.close()


class Nodes:
    """A cluster's client without nodes."""

    load_balancing_strategy = None

    def __init__(self) -> None:
        self.response_callbacks: dict[str, Any] = {}

    def get_connection_kwargs(self) -> dict[str, Any]:
        return {"protocol": 2}

    def set_response_callback(self, name: str, convert: Any) -> None:
        self.response_callbacks[name] = convert


def test_pipelines_of_clusters_have_modules() -> None:
    nodes: Any = Nodes()
    pipe = ClusterPipeline(nodes)
    assert pipe.json().set("k", "$", 1) is pipe
    assert pipe.ft("i").search("text") is pipe
    assert [command.args[:3] for command in pipe.command_stack] == [("JSON.SET", "k", "$"), ("FT.SEARCH", "i", "text")]
    assert nodes.response_callbacks["JSON.DEL"](b"1") == 1


@pytest.mark.parametrize("make", [samewire.redis.RedisCluster, samewire.redis.aio.RedisCluster])
def test_clients_of_clusters_have_modules(make: Any) -> None:
    for name in ("bf", "cf", "cms", "ft", "json", "tdigest", "topk", "ts"):
        assert callable(getattr(make, name))


@pytest.mark.parametrize(
    ("words", "slots"),
    [
        (["JSON.MSET", "{a}1", "$", "1", "{a}2", "$", "2"], 1),
        (["JSON.MGET", "{a}1", "b", "$"], 2),
        (["TS.MADD", "{a}1", 1, 1, "{a}2", 1, 1], 1),
        (["CMS.MERGE", "{a}1", 1, "b", "WEIGHTS", 1], 2),
        (["FT.SEARCH", "index", "text"], 0),
    ],
)
def test_commands_go_to_the_slot_of_their_keys(words: list[Any], slots: int) -> None:
    def encode(value: Any) -> bytes:
        return str(value).encode()

    if slots == 2:
        with pytest.raises(RedisClusterException, match="same key slot"):
            slot_of(words, encode)
    else:
        assert (slot_of(words, encode) is not None) == (slots == 1)


@pytest.mark.parametrize("name", OF_MODULES)
def test_exports_what_redis_py_does(name: str) -> None:
    theirs = pytest.importorskip(name, reason="redis-py is not installed")
    made = {
        one
        for one, value in vars(theirs).items()
        if isinstance(value, type) and value.__module__ == name and not one.startswith("_")
    }
    ours = [importlib.import_module(f"samewire.redis.{row.partition(':')[0]}") for row in FACADES[name]]
    missing = {one for one in made if not any(hasattr(module, one) for module in ours)}
    assert missing <= NOT_OURS, missing


@pytest.mark.parametrize(
    "make",
    [
        lambda q: q.querystring("word", title="a", year=q.between(1, 2)),
        lambda q: q.querystring(title=["a", "b"], tag=q.tags("x", 5)),
        lambda q: q.querystring(n=[q.gt(1), q.lt(2)]),
        lambda q: q.union("a", n=[q.ge(1.5), q.le(2), q.equal(3)], w=["x", "y"]),
        lambda q: q.intersect(q.union("a", "b"), q.disjunct("c", d="e"), q.disjunct(n=5)),
        lambda q: q.disjunct_union("a", b=["c", "d"], at=q.geo(1, 2, 3)),
        lambda q: q.OptionalNode("a", q.OptionalNode("b")),
        lambda q: q.union("a").to_string(with_parens=True) + q.disjunct("a", "b").to_string(with_parens=False),
        lambda q: q.querystring(),
    ],
)
def test_writes_queries_as_redis_py_does(make: Any) -> None:
    theirs = pytest.importorskip("redis.commands.search.querystring", reason="redis-py is not installed")
    assert str(make(importlib.import_module("samewire.redis.modules.search.querystring"))) == str(make(theirs))


#: Methods of redis-py that are not ours, and old names that take anything there.
DIFFERENT = {"add_document", "add_document_hash", "batch_indexer", "delete_document", "get", "jsonget", "jsonmget", "jsonset"}

GROUPS = {
    "json": ("JSONCommands",),
    "bf": ("BFCommands", "CFCommands", "CMSCommands", "TDigestCommands", "TOPKCommands"),
    "timeseries": ("TimeSeriesCommands",),
    "search": ("SearchCommands",),
}


@pytest.mark.parametrize(("package", "group"), [(package, group) for package, found in GROUPS.items() for group in found])
def test_parameters_are_those_of_redis_py(package: str, group: str) -> None:
    theirs = getattr(pytest.importorskip(f"redis.commands.{package}.commands", reason="redis-py is not installed"), group)
    ours = getattr(importlib.import_module(f"samewire.redis.{FACADES[f'redis.commands.{package}'][0]}"), group)

    def parameters(method: Any) -> list[tuple[Any, ...]]:
        found = inspect.signature(method).parameters.values()
        return [(one.name, one.kind, one.default or None) for one in found]

    skipped = DIFFERENT if package in ("json", "search") else set()
    for name, method in vars(theirs).items():
        if callable(method) and not name.startswith("_") and name not in skipped - ({"get"} if package == "json" else set()):
            assert parameters(getattr(ours, name)) == parameters(method), name


def hybrid_calls() -> list[Call]:
    def query(lib: Any) -> Any:
        words = lib.HybridSearchQuery("hello", scorer="TFIDF").yield_score_as("s")
        method = lib.VectorSearchMethods.KNN
        near = lib.HybridVsimQuery("@v", b"\x00\xff", method, {"K": 5}, lib.HybridFilter("@n:[1 2]"), "d")
        return lib.HybridQuery(words, near)

    def steps(lib: Any) -> Any:
        made = lib.HybridPostProcessingConfig().load("@a AS b", "@c", decode_field=True).load("@raw").apply(x="@n+1")
        return made.sort_by(lib.SortbyField("@x", False)).filter(lib.HybridFilter("@x > 1")).limit(0, 5)

    return [
        lambda r, lib: r.ft().hybrid_search(query(lib)),
        lambda r, lib: r.ft().hybrid_search(
            query(lib),
            lib.CombineResultsMethod(lib.CombinationMethods.LINEAR, ALPHA=0.5, BETA=0.5),
            steps(lib),
            {"v": b"\xff"},
            10,
        ),
        lambda r, lib: r.ft().hybrid_search(query(lib), cursor=lib.HybridCursorQuery(5, 100)),
    ]


def hybrid_reply(protocol: int, words: list[bytes]) -> bytes:
    """What servers of Redis 8.4 reply, by its documentation."""

    def bulk(text: bytes) -> bytes:
        return b"$%d\r\n%b\r\n" % (len(text), text)

    head = b"%%%d\r\n" if protocol == 3 else b"*%d\r\n"
    names = 1 if protocol == 3 else 2
    if b"WITHCURSOR" in words:
        return head % (2 * names) + bulk(b"SEARCH") + b":7\r\n" + bulk(b"VSIM") + b":8\r\n"
    item = head % (2 * names) + bulk(b"b") + bulk(b"x") + bulk(b"raw") + bulk(b"\xff")
    parts = (b":1\r\n", b"*1\r\n" + item, b"*1\r\n" + bulk(b"late"), bulk(b"1.5"))
    made = zip((b"total_results", b"results", b"warnings", b"execution_time"), parts, strict=True)
    return head % (4 * names) + b"".join(bulk(name) + part for name, part in made)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options.values())))
def test_hybrid_searches_are_those_of_redis_py(options: dict[str, Any]) -> None:
    redis = pytest.importorskip("redis", reason="redis-py is not installed")
    theirs = pytest.importorskip("redis.commands.search.hybrid_query", reason="redis-py is not installed")
    ours = importlib.import_module("samewire.redis.modules.search.hybrid")
    results = []
    for make, lib in ((redis.Redis, theirs), (samewire.redis.Client, ours)):
        protocol = options["protocol"] or 3
        exchange = Exchange(protocol, functools.partial(hybrid_reply, protocol))
        client = make(port=exchange.port, **options)
        values = outcomes(client, lib, hybrid_calls())
        client.close()
        exchange.close()
        results.append((exchange.commands, list(map(plain, values))))
    assert results[1] == results[0]
    assert not any(value[0] in ("error", "ResponseError") for value in results[1][1])


def test_reads_of_a_series_may_wait() -> None:
    waits, at_once = ["TS.READ", "k", "0", "BLOCK", "1500", "1"], ["TS.READ", "k", "0", "MAX_COUNT", "5"]
    assert (routing.is_blocking(waits), server_waits("TS.READ", waits)) == (True, 1.5)
    assert (routing.is_blocking(at_once), server_waits("TS.READ", at_once)) == (False, 0)
