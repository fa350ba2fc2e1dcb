"""Where the schemas of values are kept: one key for each, named by its digest (spec/redis.md, section 7)."""

from __future__ import annotations

import time

from samewire.errors import SamewireError
from samewire.pack.schema import Schema

from .error import StoredValueError
from .steps import Steps

#: A writer looks this often whether the key of its schema is there, in seconds. A flush or an eviction may take it away.
LOOK_AGAIN = 60.0


class SchemaKey:
    """The key of a writer's own schema: written before its first value, and looked after."""

    def __init__(self, prefix: str, schema: Schema) -> None:
        self.name = prefix + schema.digest.hex()
        self.text = schema.text.encode()
        self._until = 0.0

    @property
    def due(self) -> bool:
        """Whether `write` has to run before the next value is written."""
        return time.monotonic() >= self._until

    def write(self) -> Steps[None]:
        """Writes the key if it is absent. Raises `schema_mismatch` if it holds another text."""
        _, held = yield [("SETNX", self.name, self.text), ("GET", self.name)]
        if held != self.text:
            error = SamewireError(
                "schema_mismatch",
                text=f"the key holds another text than this program's schema of that digest, {self.text.decode()}",
            )
            raise StoredValueError(error, self.name, held or b"")
        self._until = time.monotonic() + LOOK_AGAIN


def read(prefix: str, digest: bytes, where: str, data: bytes) -> Steps[Schema]:
    """Returns the schema of a digest.

    where, data: the value that was written with it, for errors: `schema_mismatch` if the key is not there, and that of the text
        if it is not a canonical schema text with that digest.
    """
    name = prefix + digest.hex()
    text = yield ("GET", name)
    if text is None:
        missing = (
            f"the header names a schema of digest {digest.hex()}, and {name}, which would hold its text, is not there: either that "
            "key was deleted, or no typed value was written here"
        )
        raise StoredValueError(SamewireError("schema_mismatch", text=missing), where, data)
    try:
        schema = Schema.parse(text)
        if schema.text.encode() != text or schema.digest != digest:
            raise SamewireError("malformed", text="not the canonical schema text of the digest in its name")
    except SamewireError as error:
        raise StoredValueError(error, name, text) from None
    return schema
