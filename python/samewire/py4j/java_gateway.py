"""Py4J's module `java_gateway`: gateways whose calls may run on any thread of Java.

The names of this module are Py4J's. Programs may replace `get_return_value` here: see `hooks`.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections import deque
from subprocess import PIPE, Popen
from threading import RLock, Thread
from typing import Any

from . import hooks
from . import protocol as proto
from .access import get_field, get_java_class, get_method, is_instance_of, set_field
from .callback_connection import CallbackConnection
from .callback_server import CallbackServer
from .client import GatewayClient
from .compat import CompatThread, Queue, basestring, hasattr2
from .connection import GatewayConnection, GatewayConnectionGuard
from .finalizer import ThreadSafeFinalizer
from .gateway import JavaGateway
from .graveyard import _garbage_collect_object
from .help_page import gateway_help
from .java_class import JavaClass
from .java_object import JavaObject
from .launching import (
    OutputConsumer,
    ProcessConsumer,
    find_jar_path,
    get_create_new_process_group_kwargs,
    launch_gateway,
)
from .log import NullHandler, deprecated, logger, null_handler
from .member import JavaMember
from .parameters import (
    DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER,
    DEFAULT_ADDRESS,
    DEFAULT_CALLBACK_SERVER_ACCEPT_TIMEOUT,
    DEFAULT_PORT,
    DEFAULT_PYTHON_PROXY_PORT,
    CallbackServerParameters,
    GatewayParameters,
    set_default_callback_accept_timeout,
)
from .pool import GatewayProperty, PythonProxyPool, _garbage_collect_proxy
from .protocol import (
    Py4JAuthenticationError,
    Py4JError,
    Py4JJavaError,
    Py4JNetworkError,
    compute_exception_message,
    escape_new_line,
    get_command_part,
    get_error_message,
    get_return_value,
    is_error,
    is_fatal_error,
    register_output_converter,
    smart_decode,
    unescape_new_line,
)
from .reference import is_magic_member
from .server_signals import (
    post_server_shutdown,
    pre_server_shutdown,
    server_connection_error,
    server_connection_started,
    server_connection_stopped,
    server_started,
    server_stopped,
)
from .serving import do_client_auth
from .signals import Signal
from .sockets import (
    _garbage_collect_connection,
    check_connection,
    quiet_close,
    quiet_shutdown,
    set_linger,
    set_reuse_address,
)
from .version import __version__
from .view import JavaPackage, JVMView, UserHelpAutoCompletion, java_import

BUFFER_SIZE = 4096
PY4J_SKIP_COLLECTIONS = "PY4J_SKIP_COLLECTIONS"
PY4J_TRUE = {"yes", "y", "t", "true"}


class DummyRLock:
    """A lock that never blocks."""

    def acquire(self, blocking: int = 1) -> None:
        """Does nothing."""

    def release(self) -> None:
        """Does nothing."""

    def __enter__(self) -> None:
        """Does nothing."""

    def __exit__(self, type: Any, value: Any, tb: Any) -> None:
        """Does nothing."""


register_output_converter(proto.REFERENCE_TYPE, lambda target_id, gateway_client: JavaObject(target_id, gateway_client))

hooks.java_gateway = sys.modules[__name__]

if os.environ.get(PY4J_SKIP_COLLECTIONS, "no").lower() not in PY4J_TRUE:
    from . import java_collections  # noqa: F401

__all__ = [
    "BUFFER_SIZE",
    "DEFAULT_ACCEPT_TIMEOUT_PLACEHOLDER",
    "DEFAULT_ADDRESS",
    "DEFAULT_CALLBACK_SERVER_ACCEPT_TIMEOUT",
    "DEFAULT_PORT",
    "DEFAULT_PYTHON_PROXY_PORT",
    "PIPE",
    "PY4J_SKIP_COLLECTIONS",
    "PY4J_TRUE",
    "CallbackConnection",
    "CallbackServer",
    "CallbackServerParameters",
    "CompatThread",
    "DummyRLock",
    "GatewayClient",
    "GatewayConnection",
    "GatewayConnectionGuard",
    "GatewayParameters",
    "GatewayProperty",
    "JVMView",
    "JavaClass",
    "JavaGateway",
    "JavaMember",
    "JavaObject",
    "JavaPackage",
    "NullHandler",
    "OutputConsumer",
    "Popen",
    "ProcessConsumer",
    "Py4JAuthenticationError",
    "Py4JError",
    "Py4JJavaError",
    "Py4JNetworkError",
    "PythonProxyPool",
    "Queue",
    "RLock",
    "Signal",
    "Thread",
    "ThreadSafeFinalizer",
    "UserHelpAutoCompletion",
    "__version__",
    "_garbage_collect_connection",
    "_garbage_collect_object",
    "_garbage_collect_proxy",
    "basestring",
    "check_connection",
    "compute_exception_message",
    "deprecated",
    "deque",
    "do_client_auth",
    "escape_new_line",
    "find_jar_path",
    "gateway_help",
    "get_command_part",
    "get_create_new_process_group_kwargs",
    "get_error_message",
    "get_field",
    "get_java_class",
    "get_method",
    "get_return_value",
    "hasattr2",
    "is_error",
    "is_fatal_error",
    "is_instance_of",
    "is_magic_member",
    "java_import",
    "launch_gateway",
    "logger",
    "logging",
    "null_handler",
    "post_server_shutdown",
    "pre_server_shutdown",
    "proto",
    "quiet_close",
    "quiet_shutdown",
    "register_output_converter",
    "server_connection_error",
    "server_connection_started",
    "server_connection_stopped",
    "server_started",
    "server_stopped",
    "set_default_callback_accept_timeout",
    "set_field",
    "set_linger",
    "set_reuse_address",
    "smart_decode",
    "socket",
    "unescape_new_line",
]
