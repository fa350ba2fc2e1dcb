"""Frames and chunks: refused arguments, and objects that lend memory."""

from __future__ import annotations

import array
from collections.abc import Callable

import pytest
from samewire import pack


def test_a_frame_holds_a_message() -> None:
    assert pack.frame(b"\x80\x01") == b"\x02\x80\x01"
    assert pack.frame(bytearray(200)) == b"\xc8\x01" + bytes(200)
    with pytest.raises(pack.SamewireError) as caught:
        pack.frame(b"")
    assert caught.value.code == "misuse"


def test_a_stream_in_pieces() -> None:
    scanner = pack.FrameScanner()
    stream = pack.frame(b"\x80\x01") + pack.frame(b"\x80\x02")
    for byte in stream[:-1]:
        scanner.feed(memoryview(bytes([byte])))
    assert list(scanner) == [b"\x80\x01"]
    assert scanner.buffered == 2
    scanner.feed(array.array("B", stream[-1:]))
    assert list(scanner) == [b"\x80\x02"]
    scanner.end()


def test_bytes_after_the_end() -> None:
    scanner = pack.FrameScanner()
    scanner.feed(pack.frame(b"\x80\x01"))
    with pytest.raises(pack.SamewireError, match="left"):
        scanner.end()
    assert list(scanner) == [b"\x80\x01"]
    scanner.end()
    datas: list[bytes | bytearray] = [pack.frame(b"\x80"), bytearray(b"\x01"), b""]
    for data in datas:
        with pytest.raises(pack.SamewireError) as caught:
            scanner.feed(data)
        assert (caught.value.code, caught.value.at) == ("misuse", None)
    assert list(scanner) == []
    scanner.end()
    dead = pack.FrameScanner()
    dead.feed(b"\x02\x80")
    calls: list[Callable[[], object]] = [dead.end, lambda: dead.feed(b"\x00"), dead.next]
    for call in calls:
        with pytest.raises(pack.SamewireError) as caught:
            call()
        assert (caught.value.code, caught.value.at) == ("truncated", 2)


def test_pieces_of_a_message_have_bytes() -> None:
    own = pack.codec(list[str])
    data = own.encode(["a", "日本" * 50, "b" * 200])
    for size in (1, 7, 64, 10**6):
        pieces = list(own.encode_chunks(["a", "日本" * 50, "b" * 200], size))
        assert b"".join(pieces) == data
        assert all(len(piece) == size for piece in pieces[:-1])
    with pytest.raises(pack.SamewireError) as caught:
        own.encode_chunks(["a"], 0)
    assert caught.value.code == "misuse"
