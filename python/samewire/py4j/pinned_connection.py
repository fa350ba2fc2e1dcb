"""A connection of a ClientServer: it belongs to one thread of each side, and carries commands in both directions."""

from __future__ import annotations

import logging
import socket
from threading import Thread
from typing import Any

from . import constants as proto
from .connection import GatewayConnectionGuard, delete_commands
from .errors import Py4JAuthenticationError, Py4JError, Py4JNetworkError
from .log import pinned_logger as logger
from .protocol import is_error
from .server_signals import server_connection_stopped
from .serving import answer_to, read_line, serve
from .sockets import quiet_close, quiet_shutdown, set_linger


class ClientServerConnection:
    """A socket to Java, opened by either side. While Python waits for an answer, Java may call it on the same thread."""

    def __init__(
        self,
        java_parameters: Any,
        python_parameters: Any,
        gateway_property: Any,
        java_client: Any,
        python_server: Any = None,
    ) -> None:
        self.socket: Any = None
        self.stream: Any = None
        self.is_connected = False
        self.initiated_from_client = False
        self.java_parameters = java_parameters
        self.python_parameters = python_parameters
        self.address = self.java_address = java_parameters.address
        self.port = self.java_port = java_parameters.port
        self.python_address = python_parameters.address
        self.python_port = python_parameters.port
        self.ssl_context = java_parameters.ssl_context
        self.gateway_property = gateway_property
        self.pool = gateway_property.pool
        self.java_client = java_client
        self.python_server = python_server

    # --- opening and closing -----------------------------------------------------------------------------------

    def connect_to_java_server(self) -> None:
        """Connects. Raises what the socket raises, or Py4JAuthenticationError if the token is refused."""
        try:
            family = socket.getaddrinfo(self.java_address, self.java_port)[0][0]
            self.socket = socket.socket(family, socket.SOCK_STREAM)
            if self.java_parameters.read_timeout:
                self.socket.settimeout(self.java_parameters.read_timeout)
            if self.ssl_context:
                self.socket = self.ssl_context.wrap_socket(self.socket, server_hostname=self.java_address)
            self.socket.connect((self.java_address, self.java_port))
            if family in (socket.AF_INET, socket.AF_INET6):
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.stream = self.socket.makefile("rb")
            self.is_connected = True
            self.initiated_from_client = True
            self._authenticate_connection()
        except BaseException as e:
            self.close(reset=isinstance(e, Py4JAuthenticationError))
            self.is_connected = False
            raise

    def _authenticate_connection(self) -> None:
        token = self.java_parameters.auth_token
        if token and is_error(self.send_command(f"{proto.AUTH_COMMAND_NAME}\n{token}\n"))[0]:
            raise Py4JAuthenticationError("Failed to authenticate with gateway server.")

    def init_socket_from_python_server(self, socket: Any, stream: Any) -> None:
        """Takes a connection that Java has opened."""
        self.socket = socket
        self.stream = stream
        self.is_connected = True

    def shutdown_gateway(self) -> None:
        """Closes Java's ClientServer, with all connections."""
        if not self.is_connected:
            raise Py4JError("Gateway must be connected to send shutdown cmd.")
        try:
            quiet_close(self.stream)
            self.socket.sendall(proto.SHUTDOWN_GATEWAY_COMMAND_NAME.encode("utf-8"))
            self.close()
        except Exception:
            logger.debug("Exception occurred while shutting down gateway", exc_info=True)

    def shutdown_socket(self, remote_port: int, local_port: int) -> None:
        """Closes this connection on Java's side, named by its ports as Java sees them, and here."""
        if not self.is_connected:
            raise Py4JError("Gateway must be connected to send cancel cmd.")
        try:
            quiet_close(self.stream)
            self.socket.sendall(f"z\n127.0.0.1\n{remote_port}\n{local_port}\n".encode())
            self.close()
            self.is_connected = False
        except Exception:
            logger.exception("Exception occurred while shutting down connection")

    def close(self, reset: bool = False) -> None:
        """Closes the connection; with `reset` Java's next write to it fails."""
        logger.info("Closing down clientserver connection")
        sock, stream = self.socket, self.stream
        self.socket = self.stream = None
        if sock is None:
            return
        if reset:
            set_linger(sock)
        else:
            # First: closing a stream waits for the thread that reads it.
            quiet_shutdown(sock)
        quiet_close(stream)
        quiet_close(sock)
        if not self.initiated_from_client and self.python_server:
            server_connection_stopped.send(self.python_server, connection=self)

    def abandon(self) -> None:
        """Closes this process's descriptor. The connection stays open for the process that this one was forked from."""
        sock, stream = self.socket, self.stream
        self.socket = self.stream = None
        self.is_connected = False
        quiet_close(stream)
        quiet_close(sock)

    def __del__(self) -> None:
        self.close()

    # --- commands of Python ------------------------------------------------------------------------------------

    def send_command(self, command: str) -> str:
        """Sends a command, does what Java asks meanwhile, and returns the answer. Raises Py4JNetworkError."""
        self._send(command)
        return self._receive()

    def send_after_deletes(self, target_ids: list[str], command: str) -> str:
        """Sends a command behind those by which Java forgets objects, in one write; returns the answer to the command."""
        if type(self).send_command is not ClientServerConnection.send_command:
            for target_id in target_ids:
                self.send_command(delete_commands([target_id]))
            return self.send_command(command)
        self._send(delete_commands(target_ids) + command)
        for _ in target_ids:
            self._receive()
        return self._receive()

    def _send(self, command: str) -> None:
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("Command to send: %s", command)
        try:
            self.socket.sendall(command.encode("utf-8"))
        except Exception as e:
            logger.info("Error while sending or receiving.", exc_info=True)
            raise Py4JNetworkError("Error while sending", e, proto.ERROR_ON_SEND) from e

    def _receive(self) -> str:
        try:
            while True:
                answer: str = self.stream.readline()[:-1].decode("utf-8")
                if logger.isEnabledFor(logging.DEBUG):
                    logger.debug("Answer received: %s", answer)
                if answer.startswith(proto.RETURN_MESSAGE):
                    return answer[1:]
                if not answer or answer.isspace():
                    break
                self.socket.sendall(self.answer(answer, read_line(self.stream)).encode("utf-8"))
        except Exception as e:
            logger.info("Error while receiving.", exc_info=True)
            raise Py4JNetworkError("Error while sending or receiving", e, proto.ERROR_ON_RECEIVE) from e
        # The other end has closed the connection.
        logger.info("Error while receiving: the answer is empty.")
        raise Py4JNetworkError("Answer from Java side is empty", when=proto.EMPTY_RESPONSE)

    # --- commands of Java --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Answers Java's commands on a thread."""
        thread = Thread(target=self.run)
        thread.daemon = self.python_parameters.daemonize_connections
        thread.start()

    def run(self) -> None:
        """Answers Java's commands on this thread, whose own commands take this connection."""
        self.java_client.set_thread_connection(self)
        self.wait_for_commands()

    def wait_for_commands(self) -> None:
        """Answers Java's commands until the connection ends."""
        logger.info("Python Server ready to receive messages")
        self.close(serve(self, self.stream, self.socket, self.python_parameters.auth_token, logger))

    def answer(self, command: str, object_id: str) -> str:
        """Does what a command says, and returns the answer."""
        return answer_to(command, object_id, self.stream, self.pool, self.java_client, self.python_parameters)


class ClientServerConnectionGuard(GatewayConnectionGuard):
    """The connection of a call whose result is a stream of bytes. It stays with its thread."""

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        """Does nothing."""
