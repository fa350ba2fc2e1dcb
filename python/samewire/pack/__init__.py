"""pack: typed values as compact bytes, the same in Python, Java, TypeScript and Rust (spec/pack.md).

>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from samewire import pack
>>> @dataclass(slots=True, frozen=True)
... class Book:
...     id: str
...     year: Annotated[int, pack.I32]
>>> codec = pack.codec(list[Book])
>>> data = codec.encode([Book("1001", 1974)])
>>> codec.decode(data)
[Book(id='1001', year=1974)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samewire._native import FrameScanner, Table, digest_of, frame
from samewire.errors import SamewireError
from samewire.limits import Limits

from .codec import Codec, Decoder, codec
from .markers import (
    BIGINT,
    DURATION,
    F32,
    F64,
    FALLBACK,
    I8,
    I16,
    I32,
    I64,
    REF,
    TIME,
    TIMESTAMP,
    U8,
    U16,
    U32,
    U64,
    UNION,
    Alias,
    As,
    Name,
    aliased,
    fallback,
    named,
)
from .nanoseconds import DurationNs, TimeNs, TimestampNs
from .profile import Profile

if TYPE_CHECKING:
    from .generated_types import types_of
    from .records import RecordReader, RecordWriter
    from .schema import Schema
    from .schema_store import FolderSchemas, MemorySchemas, SchemaStore, VersionedCodec
else:
    _LATER = {
        "FolderSchemas": "schema_store",
        "MemorySchemas": "schema_store",
        "RecordReader": "records",
        "RecordWriter": "records",
        "Schema": "schema",
        "SchemaStore": "schema_store",
        "VersionedCodec": "schema_store",
        "types_of": "generated_types",
    }

    def __getattr__(name: str) -> object:
        """Imports the modules for schema text on first access: codecs of Python types do not need them."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        found = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
        globals()[name] = found
        return found


__all__ = [
    "BIGINT",
    "DURATION",
    "F32",
    "F64",
    "FALLBACK",
    "I8",
    "I16",
    "I32",
    "I64",
    "REF",
    "TIME",
    "TIMESTAMP",
    "U8",
    "U16",
    "U32",
    "U64",
    "UNION",
    "Alias",
    "As",
    "Codec",
    "Decoder",
    "DurationNs",
    "FolderSchemas",
    "FrameScanner",
    "Limits",
    "MemorySchemas",
    "Name",
    "Profile",
    "RecordReader",
    "RecordWriter",
    "SamewireError",
    "Schema",
    "SchemaStore",
    "Table",
    "TimeNs",
    "TimestampNs",
    "VersionedCodec",
    "aliased",
    "codec",
    "digest_of",
    "fallback",
    "frame",
    "named",
    "types_of",
]


def __dir__() -> list[str]:
    """Includes the names that are imported on first access."""
    return sorted({*globals(), *__all__})
