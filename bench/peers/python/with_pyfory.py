"""Apache Fory for Python: its own protocol, registered classes, dataclasses with slots."""

from __future__ import annotations

from typing import Any

import pyfory

from bench.peers.python.peer import Peer, Row, Workload


def _prepare(workload: Workload) -> Peer:
    fory: Any = pyfory.Fory(xlang=False, ref=False, strict=True, compatible=False)
    for record in workload.classes:
        fory.register_type(record)
    return Peer(fory.serialize, fory.deserialize)


ROWS = {"pyfory": Row("pyfory", "typed", "bounds, registered classes", False, ("fory",), True, _prepare)}
