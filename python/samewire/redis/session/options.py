"""The options of a connection: redis-py's keywords, and URLs. Shared by blocking and asyncio connections."""

from __future__ import annotations

import copy
import os
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlparse

from samewire.limits import Limits

from ..exceptions import ConnectionError, DataError, TimeoutError
from .backoff import NoBackoff
from .credentials import CredentialProvider, Credentials, UsernamePasswordCredentialProvider
from .driver_info import SENTINEL, DriverInfo, resolve_driver_info
from .encoder import Encoder
from .tls import verify_flags


class DefaultSeconds(int):
    """A time that nobody asked for: commands that wait on the server for ever tell it from one that was."""


DEFAULT_SOCKET_TIMEOUT = DefaultSeconds(5)
DEFAULT_SOCKET_CONNECT_TIMEOUT = DEFAULT_SOCKET_TIMEOUT
DEFAULT_PORT = 6379
#: redis-py's. Here the native layer reads as much as there is.
DEFAULT_SOCKET_READ_SIZE = 32_768
DEFAULT_PROTOCOL = 3

#: redis-py's keywords that have no meaning here: parsers and packers are native, and their buffers are their own affair.
IGNORED = frozenset(
    {
        "parser_class",
        "command_packer",
        "event_dispatcher",
        "maint_notifications_config",
        "maint_notifications_pool_handler",
        "maintenance_state",
        "maintenance_notification_hash",
        "orig_host_address",
        "orig_socket_timeout",
        "orig_socket_connect_timeout",
        "oss_cluster_maint_notifications_handler",
        "himport_registry",
        "legacy_responses",
    }
)

C = TypeVar("C")


def keepalive_options() -> dict[int, int]:
    """TCP keepalive: first probe after 30 idle seconds, then every 5, three of them. What the platform lacks is left out."""
    idle = getattr(socket, "TCP_KEEPIDLE", None) or getattr(socket, "TCP_KEEPALIVE", None)
    wanted = ((idle, 30), (getattr(socket, "TCP_KEEPINTVL", None), 5), (getattr(socket, "TCP_KEEPCNT", None), 3))
    return {option: value for option, value in wanted if option is not None}


#: redis-py's name of it.
get_default_socket_keepalive_options = keepalive_options

#: What a reply may be: any string that a server keeps (512 MB), any nesting
#: that scripts can return, and 33 million elements, which take at most 4 GB.
REPLY_LIMITS = Limits(depth=1024, frame_bytes=1 << 30, items=1 << 25, cells=1 << 26)


def protocol_version(protocol: object) -> int:
    """2 or 3; 3 if nothing is said. Raises ConnectionError for anything else."""
    if protocol is None:
        return DEFAULT_PROTOCOL
    try:
        version = int(protocol)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ConnectionError(f"protocol is {protocol!r}: expected 2 or 3") from None
    if version not in (2, 3):
        raise ConnectionError(f"protocol is {protocol!r}: expected 2 or 3")
    return version  # type: ignore[no-any-return]


class ConnectionOptions:
    """The options of one connection as attributes; the base class of blocking and asyncio connections.

    setup_commands: commands, as tuples, that follow the handshake on each connect.
    limits: bounds on one reply; REPLY_LIMITS if None.
    """

    #: The class of `retry` where none is given.
    _retry_class: Any

    def __init__(
        self,
        db: int = 0,
        password: str | None = None,
        socket_timeout: float | None = DEFAULT_SOCKET_TIMEOUT,
        socket_connect_timeout: float | None = DEFAULT_SOCKET_CONNECT_TIMEOUT,
        retry_on_timeout: bool = False,
        retry_on_error: Any = SENTINEL,
        encoding: str = "utf-8",
        encoding_errors: str = "strict",
        decode_responses: bool = False,
        health_check_interval: float = 0,
        client_name: str | None = None,
        lib_name: str | object | None = SENTINEL,
        lib_version: str | object | None = SENTINEL,
        driver_info: DriverInfo | object | None = SENTINEL,
        username: str | None = None,
        retry: Any = None,
        redis_connect_func: Callable[..., Any] | None = None,
        credential_provider: CredentialProvider | None = None,
        protocol: int | None = None,
        setup_commands: Iterable[tuple[Any, ...]] = (),
        limits: Limits | None = None,
        socket_read_size: int = DEFAULT_SOCKET_READ_SIZE,
        **ignored: Any,
    ) -> None:
        unknown = ignored.keys() - IGNORED
        if unknown:
            raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {min(unknown)!r}")
        if (username or password) and credential_provider is not None:
            raise DataError(
                "'username' and 'password' cannot be passed along with 'credential_provider': pass one of them,"
                " 'password' with or without 'username', or 'credential_provider'"
            )
        self.pid = os.getpid()
        self.db = db
        self.client_name = client_name
        self.driver_info = resolve_driver_info(driver_info, lib_name, lib_version)
        self.credential_provider = credential_provider
        self.password = password
        self.username = username
        self.socket_timeout = socket_timeout
        self.socket_connect_timeout = socket_timeout if socket_connect_timeout is None else socket_connect_timeout
        self.retry_on_timeout = retry_on_timeout
        self.retry_on_error: list[type[Exception]] = [] if retry_on_error is SENTINEL else list(retry_on_error)
        if retry_on_timeout:
            self.retry_on_error.append(TimeoutError)
        # It is mutable, and each connection's own.
        self.retry = self._retry_class(NoBackoff(), 1 if self.retry_on_error else 0) if retry is None else copy.deepcopy(retry)
        if self.retry_on_error:
            self.retry.update_supported_errors(self.retry_on_error)
        self.health_check_interval = health_check_interval
        self.next_health_check = 0.0
        self.redis_connect_func = redis_connect_func
        self.encoder = Encoder(encoding, encoding_errors, decode_responses)
        self.protocol = protocol_version(protocol)
        self.setup_commands = tuple(setup_commands)
        self.limits = REPLY_LIMITS if limits is None else limits
        self.handshake_metadata: Mapping[Any, Any] | None = None

    def __repr__(self) -> str:
        pieces = ",".join(f"{name}={value}" for name, value in self.repr_pieces())
        return f"<{type(self).__module__}.{type(self).__name__}({pieces})>"

    def repr_pieces(self) -> list[tuple[str, Any]]:
        """What tells one connection from another."""
        pieces: list[tuple[str, Any]] = [("db", self.db)]
        if self.client_name:
            pieces.append(("client_name", self.client_name))
        return pieces

    def provider(self) -> CredentialProvider | None:
        """Where the credentials come from; None if there are none."""
        if self.credential_provider is not None:
            return self.credential_provider
        if self.username or self.password:
            return UsernamePasswordCredentialProvider(self.username, self.password)
        return None

    def credentials(self) -> Credentials | None:
        """The credentials for the connection that is being made."""
        provider = self.provider()
        return None if provider is None else provider.get_credentials()


FALSE = frozenset({"0", "F", "FALSE", "N", "NO"})


def to_bool(value: Any) -> bool | None:
    """A boolean of a URL; None for an empty text."""
    if value is None or value == "":
        return None
    return value.upper() not in FALSE if isinstance(value, str) else bool(value)


#: How the values of a URL's query are read; those of other names stay texts.
URL_QUERY_ARGUMENT_PARSERS: dict[str, Callable[[str], Any]] = {
    "db": int,
    "socket_timeout": float,
    "socket_connect_timeout": float,
    "socket_read_size": int,
    "socket_keepalive": to_bool,
    "retry_on_timeout": to_bool,
    "retry_on_error": list,
    "max_connections": int,
    "health_check_interval": int,
    "ssl_check_hostname": to_bool,
    "ssl_include_verify_flags": verify_flags,
    "ssl_exclude_verify_flags": verify_flags,
    "ssl_min_version": int,
    "timeout": float,
    "protocol": int,
    "legacy_responses": to_bool,
    "decode_responses": to_bool,
    "breaker": float,
}


def parse_url(url: str, unix: C, tls: C) -> dict[str, Any]:
    """The keywords of a URL: redis://, rediss:// (TLS) or unix://, each with options in its query. valkey:// and valkeys://
    mean the same as the first two.

    unix, tls: what `connection_class` is for the last two.

    Raises ValueError for another scheme, or a value that is not of its option's type.
    """
    if not url.startswith(("redis://", "rediss://", "unix://", "valkey://", "valkeys://")):
        raise ValueError("Redis URL must specify one of the following schemes (redis://, rediss://, unix://)")
    parts = urlparse(url)
    keywords: dict[str, Any] = {}
    for name, values in parse_qs(parts.query).items():
        parser = URL_QUERY_ARGUMENT_PARSERS.get(name)
        try:
            keywords[name] = values[0] if parser is None else parser(values[0])
        except (TypeError, ValueError):
            raise ValueError(f"{name}={values[0]!r} in the URL is not of this option's type") from None
    if parts.username:
        keywords["username"] = unquote(parts.username)
    if parts.password:
        keywords["password"] = unquote(parts.password)
    if parts.scheme == "unix":
        if parts.path:
            keywords["path"] = unquote(parts.path)
        keywords["connection_class"] = unix
        return keywords
    if parts.hostname:
        keywords["host"] = unquote(parts.hostname)
    if parts.port:
        keywords["port"] = int(parts.port)
    number = unquote(parts.path).replace("/", "")
    if "db" not in keywords and number.isdigit():
        keywords["db"] = int(number)
    if parts.scheme in ("rediss", "valkeys"):
        keywords["connection_class"] = tls
    return keywords
