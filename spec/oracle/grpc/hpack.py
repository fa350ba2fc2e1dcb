"""A decoder of header blocks (RFC 7541), slow and obvious. Every malformation is a ValueError."""

from __future__ import annotations

from spec.oracle.grpc import huffman

Field = tuple[str, str]

STATIC: list[Field] = [
    ((name, value) if mark else (entry, ""))
    for entry in (
        ":authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|:status=206"
        "|:status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges"
        "|accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding"
        "|content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host"
        "|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards"
        "|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security"
        "|transfer-encoding|user-agent|vary|via|www-authenticate"
    ).split("|")
    for name, mark, value in [entry.partition("=")]
]

# Integers and texts above this are refused: no real header block comes near it.
LARGEST = 2**28


class Decoder:
    """One direction of one connection."""

    def __init__(self, allowed: int = 4096) -> None:
        self.allowed = allowed
        self.limit = 4096
        self.table: list[Field] = []
        self.data = b""

    def size(self) -> int:
        return sum(len(name) + len(value) + 32 for name, value in self.table)

    def decode(self, data: bytes) -> list[Field]:
        """Returns the fields of one whole block."""
        self.data = data
        fields: list[Field] = []
        while self.data:
            first = self.data[0]
            if first & 0x80:
                fields.append(self.entry(self.integer(7)))
            elif first & 0x40:
                field = self.literal(6)
                self.table.insert(0, field)
                self.evict()
                fields.append(field)
            elif first & 0x20:
                size = self.integer(5)
                if fields or size > self.allowed:
                    raise ValueError("a size update that is late or too large")
                self.limit = size
                self.evict()
            else:
                fields.append(self.literal(4))
        return fields

    def evict(self) -> None:
        while self.size() > self.limit:
            self.table.pop()

    def integer(self, bits: int) -> int:
        value, self.data = integer(self.data, bits)
        return value

    def entry(self, index: int) -> Field:
        if not 1 <= index <= len(STATIC) + len(self.table):
            raise ValueError(f"no entry {index}")
        return STATIC[index - 1] if index <= len(STATIC) else self.table[index - len(STATIC) - 1]

    def literal(self, bits: int) -> Field:
        index = self.integer(bits)
        name = self.entry(index)[0] if index else self.text()
        return name, self.text()

    def text(self) -> str:
        if not self.data:
            raise ValueError("a text is missing")
        coded = self.data[0] & 0x80
        length = self.integer(7)
        if length > len(self.data):
            raise ValueError("a text is cut off")
        raw, self.data = self.data[:length], self.data[length:]
        return (huffman.decode(raw) if coded else raw).decode("latin-1")


def integer(data: bytes, bits: int) -> tuple[int, bytes]:
    """Returns an integer with a prefix of that many bits, and the bytes after it."""
    if not data:
        raise ValueError("an integer is missing")
    value = data[0] & (2**bits - 1)
    if value < 2**bits - 1:
        return value, data[1:]
    for i, byte in enumerate(data[1:5]):
        value += (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, data[2 + i :]
    raise ValueError("an integer is cut off or has more than four bytes after the first")


def write_integer(value: int, bits: int, pattern: int = 0) -> bytes:
    """Returns the shortest form."""
    most = 2**bits - 1
    if value < most:
        return bytes([pattern | value])
    out = [pattern | most]
    value -= most
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
