"""The blocking client. Threads may share one: each call takes a connection of the pool for itself."""

from __future__ import annotations

import contextlib
import copy
import functools
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from samewire._native import OK

from .commands.replies import response_callbacks
from .credentials import CredentialProvider
from .driver_info import SENTINEL, DriverInfo, resolve_driver_info
from .encoder import Encoder
from .exceptions import ConnectionError, ResponseError, TimeoutError
from .options import DEFAULT_PORT, DEFAULT_SOCKET_CONNECT_TIMEOUT, DEFAULT_SOCKET_TIMEOUT
from .pool import ConnectionPool
from .retry import Retry, default_retry
from .tls import TLS_KEYWORDS
from .transport import AbstractConnection, SSLConnection, UnixDomainSocketConnection

#: Options of `execute_command` that are not the conversion's: the reply stays bytes; what stands for an error reply.
NEVER_DECODE = "NEVER_DECODE"
EMPTY_RESPONSE = "EMPTY_RESPONSE"

#: The callbacks' own `get` would make upper case of every name.
_get: Callable[[dict[Any, Any], Any], Any] = dict.get


class Client:
    """A client of one server, with redis-py's keywords. Replies are bytes, or str if `decode_responses` says so.

    connection_pool: shared with other clients, and not closed with this one; the keywords of connections are then the pool's.
    single_connection_client: the client keeps one connection for itself. Threads then wait for each other.
    retry: attempts after a lost connection. A command that may have run is sent again only if that is safe.
    """

    def __init__(
        self,
        host: str = "localhost",
        port: int = DEFAULT_PORT,
        db: int = 0,
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
            keywords: dict[str, Any] = {
                "db": db,
                "username": username,
                "password": password,
                "socket_timeout": socket_timeout,
                "socket_connect_timeout": socket_connect_timeout,
                "encoding": encoding,
                "encoding_errors": encoding_errors,
                "decode_responses": decode_responses,
                "retry_on_timeout": retry_on_timeout,
                "retry_on_error": retry_on_error or [],
                "retry": default_retry() if retry is None else copy.deepcopy(retry),
                "max_connections": max_connections,
                "health_check_interval": health_check_interval,
                "client_name": client_name,
                "driver_info": resolve_driver_info(driver_info, lib_name, lib_version),
                "redis_connect_func": redis_connect_func,
                "credential_provider": credential_provider,
                "protocol": protocol,
                "legacy_responses": legacy_responses,
                **{name: value for name, value in options.items() if name not in TLS_KEYWORDS},
            }
            if unix_socket_path is not None:
                keywords |= {"path": unix_socket_path, "connection_class": UnixDomainSocketConnection}
            else:
                keywords |= {"host": host, "port": port, "socket_keepalive": socket_keepalive}
                if socket_keepalive_options is not SENTINEL:
                    keywords["socket_keepalive_options"] = socket_keepalive_options
                if ssl:
                    keywords["connection_class"] = SSLConnection
                    keywords |= {name: value for name, value in options.items() if name in TLS_KEYWORDS}
            connection_pool = ConnectionPool(**keywords)
        self.connection_pool = connection_pool
        chosen = connection_pool.connection_kwargs
        self.response_callbacks: dict[str, Any] = response_callbacks(
            protocol=chosen.get("protocol"), legacy_responses=chosen.get("legacy_responses", True)
        )
        self._decode: bool | None = None
        self._single_connection_client = single_connection_client
        self.single_connection_lock = threading.RLock()
        if single_connection_client:
            self.connection = connection_pool.get_connection()

    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Self:
        """A client for redis://[user:password@]host[:port][/db], rediss://… (TLS) or unix:///path?db=…

        Options may stand in the query, and win over the keywords.
        """
        single = kwargs.pop("single_connection_client", False)
        made = cls(connection_pool=ConnectionPool.from_url(url, **kwargs), single_connection_client=single)
        made.auto_close_connection_pool = True
        return made

    @classmethod
    def from_pool(cls, connection_pool: ConnectionPool[Any]) -> Self:
        """A client that closes the pool when it is closed."""
        made = cls(connection_pool=connection_pool)
        made.auto_close_connection_pool = True
        return made

    def decoding(self, decode: bool = True) -> Self:
        """This client, sharing its connections, with replies as str (True) or bytes (False)."""
        view = copy.copy(self)
        view._decode = decode
        view.auto_close_connection_pool = False
        return view

    def client(self) -> Self:
        """A client with one connection of the same pool for itself."""
        return type(self)(connection_pool=self.connection_pool, single_connection_client=True)

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}({self.connection_pool!r})>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def close(self) -> None:
        """Gives the client's own connection back, and closes the pool if it is the client's own."""
        connection, self.connection = getattr(self, "connection", None), None
        if connection is not None:
            self.connection_pool.release(connection)
        if self.auto_close_connection_pool:
            self.connection_pool.close()

    # --- commands ---

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command and returns its reply, converted as `response_callbacks` says for its name.

        options: keywords of the conversion; NEVER_DECODE leaves texts as bytes, EMPTY_RESPONSE stands for an error reply.

        Raises ResponseError for an error reply, ConnectionError and TimeoutError with `may_have_run`.
        """
        convert = _get(self.response_callbacks, args[0])
        if options or self.connection is not None or (convert is None and not args[0].isupper()):
            return self._execute(args, options)
        pool = self.connection_pool
        connection = pool.get_connection()
        try:
            return connection.call(args, convert, self._decode)
        except (ConnectionError, TimeoutError) as error:
            return self._repeat(connection, args, convert, self._decode, error)
        finally:
            pool.release(connection)

    def _execute(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The same for what is not common: options, a connection of the client's own, a name in lower case."""
        name = args[0].upper() if isinstance(args[0], str) else args[0]
        convert = _get(self.response_callbacks, name)
        decode = self._decode
        if options:
            if NEVER_DECODE in options:
                decode = False
            for_conversion = {k: v for k, v in options.items() if k not in (NEVER_DECODE, EMPTY_RESPONSE, "keys")}
            if for_conversion:
                # A constant is for calls without options.
                convert = functools.partial(convert, **for_conversion) if callable(convert) else None
        try:
            if self.connection is not None:
                with self.single_connection_lock:
                    return self._call(self.connection, args, convert, decode)
            connection = self.connection_pool.get_connection()
            try:
                return self._call(connection, args, convert, decode)
            finally:
                self.connection_pool.release(connection)
        except ResponseError:
            if EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            raise

    def _call(self, connection: AbstractConnection, args: tuple[Any, ...], convert: Any, decode: bool | None) -> Any:
        try:
            return connection.call(args, convert, decode)
        except (ConnectionError, TimeoutError) as error:
            return self._repeat(connection, args, convert, decode, error)

    def _repeat(
        self, connection: AbstractConnection, args: tuple[Any, ...], convert: Any, decode: bool | None, error: Exception
    ) -> Any:
        """Sends a command again after it failed, as `retry` says, if it cannot have run or may be repeated."""
        failed: Exception | None = error

        def attempt() -> Any:
            nonlocal failed
            if failed is not None:
                first, failed = failed, None
                raise first
            connection.connect_once()
            return connection.call(args, convert, decode)

        def safe(error: Exception) -> bool:
            return not getattr(error, "may_have_run", None) or may_repeat(args)

        return connection.retry.call_with_retry(attempt, connection.disconnect, safe)

    def parse_response(self, connection: AbstractConnection, command_name: str, **options: Any) -> Any:
        """Reads the reply of a command that was sent with `connection.send_command`, and converts it."""
        try:
            reply = connection.read_response(disable_decoding=NEVER_DECODE in options)
        except ResponseError:
            if EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            raise
        for name in (NEVER_DECODE, EMPTY_RESPONSE, "keys"):
            options.pop(name, None)
        convert = self.response_callbacks.get(command_name)
        return converted(reply, convert, options)

    def set_response_callback(self, command: str, callback: Callable[..., Any]) -> None:
        """Has the replies of a command converted by `callback(reply, **options)`."""
        self.response_callbacks[command] = callback

    # --- options ---

    def get_encoder(self) -> Encoder:
        """The encoder of arguments and replies."""
        encoder = self.connection_pool.get_encoder()
        if self._decode is not None:
            encoder.decode_responses = self._decode
        return encoder

    def get_connection_kwargs(self) -> dict[str, Any]:
        """The keywords of the pool's connections."""
        return self.connection_pool.connection_kwargs

    def get_retry(self) -> Retry | None:
        """The attempts after a failure."""
        return self.get_connection_kwargs().get("retry")

    def set_retry(self, retry: Retry) -> None:
        """Sets the attempts after a failure, of all connections."""
        self.connection_pool.set_retry(retry)

    def load_external_module(self, funcname: str, func: Callable[..., Any]) -> None:
        """Adds a module's commands under a name."""
        setattr(self, funcname, func)


def converted(reply: Any, convert: Any, options: dict[str, Any]) -> Any:
    """A reply, converted as a native call would."""
    if convert is None:
        return reply
    if callable(convert):
        return convert(reply, **options)
    if options:
        return reply
    if convert == OK:
        return True if reply in (b"OK", "OK") else reply
    return reply == 1 if isinstance(reply, int) else reply


def may_repeat(args: Iterable[Any]) -> bool:
    return False


Redis = StrictRedis = Client
