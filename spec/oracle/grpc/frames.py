"""Builds frames of RFC 9113 for the cases."""

from __future__ import annotations

TYPES = {
    name: number
    for number, name in enumerate(
        (
            "DATA",
            "HEADERS",
            "PRIORITY",
            "RST_STREAM",
            "SETTINGS",
            "PUSH_PROMISE",
            "PING",
            "GOAWAY",
            "WINDOW_UPDATE",
            "CONTINUATION",
        )
    )
}

END_STREAM, ACK, END_HEADERS, PADDED, PRIORITY = 0x1, 0x1, 0x4, 0x8, 0x20


def frame(kind: str | int, flags: int, stream: int, payload: bytes | str = b"") -> bytes:
    """Returns any frame, well-formed or not. A payload may be hexadecimal."""
    data = bytes.fromhex(payload) if isinstance(payload, str) else payload
    number = TYPES[kind] if isinstance(kind, str) else kind
    return len(data).to_bytes(3, "big") + bytes([number, flags]) + stream.to_bytes(4, "big") + data


def literal(name: str, value: str) -> bytes:
    """Returns a field that needs no table."""
    return b"".join([b"\0", bytes([len(name)]), name.encode("latin-1"), bytes([len(value)]), value.encode("latin-1")])


def fields(*pairs: tuple[str, str]) -> bytes:
    return b"".join(literal(name, value) for name, value in pairs)


REQUEST = (":method", "POST"), (":scheme", "http"), (":path", "/a/B"), ("te", "trailers")
RESPONSE = ((":status", "200"),)


def request(stream: int = 1, *extra: tuple[str, str], end: bool = False) -> bytes:
    return frame("HEADERS", END_HEADERS | (END_STREAM if end else 0), stream, fields(*REQUEST, *extra))


def headers(stream: int, *pairs: tuple[str, str], end: bool = True) -> bytes:
    return frame("HEADERS", END_HEADERS | (END_STREAM if end else 0), stream, fields(*pairs))


def settings(number: int, value: int) -> bytes:
    return frame("SETTINGS", 0, 0, number.to_bytes(2, "big") + value.to_bytes(4, "big"))


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")
