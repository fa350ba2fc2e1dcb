"""Typed values: `pack` values with the digest of their schema as strings, hashes, lists, streams and messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .client import AsyncTypedValues, TypedValues

if TYPE_CHECKING:
    from .channel import AsyncSubscription, AsyncTypedChannel, Subscription, TypedChannel
    from .entry import Entry
    from .error import StoredValueError
    from .hash import AsyncTypedHash, TypedHash
    from .list import AsyncTypedList, TypedList
    from .store import AsyncStore, Store
    from .stream import AsyncTypedStream, TypedStream
else:
    _MODULES = {
        "channel": ("AsyncSubscription", "AsyncTypedChannel", "Subscription", "TypedChannel"),
        "entry": ("Entry",),
        "error": ("StoredValueError",),
        "hash": ("AsyncTypedHash", "TypedHash"),
        "list": ("AsyncTypedList", "TypedList"),
        "store": ("AsyncStore", "Store"),
        "stream": ("AsyncTypedStream", "TypedStream"),
    }
    _MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

    def __getattr__(name: str) -> Any:
        """Loads a module when one of its names is first asked for: clients do without typed values until then."""
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)


__all__ = [
    "AsyncStore",
    "AsyncSubscription",
    "AsyncTypedChannel",
    "AsyncTypedHash",
    "AsyncTypedList",
    "AsyncTypedStream",
    "AsyncTypedValues",
    "Entry",
    "Store",
    "StoredValueError",
    "Subscription",
    "TypedChannel",
    "TypedHash",
    "TypedList",
    "TypedStream",
    "TypedValues",
]


def __dir__() -> list[str]:
    """Lists the names that are loaded later as well."""
    return sorted({*globals(), *__all__})
