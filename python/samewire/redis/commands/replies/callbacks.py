"""Which conversion belongs to which command."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from samewire._native import BOOL, OK

from . import acl, cluster, elements, functions, geo, scores, sentinel, server, streams, texts

#: A conversion is called with the reply and the options of the call. A constant of the extension needs no call; it holds
#: for calls without options, and those with options keep the reply as it is.
Conversion = Callable[..., Any] | int
Table = dict[str, Conversion]


class Callbacks(dict[str, Conversion]):
    """Conversions by the command's name, in upper or lower case."""

    def __init__(self, table: Mapping[str, Conversion] | Iterable[tuple[str, Conversion]] = ()) -> None:
        super().__init__()
        self.update(table)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.upper())

    def __getitem__(self, name: str) -> Conversion:
        return super().__getitem__(name.upper())

    def __setitem__(self, name: str, conversion: Conversion) -> None:
        super().__setitem__(name.upper(), conversion)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name.upper())

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name.upper(), default)

    def update(self, table: Any = (), /, **more: Conversion) -> None:
        for name, conversion in dict(table, **more).items():
            self[name] = conversion


def _each(names: str, conversion: Conversion) -> Table:
    return dict.fromkeys(names.split(), conversion)


def _under(command: str, names: str, conversion: Conversion) -> Table:
    return {f"{command} {name}": conversion for name in names.split()}


#: In every shape.
_ALWAYS: Table = {
    **_each("COPY EXPIRE EXPIREAT HEXISTS MOVE MSETNX PERSIST PEXPIRE PEXPIREAT RENAMENX SETNX SMOVE", BOOL),
    **_each("ASKING AUTH FLUSHALL FLUSHDB HMSET LSET LTRIM MSET PFMERGE PSETEX QUIT READONLY READWRITE RENAME SAVE", OK),
    **_each("SELECT SET SETEX SHUTDOWN SLAVEOF SWAPDB WATCH UNWATCH", OK),
    **_under("ACL", "LOAD SAVE SETUSER", OK),
    **_under("CLIENT", "CACHING CAPA PAUSE SETINFO SETNAME", OK),
    **_under("CLUSTER", "ADDSLOTS ADDSLOTSRANGE DELSLOTS DELSLOTSRANGE FAILOVER FORGET MEET REPLICATE RESET SAVECONFIG", OK),
    **_under("CLUSTER", "SET-CONFIG-EPOCH SETSLOT", OK),
    **_under("CLUSTER", "NODES REPLICAS SLAVES", cluster.nodes),
    **_under("CONFIG", "RESETSTAT SET", OK),
    **_under("FUNCTION", "DELETE FLUSH RESTORE", OK),
    **_under("MODULE", "LOAD UNLOAD", OK),
    **_under("PUBSUB", "NUMSUB SHARDNUMSUB", server.subscriber_counts),
    **_under("SCRIPT", "FLUSH KILL", OK),
    **_under("SENTINEL", "FAILOVER FLUSHCONFIG MONITOR REMOVE RESET SET", OK),
    **_under("XGROUP", "CREATE SETID", OK),
    **_under("XINFO", "CONSUMERS GROUPS", texts.all_named),
    **_each("SDIFF SINTER SMEMBERS SUNION", texts.members),
    **_each("HINCRBYFLOAT INCRBYFLOAT GEODIST ZINCRBY ZSCORE", texts.number),
    **_each("XRANGE XREVRANGE", streams.entries),
    **_each("GEORADIUS GEORADIUSBYMEMBER GEORADIUS_RO GEORADIUSBYMEMBER_RO GEOSEARCH", geo.search),
    **_each("SCAN SSCAN", elements.scanned),
    "ARINFO": texts.named,
    "CLIENT INFO": server.client_info,
    "CLIENT KILL": server.killed,
    "CLIENT LIST": server.clients,
    "CLIENT UNBLOCK": BOOL,
    "CLUSTER INFO": cluster.info,
    "COMMAND INFO": server.commands,
    "COMMANDLOG GET": server.slow_commands,
    "COMMANDLOG RESET": OK,
    "CONFIG GET": server.config,
    "HGETALL": texts.pairs,
    "HOTKEYS GET": server.hot_keys,
    "HSCAN": elements.scanned_fields,
    "INFO": server.info,
    "LASTSAVE": texts.moment,
    "MEMORY PURGE": OK,
    "MODULE LIST": server.modules,
    "PING": server.pong,
    "SCRIPT EXISTS": texts.truths,
    "SCRIPT LOAD": texts.text,
    "SENTINEL CKQUORUM": sentinel.reached,
    "SENTINEL GET-MASTER-ADDR-BY-NAME": sentinel.address,
    "SLOWLOG GET": server.slow_commands,
    "SLOWLOG RESET": OK,
    "SORT": elements.sorted_groups,
    "SPOP": texts.listed,
    "TIME": texts.seconds_and_micros,
    "XAUTOCLAIM": streams.auto_claimed,
    "XCLAIM": streams.claimed,
    "XGROUP DESTROY": BOOL,
    "XINFO STREAM": streams.stream_info,
    "XPENDING": streams.pending,
    "ZADD": scores.added,
    "ZMSCORE": texts.numbers,
}

#: Names and lists of names as str, in all shapes but that of an explicit `protocol=3`.
_NAMES: Table = {
    **_under("ACL", "GENPASS WHOAMI", texts.text),
    **_under("ACL", "CAT HELP LIST USERS", texts.texts),
    "CLIENT GETNAME": texts.text,
    "GEOHASH": texts.texts,
    "RESET": texts.text,
}

#: redis-py's default: the shapes of RESP2, whatever the protocol.
_LEGACY: Table = {
    **_NAMES,
    **_each("ZINTER ZRANGE ZRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZUNION", scores.tuples),
    **_each("ZDIFF ZRANDMEMBER", scores.alternating),
    **_each("ZPOPMAX ZPOPMIN", scores.popped_tuples),
    **_each("BZPOPMAX BZPOPMIN", scores.blocked_tuple),
    **_each("ZMPOP BZMPOP", scores.from_key_texts),
    **_each("ZRANK ZREVRANK", scores.rank_text),
    **_each("BGREWRITEAOF BGSAVE", texts.done),
    **_each("XREAD XREADGROUP", streams.read_lists),
    **_each("BLPOP BRPOP", elements.popped_tuple),
    **_under("CLUSTER", "GETKEYSINSLOT", texts.texts),
    **_under("SENTINEL", "REPLICAS SENTINELS SLAVES", sentinel.states),
    "ACL GETUSER": acl.user_flat,
    "ACL LOG": acl.log,
    "CLIENT TRACKINGINFO": server.tracking_flat,
    "CLUSTER LINKS": cluster.links_flat,
    "COMMAND": server.commands,
    "COMMAND GETKEYS": texts.texts,
    "DEBUG OBJECT": server.debug_object,
    "FUNCTION LIST": functions.libraries_flat,
    "GEOPOS": geo.positions_tuples,
    "HRANDFIELD": elements.random_fields_flat,
    "LCS": elements.common_flat,
    "MEMORY STATS": server.memory_texts,
    "SENTINEL MASTER": sentinel.state,
    "SENTINEL MASTERS": sentinel.by_name,
    "ZSCAN": scores.scanned_tuples,
}

#: redis-py's with an explicit `protocol=3`: close to what RESP3 sends.
_RESP3: Table = {
    **_each("ZRANGE ZRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZUNION", scores.lists),
    **_each("ZRANK ZREVRANK", scores.rank),
    **_each("XREAD XREADGROUP", streams.read_nested),
    **_under("SENTINEL", "REPLICAS SENTINELS SLAVES", sentinel.states_sets),
    "ACL GETUSER": acl.user,
    "ACL LOG": acl.log_texts,
    "COMMAND": server.commands_flag_sets,
    "MEMORY STATS": server.memory,
    "SENTINEL MASTER": sentinel.state_sets,
    "SENTINEL MASTERS": sentinel.by_name_sets,
    "ZSCAN": scores.scanned_tuples,
}

#: redis-py's with `legacy_responses=False`: the same for both protocols.
_UNIFIED: Table = {
    **_NAMES,
    **_each("ZDIFF ZINTER ZRANDMEMBER ZRANGE ZRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZUNION", scores.lists),
    **_each("ZPOPMAX ZPOPMIN", scores.popped_lists),
    **_each("BZPOPMAX BZPOPMIN", scores.blocked_list),
    **_each("ZMPOP BZMPOP", scores.from_key),
    **_each("ZRANK ZREVRANK", scores.rank),
    **_each("XREAD XREADGROUP", streams.read),
    **_each("BLPOP BRPOP", elements.popped_list),
    **_under("SENTINEL", "REPLICAS SENTINELS SLAVES", sentinel.states_sets),
    "ACL GETUSER": acl.user_maps,
    "ACL LOG": acl.log,
    "CLIENT TRACKINGINFO": server.tracking,
    "CLUSTER LINKS": cluster.links,
    "COMMAND": server.commands_sets,
    "FUNCTION LIST": functions.libraries,
    "GEOPOS": geo.positions,
    "HRANDFIELD": elements.random_fields,
    "LCS": elements.common,
    "MEMORY STATS": server.memory,
    "SENTINEL MASTER": sentinel.state_sets,
    "SENTINEL MASTERS": sentinel.by_name_sets,
    "ZSCAN": scores.scanned_lists,
}


#: What redis-py's unified shapes have of RESP2's where the user asks for it.
_UNIFIED_RESP2: Table = {
    **_each("BGREWRITEAOF BGSAVE", texts.done),
    "DEBUG OBJECT": server.debug_object,
}


def response_callbacks(protocol: int | str | None = None, legacy_responses: bool = True) -> Callbacks:
    """The conversions of a client that was made with these arguments, as redis-py chooses them.

    protocol: what the user asked for, not what the server took. Replies have the same shape with either protocol; an
    explicit 3 chooses shapes close to what RESP3 sends.
    legacy_responses: False chooses redis-py's unified shapes.
    """
    made = Callbacks()
    # The names are in upper case already, and clients are made often.
    dict.update(made, _table(2 if protocol in (2, "2") else 3 if protocol in (3, "3") else None, bool(legacy_responses)))
    return made


@functools.cache
def _table(protocol: int | None, legacy_responses: bool) -> Table:
    if not legacy_responses:
        return {**_ALWAYS, **_UNIFIED, **(_UNIFIED_RESP2 if protocol == 2 else {})}
    return {**_ALWAYS, **(_RESP3 if protocol == 3 else _LEGACY)}
