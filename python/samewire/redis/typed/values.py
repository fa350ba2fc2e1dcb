"""Values of a type as bytes in a server, written by any version of its schema (spec/redis.md, section 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from samewire import pack
from samewire.errors import SamewireError

from . import schemas
from .error import StoredValueError
from .steps import Steps

T = TypeVar("T")

#: A message's header byte and its digest.
HEAD = 9
VERSION, DIGEST = 0x80, 0x10
#: Decoders that are kept for other writers' schemas; then all are dropped.
WRITERS = 256


class Values(Generic[T]):
    """Encodes values with the digest of their schema, and decodes those of every schema that resolves."""

    def __init__(self, kind: Any, schemas_prefix: str) -> None:
        """kind: a type or a codec."""
        codec: pack.Codec[T] = kind if isinstance(kind, pack.Codec) else pack.codec(kind)
        self.codec = codec._with_digest()
        self.encode = self.codec.encode
        self.schemas_prefix = schemas_prefix
        self.schema_key = schemas.SchemaKey(schemas_prefix, self.codec.schema)
        self._writers = 0
        #: By the first nine bytes of a value. Each header byte that has the bit DIGEST is there, so that one look-up tells both
        #: that a value has a digest and which.
        self._decoders: dict[bytes, Callable[[bytes], T]] = {}
        self._know(self.codec.digest, self.codec.decode)

    def _know(self, digest: bytes, decode: Callable[[bytes], T]) -> None:
        for flags in range(0x80):
            if flags & DIGEST:
                self._decoders[bytes([VERSION | flags]) + digest] = decode

    def ready(self) -> Steps[None]:
        """Has to run before values are written."""
        if self.schema_key.due:
            yield from self.schema_key.write()

    def decode(self, where: str, data: bytes) -> Steps[T]:
        """Returns the value of `data`. Raises StoredValueError.

        where: the name of the place that held it, for errors.
        """
        decode = self._decoders.get(data[:HEAD])
        if decode is None:
            decode = yield from self._resolve(where, data)
        try:
            return decode(data)
        except SamewireError as error:
            raise StoredValueError(error, where, data) from None

    def decode_all(self, where: Iterable[str], data: Iterable[bytes | None], missing: Any = None) -> Steps[list[T | Any]]:
        """Returns the values of many bytes; `missing` where there are none. Raises as `decode` does, for the first at fault.

        where: as many names as there are data; looked at only for errors and for values of schemas that are not known yet.
        """
        decoders = self._decoders
        try:
            return [missing if each is None else decoders[each[:HEAD]](each) for each in data]
        except (KeyError, SamewireError):
            values: list[T | Any] = []
            for name, each in zip(where, data, strict=False):
                values.append(missing if each is None else (yield from self.decode(name, each)))
            return values

    def _resolve(self, where: str, data: bytes) -> Steps[Callable[[bytes], T]]:
        digest = _digest(where, data)
        schema = yield from schemas.read(self.schemas_prefix, digest, where, data)
        try:
            decoder = self.codec.resolve(schema)
        except SamewireError as error:
            raise StoredValueError(error, where, data) from None
        if self._writers == WRITERS:
            self._writers = 0
            self._decoders = {}
            self._know(self.codec.digest, self.codec.decode)
        self._writers += 1
        self._know(digest, decoder.decode)
        return decoder.decode


def _digest(where: str, data: bytes) -> bytes:
    """The digest in a value's header. Raises StoredValueError."""
    error: SamewireError
    if not data:
        error = SamewireError("truncated", 0, text="no bytes at all, expected a pack value")
    elif not data[0] & VERSION:
        error = SamewireError(
            "unsupported", 0, text=f"the first byte is {data[0]:#04x}, which no pack value of version 1 begins with"
        )
    elif not data[0] & DIGEST:
        error = SamewireError("malformed", 0, text="a value without the digest of its schema: not written by a store")
    elif len(data) < HEAD:
        error = SamewireError("truncated", len(data), text="ends inside the digest of its schema")
    else:
        return data[1:HEAD]
    raise StoredValueError(error, where, data)
