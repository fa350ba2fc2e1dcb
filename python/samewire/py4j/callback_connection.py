"""A connection from Java to the callback server, on a thread of its own."""

from __future__ import annotations

from threading import Thread
from typing import Any

from .log import logger
from .parameters import CallbackServerParameters
from .server_signals import server_connection_stopped
from .serving import answer_to, serve
from .sockets import quiet_close, quiet_shutdown, set_linger


class CallbackConnection(Thread):
    """Answers Java's commands on one connection."""

    def __init__(
        self,
        pool: Any,
        input: Any,
        socket_instance: Any,
        gateway_client: Any,
        callback_server_parameters: Any,
        callback_server: Any,
    ) -> None:
        super().__init__()
        self.pool = pool
        self.input = input
        self.socket = socket_instance
        self.gateway_client = gateway_client
        self.callback_server_parameters = callback_server_parameters or CallbackServerParameters()
        self.callback_server = callback_server
        self.daemon = self.callback_server_parameters.daemonize_connections

    def run(self) -> None:
        """Answers until the connection ends."""
        logger.info("Callback Connection ready to receive messages")
        self.close(serve(self, self.input, self.socket, self.callback_server_parameters.auth_token, logger))

    def answer(self, command: str, object_id: str) -> str:
        """Runs a command, and returns the answer."""
        return answer_to(command, object_id, self.input, self.pool, self.gateway_client, self.callback_server_parameters)

    def close(self, reset: bool = False) -> None:
        """Closes the connection. The signal `server_connection_stopped` is sent once."""
        logger.info("Closing down callback connection")
        sock, stream = self.socket, self.input
        self.socket = self.input = None
        if sock is None:
            return
        if reset:
            set_linger(sock)
        else:
            quiet_shutdown(sock)
        quiet_close(stream)
        quiet_close(sock)
        server_connection_stopped.send(self.callback_server, connection=self)
