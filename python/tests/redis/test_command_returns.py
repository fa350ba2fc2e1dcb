"""Replies of a real server are of the types that the stubs promise."""

from __future__ import annotations

import ast
import types
import warnings
from datetime import datetime
from typing import Any, Union, get_args, get_origin

import clusters
import pytest
from samewire.redis.client import Client
from samewire.redis.cluster import RedisCluster
from samewire.redis.exceptions import RedisError
from test_commands_alike import CALLS, NAMES

from codegen.redis.python.definitions import groups

METHODS = {name: method for group in groups() for method in group.methods for name in (method.name, *method.aliases)}

#: Calls whose replies differ from one to the next, or need options of the server: not compared with redis-py's.
MORE = {
    "options": """
geoadd('g', (13.361389, 38.115556, 'Palermo', 15.087269, 37.502669, 'Catania'))
georadius('g', 15, 37, 200, unit='km', withdist=True)
georadius('g', 15, 37, 200, unit='km', withcoord=True)
georadius('g', 15, 37, 200, unit='km', withhash=True)
georadius('g', 15, 37, 200, unit='km', store_dist='d')
georadius_ro('g', 15, 37, 200, unit='km')
georadius_ro('g', 15, 37, 200, unit='km', withdist=True)
georadiusbymember('g', 'Palermo', 200, unit='km', store='d')
georadiusbymember_ro('g', 'Palermo', 200, unit='km', withhash=True)
geosearch('g', member='Palermo', radius=200, unit='km', withhash=True)
set('s1', 'ohmytext')
set('s2', 'mynewtext')
lcs('s1', 's2', idx=True, withmatchlen=True)
object('freq', 's1')
object('idletime', 'missing')
object('encoding', 'missing')
object('REFCOUNT', 's1')
zadd('z', {'a': 1, 'b': 2.5})
zscan('z', score_cast_func=str)
zrandmember('z', 2, True)
zrevrange('z', 0, 1, True, int)
xadd('s', {'a': 1}, id='1-1')
xgroup_create('s', 'g', id='0')
xreadgroup('g', 'c', {'s': '>'}, count=2)
xpending_range('s', 'g', '-', '+', 10)
xinfo_consumers('s', 'g')
xinfo_stream('s', full=True)
sort('z', get=['#', 'nosort'], groups=True, alpha=True)
""",
    "introspection": """
config_set('latency-tracking', 'yes')
config_set('slowlog-log-slower-than', 0)
command_docs('GET')
command_info('GET')
commandlog_get()
slowlog_get()
latency_histogram('set')
latency_latest()
memory_stats()
function_stats()
client_info()
client_list()
info()
role()
migrate('127.0.0.1', 1, 'missing', 0, 100)
""",
}

#: Calls on the node of a cluster.
CLUSTER = """
cluster_info()
cluster_links(None)
cluster_shards()
cluster_slots()
cluster_slot_stats(0, 2)
cluster_nodes()
cluster_replicas(self.cluster_myid(None))
cluster_getslotmigrations()
cluster_myid(None)
cluster_myshardid()
cluster_keyslot('a')
cluster_countkeysinslot(5)
cluster_get_keys_in_slot(5, 10)
cluster_flushslot(5)
clusterscan('0-{06S}-0')
"""

#: What a client of a cluster returns in its own way, as its class says.
OF_CLUSTERS = {
    "cluster_slots": dict[tuple[int, int], dict[str, Any]],
    "cluster_shards": list[dict[str, Any]],
    "cluster_myshardid": str,
}


def holds(kind: str, given: Any) -> bool:
    """Whether an argument is what an overload is for."""
    if kind.startswith("Literal["):
        return given in ast.literal_eval(kind.removeprefix("Literal"))
    return given is True if kind == "True" else given not in (None, float)


def promised(name: str, arguments: list[Any], keywords: dict[str, Any], text: type) -> Any:
    """The return type that the stub gives a call: that of the overload that its arguments choose."""
    method = METHODS[name]
    positional = [parameter.name for parameter in method.parameters if not parameter.keyword_only and not parameter.star]
    given = dict(zip(positional, arguments, strict=False)) | keywords
    returns = method.stubs.get("sync", method.returns)
    for overload in sorted(method.overloads, key=lambda one: len(one.conditions)):
        if all(holds(kind, given.get(parameter)) for parameter, kind in overload.conditions.items()):
            returns = overload.returns
    return eval(returns, {"Text": text, "Any": Any, "Cast": Any, "datetime": datetime})


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
    if origin is tuple and inner[-1] is Ellipsis:
        return type(value) is tuple and all(fits(item, inner[0]) for item in value)
    if origin is tuple:
        return type(value) is tuple and len(value) == len(inner) and all(map(fits, value, inner))
    return type(value) is kind or (kind is float and type(value) is int)


class Recording:
    """Calls methods of a client, and keeps the name and the arguments of the last call."""

    def __init__(self, client: Client[Any]) -> None:
        self.client = client

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **keywords: Any) -> Any:
            self.name, self.arguments, self.keywords = name, list(arguments), keywords
            return getattr(self.client, name)(*arguments, **keywords)

        return call


def judge(client: Client[Any], lines: str, text: type) -> int:
    """Compares what each call returns with what the stub promises. Returns how many calls were answered."""
    answered = 0
    recording = Recording(client)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client.flushall()
        for line in lines.strip().splitlines():
            if line.startswith("list: ") or " is None" in line:
                continue
            source = "self." + line.replace("self.", "self.client.")
            try:
                reply = eval(source, {**NAMES, "self": recording})
            except RedisError:
                continue
            kind = promised(recording.name, recording.arguments, recording.keywords, text)
            assert fits(reply, kind), (line, reply, kind)
            answered += 1
    return answered


@pytest.mark.parametrize("text", [bytes, str])
@pytest.mark.parametrize("group", [*CALLS, *MORE])
def test_replies_are_of_the_promised_types(port: int, group: str, text: type) -> None:
    client: Client[Any]
    with Client(port=port, decode_responses=text is str, encoding_errors="replace") as client:
        assert judge(client, (CALLS | MORE)[group], text)


def test_a_node_of_a_cluster_replies_with_the_promised_types() -> None:
    client: Client[Any]
    with clusters.cluster(masters=2, replicas=0) as nodes:
        for text in (bytes, str):
            with Client(port=nodes.nodes[0].port, decode_responses=text is str) as client:
                assert judge(client, CLUSTER, text) == len(CLUSTER.strip().splitlines())
        cluster: RedisCluster[bytes]
        with RedisCluster(host="127.0.0.1", port=nodes.nodes[0].port) as cluster:
            for name, kind in OF_CLUSTERS.items():
                reply = getattr(cluster, name)()
                assert fits(reply, kind), reply
