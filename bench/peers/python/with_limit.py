"""What no library can beat: to encode, a copy of bytes that hold the value at full width; to decode, the making of the numbers.

Records and texts can be made faster in C than Python can say, so that they have no limit here.
"""

from __future__ import annotations

from array import array

from bench.peers.python.peer import Peer, Row, Workload
from bench.peers.python.reference import dump


def _prepare(workload: Workload) -> Peer:
    buffer = bytearray(dump(workload.neutral))
    kind = {"ints": "i", "doubles": "d"}.get(workload.name)
    numbers = array(kind, workload.neutral) if kind else None
    return Peer(lambda _: bytes(buffer), (lambda _: numbers.tolist()) if numbers else None)


ROWS = {"limit": Row(None, "limit", "nothing", True, ("slots",), False, _prepare)}
