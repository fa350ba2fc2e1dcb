"""What a peer's file gives: its rows, and for each how one library carries one workload."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Workload(NamedTuple):
    """What is carried: ``name`` is that of a shape of the reference data, or ``data``, the user's own.

    type: to compile a codec from; the schema itself for ``dicts``. classes: the records in it, none for values of JSON. neutral: the
    value before it took a form.
    """

    name: str
    type: Any
    classes: tuple[type, ...]
    neutral: Any


class Peer(NamedTuple):
    """A library set up for one workload; ``into`` encodes into a buffer that it keeps and returns the number of bytes.

    A limit may have no ``decode``.
    """

    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any] | None
    into: Callable[[Any], int] | None = None


class Row(NamedTuple):
    """One row of the lab. Its peers are called by the row's name and, after a point, one of ``forms``.

    package: the distribution that tells the version; None for what is built in. kind: typed, dynamic, schema or limit. checks: what
    is validated while decoding. trusted: whether it assumes that its input is friendly. own: whether it carries the user's own data;
    reference: whether it carries the shapes of the reference data.
    """

    package: str | None
    kind: str
    checks: str
    trusted: bool
    forms: tuple[str, ...]
    own: bool
    prepare: Callable[[Workload], Peer]
    reference: bool = True
