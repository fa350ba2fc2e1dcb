"""The signals of callback servers. The sender is the server."""

from __future__ import annotations

from .signals import Signal

#: A connection has ended: `connection`.
server_connection_stopped = Signal()

#: A connection has been accepted: `connection`.
server_connection_started = Signal()

#: Waiting for a connection failed: `error`.
server_connection_error = Signal()

#: The server listens: `server`.
server_started = Signal()

#: The server no longer listens: `server`.
server_stopped = Signal()

#: The server is about to shut down: `server`.
pre_server_shutdown = Signal()

#: The server has shut down: `server`.
post_server_shutdown = Signal()
