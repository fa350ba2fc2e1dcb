"""Identifiers of Java's objects that Python has dropped, kept until they are sent to Java.

A finalizer may run at any point: during a command on the same connection, or while a lock is held. So it only appends
to a list. The client's next command takes the list along; if none comes, a thread sends it.
"""

from __future__ import annotations

import atexit
import os
import time
import weakref
from collections import deque
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from .constants import ENTRY_POINT_OBJECT_ID, GATEWAY_SERVER_OBJECT_ID
from .finalizer import ThreadSafeFinalizer
from .log import logger

#: Objects that live as long as the gateway.
_PERMANENT = frozenset((ENTRY_POINT_OBJECT_ID, GATEWAY_SERVER_OBJECT_ID))

#: Seconds that the thread waits for a command of the program to take the list along.
_PATIENCE = 0.5

#: The most that one command takes along: Java's answers must fit into the connection's buffers, since they are read
#: later.
MOST = 1000


class Graveyard:
    """The list of one client. Only `bury` may be called from finalizers: it takes no lock and never waits."""

    def __init__(self, client: Any) -> None:
        self._dead: deque[str] = deque()
        self._wake: SimpleQueue[bool] = SimpleQueue()
        self._thread: Thread | None = None
        self._closed = False
        wake = self._wake
        # The thread must not keep the client alive.
        self._client = weakref.ref(client, lambda _: wake.put(False))

    def bury(self, target_id: str) -> None:
        """Adds an identifier."""
        if target_id in _PERMANENT or self._closed:
            return
        self._dead.append(target_id)
        if len(self._dead) == 1:
            self._wake.put(True)

    def take(self) -> list[str]:
        """Removes and returns identifiers, which the caller sends."""
        dead = self._dead
        taken: list[str] = []
        while dead and len(taken) < MOST:
            try:
                taken.append(dead.popleft())
            except IndexError:
                break  # another thread took the last
        return taken

    def give_back(self, taken: list[str]) -> None:
        """Adds identifiers that could not be sent. Java ignores an identifier that it has dropped already."""
        if not self._closed:
            self._dead.extend(taken)

    def close(self) -> None:
        """Drops all, now and from now on: the JVM is gone, or the objects belong to a parent process."""
        self._closed = True
        self._dead.clear()
        self._wake.put(False)  # the thread ends

    def watch(self) -> None:
        """Starts the thread, if there is none."""
        if self._thread is None and not self._closed:
            self._thread = Thread(target=_send_when_idle, args=(self,), name="py4j-finalizer", daemon=True)
            self._thread.start()


def _send_when_idle(graveyard: Graveyard) -> None:
    while graveyard._wake.get():
        while graveyard._dead:
            time.sleep(_PATIENCE)
            client = graveyard._client()
            if client is None:
                return
            try:
                client.flush_garbage()
            except Exception:
                logger.debug("Exception while garbage collecting objects", exc_info=True)
            del client


def watch(gateway_client: Any) -> None:
    """Starts the thread of a client's graveyard, if the client has one."""
    graveyard = getattr(gateway_client, "graveyard", None)
    if graveyard is not None and graveyard._thread is None:
        graveyard.watch()


def finalizer_key(gateway_client: Any, target_id: str) -> str:
    """Returns the key of an object's finalizer."""
    return f"{gateway_client.address}{gateway_client.port}{target_id}"


def _garbage_collect_object(gateway_client: Any, target_id: str) -> None:
    """Releases a Java object."""
    try:
        ThreadSafeFinalizer.remove_finalizer(finalizer_key(gateway_client, target_id))
        gateway_client.garbage_collect_object(target_id)
    except Exception:
        with suppress(Exception):  # the interpreter ends, and its modules are gone
            logger.debug("Exception while garbage collecting an object", exc_info=True)


_clients: weakref.WeakSet[Any] = weakref.WeakSet()


def remember(client: Any) -> None:
    """Registers a client to be notified when this process ends, and in a fork, where its objects are the parent's."""
    _clients.add(client)


def _after_fork() -> None:
    # The objects are the parent's: a child must not have Java forget them.
    ThreadSafeFinalizer.finalizers.clear()
    for client in list(_clients):
        client.after_fork()


def _at_exit() -> None:
    for client in list(_clients):
        client.at_exit()


os.register_at_fork(after_in_child=_after_fork)
# Handlers are called last to first: those that a program registers after importing this package can still use Java.
atexit.register(_at_exit)
