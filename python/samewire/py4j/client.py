"""The client of a gateway: its connections, and the dialect in which it speaks."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import Any

from . import constants as proto
from .connection import GatewayConnection, GatewayConnectionGuard, delete_commands
from .errors import Py4JNetworkError
from .graveyard import Graveyard, remember
from .log import deprecated, logger
from .negotiation import negotiated
from .parameters import DEFAULT_ADDRESS, DEFAULT_PORT, GatewayParameters
from .protocol import is_fatal_error
from .sockets import is_closed_by_peer, is_listening, quiet_close
from .text import TextDialect


class GatewayClient:
    """Connections to Java's gateway, made on demand: each command uses one exclusively.

    All operations of objects, classes and views go through `dialect`. `send_command` sends a command of the text
    protocol.
    """

    #: The converters of arguments, None without `auto_convert`. The gateway sets them.
    converters: Any = None

    #: Calls of objects as text before a client that has used no class negotiates a dialect. This spares servers of
    #: tests with a few canned answers.
    calls_undecided = 31

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        port: int = DEFAULT_PORT,
        auto_close: bool = True,
        gateway_property: Any = None,
        ssl_context: Any = None,
        gateway_parameters: Any = None,
    ) -> None:
        if address != DEFAULT_ADDRESS:
            deprecated("GatewayClient.address", "1.0", "GatewayParameters")
        if port != DEFAULT_PORT:
            deprecated("GatewayClient.port", "1.0", "GatewayParameters")
        if not gateway_parameters:
            gateway_parameters = GatewayParameters(address=address, port=port, auto_close=auto_close, ssl_context=ssl_context)
        self.gateway_parameters = gateway_parameters
        self.address = gateway_parameters.address
        self.port = gateway_parameters.port
        self.is_connected = True
        self.auto_close = gateway_parameters.auto_close
        self.gateway_property = gateway_property
        self.ssl_context = gateway_parameters.ssl_context
        self.deque: deque[Any] = deque()
        self._text = TextDialect(self)
        self._dialect: Any = None
        self._undecided = 0
        self.graveyard = Graveyard(self)
        remember(self)

    # --- the dialect -------------------------------------------------------------------------------------------

    @property
    def dialect(self) -> Any:
        """The dialect of objects, classes and views: text until it is negotiated, by the first name or some calls."""
        chosen = self._dialect
        if chosen is None:
            self._undecided += 1
            return self._text if self._undecided <= self.calls_undecided else self.settle()
        if chosen is not self._text and not chosen.usable:
            chosen.forget()
            self._dialect = None
            return self.settle()
        return chosen

    def settle(self) -> Any:
        """Negotiates the dialect with the server, unless that is done, and returns it."""
        if self._dialect is None:
            # For the commands of the negotiation itself.
            self._dialect = self._text
            try:
                self._dialect = negotiated(self) or self._text
            except BaseException:
                # There is no connection: the command that needs the dialect will raise the error.
                self._dialect = None
                return self._text
        return self._dialect

    def _forget(self) -> None:
        self._text.forget()
        if self._dialect not in (None, self._text):
            self._dialect.forget()

    # --- objects that Python has dropped -----------------------------------------------------------------------

    def garbage_collect_object(self, target_id: str) -> None:
        """Releases a Java object: with the next command, or soon after if there is none."""
        if self.is_connected:
            self.graveyard.bury(target_id)

    def flush_garbage(self) -> None:
        """Sends the pending releases now, over a connection that no call uses."""
        while self.deque and self.is_connected:
            taken = self.graveyard.take()
            if not taken:
                return
            try:
                # The last is the command, the others go in front of it.
                self._send_command(delete_commands(taken[-1:]), taken[:-1])
            except Py4JNetworkError:
                self.graveyard.give_back(taken)
                raise

    def after_fork(self) -> None:
        """Called in a fork: leaves the connections and objects to the parent process."""
        self.graveyard.close()
        self.graveyard = Graveyard(self)
        self._forget()
        self._dialect = None
        while self.deque:
            self.deque.pop().abandon()

    def at_exit(self) -> None:
        """Ends the session when the interpreter ends."""
        if self._dialect not in (None, self._text):
            self._dialect.close_at_exit()

    # --- connections -------------------------------------------------------------------------------------------

    def _get_connection(self) -> Any:
        if not self.is_connected:
            raise Py4JNetworkError("Gateway is not connected.")
        # Not created within the handler: a failure would be reported as caused by the empty pool.
        with suppress(IndexError):
            return self.deque.pop()
        return self._create_connection()

    def _create_connection(self) -> Any:
        connection = GatewayConnection(self.gateway_parameters, self.gateway_property)
        connection.start()
        return connection

    def _give_back_connection(self, connection: Any) -> None:
        try:
            self.deque.append(connection)
        except Exception:
            logger.warning("Exception while giving back connection", exc_info=True)

    def _create_connection_guard(self, connection: Any) -> GatewayConnectionGuard:
        return GatewayConnectionGuard(self, connection)

    def _should_retry(self, retry: bool, connection: Any, pne: Any = None) -> Any:
        return retry and pne and pne.when in (proto.ERROR_ON_SEND, proto.EMPTY_RESPONSE)

    def shutdown_gateway(self) -> None:
        """Closes Java's gateway, with all connections. The client cannot be used any more."""
        connection = self._get_connection()
        while is_closed_by_peer(connection.socket):
            # The idle connection may be closed: by the server's time limit, or its shutdown. The command has no answer,
            # so this would go unnoticed.
            connection.close()
            if not is_listening(self.address, self.port):
                self._disconnect()
                return
            connection = self._get_connection()
        try:
            connection.shutdown_gateway()
            self._disconnect()
        except Py4JNetworkError:
            logger.debug("Error while shutting down gateway.", exc_info=True)
            self.shutdown_gateway()

    def _disconnect(self) -> None:
        """Closes all, for good: the server has been shut down."""
        self.close()
        self.is_connected = False
        self.graveyard.close()
        if self._dialect not in (None, self._text):
            self._dialect.close()

    def close(self) -> None:
        """Closes the connections that no call uses. The next command opens a new one."""
        for _ in range(len(self.deque)):
            try:
                quiet_close(self.deque.pop())
            except IndexError:
                break  # another thread took the last
        self._forget()

    # --- commands ----------------------------------------------------------------------------------------------

    def send_command(self, command: str, retry: bool = True, binary: bool = False) -> Any:
        """Sends a command of the text protocol and returns the answer, with `binary` also the connection, guarded.

        retry: the command is sent once more if the connection is found closed. An answer of `x` stands for a connection that
        failed later: the command may have run.
        """
        if command.startswith(proto.JVMVIEW_COMMAND_NAME):
            self._forget()
        taken = self.graveyard.take()
        try:
            return self._send_command(command, taken, retry, binary)
        except BaseException:
            self.graveyard.give_back(taken)
            raise

    def _send_command(self, command: str, dead: list[str], retry: bool = True, binary: bool = False) -> Any:
        connection = self._get_connection()
        try:
            response = connection.send_after_deletes(dead, command) if dead else connection.send_command(command)
            if binary:
                return response, self._create_connection_guard(connection)
            if is_fatal_error(response):
                connection.close(False)
            else:
                self._give_back_connection(connection)
            return response
        except Py4JNetworkError as pne:
            connection.close(isinstance(pne.cause, TimeoutError))
            self._forget()
            if self._should_retry(retry, connection, pne):
                # Each closed connection is dropped, and the next one is tried.
                logger.info("Exception while sending command.", exc_info=True)
                return self._send_command(command, dead, False, binary)
            logger.exception("Exception while sending command.")
            self.graveyard.give_back(dead)
            return proto.ERROR
        except KeyboardInterrupt:
            logger.exception("KeyboardInterrupt while sending command.")
            self._drop_interrupted(connection)
            raise

    def _drop_interrupted(self, connection: Any) -> None:
        """Closes a connection whose answer is not read, and makes Java close its side, so that the call there ends."""
        if not (connection and connection.socket):
            return
        if not hasattr(connection, "shutdown_socket"):
            connection.close(True)
            return
        local = connection.socket.getsockname()
        remote = connection.socket.getpeername()
        kept = []
        for _ in range(len(self.deque)):
            try:
                other = self.deque.pop()
            except IndexError:
                break
            if other.socket and (other.socket.getsockname() == local or other.socket.getpeername() == remote):
                other.shutdown_socket(local[1], remote[1])
            else:
                kept.append(other)
        self.deque.extend(kept)
        connection.shutdown_socket(local[1], remote[1])
