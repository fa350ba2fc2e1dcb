"""What clients are besides their commands: transactions and locks; options of a client of one server. Blocking and asyncio
clients share it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, Self, TypeVar

from .caching.cache import CacheInterface
from .exceptions import WatchError
from .session.encoder import Encoder
from .steps import Operations, Steps, operation

L = TypeVar("L")


class ClientSteps(Operations, Generic[L]):
    """Transactions and locks."""

    #: The class of locks.
    _lock_class: Callable[..., L]

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


class ServerClientSteps(ClientSteps[L]):
    """A client of one server."""

    connection_pool: Any
    response_callbacks: Any
    auto_close_connection_pool: bool
    _decode: bool | None
    _repeats: bool

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
