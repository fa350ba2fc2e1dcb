"""The server that Java connects to, to call Python's objects."""

from __future__ import annotations

import select
import socket
import weakref
from threading import RLock, Thread
from typing import Any

from .callback_connection import CallbackConnection
from .errors import Py4JNetworkError
from .log import deprecated, logger
from .parameters import DEFAULT_ADDRESS, DEFAULT_PYTHON_PROXY_PORT, CallbackServerParameters
from .server_signals import (
    post_server_shutdown,
    pre_server_shutdown,
    server_connection_error,
    server_connection_started,
    server_started,
    server_stopped,
)
from .sockets import quiet_close, quiet_shutdown, set_reuse_address


class CallbackServer:
    """Listens for Java's connections: one for each of its threads that calls Python at the same time."""

    server_socket: Any
    thread: Any
    _listening_address: str
    _listening_port: int

    def __init__(
        self,
        pool: Any,
        gateway_client: Any,
        port: int = DEFAULT_PYTHON_PROXY_PORT,
        address: str = DEFAULT_ADDRESS,
        callback_server_parameters: Any = None,
    ) -> None:
        self.gateway_client = gateway_client
        if not callback_server_parameters:
            deprecated("CallbackServer.port and address", "1.0", "CallbackServerParameters")
            callback_server_parameters = CallbackServerParameters(address=address, port=port)
        self.callback_server_parameters = callback_server_parameters
        self.port = callback_server_parameters.port
        self.address = callback_server_parameters.address
        self.ssl_context = callback_server_parameters.ssl_context
        self.pool = pool
        self.connections: weakref.WeakSet[Any] = weakref.WeakSet()
        # The last connection stays in `connections` after it has ended, as programs expect.
        self._latest: Any = None
        self.lock = RLock()
        self.is_shutdown: Any = False
        self.is_shutting_down = False

    def start(self) -> None:
        """Listens, on a thread. Raises Py4JNetworkError if the port is taken."""
        family = socket.getaddrinfo(self.address, self.port)[0][0]
        self.server_socket = socket.socket(family, socket.SOCK_STREAM)
        set_reuse_address(self.server_socket)
        try:
            self.server_socket.bind((self.address, self.port))
            self._listening_address, self._listening_port = self.server_socket.getsockname()[:2]
        except Exception as e:
            msg = f"An error occurred while trying to start the callback server ({self.address}:{self.port})"
            logger.exception(msg)
            raise Py4JNetworkError(msg, e) from e
        self.thread = Thread(target=self.run)
        self.thread.daemon = self.callback_server_parameters.daemonize
        self.thread.start()

    def get_listening_port(self) -> int:
        """Returns the port that it listens on, also if `port` is 0."""
        return self._listening_port

    def get_listening_address(self) -> str:
        """Returns the address that it listens on."""
        return self._listening_address

    def run(self) -> None:
        """Accepts connections until it is shut down. `start` calls it on a thread."""
        listening = self.server_socket
        try:
            with self.lock:
                self.is_shutdown = False
            logger.info("Callback Server Starting")
            listening.listen(5)
            logger.info("Socket listening on %s", listening.getsockname())
            server_started.send(self, server=self)
            while not self.is_shutdown:
                # On some systems `select` does not return for a closed socket, so it has a time-out.
                readable, _, _ = select.select([listening], [], [], self.callback_server_parameters.accept_timeout)
                if self.is_shutdown:
                    break
                if readable:
                    self._accept(listening)
        except Exception as e:
            if self.is_shutdown:
                logger.info("Error while waiting for a connection.")
            else:
                server_connection_error.send(self, error=e)
                logger.exception("Error while waiting for a connection.")
        self._latest = None
        server_stopped.send(self, server=self)

    def _accept(self, listening: Any) -> None:
        accepted, _ = listening.accept()
        if self.callback_server_parameters.read_timeout:
            accepted.settimeout(self.callback_server_parameters.read_timeout)
        if self.ssl_context:
            accepted = self.ssl_context.wrap_socket(accepted, server_side=True)
        elif accepted.family in (socket.AF_INET, socket.AF_INET6):
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = self._create_connection(accepted, accepted.makefile("rb"))
        with self.lock:
            if self.is_shutdown:
                quiet_shutdown(connection.socket)
                quiet_close(connection.socket)
                return
            self.connections.add(connection)
            self._latest = connection
            connection.start()
            server_connection_started.send(self, connection=connection)

    def _create_connection(self, socket_instance: Any, stream: Any) -> Any:
        return CallbackConnection(self.pool, stream, socket_instance, self.gateway_client, self.callback_server_parameters, self)

    def close(self) -> None:
        """Closes the connections."""
        logger.info("Closing down callback connections from CallbackServer")
        with self.lock:
            for connection in list(self.connections):
                quiet_close(connection)

    def shutdown(self) -> None:
        """Stops listening and closes the connections. Any thread may call it."""
        logger.info("Callback Server Shutting Down")
        pre_server_shutdown.send(self, server=self)
        with self.lock:
            if self.is_shutting_down:
                return  # recursive call: closing a connection called it again
            self.is_shutting_down = True
            try:
                self.is_shutdown = True
                quiet_shutdown(self.server_socket)
                quiet_close(self.server_socket)
                self.server_socket = None
                for connection in list(self.connections):
                    connection.close()
                self.pool.clear()
            finally:
                self.is_shutting_down = False
        thread, self.thread = self.thread, None
        if thread is not None:
            thread.join()
        post_server_shutdown.send(self, server=self)
