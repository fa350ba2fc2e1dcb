"""Signals: receivers are registered for a signal, and called when it is sent."""

from __future__ import annotations

from inspect import ismethod
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def make_id(func: Any) -> Any:
    """Returns what a receiver or sender is known by: a bound method is a new object each time it is read."""
    return (id(func.__self__), id(func.__func__)) if ismethod(func) else id(func)


NONE_ID = make_id(None)


class Signal:
    """A list of receivers. They are kept by strong references, until they are disconnected."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.receivers: list[tuple[tuple[Any, Any], Callable[..., Any]]] = []

    def connect(self, receiver: Callable[..., Any], sender: Any = None, unique_id: Any = None) -> None:
        """Registers a receiver, which must take keyword arguments. A second time it does nothing.

        sender: whose signals the receiver gets, None for all. unique_id: tells receivers apart instead of their identity.
        """
        key = self._key(receiver, unique_id, sender)
        with self.lock:
            if all(known != key for known, _ in self.receivers):
                self.receivers.append((key, receiver))

    def disconnect(self, receiver: Callable[..., Any], sender: Any = None, unique_id: Any = None) -> bool:
        """Removes a receiver; returns whether it was there. The arguments must be those of `connect`."""
        key = self._key(receiver, unique_id, sender)
        with self.lock:
            for index, (known, _) in enumerate(self.receivers):
                if known == key:
                    del self.receivers[index]
                    return True
        return False

    def send(self, sender: Any, **params: Any) -> list[tuple[Callable[..., Any], Any]]:
        """Calls the receivers for a sender in order, and returns what each returned. An exception of one ends it."""
        key = make_id(sender)
        with self.lock:
            chosen = [receiver for (_, wanted), receiver in self.receivers if wanted in (NONE_ID, key)]
        return [(receiver, receiver(signal=self, sender=sender, **params)) for receiver in chosen]

    @staticmethod
    def _key(receiver: Callable[..., Any], unique_id: Any, sender: Any) -> tuple[Any, Any]:
        return unique_id or make_id(receiver), make_id(sender)
