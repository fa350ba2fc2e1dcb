"""Generated calls of every method, on redis-py and on our client, each on a server of its own: the same replies and errors."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from calls import combinations
from samewire.redis.client import Client
from servers import valkey
from test_commands_alike import plain

from codegen.redis.python.definitions import Group, Method, groups

CALLS_OF_EACH = 4

#: Not called, and why.
LEFT_OUT = {
    "waits": "blmove blmovem blmpop blpop brpop brpoplpush bzmpop bzpopmax bzpopmin wait waitaof xread xreadgroup",
    "changes the server or the connection": "auth acl_load acl_save acl_setuser client_caching client_kill client_kill_filter client_pause"
    " client_reply client_tracking client_tracking_off client_tracking_on config_rewrite config_set debug_object failover flushall"
    " flushdb migrate module_load module_loadex psync quit readonly readwrite replicaof reset select shutdown slaveof swapdb sync",
    "replies with time, chance or the server's state": "acl_genpass bgrewriteaof bgsave client_id client_info client_list commandlog_get"
    " dump function_dump function_restore hrandfield info keys lastsave latency_histogram lolwut memory_malloc_stats memory_stats"
    " memory_usage object_freq object_idletime pubsub_numpat randomkey restore role save scan slowlog_get slowlog_len spop srandmember time xadd"
    " zrandmember client_setinfo",
    "not run by redis-py": "command_docs command_info command_list latency_doctor latency_graph memory_doctor memory_help",
    "replies with the commands of the server": "command config_get",
    "sends nothing": "bitfield unwatch watch",
}
NAMES_LEFT_OUT = {name for names in LEFT_OUT.values() for name in names.split()}

#: What each server holds before each call.
SETUP = """
SET key v
SET a 5
RPUSH list a b c
HSET hash field v a 1 b 2
SADD set a b value field
ZADD zset 1 a 2 b 3 value
XADD stream 1-1 a 1
XADD stream 2-1 b 2
XGROUP CREATE stream group 0
GEOADD geo 13 38 a 15 37 b
SETBIT bits 7 1
PFADD hll a b
"""
KEYS = ["key", "a", "list", "hash", "set", "zset", "stream", "geo", "bits", "hll", "missing"]

GROUPS = [group for group in groups() if group.file not in ("cluster", "refused", "arrays", "hotkeys")]


@pytest.fixture(scope="module")
def ports() -> Iterator[tuple[int, int]]:
    with valkey() as one, valkey() as other:
        yield one.port, other.port


def reply(client: Any, method: Method, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """What a call returns or raises, on a server that holds what SETUP says."""
    with client.pipeline(transaction=False) as pipeline:
        pipeline.execute_command("FLUSHALL")
        for line in SETUP.strip().splitlines():
            pipeline.execute_command(*line.split())
        pipeline.execute()
    try:
        return getattr(client, method.name)(*arguments, **keywords)
    except Exception as failed:
        return failed


def same(ours: Any, theirs: Any) -> bool:
    """Whether two replies are the same. What a client refuses before it sends has the same class, and words of its own."""
    if isinstance(ours, Exception) and isinstance(theirs, Exception) and not isinstance(theirs, redis.ResponseError):
        return type(theirs).__name__ in [kind.__name__ for kind in type(ours).__mro__]
    return bool(plain(ours) == plain(theirs))


@pytest.mark.parametrize("options", [{}, {"protocol": 3, "decode_responses": True}], ids=repr)
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.file)
def test_replies_alike(ports: tuple[int, int], group: Group, options: dict[str, Any]) -> None:
    chance = random.Random(group.file)
    ours: Client[Any] = Client(port=ports[0], **options)
    theirs = redis.Redis(port=ports[1], **options)
    with ours, theirs, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method in group.methods:
            if method.name in NAMES_LEFT_OUT or not hasattr(theirs, method.name):
                continue
            for given, keywords in combinations(method, CALLS_OF_EACH):
                if "polygon" in keywords:
                    continue
                arguments = list(given)
                for index, parameter in enumerate(method.parameters[: len(arguments)]):
                    if parameter.name in ("name", "key") and not parameter.star:
                        arguments[index] = chance.choice(KEYS)
                        break
                found = [reply(client, method, arguments, keywords) for client in (ours, theirs)]
                assert same(*found), (method.name, arguments, keywords, *found)
