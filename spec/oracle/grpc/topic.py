"""Builds the cases of gRPC's topics, and checks each against the oracle."""

from __future__ import annotations

from typing import Any

from spec.oracle.core.vector_file import VectorFile
from spec.oracle.grpc import hpack, huffman


class Topic(VectorFile):
    """One file of vectors, and a way to write each kind of case."""

    def integer(self, name: str, bits: int, data: str, value: int) -> None:
        read, rest = hpack.integer(bytes.fromhex(data), bits)
        assert (read, rest) == (value, b""), name
        assert hpack.write_integer(value, bits) == bytes.fromhex(data), name
        self.cases.append({"name": name, "kind": "integer", "bits": bits, "hex": data.replace(" ", ""), "value": str(value)})

    def huffman(self, name: str, text: bytes) -> None:
        coded = huffman.encode(text)
        assert huffman.decode(coded) == text, name
        self.cases.append({"name": name, "kind": "huffman", "hex": coded.hex(), "text": text.hex()})

    def bad_huffman(self, name: str, data: str) -> None:
        _refused(name, lambda: huffman.decode(bytes.fromhex(data)))
        self.cases.append({"name": name, "kind": "bad_huffman", "hex": data})

    def blocks(self, name: str, *data: str, sizes: list[int] | None = None, fields: list[list[list[str]]] | None = None) -> None:
        """Adds blocks for one decoder, in order. `sizes` and `fields`, if another source gives them, are checked."""
        decoder = hpack.Decoder()
        made = []
        for number, text in enumerate(data):
            block = bytes.fromhex(text)
            read = [list(pair) for pair in decoder.decode(block)]
            assert sizes is None or sizes[number] == decoder.size(), name
            assert fields is None or fields[number] == read, name
            made.append({"hex": block.hex(), "fields": read, "table_bytes": decoder.size()})
        self.cases.append({"name": name, "kind": "blocks", "blocks": made})

    def bad_block(self, name: str, *data: str) -> None:
        """Adds blocks of which the last is refused with COMPRESSION_ERROR and the others are read."""
        decoder = hpack.Decoder()
        for text in data[:-1]:
            decoder.decode(bytes.fromhex(text))
        _refused(name, lambda: decoder.decode(bytes.fromhex(data[-1])))
        self.cases.append({"name": name, "kind": "bad_block", "blocks": [text.replace(" ", "") for text in data]})

    def connection(self, name: str, role: str, data: bytes, **outcome: Any) -> None:
        """Adds how the side `role` reacts to these frames, which follow its peer's preface and SETTINGS."""
        self.cases.append({"name": name, "kind": "connection", "role": role, "hex": data.hex(), **outcome})


def _refused(name: str, read: Any) -> None:
    try:
        read()
    except ValueError:
        return
    raise AssertionError(f"{name}: it is read")
