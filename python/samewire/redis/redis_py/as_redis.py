"""Puts this package under the name `redis`, for programs whose libraries import redis-py (Celery, RQ, django-redis, ...).

>>> import samewire.redis
>>> samewire.redis.install_as_redis()       # before anything imports redis
>>> import celery

Each module of redis-py that programs import is a facade: it has the names of our modules in its row of `FACADES`. The classes
are the same objects under both names, so `isinstance` and `except` agree whichever name they came by.

Processes of their own find it too: `install_as_redis` puts the folder `shadow` in front of sys.path, which multiprocessing
hands on, and `python -m samewire.redis` puts it into PYTHONPATH, which every child inherits. The folder also says
"redis 8.1.0" to `importlib.metadata`: the version whose names and behaviour these are.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

#: The version of redis-py whose interface this is.
REDIS_PY_VERSION = "8.1.0"

#: The folder that goes in front of sys.path. It holds a package `redis` and its metadata, nothing else.
SHADOW = Path(__file__).parent / "shadow"

#: Names of `drop_in` that several modules of redis-py have.
REPLIES = (
    "redis_py.drop_in: SYM_EMPTY CaseInsensitiveDict bool_ok get_response_callbacks pairs_to_dict str_if_bytes truncate_text"
)
CLUSTERS = (
    "redis_py.drop_in: AsyncRedisClusterCommands CaseInsensitiveDict READ_COMMANDS REDIS_CLUSTER_HASH_SLOTS RedisClusterCommands"
    " truncate_text"
)
WIRE = (
    "redis_py.drop_in: DEFAULT_RESP_VERSION FALSE_STRINGS HIREDIS_AVAILABLE SYM_CRLF SYM_DOLLAR SYM_EMPTY SYM_LF SYM_STAR"
    " format_error_message"
)
GROUPS_OF_SERVERS = (
    "redis_py.drop_in: AsyncRedisClusterCommands AsyncSentinelCommands READ_COMMANDS RedisClusterCommands SentinelCommands"
)
GROUPS = (
    "redis_py.drop_in: ACLCommands ArrayCommands AsyncACLCommands AsyncArrayCommands AsyncBasicKeyCommands AsyncClusterCommands"
    " AsyncFunctionCommands AsyncGeoCommands AsyncHashCommands AsyncHyperlogCommands AsyncListCommands"
    " AsyncManagementCommands AsyncPubSubCommands AsyncScanCommands AsyncScriptCommands AsyncSetCommands"
    " AsyncSortedSetCommands AsyncStreamCommands BasicKeyCommands ClusterCommands FunctionCommands GeoCommands HashCommands"
    " HyperlogCommands ListCommands ManagementCommands PubSubCommands ScanCommands ScriptCommands SetCommands"
    " SortedSetCommands StreamCommands"
)

#: Modules of redis-py, and which modules of samewire.redis have their names: all public ones, or those after the colon.
#: The first that has a name gives it.
FACADES: dict[str, tuple[str, ...]] = {
    "redis": (
        "sync.client",
        "sync.cluster",
        "connection",
        "sync.sentinel",
        "session.credentials",
        "session.driver_info",
        "session.backoff",
        "redis_py.arguments: from_url",
        "pubsub.subscriptions: Subscription",
        "exceptions",
    ),
    "redis.auth": ("redis_py.tokens",),
    "redis.auth.err": ("redis_py.tokens: InvalidTokenSchemaErr RequestTokenErr TokenRenewalErr",),
    "redis.auth.idp": ("redis_py.tokens: IdentityProviderConfigInterface IdentityProviderInterface",),
    "redis.auth.token": ("redis_py.tokens: SimpleToken TokenInterface TokenResponse",),
    "redis._defaults": ("session.options", "session.retry"),
    "redis._parsers": ("redis_py.parsers",),
    "redis._parsers.base": ("redis_py.parsers", "exceptions"),
    "redis._parsers.encoders": ("session.encoder",),
    "redis._parsers.helpers": (REPLIES,),
    "redis._parsers.hiredis": ("redis_py.parsers: BaseParser _HiredisParser",),
    "redis._parsers.resp2": ("redis_py.parsers: BaseParser _RESP2Parser",),
    "redis._parsers.resp3": ("redis_py.parsers: BaseParser _RESP3Parser",),
    "redis._parsers.response_callbacks": (REPLIES,),
    "redis.asyncio": ("aio", "aio.client", "aio.cluster", "aio.connection", "aio.sentinel", "session.backoff", "exceptions"),
    "redis.asyncio.client": (
        "aio.client",
        "aio.pubsub",
        "aio.monitor",
        "aio.lock",
        "exceptions",
        "aio.connection: Connection SSLConnection UnixDomainSocketConnection",
        "redis_py.arguments: list_or_args safe_str str_if_bytes",
        "session.driver_info: resolve_driver_info",
        "commands: AsyncCoreCommands",
        "session.options: DEFAULT_SOCKET_READ_SIZE",
        "session.retry: DEFAULT_RETRY_BASE DEFAULT_RETRY_CAP DEFAULT_RETRY_COUNT",
        "commands.by_hand.sentinel: SentinelCommands",
        "pubsub.subscriptions: Subscription",
        REPLIES,
    ),
    "redis.asyncio.cluster": (
        "aio.cluster",
        "aio.cluster_pipeline",
        "aio.cluster_pubsub: ClusterPubSub",
        "aio.nodes",
        "exceptions",
        "aio.connection: AbstractConnection Connection SSLConnection parse_url",
        "aio.lock: Lock",
        "aio.pubsub: PubSub",
        "aio.retry: Retry",
        "redis_py.arguments: list_or_args safe_str str_if_bytes",
        "rules.conversion: EMPTY_RESPONSE NEVER_DECODE",
        "session.encoder",
        "rules.slots: key_slot",
        CLUSTERS,
    ),
    "redis.asyncio.connection": (
        "aio.connection",
        "session.options",
        "session.encoder",
        "redis_py.parsers",
        "exceptions",
        "aio.retry: Retry",
        "session.backoff: NoBackoff",
        "redis_py.arguments: str_if_bytes check_protocol_version",
        WIRE,
    ),
    "redis.asyncio.lock": ("aio.lock", "exceptions"),
    "redis.asyncio.retry": ("aio.retry",),
    "redis.asyncio.sentinel": (
        "aio.sentinel",
        "exceptions",
        "aio.client: Redis",
        "aio.connection: Connection ConnectionPool SSLConnection",
        "redis_py.drop_in: AsyncSentinelCommands",
    ),
    "redis.asyncio.utils": ("aio: from_url", "redis_py.arguments: pipeline"),
    "redis.backoff": ("session.backoff",),
    "redis.cache": ("caching.cache",),
    "redis.client": (
        "sync.client",
        "sync.pubsub",
        "pubsub.monitor",
        "lock",
        "rules.conversion",
        "session.retry",
        "exceptions",
        "redis_py.arguments: check_protocol_version list_or_args safe_str str_if_bytes",
        "caching.cache: CacheConfig CacheInterface",
        "commands: CoreCommands",
        "connection: Connection SSLConnection UnixDomainSocketConnection",
        "session.driver_info: resolve_driver_info",
        "pubsub.subscriptions: Subscription",
        REPLIES,
    ),
    "redis.cluster": (
        "sync.cluster",
        "sync.cluster_pubsub: ClusterPubSub",
        "sync.nodes",
        "rules.slots",
        "exceptions",
        "redis_py.arguments: dict_merge list_keys_to_dict list_or_args merge_result safe_str str_if_bytes",
        "session.backoff: ExponentialWithJitterBackoff NoBackoff",
        "caching.cache: CacheConfig CacheFactory CacheFactoryInterface CacheInterface",
        "sync.client: Redis",
        "connection: Connection parse_url",
        "rules.conversion: EMPTY_RESPONSE",
        "session.encoder",
        "lock: Lock",
        "sync.pubsub: PubSub",
        "session.retry: Retry DEFAULT_RETRY_BASE DEFAULT_RETRY_CAP DEFAULT_RETRY_COUNT",
        "pubsub.subscriptions: Subscription",
        CLUSTERS,
    ),
    "redis.commands": ("commands", "redis_py.arguments: list_or_args", GROUPS_OF_SERVERS),
    "redis.commands.bf": ("modules.bloom",),
    "redis.commands.bf.commands": ("modules.bloom",),
    "redis.commands.bf.info": ("modules.bloom: BFInfo CFInfo CMSInfo TDigestInfo TopKInfo",),
    "redis.commands.cluster": (GROUPS_OF_SERVERS,),
    "redis.commands.core": (
        "commands",
        "commands.choices",
        "commands.bitfield",
        "scripts",
        "redis_py.arguments: list_or_args str_if_bytes",
        GROUPS,
    ),
    "redis.commands.helpers": ("redis_py.arguments",),
    "redis.commands.json": ("modules.json",),
    "redis.commands.json.commands": ("modules.json: FPHAType JSONCommands Path",),
    "redis.commands.json.path": ("modules.json_path",),
    "redis.commands.redismodules": ("modules.commands: AsyncRedisModuleCommands RedisModuleCommands",),
    "redis.commands.search": ("modules.search",),
    "redis.commands.search.aggregation": ("modules.search.aggregation",),
    "redis.commands.search.commands": ("modules.search.commands: AsyncSearch Search SearchCommands",),
    "redis.commands.search.dialect": ("modules.search.query: DEFAULT_DIALECT",),
    "redis.commands.search.document": ("modules.search.results: Document",),
    "redis.commands.search.field": ("modules.search.field",),
    "redis.commands.search.hybrid_query": ("modules.search.hybrid",),
    "redis.commands.search.hybrid_result": ("modules.search.hybrid: HybridCursorResult HybridResult",),
    "redis.commands.search.index_definition": ("modules.search.index_definition",),
    "redis.commands.search.indexDefinition": ("modules.search.index_definition",),
    "redis.commands.search.profile_information": ("modules.search.results: ProfileInformation",),
    "redis.commands.search.query": ("modules.search.query",),
    "redis.commands.search.querystring": ("modules.search.querystring",),
    "redis.commands.search.reducers": ("modules.search.reducers",),
    "redis.commands.search.result": ("modules.search.results: Document Result",),
    "redis.commands.search.suggestion": ("modules.search.results: Suggestion SuggestionParser",),
    "redis.commands.sentinel": ("redis_py.drop_in: SentinelCommands AsyncSentinelCommands",),
    "redis.commands.timeseries": ("modules.timeseries",),
    "redis.commands.timeseries.commands": ("modules.timeseries: TimeSeriesCommands",),
    "redis.commands.timeseries.info": ("modules.timeseries: TSInfo",),
    "redis.connection": (
        "connection",
        "session.options",
        "session.encoder",
        "redis_py.parsers",
        "session.retry",
        "exceptions",
        "redis_py.arguments: check_protocol_version compare_versions ensure_string str_if_bytes",
        "session.backoff: NoBackoff",
        "caching.cache: CacheEntry CacheEntryStatus CacheFactory CacheFactoryInterface CacheInterface CacheKey CacheProxy",
        "redis_py.drop_in: SSL_AVAILABLE",
        WIRE,
    ),
    "redis.crc": ("crc",),
    "redis.credentials": ("session.credentials",),
    "redis.driver_info": ("session.driver_info",),
    "redis.exceptions": ("exceptions",),
    "redis.lock": ("lock", "exceptions"),
    "redis.retry": ("session.retry",),
    "redis.sentinel": (
        "sync.sentinel",
        "exceptions",
        "sync.client: Redis",
        "connection: Connection ConnectionPool SSLConnection",
        "commands.by_hand.sentinel: SentinelCommands",
    ),
    "redis.typing": ("typing", "pubsub.subscriptions: Subscription"),
    "redis.utils": (
        "redis_py.arguments",
        "redis_py.drop_in: HIREDIS_AVAILABLE SSL_AVAILABLE format_error_message truncate_text",
        "exceptions: DataError",
    ),
}


class _Facades(MetaPathFinder, Loader):
    """Finds and fills the modules of `FACADES`."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Returns a spec for a module of `FACADES`, None for every other."""
        if fullname not in FACADES:
            return None
        package = any(name.startswith(f"{fullname}.") for name in FACADES)
        return ModuleSpec(fullname, self, origin=__file__, is_package=package)

    def exec_module(self, module: ModuleType) -> None:
        """Gives a module its names."""
        for row in FACADES[module.__name__]:
            source, _, chosen = row.partition(":")
            ours = importlib.import_module(f"samewire.redis.{source}")
            names = chosen.split() or getattr(ours, "__all__", None) or [name for name in dir(ours) if not name.startswith("_")]
            for name in names:
                module.__dict__.setdefault(name, getattr(ours, name))
        if module.__name__ == "redis":
            version = tuple(map(int, REDIS_PY_VERSION.split(".")))
            module.__dict__.update(__version__=REDIS_PY_VERSION, VERSION=version)
        module.__dict__["__file__"] = __file__
        module.__dict__["__getattr__"] = _submodules_of(module.__name__)


def _submodules_of(package: str) -> object:
    """Returns a module's `__getattr__` that imports submodules: `import redis` alone makes `redis.client` an attribute."""

    def find(name: str) -> ModuleType:
        if f"{package}.{name}" in FACADES:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(
            f"module {package!r} has no attribute {name!r} (samewire.redis stands in for redis-py {REDIS_PY_VERSION})"
        )

    return find


def install_as_redis() -> ModuleType:
    """Makes `import redis` find samewire.redis, in this process and those it starts by multiprocessing; returns that module.

    Call it before anything imports `redis`; a second call does nothing. Raises RuntimeError if redis-py has been imported
    already: some modules would keep its classes and others have ours.
    """
    if not any(isinstance(finder, _Facades) for finder in sys.meta_path):
        present = sys.modules.get("redis")
        if present is not None and SHADOW not in Path(present.__file__ or "").parents:
            raise RuntimeError(
                f"redis has been imported already, from {present.__file__}: "
                "call samewire.redis.install_as_redis() before anything imports redis"
            )
        sys.modules.pop("redis", None)
        sys.meta_path.insert(0, _Facades())
        if str(SHADOW) not in sys.path:
            sys.path.insert(0, str(SHADOW))
    return importlib.import_module("redis")
