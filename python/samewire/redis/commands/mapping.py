"""A client as a mapping: `client["key"]`."""

from __future__ import annotations

from typing import Any, Generic, NoReturn

from samewire.redis.typing import EncodableT, KeyT, Text


class SyncMapping(Generic[Text]):
    """Subscripts of a client."""

    get: Any
    set: Any
    delete: Any
    exists: Any

    def __getitem__(self, name: KeyT) -> Text:
        """The value of a key. Raises KeyError if there is no such key."""
        value: Text | None = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: KeyT, value: EncodableT) -> None:
        self.set(name, value)

    def __delitem__(self, name: KeyT) -> None:
        self.delete(name)

    def __contains__(self, name: KeyT) -> int:
        found: int = self.exists(name)
        return found


class AsyncMapping:
    """A client of asyncio has no subscripts: they cannot wait."""

    def __getitem__(self, name: KeyT) -> NoReturn:
        raise TypeError("an asyncio client has no subscripts: use await client.get(name)")

    def __setitem__(self, name: KeyT, value: EncodableT) -> NoReturn:
        raise TypeError("an asyncio client has no subscripts: use await client.set(name, value)")

    def __delitem__(self, name: KeyT) -> NoReturn:
        raise TypeError("an asyncio client has no subscripts: use await client.delete(name)")

    def __contains__(self, name: KeyT) -> bool:
        raise TypeError("an asyncio client has no `in`: use await client.exists(name)")
