"""Libraries of functions."""

from __future__ import annotations

from typing import Any

from .texts import flat, pairs


def libraries(reply: Any, **_: Any) -> list[Any] | None:
    """FUNCTION LIST: a dict for each library, its functions likewise."""
    return None if reply is None else [_with_functions(pairs(one), pairs) for one in reply]


def libraries_flat(reply: Any, **_: Any) -> list[Any] | None:
    """FUNCTION LIST: names and values in turn for each library, its functions likewise."""
    if reply is None:
        return None
    return [flat(_with_functions(one, flat)) if isinstance(one, dict) else one for one in reply]


def _with_functions(library: dict[Any, Any], shape: Any) -> dict[Any, Any]:
    for name in (b"functions", "functions"):
        if name in library:
            library[name] = [shape(one) for one in library[name]]
    return library
