"""Pools of connections for blocking callers.

Taking a connection and giving it back is one `list.pop` and one `list.append`, which the interpreter does whole: no lock is
taken unless a connection is made or a caller has to wait. A child process that is forked begins with an empty pool.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterable
from typing import Any, TypeVar

from ..caching.kept_replies import KeptReplies
from ..exceptions import ConnectionError, MaxConnectionsError, TimeoutError
from ..session.pool_options import BlockingPoolOptions, PoolOptions, none_free
from ..session.refusals import failure
from ..steps import Closing
from .transport import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection

C = TypeVar("C", bound=AbstractConnection)

_alive: weakref.WeakSet[ConnectionPool[Any]] = weakref.WeakSet()


class ConnectionPool(PoolOptions[C], Closing):
    __doc__ = PoolOptions.__doc__

    _plain_class, _tls_class, _unix_class = Connection, SSLConnection, UnixDomainSocketConnection
    _over_url = frozenset({"connection_class"})

    def _set_up(self) -> None:
        made: Any = self.connection_class
        #: Whether connections have only redis-py's methods.
        self._foreign = not (isinstance(made, type) and issubclass(made, AbstractConnection))
        self.kept_replies = None if self.cache is None else KeptReplies(self.cache)
        _alive.add(self)

    def reset(self) -> None:
        """Forgets all connections, without closing those in use."""
        self._lock = threading.RLock()
        self._freed = threading.Condition(self._lock)
        self._waiting = 0
        self._connections: list[C] = []
        self._available_connections: list[C] = []
        self.pid = os.getpid()

    # --- lending ---

    def get_connection(self, command_name: str | None = None, *keys: Any, **options: Any) -> C:
        """Takes a connection that is connected and has nothing to read. The arguments are redis-py's old ones, not used."""
        try:
            connection = self._available_connections.pop()
        except IndexError:
            connection = self.next_connection()
        connection.lent = self
        if self._foreign:
            self._refresh(connection)
            return connection
        link = connection._link
        try:
            if link is None or connection._renewing or link.readable():
                connection.refresh()
        except BaseException as error:
            if isinstance(error, OSError):
                # Another thread has closed the socket meanwhile.
                return self._anew(connection)
            self.release(connection)
            raise
        return connection

    def lend(self) -> C:
        """Takes a connection that is not connected: its user connects, within a time of its own."""
        try:
            connection = self._available_connections.pop()
        except IndexError:
            connection = self.next_connection()
        connection.lent = self
        connection.disconnect()
        return connection

    def _anew(self, connection: C) -> C:
        try:
            connection.disconnect()
            connection.connect()
        except BaseException:
            self.release(connection)
            raise
        return connection

    def _refresh(self, connection: Any) -> None:
        """Connects a connection of a class from outside this package, by redis-py's methods alone."""
        try:
            connection.connect()
            try:
                ready = not connection.can_read()
            except (ConnectionError, TimeoutError, OSError):
                ready = False
            if not ready:
                connection.disconnect()
                connection.connect()
        except BaseException:
            self.release(connection)
            raise

    def next_connection(self) -> C:
        """A connection where none is idle: a new one."""
        return self.make_connection()

    def make_connection(self) -> C:
        """A new connection, not connected yet."""
        with self._lock:
            if len(self._connections) >= self.max_connections:
                raise MaxConnectionsError("Too many connections")
            connection = self.connection_class(**self.connection_kwargs)
            connection.breaker = self.breaker
            if self.kept_replies is not None:
                connection.setup_commands += (("CLIENT", "TRACKING", "ON"),)
                connection.on_push = self.kept_replies.invalidated
                connection.on_disconnect = self.kept_replies.disconnected
            self._connections.append(connection)
        return connection

    def release(self, connection: C) -> None:
        """Takes a connection back. One that is not lent, or is another pool's, is left as it is."""
        if connection.lent is not self:
            return
        connection.lent = None
        if not self.owns_connection(connection):
            self.discard(connection)
            return
        if connection.should_reconnect():
            connection.disconnect()
        self._available_connections.append(connection)
        if self._waiting:
            with self._freed:
                self._freed.notify()

    def discard(self, connection: C) -> None:
        """Closes a connection that was lent, and forgets it."""
        connection.lent = None
        connection.disconnect()
        with self._freed:
            if connection in self._connections:
                self._connections.remove(connection)
            self._freed.notify()

    def owns_connection(self, connection: C) -> bool:
        """Whether a connection is this process's, and so of this pool."""
        return connection.pid == self.pid

    def hear(self, connection: Any) -> bool:
        """Reads the invalidations that an idle connection was sent. False for one that is in use: its user reads them."""
        try:
            self._available_connections.remove(connection)
        except ValueError:
            return False
        try:
            link = connection._link
            if link is not None:
                connection.hear()
        finally:
            self._available_connections.append(connection)
        return True

    # --- all of them ---

    @property
    def _created_connections(self) -> int:
        return len(self._connections)

    @property
    def _in_use_connections(self) -> set[C]:
        return set(self._idle_and_used()[1])

    def disconnect(self, inuse_connections: bool = True) -> None:
        """Closes all connections, or only the idle ones. They are made anew when they are next used."""
        with self._lock:
            closing: Iterable[C] = list(self._connections if inuse_connections else self._available_connections)
        for connection in closing:
            connection.disconnect()

    def close(self) -> None:
        """Closes all connections."""
        self.disconnect()

    def _idle_and_used(self) -> tuple[list[C], list[C]]:
        with self._lock:
            used = [connection for connection in self._connections if connection.lent is self]
            return [connection for connection in self._connections if connection.lent is not self], used

    def re_auth_callback(self, token: Any) -> None:
        """Authenticates all connections with a new token: when they are next lent, a client's own at its next call."""
        with self._lock:
            for connection in self._connections:
                connection.set_re_auth_token(token)

    def _take_token(self, token: Any) -> None:
        self.re_auth_callback(token)


class BlockingConnectionPool(BlockingPoolOptions, ConnectionPool[C]):
    __doc__ = BlockingPoolOptions.__doc__

    def next_connection(self) -> C:
        until = None if self.timeout is None else time.monotonic() + self.timeout
        with self._freed:
            # Counted before the last look: whoever gives one back after that look sees somebody wait.
            self._waiting += 1
            try:
                while True:
                    if self._available_connections:
                        return self._available_connections.pop()
                    if len(self._connections) < self.max_connections:
                        return self.make_connection()
                    left = None if until is None else until - time.monotonic()
                    if left is not None and left <= 0:
                        raise failure(ConnectionError, none_free(self.max_connections, self.timeout), False)
                    self._freed.wait(left)
            finally:
                self._waiting -= 1


def after_fork() -> None:
    """In a child: begins with empty pools. The connections themselves let go of the parent's sockets (`transport`)."""
    for pool in list(_alive):
        pool.reset()


os.register_at_fork(after_in_child=after_fork)
