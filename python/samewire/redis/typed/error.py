"""The error for bytes in a server that are not a value of the declared type."""

from __future__ import annotations

from samewire.errors import SamewireError

from ..exceptions import RedisError


class StoredValueError(RedisError):
    """What a key holds cannot be read as a value of the declared type.

    code, at, path: as `pack` reports them for the bytes (spec/errors.md): `schema_mismatch` if they were written with another
        schema that cannot be resolved, `malformed`, `truncated` and the like if they are no whole value.
    key: where they were: a key, "key[field]", "key entry id", or a channel's name.
    data: the bytes. A value that a pop has taken out of the server is not lost with the error.
    """

    def __init__(self, error: SamewireError, key: str, data: bytes) -> None:
        super().__init__(f"{key}: {error}")
        self.code = error.code
        self.at = error.at
        self.path = error.path
        self.key = key
        self.data = data
