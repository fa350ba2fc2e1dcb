"""Py4J's module `clientserver`: gateways in which each Python thread has its own Java thread."""

from __future__ import annotations

from . import protocol as proto
from .java_gateway import (
    DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER,
    DEFAULT_ADDRESS,
    DEFAULT_PORT,
    DEFAULT_PYTHON_PROXY_PORT,
    CallbackServer,
    CallbackServerParameters,
    GatewayClient,
    GatewayConnectionGuard,
    GatewayParameters,
    JavaGateway,
    Py4JAuthenticationError,
    Py4JError,
    Py4JNetworkError,
    _garbage_collect_proxy,
    do_client_auth,
    get_command_part,
    quiet_close,
    quiet_shutdown,
    server_connection_stopped,
    set_linger,
    smart_decode,
)
from .log import pinned_logger as logger
from .pinned_client import (
    DEFAULT_WORKER_SLEEP_TIME,
    SHUTDOWN_FINALIZER_WORKER,
    FinalizerWorker,
    JavaClient,
    ThreadLocalConnectionFinalizer,
)
from .pinned_connection import ClientServerConnection, ClientServerConnectionGuard
from .pinned_gateway import ClientServer, PythonServer
from .pinned_parameters import JavaParameters, PythonParameters
from .protocol import get_return_value

__all__ = [
    "DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER",
    "DEFAULT_ADDRESS",
    "DEFAULT_PORT",
    "DEFAULT_PYTHON_PROXY_PORT",
    "DEFAULT_WORKER_SLEEP_TIME",
    "SHUTDOWN_FINALIZER_WORKER",
    "CallbackServer",
    "CallbackServerParameters",
    "ClientServer",
    "ClientServerConnection",
    "ClientServerConnectionGuard",
    "FinalizerWorker",
    "GatewayClient",
    "GatewayConnectionGuard",
    "GatewayParameters",
    "JavaClient",
    "JavaGateway",
    "JavaParameters",
    "Py4JAuthenticationError",
    "Py4JError",
    "Py4JNetworkError",
    "PythonParameters",
    "PythonServer",
    "ThreadLocalConnectionFinalizer",
    "_garbage_collect_proxy",
    "do_client_auth",
    "get_command_part",
    "get_return_value",
    "logger",
    "proto",
    "quiet_close",
    "quiet_shutdown",
    "server_connection_stopped",
    "set_linger",
    "smart_decode",
]
