"""Registries that keep weak references alive, whose callbacks release Java objects."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import weakref


class Finalizer:
    """A registry for programs of one thread."""

    finalizers: ClassVar[dict[Any, weakref.ReferenceType[Any]]] = {}

    @classmethod
    def add_finalizer(cls, id: Any, weak_ref: weakref.ReferenceType[Any]) -> None:
        """Keeps a weak reference under an identifier."""
        cls.finalizers[id] = weak_ref

    @classmethod
    def remove_finalizer(cls, id: Any) -> None:
        """Drops the weak reference of an identifier, if there is one."""
        cls.finalizers.pop(id, None)

    @classmethod
    def clear_finalizers(cls, clear_all: bool = False) -> None:
        """Drops the weak references whose objects are gone, or all."""
        if clear_all:
            cls.finalizers.clear()
            return
        for key, reference in list(cls.finalizers.items()):
            if reference() is None:
                cls.finalizers.pop(key, None)


class ThreadSafeFinalizer:
    """A registry for all threads.

    Adding and removing take no lock: each is one operation of a dict. Callbacks of weak references may run at any
    point, so a lock could deadlock with the same thread.
    """

    finalizers: ClassVar[dict[Any, weakref.ReferenceType[Any]]] = {}
    lock = RLock()

    @classmethod
    def add_finalizer(cls, id: Any, weak_ref: weakref.ReferenceType[Any]) -> None:
        """Keeps a weak reference under an identifier."""
        cls.finalizers[id] = weak_ref

    @classmethod
    def remove_finalizer(cls, id: Any) -> None:
        """Drops the weak reference of an identifier, if there is one."""
        cls.finalizers.pop(id, None)

    @classmethod
    def clear_finalizers(cls, clear_all: bool = False) -> None:
        """Drops the weak references whose objects are gone, or all."""
        with cls.lock:
            if clear_all:
                cls.finalizers.clear()
                return
            for key, reference in list(cls.finalizers.items()):
                if reference() is None:
                    cls.finalizers.pop(key, None)


def clear_finalizers(clear_all: bool = False) -> None:
    """Drops the weak references whose objects are gone, or all, of both registries."""
    ThreadSafeFinalizer.clear_finalizers(clear_all)
    Finalizer.clear_finalizers(clear_all)
