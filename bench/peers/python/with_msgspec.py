"""msgspec's MessagePack and JSON; records as arrays wherever the class allows it (structs, named tuples), else as maps."""

from __future__ import annotations

from typing import Any

import msgspec

from bench.peers.python.peer import Peer, Row, Workload


def _prepare(encoder: Any, decoder: Any) -> Peer:
    buffer = bytearray()

    def into(value: Any) -> int:
        encoder.encode_into(value, buffer)
        return len(buffer)

    return Peer(encoder.encode, decoder.decode, into)


def _msgpack(workload: Workload) -> Peer:
    return _prepare(msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(workload.type))


def _json(workload: Workload) -> Peer:
    return _prepare(msgspec.json.Encoder(), msgspec.json.Decoder(workload.type))


_CHECKS = "syntax, UTF-8, types of fields, depth"
ROWS = {
    "msgspec": Row("msgspec", "typed", _CHECKS, False, ("struct", "slots", "plain", "named", "tracked"), True, _msgpack),
    "msgspec-json": Row("msgspec", "typed", _CHECKS, False, ("struct",), True, _json),
}
