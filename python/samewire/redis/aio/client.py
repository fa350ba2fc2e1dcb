"""The asyncio client. Coroutines share it: ordinary commands of all of them go over one connection, pipelined; blocking commands,
watched transactions, subscribers and monitors have connections of their own.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import warnings
from collections.abc import Callable, Generator, Mapping
from threading import get_ident
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from samewire._native import Mux

from ..caching.cache import CacheConfigurationInterface, CacheInterface
from ..caching.kept_replies import MISSING, KeptReplies
from ..client_steps import ServerClientSteps
from ..commands import AsyncCommands, PipelineCommands
from ..commands.by_hand.sentinel import AsyncSentinelCommands, PipelineSentinelCommands
from ..commands.replies import response_callbacks
from ..exceptions import CircuitOpenError, ConnectionError, RedisError, ResponseError, TimeoutError
from ..factories import ClusterFactory, SentinelFactory
from ..modules.commands import AsyncModuleCommands
from ..observability import observed, observers, repeated
from ..rules.blocking import BLOCKING, reply_within, server_waits
from ..rules.conversion import EMPTY_RESPONSE, NEVER_DECODE, converted
from ..rules.own_connection import name_of, words_of
from ..rules.repeating import Repeating
from ..rules.routing import is_blocking
from ..scripts import AsyncScript
from ..session.credentials import CredentialProvider
from ..session.driver_info import SENTINEL, DriverInfo
from ..session.options import DEFAULT_PORT, DEFAULT_SOCKET_CONNECT_TIMEOUT, DEFAULT_SOCKET_TIMEOUT
from ..session.refusals import failure, named, told_for
from ..session.retry import Failures
from ..session.views import given_back
from ..steps import Awaiting
from ..typed import AsyncTypedValues
from ..typing import Text
from .callbacks import AsyncCallbacks, callback, conversion
from .coroutines import OF_CLIENTS, with_coroutine_functions, with_methods_of
from .lease import Lease
from .lock import Lock
from .monitor import Monitor
from .pipeline import PipelineCalls
from .pool import ConnectionPool
from .pubsub import PubSub
from .retry import PAUSED, Retry, default_retry
from .shared import Shared
from .stream import NOTHING
from .transport import AbstractConnection

#: Commands that wait for replicas, and for how many seconds at once they hold up the shared connection.
REPLICATION = frozenset({"WAIT", "WAITAOF"})
SLICE = 0.005


@with_coroutine_functions(*OF_CLIENTS)
class Client(
    AsyncCommands[Text],
    AsyncSentinelCommands[Text],
    AsyncModuleCommands,
    AsyncTypedValues,
    ServerClientSteps[Lock, AsyncScript, Monitor],
    Repeating,
    Awaiting,
):
    """A client of one server, with redis-py's keywords. Replies are bytes, or str if `decode_responses` says so.

    It belongs to no event loop: in each loop that it is used in, it has connections of that loop.

    connection_pool: shared with other clients, and not closed with this one; the keywords of connections are then the pool's.
    single_connection_client: the client keeps one connection for itself, and its calls wait for each other.
    retry: attempts after a lost connection. A command that may have run is sent again only if that is safe.
    cache, cache_config: keep replies on the client's side until the server says that they have changed (RESP3).
    """

    _lock_class, _script_class, _monitor_class = Lock, AsyncScript, Monitor
    #: `Client.cluster(["host:6379", …])` makes a client of a cluster; `client.cluster("INFO")` sends a command.
    cluster = ClusterFactory(True, AsyncCommands.cluster)
    #: `Client.sentinel(["host:26379", …], "service")` makes a client of a service that sentinels watch.
    sentinel = SentinelFactory(True, AsyncSentinelCommands.sentinel)

    @overload
    def __init__(self: Client[str], *, decode_responses: Literal[True], **options: Any) -> None: ...
    @overload
    def __init__(self: Client[Any], *, connection_pool: ConnectionPool[Any], **options: Any) -> None: ...
    @overload
    def __init__(self: Client[bytes], *, decode_responses: Literal[False] = ..., **options: Any) -> None: ...
    @overload
    def __init__(self: Client[Any], *, decode_responses: bool, **options: Any) -> None: ...
    def __init__(
        self,
        *,
        host: str = "localhost",
        port: int = DEFAULT_PORT,
        db: str | int = 0,
        password: str | None = None,
        socket_timeout: float | None = DEFAULT_SOCKET_TIMEOUT,
        socket_connect_timeout: float | None = DEFAULT_SOCKET_CONNECT_TIMEOUT,
        socket_read_size: int | None = None,
        socket_keepalive: bool | None = True,
        socket_keepalive_options: Mapping[int, int | bytes] | object | None = SENTINEL,
        connection_pool: ConnectionPool[Any] | None = None,
        unix_socket_path: str | None = None,
        encoding: str = "utf-8",
        encoding_errors: str = "strict",
        decode_responses: bool = False,
        retry_on_timeout: bool = False,
        retry: Retry | None = None,
        retry_on_error: list[type[Exception]] | None = None,
        ssl: bool = False,
        max_connections: int | None = None,
        single_connection_client: bool = False,
        health_check_interval: float = 0,
        client_name: str | None = None,
        lib_name: str | object | None = SENTINEL,
        lib_version: str | object | None = SENTINEL,
        driver_info: DriverInfo | object | None = SENTINEL,
        username: str | None = None,
        auto_close_connection_pool: bool | None = None,
        redis_connect_func: Callable[..., Any] | None = None,
        credential_provider: CredentialProvider | None = None,
        protocol: int | None = None,
        legacy_responses: bool = True,
        cache: CacheInterface | None = None,
        cache_config: CacheConfigurationInterface | None = None,
        **options: Any,
    ) -> None:
        self.auto_close_connection_pool = _closes(auto_close_connection_pool) and connection_pool is None
        if connection_pool is None:
            keywords = self._keywords_of_pool(
                locals(), ConnectionPool, default_retry() if retry is None else copy.deepcopy(retry)
            )
            connection_pool = ConnectionPool(**keywords)
            # Options that do not exist or do not fit are refused now, not when the client is first used.
            connection_pool.make_connection()
        self.connection_pool = connection_pool
        chosen = connection_pool.connection_kwargs
        self.response_callbacks = AsyncCallbacks(
            response_callbacks(protocol=chosen.get("protocol"), legacy_responses=chosen.get("legacy_responses", True))
        )
        #: The client's own connection; None unless `single_connection_client`.
        self.connection: AbstractConnection | None = None
        self.single_connection_client = single_connection_client
        self._single_conn_lock = asyncio.Lock()
        self._usage_counter = 0
        self._decode: bool | None = None
        self._shared: Shared | None = None
        encoder = connection_pool.get_encoder()
        self._encodes = None if encoder.native else encoder
        self._is_direct = not single_connection_client and connection_pool.cache is None and encoder.native
        #: The conversions of names that need nothing but the shared connection; others take the long way.
        self._direct: dict[Any, Any] = self.response_callbacks.direct if self._is_direct else {}

    @overload
    @classmethod
    def from_url(cls, url: str, *, decode_responses: Literal[True], **kwargs: Any) -> Client[str]: ...
    @overload
    @classmethod
    def from_url(cls, url: str, *, decode_responses: Literal[False] = ..., **kwargs: Any) -> Client[bytes]: ...
    @overload
    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Client[Any]: ...
    @classmethod
    def from_url(
        cls,
        url: str,
        single_connection_client: bool = False,
        auto_close_connection_pool: bool | None = None,
        **kwargs: Any,
    ) -> Client[Any]:
        """A client for redis://[user:password@]host[:port][/db], rediss://… (TLS) or unix:///path?db=…

        Options may stand in the query, and win over the keywords.
        """
        made: Client[Any] = cls(
            connection_pool=ConnectionPool.from_url(url, **kwargs), single_connection_client=single_connection_client
        )
        made.auto_close_connection_pool = _closes(auto_close_connection_pool)
        return made

    @overload
    def decoding(self, decode: Literal[True] = True) -> Client[str]: ...
    @overload
    def decoding(self, decode: Literal[False]) -> Client[bytes]: ...
    @overload
    def decoding(self, decode: bool = True) -> Client[Any]: ...
    def decoding(self, decode: bool = True) -> Client[Any]:
        """This client, sharing its connections, with replies as str (True) or bytes (False)."""
        view = self._view()
        view._decode = decode
        return view

    def _view(self) -> Self:
        view = super()._view()
        view._usage_counter = 0
        return view

    # --- opening and closing ---

    def __await__(self) -> Generator[Any, None, Self]:
        return self.initialize().__await__()

    async def initialize(self) -> Self:
        """Takes the client's own connection, if it is to have one. Other clients connect when they are first used."""
        if self.single_connection_client:
            async with self._single_conn_lock:
                if self.connection is None:
                    self.connection = await self.connection_pool.get_connection()
        return self

    async def __aenter__(self) -> Self:
        self._usage_counter += 1
        try:
            return await self.initialize()
        except BaseException:
            self._usage_counter -= 1
            raise

    async def __aexit__(self, *_: object) -> None:
        self._usage_counter -= 1
        if not self._usage_counter:
            await asyncio.shield(self.aclose())

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        """Gives the client's own connection back, and closes the pool if it is the client's own.

        That of a view (`decoding`, `repeating`) does so if its client and the other views are closed or dropped.

        close_connection_pool: whether to close the pool; None closes it if it is the client's own.
        """
        whole = self._leaves()
        connection = given_back(self, whole)
        if connection is not None:
            await self.connection_pool.release(connection)
        if close_connection_pool or (close_connection_pool is None and whole and self.auto_close_connection_pool):
            await self.connection_pool.aclose()

    async def close(self, close_connection_pool: bool | None = None) -> None:
        """Calls `aclose`. Deprecated: it is redis-py's old name."""
        warnings.warn("close() is redis-py's old name: use aclose()", DeprecationWarning, stacklevel=2)
        await self.aclose(close_connection_pool)

    def __del__(self, _warn: Any = warnings.warn) -> None:
        connection = given_back(self, self._leaves(dropped=True))
        if connection is not None and connection.is_connected:
            _warn(f"unclosed client {self!r}", ResourceWarning, source=self)
            connection.abandon()

    # --- commands ---

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command and returns its reply, converted as `response_callbacks` says for its name.

        options: keywords of the conversion; NEVER_DECODE leaves texts as bytes, EMPTY_RESPONSE stands for an error reply.

        Raises ResponseError for an error reply, ConnectionError and TimeoutError with `may_have_run`.
        """
        if observers:
            return await self._observed(args, options)
        if not options:
            convert = self._direct.get(args[0], MISSING)
            if convert is not MISSING:
                shared = self._shared
                if shared is None or shared.runs._thread_id != get_ident():
                    shared = self._shared = self.connection_pool.shared()
                mux = shared.mux
                if mux is None or mux.full:
                    mux = await self._ready(shared)
                try:
                    return await mux.call(args, convert, self._decode)
                except (ConnectionError, TimeoutError, ResponseError) as error:
                    return await self._repeat(shared, args, convert, self._decode, error)
        return await self._execute(args, options)

    async def _observed(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Executes a command and notifies the observers."""
        with observed(str(args[0]), 1, self.get_connection_kwargs()):
            return await self._execute(args, options)

    async def _ready(self, shared: Shared) -> Mux:
        """The shared mux. Attempts follow a failed connect as `retry` says."""
        failures = Failures()
        while True:
            try:
                return await shared.ready()
            except (ConnectionError, TimeoutError) as error:
                alike = failures.add(error)
                if not shared.retry.supports(error) or shared.retry.exhausted(alike):
                    raise
                if isinstance(error, CircuitOpenError):
                    await shared.retry.pause(alike, error)

    async def _repeat(self, shared: Shared, args: tuple[Any, ...], convert: Any, decode: bool | None, error: RedisError) -> Any:
        """Sends a command again after it failed, as `retry` says, if it cannot have run or may be repeated."""
        retry = shared.retry
        failures = Failures()
        try:
            while True:
                alike = failures.add(error)
                safe = not error.may_have_run or self._may_repeat(args)
                if not safe or not retry.supports(error) or retry.exhausted(alike):
                    raise told_for(error, named(args))
                repeated(str(args[0]), failures.count, error)
                if isinstance(error, PAUSED):
                    await retry.pause(alike, error)
                try:
                    mux = await shared.ready()
                    return await mux.call(args, convert, decode)
                except (ConnectionError, TimeoutError, ResponseError) as again:
                    error = again
        finally:
            # The error's traceback leads to this frame.
            del error

    async def _execute(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """`execute_command` for what is not common."""
        convert, decode = conversion(self.response_callbacks, args, options, self._decode)
        if self._encodes is not None:
            args = self._encodes.encoded(args)
        try:
            if self.single_connection_client:
                reply = await self._on_own_connection(args, convert, decode)
            else:
                reply = await self._on_shared_connection(name_of(args), args, convert, decode)
        except ResponseError:
            if EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            raise
        return await reply if inspect.isawaitable(reply) else reply

    async def _on_shared_connection(self, name: str, args: tuple[Any, ...], convert: Any, decode: bool | None) -> Any:
        """Sends a command on the shared connection, unless it would hold that up."""
        shared = self.connection_pool.shared()
        if name in BLOCKING and is_blocking(args := tuple(words_of(args))):
            if name in REPLICATION:
                return await self._wait(shared, args, convert, decode)
            return await self._on_lent_connection(args, convert, decode)
        if shared.kept_replies is not None:
            return await self._read_or_kept(shared, shared.kept_replies, args, convert, decode)
        if self._is_direct and args[0] == name and name not in BLOCKING and not self.response_callbacks.awaits:
            self._direct[name] = callback(self.response_callbacks, name)
        return await self._send(shared, args, convert, decode)

    async def _wait(self, shared: Shared, args: tuple[Any, ...], convert: Any, decode: bool | None) -> Any:
        """Waits for replicas to have the writes of the shared connection: another connection's WAIT says nothing of them.

        In slices, so that other callers are held up for a few milliseconds only. Not repeated after a lost connection: the next
        one has written nothing.
        """
        seconds = server_waits(str(args[0]).upper(), args)
        wanted = [int(count) for count in args[1:-1]]
        until = None if seconds is None else shared.loop.time() + seconds
        while True:
            mux = await self._ready(shared)
            left = SLICE if until is None else min(SLICE, max(0.0, until - shared.loop.time()))
            reply = await mux.submit((*args[:-1], int(left * 1000) or 1), convert, decode)
            counts = reply if isinstance(reply, list) else [reply]
            enough = all(count >= least for count, least in zip(counts, wanted, strict=False))
            if enough or (until is not None and shared.loop.time() >= until):
                return reply
            await asyncio.sleep(SLICE)

    async def _send(self, shared: Shared, args: tuple[Any, ...], convert: Any, decode: bool | None) -> Any:
        mux = shared.mux
        if mux is None or mux.full:
            mux = await self._ready(shared)
        try:
            return await mux.call(args, convert, decode)
        except (ConnectionError, TimeoutError, ResponseError) as error:
            return await self._repeat(shared, args, convert, decode, error)

    async def _read_or_kept(
        self, shared: Shared, kept: KeptReplies, args: tuple[Any, ...], convert: Any, decode: bool | None
    ) -> Any:
        """Sends a command unless its reply is kept."""
        key = kept.key(args, decode)
        if key is None:
            kept.wrote(args)
            return await self._send(shared, args, convert, decode)
        reply = kept.lookup(key, shared)
        if reply is MISSING:
            entry = kept.begin(key, shared)
            try:
                reply = await self._send(shared, args, None, decode)
            except BaseException:
                if entry is not None:
                    kept.abandon(entry)
                raise
            if entry is not None:
                kept.finish(entry, reply)
        return converted(reply, convert, {})

    async def _on_lent_connection(self, args: tuple[Any, ...], convert: Any, decode: bool | None) -> Any:
        """Sends a command that may wait on the server, on a connection of the pool."""
        shared = self.connection_pool.shared()
        waits = server_waits(str(args[0]).upper(), args)
        failures = Failures()
        while True:
            # It has attempts of its own: not a row of them within each.
            try:
                lease = await Lease.take(self.connection_pool, waits)
            except (ConnectionError, TimeoutError) as error:
                failures.note(error)
                raise
            try:
                try:
                    return await lease.mux.submit(args, convert, decode)
                finally:
                    await asyncio.shield(lease.release())
                    if shared.kept_replies is not None:
                        shared.kept_replies.wrote(args)
            except (ConnectionError, TimeoutError) as error:
                alike = failures.add(error)
                safe = not error.may_have_run or self._may_repeat(args)
                if not safe or not shared.retry.supports(error) or shared.retry.exhausted(alike):
                    told_for(error, named(args))
                    raise
                repeated(str(args[0]), failures.count, error)
                await shared.retry.pause(alike, error)

    async def _on_own_connection(self, args: tuple[Any, ...], convert: Any, decode: bool | None) -> Any:
        """Sends a command on the client's own connection."""
        await self.initialize()
        connection = self.connection
        if connection is None:
            raise RedisError("the client was closed: make another one")
        name = args[0].upper() if isinstance(args[0], str) else args[0]
        waits = server_waits(name, args) if name in BLOCKING else 0.0
        seconds = reply_within(waits, connection.socket_timeout)
        async with self._single_conn_lock:
            if connection.should_reconnect() or connection.has_ended():
                await connection.disconnect(nowait=True)
            if connection.is_connected:
                await connection.re_auth()
            return await self._call(connection, args, convert, decode, seconds)

    async def _call(
        self, connection: AbstractConnection, args: tuple[Any, ...], convert: Any, decode: bool | None, seconds: float | None
    ) -> Any:
        """Sends a command on a connection that is the caller's, and again as `retry` says."""
        if decode is None:
            decode = connection.encoder.decode_responses

        async def attempt() -> Any:
            await connection.send_command(*args)
            reply = await connection.reply_within(seconds, decode)
            if reply is NOTHING:
                await connection.disconnect(nowait=True)
                why = f"{named(args)}: no reply from {connection._host_error()} within {seconds} seconds"
                raise failure(TimeoutError, why, True)
            if isinstance(reply, Exception):
                try:
                    raise reply
                finally:
                    # The error's traceback leads to this frame.
                    del reply
            return converted(reply, convert, {})

        return await connection.retry.call_with_retry(
            attempt,
            lambda error: connection.disconnect(nowait=True),
            lambda error: not getattr(error, "may_have_run", None) or self._may_repeat(args),
        )

    async def parse_response(self, connection: AbstractConnection, command_name: str, **options: Any) -> Any:
        """Reads the reply of a command that was sent with `connection.send_command`, and converts it."""
        try:
            reply = await connection.read_response(disable_decoding=NEVER_DECODE in options)
        except ResponseError:
            if EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            raise
        for name in (NEVER_DECODE, EMPTY_RESPONSE, "keys"):
            options.pop(name, None)
        made = converted(reply, self.response_callbacks.get(command_name), options)
        return await made if inspect.isawaitable(made) else made

    # --- what has a class of its own ---

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Pipeline:
        """Commands that are sent together by `await pipe.execute()`; as a transaction unless `transaction` is False."""
        return Pipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint, self._decode, self._repeats)

    def pubsub(self, **options: Any) -> PubSub:
        """A subscriber, on a connection of its own."""
        if self._decode is not None:
            options.setdefault("encoder", self.get_encoder())
        return PubSub(self.connection_pool, **options)


def _closes(auto_close_connection_pool: bool | None) -> bool:
    """What redis-py's old argument means."""
    if auto_close_connection_pool is not None:
        warnings.warn(
            "auto_close_connection_pool is redis-py's old argument: make a pool and pass it as connection_pool",
            DeprecationWarning,
            stacklevel=3,
        )
    return auto_close_connection_pool is not False


if TYPE_CHECKING:

    class _PipelineOfClient(PipelineCommands, PipelineSentinelCommands, Client[Any]):  # type: ignore[misc]
        """A client whose methods return the pipeline."""

else:
    _PipelineOfClient = Client


@with_methods_of(PipelineCommands, *OF_CLIENTS)
class Pipeline(PipelineCalls, _PipelineOfClient):  # type: ignore[misc, override]
    """Commands that wait for `execute`. One caller's, not to be shared by tasks.

    transaction: sends them between MULTI and EXEC, so that no other client's commands run between them.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed.

    It is a client of the same pool, as in redis-py: `lock`, `pubsub`, `register_script` and the like are there.
    """

    # `append` of the native queue adds a command.
    append = PipelineCommands.append  # type: ignore[assignment]
    __repr__ = PipelineCalls.__repr__


Redis = Client
StrictRedis = Client
