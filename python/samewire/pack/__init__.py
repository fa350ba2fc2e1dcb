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

from samewire._native import FrameScanner, frame

from .codec import Codec, Decoder, codec
from .errors import PackError
from .limits import Limits, Profile
from .markers import (
    BIGINT,
    DURATION,
    F32,
    F64,
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
    Name,
    named,
)
from .nanoseconds import DurationNs, TimeNs, TimestampNs
from .schema import Schema
from .types_of import types_of

__all__ = [
    "BIGINT",
    "DURATION",
    "F32",
    "F64",
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
    "Codec",
    "Decoder",
    "DurationNs",
    "FrameScanner",
    "Limits",
    "Name",
    "PackError",
    "Profile",
    "Schema",
    "TimeNs",
    "TimestampNs",
    "codec",
    "frame",
    "named",
    "types_of",
]
