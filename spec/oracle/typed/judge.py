"""What a reader makes of bytes that should be a typed value (redis.md section 7), slowly and obviously."""

from __future__ import annotations

from collections.abc import Mapping

from spec.oracle.core.errors import SamewireError
from spec.oracle.pack.canonical import canonical, digest
from spec.oracle.pack.decode import decode, decode_resolved
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse
from spec.oracle.pack.resolve import resolve

PREFIX = "samewire:schema:"


def key_of(schema: str) -> str:
    """The key that holds the text of a canonical schema."""
    return PREFIX + digest(schema).hex()


def judge(schema: str, data: bytes, keys: Mapping[str, bytes]) -> Value:
    """Returns the value in the reader's type.

    schema: the reader's, canonical. keys: what the server holds.
    """
    if not data:
        raise SamewireError("truncated", 0, None, "no bytes")
    if data[0] < 0x80:
        raise SamewireError("unsupported", 0, None, "another version")
    if not data[0] & 0x10:
        raise SamewireError("malformed", 0, None, "no digest")
    if len(data) < 9:
        raise SamewireError("truncated", len(data), None, "ends inside the digest")
    reader = parse(schema)
    if data[1:9] == digest(schema):
        return decode(reader, data)
    text = keys.get(PREFIX + data[1:9].hex())
    if text is None:
        raise SamewireError("schema_mismatch", None, None, "the schema's key is not there")
    try:
        written = text.decode()
    except UnicodeDecodeError as error:
        raise SamewireError("bad_utf8", error.start, None, "the schema's text") from None
    writer = parse(written)
    if canonical(writer) != written or digest(written) != data[1:9]:
        raise SamewireError("malformed", None, None, "not the canonical text of the digest in the key's name")
    resolve(writer, reader)
    return decode_resolved(writer, reader, data)
