"""The parameters of a gateway and of its callback server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import hooks
from .log import deprecated
from .protocol import escape_new_line

if TYPE_CHECKING:
    from ssl import SSLContext

DEFAULT_ADDRESS = "127.0.0.1"
DEFAULT_PORT = 25333
DEFAULT_PYTHON_PROXY_PORT = 25334
DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER = "DEFAULT"
DEFAULT_CALLBACK_SERVER_ACCEPT_TIMEOUT = 5


def set_default_callback_accept_timeout(accept_timeout: float) -> None:
    """Sets the `accept_timeout` of callback servers whose parameters give none."""
    deprecated("set_default_callback_accept_timeout", "1.0", "CallbackServerParameters")
    hooks.java_gateway.DEFAULT_CALLBACK_SERVER_ACCEPT_TIMEOUT = accept_timeout


class GatewayParameters:
    """How Python connects to Java.

    address, port: where Java listens. With an `ssl_context` that checks hosts' names, the address must be one of its certificate's.
    auto_field: attributes of objects are fields, where there is one of the name. Else `get_field` reads fields.
    auto_close: kept for programs that read it. Connections are closed when nothing refers to them.
    auto_convert: arguments are converted by the registered converters: a list to a java.util.ArrayList, and so on.
    eager_load: connects at once, and fails if there is nothing there.
    ssl_context: connections are TLS.
    enable_memory_management: Java forgets an object when Python does.
    read_timeout: seconds to wait for an answer, None for no limit.
    auth_token: what the first command of a connection says.
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
        read_timeout: float | None = None,
        auth_token: str | None = None,
    ) -> None:
        self.address = address
        self.port = port
        self.auto_field = auto_field
        self.auto_close = auto_close
        self.auto_convert = auto_convert
        self.eager_load = eager_load
        self.ssl_context = ssl_context
        self.enable_memory_management = enable_memory_management
        self.read_timeout = read_timeout
        self.auth_token = escape_new_line(auth_token)


class CallbackServerParameters:
    """How Java connects to Python.

    address, port: where Python listens. 0: any free port.
    daemonize: the server's thread does not keep the program from ending; daemonize_connections: those of connections.
    eager_load: the server is started with the gateway.
    ssl_context: connections are TLS.
    accept_timeout: seconds after which the server looks whether it is to shut down.
    read_timeout: seconds to wait for a command, None for no limit.
    propagate_java_exceptions: a Java exception that leaves a callback is thrown in Java as itself, and not as a Py4JException.
    auth_token: what the first command of a connection must say.
    """

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        port: int = DEFAULT_PYTHON_PROXY_PORT,
        daemonize: bool = False,
        daemonize_connections: bool = False,
        eager_load: bool = True,
        ssl_context: SSLContext | None = None,
        accept_timeout: Any = DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER,
        read_timeout: float | None = None,
        propagate_java_exceptions: bool = False,
        auth_token: str | None = None,
    ) -> None:
        if accept_timeout == DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER:
            accept_timeout = hooks.java_gateway.DEFAULT_CALLBACK_SERVER_ACCEPT_TIMEOUT
        self.address = address
        self.port = port
        self.daemonize = daemonize
        self.daemonize_connections = daemonize_connections
        self.eager_load = eager_load
        self.ssl_context = ssl_context
        self.accept_timeout = accept_timeout
        self.read_timeout = read_timeout
        self.propagate_java_exceptions = propagate_java_exceptions
        self.auth_token = escape_new_line(auth_token)
