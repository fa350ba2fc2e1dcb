"""What a client makes typed values with: base classes of the blocking and the asyncio clients.

`pack` is imported when a program first asks for typed values; others do without.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from samewire.pack import Codec

    from .channel import AsyncTypedChannel, TypedChannel
    from .hash import AsyncTypedHash, TypedHash
    from .list import AsyncTypedList, TypedList
    from .names import Name
    from .store import AsyncStore, Store
    from .stream import AsyncTypedStream, TypedStream
    from .values import Values

T = TypeVar("T")

#: What the keys of schemas begin with, unless a program chooses another prefix.
SCHEMAS = "samewire:schema:"


class TypedValues:
    """Typed values of a blocking client (spec/redis.md, section 7).

    kind: a type that has a schema, or a codec of `pack`: for a profile, for limits, and for types that type checkers do not
        take for classes, `pack.codec(int | None)`.
    schemas: what the keys begin with that hold the texts of schemas; readers and writers must agree.

    Types that have no schema raise SamewireError `unsupported` or `misuse`, as `pack.codec` does.
    """

    if TYPE_CHECKING:

        def decoding(self, decode: bool = True) -> Any: ...

    def store(
        self, kind: type[T] | Codec[T], prefix: Name, *, ttl: float | timedelta | None = None, schemas: str = SCHEMAS
    ) -> Store[T]:
        """Values of one type, each under a key of its own: the prefix, then its name.

        ttl: seconds that a value lives after it is written; None for no limit.
        """
        from .store import Store

        return Store(self.decoding(False), _values(kind, schemas), prefix, ttl, many_keys=_many_keys(self))

    def typed_hash(self, kind: type[T] | Codec[T], key: Name, *, schemas: str = SCHEMAS) -> TypedHash[T]:
        """A hash whose fields hold values of one type."""
        from .hash import TypedHash

        return TypedHash(self.decoding(False), _values(kind, schemas), key)

    def typed_list(self, kind: type[T] | Codec[T], key: Name, *, schemas: str = SCHEMAS) -> TypedList[T]:
        """A list of values of one type."""
        from .list import TypedList

        return TypedList(self.decoding(False), _values(kind, schemas), key)

    def typed_stream(self, kind: type[T] | Codec[T], key: Name, *, schemas: str = SCHEMAS) -> TypedStream[T]:
        """A stream of values of one type."""
        from .stream import TypedStream

        return TypedStream(self.decoding(False), _values(kind, schemas), key)

    def typed_channel(
        self, kind: type[T] | Codec[T], name: Name, *, sharded: bool = False, schemas: str = SCHEMAS
    ) -> TypedChannel[T]:
        """A channel of pub/sub whose messages are values of one type.

        sharded: on a cluster, messages stay on the node that the channel's name belongs to.
        """
        from .channel import TypedChannel

        return TypedChannel(self.decoding(False), _values(kind, schemas), name, sharded)


class AsyncTypedValues:
    """Typed values of an asyncio client: as `TypedValues`, and what they return has the same methods as coroutines."""

    if TYPE_CHECKING:

        def decoding(self, decode: bool = True) -> Any: ...

    def store(
        self, kind: type[T] | Codec[T], prefix: Name, *, ttl: float | timedelta | None = None, schemas: str = SCHEMAS
    ) -> AsyncStore[T]:
        """As `TypedValues.store`."""
        from .store import AsyncStore

        return AsyncStore(self.decoding(False), _values(kind, schemas), prefix, ttl, many_keys=_many_keys(self))

    def typed_hash(self, kind: type[T] | Codec[T], key: Name, *, schemas: str = SCHEMAS) -> AsyncTypedHash[T]:
        """As `TypedValues.typed_hash`."""
        from .hash import AsyncTypedHash

        return AsyncTypedHash(self.decoding(False), _values(kind, schemas), key)

    def typed_list(self, kind: type[T] | Codec[T], key: Name, *, schemas: str = SCHEMAS) -> AsyncTypedList[T]:
        """As `TypedValues.typed_list`."""
        from .list import AsyncTypedList

        return AsyncTypedList(self.decoding(False), _values(kind, schemas), key)

    def typed_stream(self, kind: type[T] | Codec[T], key: Name, *, schemas: str = SCHEMAS) -> AsyncTypedStream[T]:
        """As `TypedValues.typed_stream`."""
        from .stream import AsyncTypedStream

        return AsyncTypedStream(self.decoding(False), _values(kind, schemas), key)

    def typed_channel(
        self, kind: type[T] | Codec[T], name: Name, *, sharded: bool = False, schemas: str = SCHEMAS
    ) -> AsyncTypedChannel[T]:
        """As `TypedValues.typed_channel`."""
        from .channel import AsyncTypedChannel

        return AsyncTypedChannel(self.decoding(False), _values(kind, schemas), name, sharded)


def _values(kind: Any, schemas: str) -> Values[Any]:
    from .values import Values

    return Values(kind, schemas)


def _many_keys(client: object) -> bool:
    """Whether one command may have any keys: not on a cluster, where they must be in one slot."""
    return not hasattr(client, "get_nodes")
