"""Bytes."""

from __future__ import annotations

from adaptor import Bridge, case, own


@case("bytes: a byte[] arrives as bytes")
def native(bridge: Bridge) -> None:
    data = own(bridge, "Values").bytes(3)
    assert type(data) is bytes
    assert data == b"\x00\x01\x02"


@case("bytes: each of the 256 bytes comes back as it went")
def all_bytes(bridge: Bridge) -> None:
    data = bytes(range(256))
    assert bytes(own(bridge, "Values").echoBytes(data)) == data


@case("bytes: Java's bytes are the same without their sign")
def sign(bridge: Bridge) -> None:
    assert bytes(own(bridge, "Values").bytes(256)) == bytes(range(256))
    assert own(bridge, "Values").sum(bytes(range(256))) == sum(range(256))


@case("bytes: empty bytes are not null")
def none(bridge: Bridge) -> None:
    assert bytes(own(bridge, "Values").echoBytes(b"")) == b""
    assert own(bridge, "Values").sum(b"") == 0


@case("bytes: null is None")
def null(bridge: Bridge) -> None:
    assert own(bridge, "Values").noBytes() is None


@case("bytes: a bytearray is a byte[]")
def byte_array(bridge: Bridge) -> None:
    assert own(bridge, "Values").sum(bytearray(b"\xff\x01")) == 256


@case("bytes: a memoryview is a byte[]")
def memory_view(bridge: Bridge) -> None:
    assert own(bridge, "Values").sum(memoryview(b"\xff\x01\x02")[1:]) == 3


@case("bytes: what Java changes in a byte[] does not change Python's")
def disconnected(bridge: Bridge) -> None:
    data = bytearray(b"abc")
    assert bytes(own(bridge, "Values").first(data, 120)) == b"xbc"
    assert data == b"abc"


@case("bytes: a megabyte comes back as it went")
def megabyte(bridge: Bridge) -> None:
    data = bytes(range(256)) * 4096
    assert bytes(own(bridge, "Values").echoBytes(data)) == data


@case("bytes: they are a byte[] where an Object is wanted")
def as_object(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").arrived(b"bytes") == "byte[]"
    assert bytes(own(bridge, "Values").echoObject(b"bytes")) == b"bytes"


@case("bytes: String takes bytes and the name of their encoding")
def decoded(bridge: Bridge) -> None:
    assert bridge.java.lang.String("häuser".encode(), "UTF-8") == "häuser"
