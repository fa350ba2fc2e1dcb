"""Names of redis-py's modules that nothing here needs: constants, helpers of replies, and groups of commands for mixins."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from .. import commands
from ..cluster.topology import SLOTS
from ..commands import (
    acl,
    arrays,
    bitmaps,
    cluster,
    geo,
    hashes,
    hyperloglog,
    iterate,
    keys,
    lists,
    pubsub,
    scripting,
    server,
    sets,
    sorted_sets,
    streams,
    strings,
)
from ..commands.by_hand.sentinel import AsyncSentinelCommands as AsyncSentinelCommands
from ..commands.by_hand.sentinel import SentinelCommands as SentinelCommands
from ..commands.facts import FACTS, READONLY
from ..commands.replies import Callbacks, response_callbacks
from .arguments import str_if_bytes

SYM_STAR = b"*"
SYM_DOLLAR = b"$"
SYM_CRLF = b"\r\n"
SYM_LF = b"\n"
SYM_EMPTY = b""
DEFAULT_RESP_VERSION = 3
FALSE_STRINGS = ("0", "F", "FALSE", "N", "NO")
SSL_AVAILABLE = True
#: Replies are read by the extension: hiredis is not asked for.
HIREDIS_AVAILABLE = False
REDIS_CLUSTER_HASH_SLOTS = SLOTS
#: Commands that a cluster's replicas may be asked.
READ_COMMANDS = frozenset(name for name, fact in FACTS.items() if fact[0] & READONLY)

CaseInsensitiveDict = Callbacks
get_response_callbacks = response_callbacks

# Groups of commands, for classes that add them to an executor of their own.
ACLCommands = AsyncACLCommands = acl.AclCommands
ArrayCommands = AsyncArrayCommands = arrays.ArrayCommands
FunctionCommands = AsyncFunctionCommands = ScriptCommands = AsyncScriptCommands = scripting.ScriptingCommands
GeoCommands = AsyncGeoCommands = geo.GeoCommands
HashCommands = AsyncHashCommands = hashes.HashCommands
HyperlogCommands = AsyncHyperlogCommands = hyperloglog.HyperlogCommands
ListCommands = AsyncListCommands = lists.ListCommands
ManagementCommands = AsyncManagementCommands = server.ServerCommands
PubSubCommands = AsyncPubSubCommands = pubsub.PubSubCommands
ScanCommands = iterate.Iterators
AsyncScanCommands = iterate.AsyncIterators
SetCommands = AsyncSetCommands = sets.SetCommands
SortedSetCommands = AsyncSortedSetCommands = sorted_sets.SortedSetCommands
StreamCommands = AsyncStreamCommands = streams.StreamCommands
ClusterCommands = AsyncClusterCommands = cluster.ClusterCommands
RedisClusterCommands = commands.Commands
AsyncRedisClusterCommands = commands.AsyncCommands


class BasicKeyCommands(bitmaps.BitmapCommands, keys.KeyCommands, strings.StringCommands):
    """Commands of strings, and of keys of any type."""


AsyncBasicKeyCommands = BasicKeyCommands


def bool_ok(response: Any, **_: Any) -> bool:
    """Whether a status is OK."""
    return bool(str_if_bytes(response) == "OK")


def pairs_to_dict(
    response: Iterable[Any] | None, decode_keys: bool = False, decode_string_values: bool = False
) -> dict[Any, Any]:
    """A dict of a list of keys and values in turn."""
    turns = iter(response or ())
    return {
        str_if_bytes(key) if decode_keys else key: str_if_bytes(value) if decode_string_values else value
        for key, value in zip(turns, turns, strict=False)
    }


def truncate_text(txt: str, max_length: int = 100) -> str:
    """A text, shortened at a blank."""
    return textwrap.shorten(txt, max_length, placeholder="...", break_long_words=True)


def format_error_message(host_error: str, exception: BaseException) -> str:
    """The text of a failed connect."""
    return f"Error connecting to {host_error}: {exception}"
