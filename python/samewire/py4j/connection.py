"""A connection of a GatewayClient: one command at a time."""

from __future__ import annotations

import logging
import socket
import weakref
from functools import partial
from typing import Any

from . import constants as proto
from .errors import Py4JAuthenticationError, Py4JError, Py4JNetworkError
from .log import logger
from .protocol import is_error
from .sockets import _garbage_collect_connection, quiet_close, quiet_shutdown, set_linger


def delete_commands(target_ids: list[str]) -> str:
    """Returns the commands by which Java forgets objects."""
    start = proto.MEMORY_COMMAND_NAME + proto.MEMORY_DEL_SUBCOMMAND_NAME
    return "".join(f"{start}{target_id}\n{proto.END_COMMAND_PART}" for target_id in target_ids)


def _forgotten(socket_instance: Any, _: Any) -> None:
    _garbage_collect_connection(socket_instance)


class GatewayConnection:
    """A socket to Java's gateway."""

    def __init__(self, gateway_parameters: Any, gateway_property: Any = None) -> None:
        self.gateway_parameters = gateway_parameters
        self.address = gateway_parameters.address
        self.port = gateway_parameters.port
        family = socket.getaddrinfo(self.address, self.port)[0][0]
        self.socket: Any = socket.socket(family, socket.SOCK_STREAM)
        if gateway_parameters.read_timeout:
            self.socket.settimeout(gateway_parameters.read_timeout)
        if gateway_parameters.ssl_context:
            self.socket = gateway_parameters.ssl_context.wrap_socket(self.socket, server_hostname=self.address)
        self.stream: Any = None
        self.is_connected = False
        self.auto_close = gateway_parameters.auto_close
        self.gateway_property = gateway_property
        self.wr = weakref.ref(self, partial(_forgotten, self.socket))

    def start(self) -> None:
        """Connects. Raises Py4JNetworkError, or Py4JAuthenticationError if the token is refused."""
        try:
            self.socket.connect((self.address, self.port))
            if self.socket.family in (socket.AF_INET, socket.AF_INET6):
                # Commands and answers are single writes, but the deletes in front of one must not wait for an acknowledgement.
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.stream = self.socket.makefile("rb")
            self.is_connected = True
            self._authenticate_connection()
        except Py4JAuthenticationError:
            logger.exception("Cannot authenticate with gateway server.")
            raise
        except Exception as e:
            msg = f"An error occurred while trying to connect to the Java server ({self.address}:{self.port})"
            logger.exception(msg)
            raise Py4JNetworkError(msg, e) from e

    def _authenticate_connection(self) -> None:
        token = self.gateway_parameters.auth_token
        if not token:
            return
        answer = self.send_command(f"{proto.AUTH_COMMAND_NAME}\n{token}\n")
        if is_error(answer)[0]:
            self.close(reset=True)
            raise Py4JAuthenticationError("Failed to authenticate with gateway server.")

    def close(self, reset: bool = False) -> None:
        """Closes the connection; with `reset` Java's next write to it fails."""
        if reset:
            set_linger(self.socket)
        else:
            quiet_shutdown(self.socket)
        quiet_close(self.stream)
        quiet_close(self.socket)
        self.is_connected = False

    def abandon(self) -> None:
        """Closes this process's descriptor. The connection stays open for the process that this one was forked from."""
        quiet_close(self.stream)
        quiet_close(self.socket)
        self.is_connected = False

    def shutdown_gateway(self) -> None:
        """Closes Java's gateway, with all connections."""
        if not self.is_connected:
            raise Py4JError("Gateway must be connected to send shutdown cmd.")
        try:
            quiet_close(self.stream)
            self.socket.sendall(proto.SHUTDOWN_GATEWAY_COMMAND_NAME.encode("utf-8"))
            quiet_close(self.socket)
            self.is_connected = False
        except Exception:
            logger.debug("Exception occurred while shutting down gateway", exc_info=True)

    def send_command(self, command: str) -> str:
        """Sends a command, and returns the answer. Raises Py4JNetworkError."""
        self._send(command)
        return self._receive()

    def send_after_deletes(self, target_ids: list[str], command: str) -> str:
        """Sends a command behind those by which Java forgets objects, in one write; returns the answer to the command."""
        if type(self).send_command is not GatewayConnection.send_command:
            self.send_command(delete_commands(target_ids[:1]))
            return self.send_after_deletes(target_ids[1:], command) if len(target_ids) > 1 else self.send_command(command)
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
            logger.info("Error while sending.", exc_info=True)
            raise Py4JNetworkError("Error while sending", e, proto.ERROR_ON_SEND) from e

    def _receive(self) -> str:
        try:
            answer: str = self.stream.readline()[:-1].decode("utf-8")
            if logger.isEnabledFor(logging.DEBUG):
                logger.debug("Answer received: %s", answer)
            if answer.startswith(proto.RETURN_MESSAGE):
                answer = answer[1:]
        except Exception as e:
            logger.info("Error while receiving.", exc_info=True)
            raise Py4JNetworkError("Error while receiving", e, proto.ERROR_ON_RECEIVE) from e
        if not answer or answer.isspace():
            # The other end has closed the connection.
            logger.info("Error while receiving: the answer is empty.")
            raise Py4JNetworkError("Answer from Java side is empty", when=proto.EMPTY_RESPONSE)
        return answer


class GatewayConnectionGuard:
    """The connection of a call whose result is a stream of bytes: `with member.stream() as guard: guard.read()`."""

    def __init__(self, client: Any, connection: Any) -> None:
        self._client = client
        self._connection = connection

    def __enter__(self) -> GatewayConnectionGuard:
        return self

    def read(self, hint: int = -1) -> Any:
        """Reads at most so many bytes, or all."""
        return self._connection.stream.read(hint)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        if value is None:
            self._client._give_back_connection(self._connection)
        else:
            self._connection.close()
