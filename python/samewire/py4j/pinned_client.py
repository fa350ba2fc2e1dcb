"""The client of a ClientServer: one connection for each thread."""

from __future__ import annotations

import atexit
import time
import weakref
from collections import deque
from contextlib import suppress
from threading import Thread, local
from typing import Any

from .client import GatewayClient
from .errors import Py4JNetworkError
from .log import pinned_logger as logger
from .pinned_connection import ClientServerConnection, ClientServerConnectionGuard

SHUTDOWN_FINALIZER_WORKER = "__shutdown__"

DEFAULT_WORKER_SLEEP_TIME = 1


class FinalizerWorker(Thread):
    """Releases objects of Java's, a deque of (client, identifier). Clients of this package do without."""

    def __init__(self, deque: Any) -> None:
        self.deque = deque
        super().__init__()

    def run(self) -> None:
        """Works until the deque has SHUTDOWN_FINALIZER_WORKER."""
        while True:
            try:
                task = self.deque.pop()
            except IndexError:
                time.sleep(DEFAULT_WORKER_SLEEP_TIME)
                continue
            if task == SHUTDOWN_FINALIZER_WORKER:
                return
            client, target_id = task
            client.garbage_collect_object(target_id, False)


class ThreadLocalConnectionFinalizer:
    """Drops the connection of a thread once the thread has ended: its thread-local storage holds this object."""

    def __init__(self, connection: Any, dequeue: Any) -> None:
        self.connection = connection
        self.deque = dequeue

    def __del__(self) -> None:
        connection = self.connection()
        if connection is not None:
            with suppress(ValueError):  # Java opened it
                self.deque.remove(connection)


class JavaClient(GatewayClient):
    """Sends each thread's commands over the thread's own connection, which is a thread of Java's."""

    #: The connection of another dialect is another thread of Java's: no call may come before it is chosen.
    calls_undecided = 0

    def __init__(
        self, java_parameters: Any, python_parameters: Any, gateway_property: Any = None, finalizer_deque: Any = None
    ) -> None:
        super().__init__(gateway_parameters=java_parameters, gateway_property=gateway_property)
        self.java_parameters = java_parameters
        self.python_parameters = python_parameters
        self.thread_connection = local()
        # Without one, as in clients of a program's own, no thread with a connection of its own tells Java of dropped objects.
        self._has_worker = finalizer_deque is not None
        self.finalizer_deque = deque() if finalizer_deque is None else finalizer_deque
        if not getattr(java_parameters, "daemonize_memory_management", True):
            atexit.register(_flush_at_exit, weakref.ref(self))

    def garbage_collect_object(self, target_id: str, enqueue: bool = True) -> None:
        """Releases an object of Java's: with the next command of any thread, or now with `enqueue` False."""
        super().garbage_collect_object(target_id)
        if not enqueue:
            self.flush_garbage()

    def flush_garbage(self) -> None:
        """Sends the pending releases now, over the connection of this thread."""
        if self._has_worker:
            super().flush_garbage()

    def set_thread_connection(self, connection: Any) -> None:
        """Gives this thread a connection."""
        reference = weakref.ref(connection)
        self.thread_connection._cleaner = ThreadLocalConnectionFinalizer(reference, self.deque)
        self.thread_connection.connection = reference

    def get_thread_connection(self) -> Any:
        """Returns this thread's connection, or None."""
        reference = getattr(self.thread_connection, "connection", None)
        return None if reference is None else reference()

    def shutdown_gateway(self) -> None:
        """Closes Java's ClientServer, with all connections. The client cannot be used any more."""
        try:
            super().shutdown_gateway()
        finally:
            self.finalizer_deque.appendleft(SHUTDOWN_FINALIZER_WORKER)

    def after_fork(self) -> None:
        """Leaves the connections to the process that this one was forked from, and its objects too."""
        own = self.get_thread_connection()
        self.thread_connection = local()
        super().after_fork()
        if own is not None:
            own.abandon()

    def _get_connection(self) -> Any:
        if not self.is_connected:
            raise Py4JNetworkError("Gateway is not connected.")
        connection = self.get_thread_connection()
        if connection is None or connection.socket is None:
            return self._create_new_connection()
        # It is given back after the command. Within a callback, or if Java opened it, it is not there.
        with suppress(ValueError):
            self.deque.remove(connection)
        return connection

    def _create_new_connection(self) -> Any:
        connection = ClientServerConnection(self.java_parameters, self.python_parameters, self.gateway_property, self)
        connection.connect_to_java_server()
        self.set_thread_connection(connection)
        return connection

    def _should_retry(self, retry: bool, connection: Any, pne: Any = None) -> Any:
        # Within a callback Java waits on the connection that has failed.
        return super()._should_retry(retry, connection, pne) and connection and connection.initiated_from_client

    def _create_connection_guard(self, connection: Any) -> ClientServerConnectionGuard:
        return ClientServerConnectionGuard(self, connection)


def _flush_at_exit(reference: Any) -> None:
    client = reference()
    if client is not None and client.is_connected:
        try:
            client.flush_garbage()
        except Exception:
            logger.debug("Exception while garbage collecting objects", exc_info=True)
