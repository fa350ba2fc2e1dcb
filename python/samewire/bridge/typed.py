"""Values with an explicit type, which cannot be derived from the value."""

from __future__ import annotations

from functools import cache
from typing import Any

from samewire import pack
from samewire._native import Value

from .flat import flat, is_flat


def typed(value: Any, kind: Any) -> Any:
    """A value as an argument of a type: `typed([], list[Book])`, `typed(5, Annotated[int, pack.I64])`.

    kind: a type that `samewire.pack.codec` takes. The value is checked and encoded by the type's schema, not by its
    content. Raises SamewireError with the path of the part that does not fit.
    """
    codec = _codec(kind)
    message = codec.encode(value)
    schema = codec.schema.text
    return flat(schema, value) if is_flat(schema) else Value(schema, message)


@cache
def _codec(kind: Any) -> pack.Codec[Any]:
    return pack.codec(kind, check=False)
