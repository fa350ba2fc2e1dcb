"""Stores of schemas by their digest, and a codec that reads messages of all of them (spec/pack.md, section 13)."""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from samewire._native import digest_of
from samewire.errors import SamewireError

from .codec import Codec, Decoder, codec
from .schema import Schema

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

T = TypeVar("T")

#: The longest schema text (spec/limits.md), in bytes.
_TEXT_BYTES: Final = 1 << 20
#: Decoders that are kept: each is compiled once. A program that meets more schemas compiles some again.
_DECODERS: Final = 256


class SchemaStore(Protocol):
    """Stores schemas by their digest. Programs may implement it by a database or a service."""

    def get(self, digest: bytes, /) -> str | None:
        """Returns the canonical text of the schema with this digest of eight bytes, or None if it is missing."""

    def put(self, schema: Schema, /) -> None:
        """Stores a schema. Does nothing if it is stored already."""


class MemorySchemas:
    """Schemas in memory, for example all versions that a program knows."""

    def __init__(self, *schemas: Schema) -> None:
        self._texts = {schema.digest: schema.text for schema in schemas}

    def get(self, digest: bytes, /) -> str | None:
        """Returns the canonical text of the schema with this digest, or None if it is not there."""
        return self._texts.get(digest)

    def put(self, schema: Schema, /) -> None:
        """Keeps a schema."""
        self._texts[schema.digest] = schema.text


class FolderSchemas:
    """Schemas in a folder, a file each: `DIGEST.schema`. Processes may share it: files are written atomically."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """folder: made with the first schema, if it is missing."""
        self._folder = Path(folder)

    def get(self, digest: bytes, /) -> str | None:
        """Returns the canonical text of the schema with this digest, or None if it is not there. Raises OSError."""
        try:
            with self._path(digest).open("rb") as file:
                return file.read(_TEXT_BYTES + 1).decode("utf-8", "replace")
        except FileNotFoundError:
            return None

    def put(self, schema: Schema, /) -> None:
        """Keeps a schema. Raises OSError."""
        path = self._path(schema.digest)
        if path.exists():
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=self._folder, suffix=".new")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(schema.text.encode())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _path(self, digest: bytes) -> Path:
        return self._folder / f"{digest.hex()}.schema"


class VersionedCodec(Generic[T]):
    """Writes messages with the digest of their schema, and reads those of every schema in a store.

    A message of another version of the type is resolved; its decoder is compiled once. Threads may share the codec.
    """

    def __init__(self, kind: type[T] | Codec[T], store: SchemaStore, /, **options: Any) -> None:
        """kind: a type, or its codec. options: those of `codec`, for a type. Raises as `codec` does."""
        self._codec: Codec[T] = (kind if isinstance(kind, Codec) else codec(kind, **options))._with_digest()
        self._store = store
        self._decoders: dict[bytes, Codec[T] | Decoder[T]] = {self._codec.digest: self._codec}
        self._lock = threading.Lock()
        self._kept = False

    @property
    def schema(self) -> Schema:
        """The schema of the messages that it writes."""
        return self._codec.schema

    def encode(self, value: T, /) -> bytes:
        """Returns the message, with its digest. The schema is put into the store before the first one.

        Raises SamewireError as `Codec.encode` does, and what the store raises.
        """
        if not self._kept:
            self._store.put(self._codec.schema)
            self._kept = True
        return self._codec.encode(value)

    def decode(self, data: ReadableBuffer, /) -> T:
        """Returns the value of one whole message. Raises SamewireError as `decoder_for` and `Codec.decode` do."""
        return self.decoder_for(data).decode(data)

    def decoder_for(self, data: ReadableBuffer, /) -> Codec[T] | Decoder[T]:
        """Returns the decoder of a message's schema, by its first nine bytes.

        Raises SamewireError `schema_mismatch` at 0 for a message without a digest, at 1 for a digest that is not in the
        store, with the path if the schemas do not resolve; `malformed` for a text in the store that is not the canonical
        one of this digest; as `digest_of` does, and what the store raises.
        """
        digest = digest_of(data)
        if digest is None:
            text = "the message carries no digest, so its schema is unknown: encode with digest=True"
            raise SamewireError("schema_mismatch", 0, "$", text)
        return self._decoders.get(digest) or self._resolved(digest)

    def _resolved(self, digest: bytes) -> Codec[T] | Decoder[T]:
        text = self._store.get(digest)
        if text is None:
            raise SamewireError(
                "schema_mismatch", 1, "$", f"no schema of digest {digest.hex()} is in the store: put its writer's there"
            )
        writer = Schema.parse(text)
        if writer.digest != digest or writer.text != text:
            raise SamewireError("malformed", text=f"the store's text for digest {digest.hex()} is that of another schema")
        decoder = self._codec.resolve(writer)
        with self._lock:
            if len(self._decoders) >= _DECODERS:
                # The oldest but the codec itself.
                del self._decoders[next(key for key in self._decoders if key != self._codec.digest)]
            return self._decoders.setdefault(digest, decoder)
