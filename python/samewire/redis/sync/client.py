"""The blocking client. Threads may share one: each call takes a connection of the pool for itself."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from ..caching.cache import CacheKey
from ..caching.kept_replies import MISSING, KeptReplies
from ..client_steps import ServerClientSteps
from ..commands import Commands, PipelineCommands
from ..commands.by_hand.sentinel import PipelineSentinelCommands, SentinelCommands
from ..commands.replies import response_callbacks
from ..exceptions import ConnectionError, ResponseError, TimeoutError
from ..factories import ClusterFactory, SentinelFactory
from ..lock import Lock
from ..modules.commands import ModuleCommands
from ..observability import observed, observers
from ..pubsub.monitor import Monitor
from ..rules.blocking import BLOCKING
from ..rules.conversion import EMPTY_RESPONSE, converted
from ..rules.own_connection import SUSPECT, changes_lent
from ..scripts import Script
from ..session.credentials import CredentialProvider
from ..session.driver_info import SENTINEL, DriverInfo
from ..session.options import DEFAULT_PORT, DEFAULT_SOCKET_CONNECT_TIMEOUT, DEFAULT_SOCKET_READ_SIZE, DEFAULT_SOCKET_TIMEOUT
from ..session.retry import Retry, default_retry
from ..session.views import given_back
from ..steps import Blocking, Closing
from ..typed import TypedValues
from ..typing import Text
from .execution import Execution, callback, other_encoding
from .pipeline import PipelineCalls
from .pool import ConnectionPool
from .pubsub import PubSub
from .transport import AbstractConnection

#: Names that take the long way.
SPECIAL = BLOCKING | SUSPECT

#: Attempts of a client that was given none. Each client has a copy.
DEFAULT_RETRY = default_retry()


class Client(
    Execution,
    Commands[Text],
    SentinelCommands[Text],
    ModuleCommands,
    TypedValues,
    ServerClientSteps[Lock, Script, Monitor],
    Closing,
    Blocking,
):
    """A client of one server, with redis-py's keywords. Replies are bytes, or str if `decode_responses` says so.

    connection_pool: shared with other clients, and not closed with this one; the keywords of connections are then the pool's.
    single_connection_client: the client keeps one connection for itself. Threads then wait for each other.
    retry: attempts after a lost connection. A command that may have run is sent again only if that is safe.
    """

    __module__ = "samewire.redis.client"

    _lock_class, _script_class, _monitor_class = Lock, Script, Monitor
    #: `Client.cluster(["host:6379", …])` makes a client of a cluster; `client.cluster("INFO")` sends a command.
    cluster = ClusterFactory(False, Commands.cluster)
    #: `Client.sentinel(["host:26379", …], "service")` makes a client of a service that sentinels watch.
    sentinel = SentinelFactory(False, SentinelCommands.sentinel)

    @overload
    def __init__(
        self: Client[str],
        host: str = ...,
        port: int = ...,
        db: int = ...,
        password: str | None = ...,
        *,
        decode_responses: Literal[True],
        **options: Any,
    ) -> None: ...
    @overload
    def __init__(self: Client[Any], *, connection_pool: ConnectionPool[Any], **options: Any) -> None: ...
    @overload
    def __init__(
        self: Client[bytes],
        host: str = ...,
        port: int = ...,
        db: int = ...,
        password: str | None = ...,
        *,
        decode_responses: Literal[False] = ...,
        **options: Any,
    ) -> None: ...
    @overload
    def __init__(
        self: Client[Any],
        host: str = ...,
        port: int = ...,
        db: int = ...,
        password: str | None = ...,
        *,
        decode_responses: bool,
        **options: Any,
    ) -> None: ...
    def __init__(
        self,
        host: str = "localhost",
        port: int = DEFAULT_PORT,
        db: int = 0,
        password: str | None = None,
        socket_timeout: float | None = DEFAULT_SOCKET_TIMEOUT,
        socket_connect_timeout: float | None = DEFAULT_SOCKET_CONNECT_TIMEOUT,
        socket_read_size: int = DEFAULT_SOCKET_READ_SIZE,
        socket_keepalive: bool | None = True,
        socket_keepalive_options: Mapping[int, int | bytes] | object | None = SENTINEL,
        connection_pool: ConnectionPool[Any] | None = None,
        unix_socket_path: str | None = None,
        encoding: str = "utf-8",
        encoding_errors: str = "strict",
        decode_responses: bool = False,
        retry_on_timeout: bool = False,
        retry: Retry | None = DEFAULT_RETRY,
        retry_on_error: list[type[Exception]] | None = None,
        ssl: bool = False,
        *,
        max_connections: int | None = None,
        single_connection_client: bool = False,
        health_check_interval: float = 0,
        client_name: str | None = None,
        lib_name: str | object | None = SENTINEL,
        lib_version: str | object | None = SENTINEL,
        driver_info: DriverInfo | object | None = SENTINEL,
        username: str | None = None,
        redis_connect_func: Callable[..., Any] | None = None,
        credential_provider: CredentialProvider | None = None,
        protocol: int | None = None,
        legacy_responses: bool = True,
        **options: Any,
    ) -> None:
        self.auto_close_connection_pool = connection_pool is None
        self.connection: AbstractConnection | None = None
        if connection_pool is None:
            keywords = self._keywords_of_pool(locals(), ConnectionPool, copy.deepcopy(retry))
            connection_pool = ConnectionPool(**keywords)
            if options:
                # An option that there is not is refused now, not when the first connection is made.
                connection_pool.connection_class(**connection_pool.connection_kwargs)
        self.connection_pool = connection_pool
        chosen = connection_pool.connection_kwargs
        self.response_callbacks: dict[str, Any] = response_callbacks(
            protocol=chosen.get("protocol"), legacy_responses=chosen.get("legacy_responses", True)
        )
        self._decode: bool | None = None
        #: Whether every command takes the long way.
        self._encodes = other_encoding(connection_pool)
        self._foreign = connection_pool._foreign
        self._special = self._foreign or self._encodes is not None or connection_pool.kept_replies is not None
        self._single_connection_client = single_connection_client
        self.single_connection_lock = threading.RLock()
        if single_connection_client:
            self.connection = connection_pool.get_connection()

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
    def from_url(cls, url: str, **kwargs: Any) -> Client[Any]:
        """A client for redis://[user:password@]host[:port][/db], rediss://… (TLS) or unix:///path?db=…

        Options may stand in the query, and win over the keywords.
        """
        single = kwargs.pop("single_connection_client", False)
        made: Client[Any] = cls(connection_pool=ConnectionPool.from_url(url, **kwargs), single_connection_client=single)
        made.auto_close_connection_pool = True
        return made

    @overload  # type: ignore[override]
    def decoding(self, decode: Literal[True] = True) -> Client[str]: ...
    @overload
    def decoding(self, decode: Literal[False]) -> Client[bytes]: ...
    @overload
    def decoding(self, decode: bool) -> Client[Any]: ...
    def decoding(self, decode: bool = True) -> Client[Any]:
        """This client, sharing its connections, with replies as str (True) or bytes (False)."""
        view = self._view()
        view._decode = decode
        return view

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            # Its views go on using what it has.
            self._let_go(self._leaves(dropped=True))

    def close(self) -> None:
        """Gives the client's own connection back, and closes the pool if it is the client's own.

        That of a view (`decoding`, `repeating`) does so if its client and the other views are closed or dropped.
        """
        self._let_go(self._leaves())

    def _let_go(self, whole: bool) -> None:
        connection = given_back(self, whole)
        if connection is not None:
            self.connection_pool.release(connection)
        if whole and self.auto_close_connection_pool:
            self.connection_pool.close()

    # --- commands ---

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command and returns its reply, converted as `response_callbacks` says for its name.

        options: keywords of the conversion; NEVER_DECODE leaves texts as bytes, EMPTY_RESPONSE stands for an error reply.

        Raises ResponseError for an error reply, ConnectionError and TimeoutError with `may_have_run`.
        """
        name = args[0]
        convert = callback(self.response_callbacks, name)
        made = type(self)
        if (
            options
            or observers
            or self._special
            or made.parse_response is not made._own_parse_response
            or self.connection is not None
            or name in SPECIAL
            or (convert is None and not (type(name) is str and name.isupper() and name.isalpha()))
        ):
            return self._observed(args, options) if observers else self._execute(args, options)
        pool = self.connection_pool
        connection = pool.get_connection()
        try:
            return connection.call(args, convert, self._decode)
        except (ConnectionError, TimeoutError, ResponseError) as error:
            decode = self._decode
            return self._repeat(connection, args, lambda: connection.call(args, convert, decode), error)
        finally:
            pool.release(connection)

    def _observed(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Executes a command and notifies the observers."""
        with observed(str(args[0]), 1, self.get_connection_kwargs()):
            return self._execute(args, options)

    def _execute(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Executes a command off the fast path: with options, an own connection, a name in lower case, a cache."""
        kept = self.connection_pool.kept_replies
        if kept is not None and not self._parses and self._encodes is None and EMPTY_RESPONSE not in options:
            key = kept.key(args, self._decode)
            if key is not None:
                return self._cached(kept, key, args, options)
            kept.wrote(args)
        if self.connection is None and changes_lent(args):
            return self._on_a_connection(lambda connection: self._call_and_mark(connection, args, options))
        return self._on_a_connection(lambda connection: self._call(connection, args, options))

    def _call_and_mark(self, connection: AbstractConnection, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Sends what changes the connection, and sees to it that no other thread gets it so."""
        try:
            return self._call(connection, args, options)
        finally:
            connection.changed()

    def _on_a_connection(self, work: Callable[[AbstractConnection], Any]) -> Any:
        if self.connection is not None:
            with self.single_connection_lock:
                if self.connection._renewing:
                    self.connection.refresh()
                return work(self.connection)
        connection = self.connection_pool.get_connection()
        try:
            return work(connection)
        finally:
            self.connection_pool.release(connection)

    def _cached(self, kept: KeptReplies, key: CacheKey, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The reply that is kept, or the server's, which is kept then."""
        convert, decode = self._conversion(args, options)
        found = kept.cache.get(key)
        # What the server says of its keys comes to the connection that asked. If another thread has that one, what it was
        # told is not known here: the server is asked again.
        reply = kept.lookup(key) if found is None or self._heard(found.connection_ref) else MISSING
        if reply is MISSING:
            reply = self._on_a_connection(lambda connection: self._read_and_keep(kept, key, connection, args, decode))
        return converted(reply, convert, {})

    def _heard(self, connection: AbstractConnection) -> bool:
        if self.connection is None:
            return self.connection_pool.hear(connection)
        with self.single_connection_lock:
            self.connection.hear()
        return True

    def _read_and_keep(
        self, kept: KeptReplies, key: CacheKey, connection: AbstractConnection, args: tuple[Any, ...], decode: bool | None
    ) -> Any:
        entry = kept.begin(key, connection)
        try:
            try:
                reply = connection.call(args, None, decode)
            except (ConnectionError, TimeoutError) as error:
                reply = self._repeat(connection, args, lambda: connection.call(args, None, decode), error)
        except BaseException:
            if entry is not None:
                kept.abandon(entry)
            raise
        if entry is not None:
            kept.finish(entry, reply)
        return reply

    # --- what takes several commands ---

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Pipeline:
        """A pipeline: commands that are sent together, as a transaction or not."""
        return Pipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint, self._decode, self._repeats)

    def pubsub(self, **kwargs: Any) -> PubSub:
        """A subscriber, with a connection of its own."""
        return PubSub(self.connection_pool, encoder=self.get_encoder(), **kwargs)


if TYPE_CHECKING:

    class _PipelineOfClient(PipelineCommands, PipelineSentinelCommands, Client[Any]):  # type: ignore[misc]
        """A client whose methods return the pipeline."""

else:
    _PipelineOfClient = Client


class Pipeline(PipelineCalls, _PipelineOfClient):  # type: ignore[misc]
    """Commands that wait for `execute`. One caller's, not to be shared by threads.

    transaction: sends them between MULTI and EXEC, so that no other client's commands run between them.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed.

    It is a client of the same pool, as in redis-py: `lock`, `pubsub`, `register_script` and the like are there.
    """

    __module__ = "samewire.redis.client"

    # `append` of the native queue adds a command.
    append = PipelineCommands.append  # type: ignore[assignment]
    __repr__ = PipelineCalls.__repr__


Redis = Client
StrictRedis = Client
