"""msgspec's MessagePack; records as arrays wherever the class allows it (structs, named tuples), else as maps."""

from __future__ import annotations

from typing import Any

import msgspec

from bench.peers.python.forms import Form
from bench.peers.python.peer import Peer


def prepare(shape: str, form: str) -> Peer:
    encoder = msgspec.msgpack.Encoder()
    decoder: Any = msgspec.msgpack.Decoder(Form(form).type_of(shape))
    buffer = bytearray()

    def into(value: Any) -> int:
        encoder.encode_into(value, buffer)
        return len(buffer)

    return Peer(msgspec.__version__, form, encoder.encode, decoder.decode, into)
