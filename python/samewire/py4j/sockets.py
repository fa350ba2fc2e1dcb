"""Operations of sockets that must not fail, or that end a connection in a certain way."""

from __future__ import annotations

import os
import socket
import struct
from typing import Any

from .log import logger

#: Seconds for a connection to a server that may be gone.
_SOON = 2.0


def set_reuse_address(server_socket: socket.socket) -> None:
    """Lets a server listen on a port whose last connections linger. On Windows the option means something else."""
    if os.name != "nt":
        server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def quiet_close(closable: Any) -> None:
    """Closes what has `close()`. Exceptions are logged."""
    if closable is None:
        return
    try:
        closable.close()
    except Exception:
        logger.debug("Exception while closing", exc_info=True)


def quiet_shutdown(socket_instance: Any) -> None:
    """Shuts both directions of a socket down. Exceptions are logged."""
    if socket_instance is None:
        return
    try:
        socket_instance.shutdown(socket.SHUT_RDWR)
    except Exception:
        logger.debug("Exception while shutting down a socket", exc_info=True)


def set_linger(a_socket: socket.socket) -> None:
    """Makes the next `close` reset the connection, so that the peer's next write fails."""
    a_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def check_connection(a_socket: socket.socket, read_timeout: float | None) -> None:
    """Raises an exception if the peer has closed a connection on which nothing is to be read."""
    a_socket.settimeout(0.0001)
    received: bytes | None = None
    try:
        received = a_socket.recv(2)
    except TimeoutError:
        pass  # open, and silent
    finally:
        a_socket.settimeout(read_timeout)
    if received == b"":
        raise Exception("The connection was remotely closed.")


def is_closed_by_peer(a_socket: Any) -> bool:
    """Returns whether the peer has closed a connection on which nothing is to be read. Of TLS that cannot be seen: False."""
    if type(a_socket) is not socket.socket:
        return False
    timeout = a_socket.gettimeout()
    a_socket.settimeout(0)
    try:
        return not a_socket.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        a_socket.settimeout(timeout)


def is_listening(address: str, port: int) -> bool:
    """Returns whether a server takes connections."""
    try:
        socket.create_connection((address, port), timeout=_SOON).close()
    except OSError:
        return False
    return True


def _garbage_collect_connection(socket_instance: Any) -> None:
    """Closes the socket of a connection that nothing refers to any longer."""
    try:
        if socket_instance is not None:
            quiet_shutdown(socket_instance)
            quiet_close(socket_instance)
    except Exception:
        pass  # the interpreter ends, and its modules are gone
