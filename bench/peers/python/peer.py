"""What a peer file gives: how one library carries one shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Peer(NamedTuple):
    """A library set up for one shape; ``into`` encodes into a buffer that it keeps and answers the number of bytes."""

    version: str
    form: str
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    into: Callable[[Any], int] | None = None
