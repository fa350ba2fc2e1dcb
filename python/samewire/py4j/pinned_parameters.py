"""The parameters of a ClientServer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .parameters import (
    DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER,
    DEFAULT_ADDRESS,
    DEFAULT_PORT,
    DEFAULT_PYTHON_PROXY_PORT,
    CallbackServerParameters,
    GatewayParameters,
)

if TYPE_CHECKING:
    from ssl import SSLContext


class JavaParameters(GatewayParameters):
    """How Python connects to Java: as GatewayParameters.

    auto_gc: kept for programs that pass it.
    daemonize_memory_management: if False, the program's end waits until all releases of objects have been sent to Java.
    """

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        port: int = DEFAULT_PORT,
        auto_field: bool = False,
        auto_close: bool = True,
        auto_convert: bool = False,
        eager_load: bool = False,
        ssl_context: SSLContext | None = None,
        enable_memory_management: bool = True,
        auto_gc: bool = False,
        read_timeout: float | None = None,
        daemonize_memory_management: bool = True,
        auth_token: str | None = None,
    ) -> None:
        super().__init__(
            address,
            port,
            auto_field,
            auto_close,
            auto_convert,
            eager_load,
            ssl_context,
            enable_memory_management,
            read_timeout,
            auth_token,
        )
        self.auto_gc = auto_gc
        self.daemonize_memory_management = daemonize_memory_management


class PythonParameters(CallbackServerParameters):
    """How Java connects to Python: as CallbackServerParameters. auto_gc: kept for programs that pass it."""

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        port: int = DEFAULT_PYTHON_PROXY_PORT,
        daemonize: bool = False,
        daemonize_connections: bool = False,
        eager_load: bool = True,
        ssl_context: SSLContext | None = None,
        auto_gc: bool = False,
        accept_timeout: Any = DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER,
        read_timeout: float | None = None,
        propagate_java_exceptions: bool = False,
        auth_token: str | None = None,
    ) -> None:
        super().__init__(
            address,
            port,
            daemonize,
            daemonize_connections,
            eager_load,
            ssl_context,
            accept_timeout,
            read_timeout,
            propagate_java_exceptions,
            auth_token,
        )
        self.auto_gc = auto_gc
