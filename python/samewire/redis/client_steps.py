"""What clients are besides their commands: transactions and locks; options of a client of one server. Blocking and asyncio
clients share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Generic, Self, TypeVar

from .caching.cache import CacheInterface
from .exceptions import WatchError
from .session.driver_info import SENTINEL, resolve_driver_info
from .session.encoder import Encoder
from .session.tls import TLS_KEYWORDS
from .steps import Operations, Steps, operation

L = TypeVar("L")
M = TypeVar("M")
S = TypeVar("S")

#: The arguments of a client of one server that are its own pool's, in the order in which a pool shows them.
OF_POOLS = (
    "db username password socket_timeout socket_connect_timeout socket_read_size encoding encoding_errors decode_responses"
    " retry_on_timeout retry_on_error retry max_connections health_check_interval client_name driver_info redis_connect_func"
    " credential_provider protocol legacy_responses cache cache_config"
).split()


class ClientSteps(Operations, Generic[L, S]):
    """Transactions, locks and scripts."""

    #: The classes of locks and scripts.
    _lock_class: Callable[..., L]
    _script_class: Callable[..., S]

    @operation
    def transaction(
        self,
        func: Callable[[Any], Any],
        *watches: Any,
        shard_hint: object = None,
        value_from_callable: bool = False,
        watch_delay: float | None = None,
    ) -> Steps[Any]:
        """Calls `func` with a pipeline that watches keys, and executes what it queued; again while they are changed meanwhile.

        func: reads keys at once, calls `multi`, and queues commands. That of an asyncio client may be a coroutine function.
        value_from_callable: returns what `func` returned, instead of the replies.
        watch_delay: seconds to wait before it is called again.
        """
        client: Any = self
        pipe = client.pipeline(True, shard_hint)
        try:
            while True:
                try:
                    if watches:
                        yield pipe.watch(*watches)
                    value = yield self._outcome(func(pipe))
                    replies = yield pipe.execute()
                    return value if value_from_callable else replies
                except WatchError:
                    yield pipe.reset()
                    if watch_delay:
                        yield self._sleep(watch_delay)
        finally:
            yield pipe.reset()

    def digest_local(self: Any, value: str | bytes) -> str | bytes:
        """What `digest` returns for a key that holds this value: 16 hexadecimal digits of its XXH3. Asks no server.

        Raises NotImplementedError without the package `xxhash`.
        """
        try:
            hashed: Any = import_module("xxhash")
        except ImportError:
            raise NotImplementedError("digest_local needs the package xxhash: pip install xxhash") from None
        encoder = self.get_encoder()
        digits: str = hashed.xxh3_64(encoder.encode(value)).hexdigest()
        return digits if encoder.decode_responses else digits.encode()

    def lock(
        self,
        name: Any,
        timeout: float | None = None,
        sleep: float = 0.1,
        blocking: bool = True,
        blocking_timeout: float | None = None,
        lock_class: Callable[..., L] | None = None,
        thread_local: bool = True,
        raise_on_release_error: bool = True,
    ) -> L:
        """A lock that processes and machines share (`lock.Lock` has the arguments)."""
        return (lock_class or self._lock_class)(
            self,
            name,
            timeout=timeout,
            sleep=sleep,
            blocking=blocking,
            blocking_timeout=blocking_timeout,
            thread_local=thread_local,
            raise_on_release_error=raise_on_release_error,
        )

    def register_script(self, script: str | bytes) -> S:
        """A Lua script that is called like a function, by its digest: `script(keys=[…], args=[…])`; with `await` if the
        client is asyncio's."""
        return self._script_class(self, script)


class ServerClientSteps(ClientSteps[L, S], Generic[L, S, M]):
    """A client of one server."""

    #: The class of monitors.
    _monitor_class: Callable[..., M]

    connection_pool: Any
    response_callbacks: Any
    auto_close_connection_pool: bool
    _decode: bool | None
    _repeats: bool

    @staticmethod
    def _keywords_of_pool(given: Mapping[str, Any], pool_class: Any, retry: Any) -> dict[str, Any]:
        """The keywords of the pool of a client that was given none. given: all arguments of its `__init__`."""
        keywords = {name: given[name] for name in OF_POOLS if name in given}
        keywords["retry_on_error"] = given["retry_on_error"] or []
        keywords["retry"] = retry
        keywords["driver_info"] = resolve_driver_info(given["driver_info"], given["lib_name"], given["lib_version"])
        if given["socket_read_size"] is None:
            del keywords["socket_read_size"]
        options = given["options"]
        of_tls = {name: value for name, value in options.items() if name in TLS_KEYWORDS}
        keywords |= {name: value for name, value in options.items() if name not in of_tls}
        if given["unix_socket_path"] is not None:
            return keywords | {"path": given["unix_socket_path"], "connection_class": pool_class._unix_class}
        for name in ("host", "port", "socket_keepalive"):
            keywords[name] = given[name]
        if given["socket_keepalive_options"] is not SENTINEL:
            keywords["socket_keepalive_options"] = given["socket_keepalive_options"]
        if given["ssl"]:
            keywords |= {"connection_class": pool_class._tls_class, **of_tls}
        return keywords

    @classmethod
    def from_pool(cls, connection_pool: Any) -> Self:
        """A client that closes the pool when it is closed."""
        made = cls(connection_pool=connection_pool)  # type: ignore[call-arg]
        made.auto_close_connection_pool = True
        return made

    def client(self) -> Self:
        """A client with one connection of the same pool for itself, which decodes and repeats as this one."""
        made = type(self)(connection_pool=self.connection_pool, single_connection_client=True)  # type: ignore[call-arg]
        made._decode, made._repeats = self._decode, self._repeats
        return made

    def monitor(self) -> M:
        """Every command that the server runs, on a connection of its own."""
        return self._monitor_class(self.connection_pool)

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}({self.connection_pool!r})>"

    def set_response_callback(self, command: str, callback: Callable[..., Any]) -> None:
        """Converts the replies of a command by `callback(reply, **options)`.

        The callback of an asyncio client may be a coroutine function.
        """
        self.response_callbacks[command] = callback

    def get_encoder(self) -> Encoder:
        """The encoder of arguments and replies."""
        encoder: Encoder = self.connection_pool.get_encoder()
        if self._decode is not None:
            encoder.decode_responses = self._decode
        return encoder

    def get_connection_kwargs(self) -> dict[str, Any]:
        """The keywords of the pool's connections."""
        options: dict[str, Any] = self.connection_pool.connection_kwargs
        return options

    def get_retry(self) -> Any:
        """The attempts after a failure; None if there are none."""
        return self.get_connection_kwargs().get("retry")

    def set_retry(self, retry: Any) -> None:
        """Sets the attempts after a failure, of all connections."""
        self.connection_pool.set_retry(retry)

    def get_cache(self) -> CacheInterface | None:
        """Where replies are kept; None without client-side caching."""
        cache: CacheInterface | None = self.connection_pool.cache
        return cache

    def load_external_module(self, funcname: str, func: Callable[..., Any]) -> None:
        """Adds a module's commands under a name."""
        setattr(self, funcname, func)
