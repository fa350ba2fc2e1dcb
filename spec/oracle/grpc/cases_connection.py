"""Frames, and how a connection reacts: no error, a stream error or a connection error (RFC 9113 sections 4 to 8).

The peer's preface and an empty SETTINGS come before the bytes of every case. `opened` are the streams (of a client:
responses) that reach the layer above, `reset` the RST_STREAM frames that go out, `closed` the code of the GOAWAY that
ends the connection. The server of a case sends no responses. A client has sent one request, stream 1, without ending it.
"""

from __future__ import annotations

from spec.oracle.grpc.frames import (
    ACK,
    END_HEADERS,
    END_STREAM,
    PADDED,
    PRIORITY,
    REQUEST,
    fields,
    frame,
    headers,
    literal,
    request,
    settings,
    u32,
)
from spec.oracle.grpc.topic import Topic

STANDARD = list(REQUEST)


def topics() -> list[Topic]:
    return [_accepted(), _connection_errors(), _stream_errors(), _malformed(), _client()]


def _accepted() -> Topic:
    t = Topic("connection_accepted", "RFC 9113")
    block = fields(*REQUEST)
    t.connection("a request without body", "server", request(1, end=True), opened=[1])
    t.connection(
        "a request in DATA of two frames",
        "server",
        request() + frame("DATA", 0, 1, "01") + frame("DATA", END_STREAM, 1, "02"),
        opened=[1],
    )
    t.connection("an empty DATA ends the stream", "server", request() + frame("DATA", END_STREAM, 1), opened=[1])
    t.connection(
        "padding",
        "server",
        frame("HEADERS", END_HEADERS | PADDED, 1, b"\x03" + block + bytes(3))
        + frame("DATA", END_STREAM | PADDED, 1, "0203 0000"),
        opened=[1],
    )
    t.connection("all padding", "server", request() + frame("DATA", END_STREAM | PADDED, 1, "00"), opened=[1])
    t.connection(
        "a priority within HEADERS",
        "server",
        frame("HEADERS", END_HEADERS | END_STREAM | PRIORITY, 1, b"\x80\0\0\0\x10" + block),
        opened=[1],
    )
    t.connection("PRIORITY of an idle stream", "server", frame("PRIORITY", 0, 7, "0000000010") + request(1, end=True), opened=[1])
    parts = [block[:5], block[5:6], b"", block[6:]]
    continued = (
        frame("HEADERS", END_STREAM, 1, parts[0])
        + frame("CONTINUATION", 0, 1, parts[1])
        + frame("CONTINUATION", 0, 1)
        + frame("CONTINUATION", END_HEADERS, 1, parts[3])
    )
    t.connection("CONTINUATION", "server", continued, opened=[1])
    t.connection("trailers", "server", request() + frame("DATA", 0, 1, "01") + headers(1, ("x-sum", "1")), opened=[1])
    t.connection(
        "streams that skip ids", "server", request(1, end=True) + request(9, end=True) + request(11, end=True), opened=[1, 9, 11]
    )
    t.connection(
        "content-length that holds",
        "server",
        request(1, ("content-length", "2")) + frame("DATA", END_STREAM, 1, "0102"),
        opened=[1],
    )
    t.connection(
        "two equal content-lengths",
        "server",
        request(1, ("content-length", "1"), ("content-length", "1")) + frame("DATA", END_STREAM, 1, "01"),
        opened=[1],
    )
    t.connection("an unknown frame", "server", frame(0x63, 0xFF, 3, "0102") + request(1, end=True), opened=[1])
    t.connection("unknown flags", "server", frame("PING", 0x16, 0, bytes(8)) + request(1, end=True), opened=[1])
    t.connection("an unknown setting", "server", settings(0xABCD, 1) + request(1, end=True), opened=[1])
    t.connection("the reserved bit of a stream id", "server", request() + frame("DATA", END_STREAM, 0x80000001, "01"), opened=[1])
    t.connection(
        "RST_STREAM and what was on its way",
        "server",
        request() + frame("RST_STREAM", 0, 1, u32(8)) + frame("WINDOW_UPDATE", 0, 1, u32(9)) + request(3, end=True),
        opened=[1, 3],
    )
    t.connection(
        "WINDOW_UPDATE on a half-closed stream", "server", request(1, end=True) + frame("WINDOW_UPDATE", 0, 1, u32(1)), opened=[1]
    )
    t.connection(
        "a window of 2^31 - 1", "server", request(1, end=True) + frame("WINDOW_UPDATE", 0, 1, u32(2**31 - 1 - 65535)), opened=[1]
    )
    t.connection(
        "windows below zero",
        "server",
        request(1, end=True) + settings(4, 0) + settings(4, 2**31 - 1) + settings(4, 10),
        opened=[1],
    )
    t.connection(
        "GOAWAY from a client",
        "server",
        request() + frame("GOAWAY", 0, 0, u32(0) + u32(0) + b"bye") + frame("DATA", END_STREAM, 1, "01"),
        opened=[1],
    )
    t.connection("CONNECT", "server", headers(1, (":method", "CONNECT"), (":authority", "a:1")), opened=[1])
    t.connection("a value of every byte that may be", "server", request(1, ("x-a", "\x80\xff \t~"), end=True), opened=[1])
    return t


def _connection_errors() -> Topic:
    t = Topic("connection_errors", "RFC 9113 section 5.4.1")
    open_block = frame("HEADERS", 0, 1, fields(*REQUEST))
    for name, data, code in (
        ("DATA on stream 0", frame("DATA", 0, 0, "01"), "PROTOCOL_ERROR"),
        ("DATA on an idle stream", frame("DATA", 0, 1, "01"), "PROTOCOL_ERROR"),
        ("DATA with padding as long as the frame", frame("DATA", PADDED, 1, "0200"), "PROTOCOL_ERROR"),
        ("DATA with padding and no length of it", frame("DATA", PADDED, 1), "PROTOCOL_ERROR"),
        ("HEADERS on stream 0", headers(0, *STANDARD), "PROTOCOL_ERROR"),
        ("HEADERS on an even stream", headers(2, *STANDARD), "PROTOCOL_ERROR"),
        ("HEADERS with too much padding", frame("HEADERS", END_HEADERS | PADDED, 1, b"\x05\0"), "PROTOCOL_ERROR"),
        ("HEADERS with a priority cut off", frame("HEADERS", END_HEADERS | PRIORITY, 1, "00000000"), "PROTOCOL_ERROR"),
        ("a header block that is none", frame("HEADERS", END_HEADERS, 1, "80"), "COMPRESSION_ERROR"),
        ("a stream id that goes back", request(5, end=True) + request(3, end=True), "PROTOCOL_ERROR"),
        ("PRIORITY on stream 0", frame("PRIORITY", 0, 0, bytes(5)), "PROTOCOL_ERROR"),
        ("RST_STREAM on stream 0", frame("RST_STREAM", 0, 0, u32(8)), "PROTOCOL_ERROR"),
        ("RST_STREAM on an idle stream", frame("RST_STREAM", 0, 1, u32(8)), "PROTOCOL_ERROR"),
        ("RST_STREAM of three bytes", request() + frame("RST_STREAM", 0, 1, bytes(3)), "FRAME_SIZE_ERROR"),
        ("SETTINGS on a stream", frame("SETTINGS", 0, 1), "PROTOCOL_ERROR"),
        ("SETTINGS of five bytes", frame("SETTINGS", 0, 0, bytes(5)), "FRAME_SIZE_ERROR"),
        ("an acknowledgement with payload", frame("SETTINGS", ACK, 0, bytes(6)), "FRAME_SIZE_ERROR"),
        ("ENABLE_PUSH of 2", settings(2, 2), "PROTOCOL_ERROR"),
        ("INITIAL_WINDOW_SIZE of 2^31", settings(4, 2**31), "FLOW_CONTROL_ERROR"),
        ("MAX_FRAME_SIZE of 16,383", settings(5, 16383), "PROTOCOL_ERROR"),
        ("MAX_FRAME_SIZE of 2^24", settings(5, 2**24), "PROTOCOL_ERROR"),
        ("INITIAL_WINDOW_SIZE that overflows a stream", request() + frame("WINDOW_UPDATE", 0, 1, u32(2**30)) + settings(4, 2**30 + 65535), "FLOW_CONTROL_ERROR"),
        ("PUSH_PROMISE from a client", frame("PUSH_PROMISE", END_HEADERS, 1, u32(2)), "PROTOCOL_ERROR"),
        ("PING on a stream", frame("PING", 0, 1, bytes(8)), "PROTOCOL_ERROR"),
        ("PING of seven bytes", frame("PING", 0, 0, bytes(7)), "FRAME_SIZE_ERROR"),
        ("GOAWAY on a stream", frame("GOAWAY", 0, 1, bytes(8)), "PROTOCOL_ERROR"),
        ("GOAWAY of seven bytes", frame("GOAWAY", 0, 0, bytes(7)), "FRAME_SIZE_ERROR"),
        ("WINDOW_UPDATE of three bytes", frame("WINDOW_UPDATE", 0, 0, bytes(3)), "FRAME_SIZE_ERROR"),
        ("WINDOW_UPDATE of the connection by nothing", frame("WINDOW_UPDATE", 0, 0, u32(0)), "PROTOCOL_ERROR"),
        ("WINDOW_UPDATE over 2^31 - 1 of the connection", frame("WINDOW_UPDATE", 0, 0, u32(2**31 - 1)), "FLOW_CONTROL_ERROR"),
        ("WINDOW_UPDATE on an idle stream", frame("WINDOW_UPDATE", 0, 1, u32(1)), "PROTOCOL_ERROR"),
        ("CONTINUATION of nothing", frame("CONTINUATION", END_HEADERS, 1), "PROTOCOL_ERROR"),
        ("CONTINUATION of a block that has ended", request() + frame("CONTINUATION", END_HEADERS, 1), "PROTOCOL_ERROR"),
        ("CONTINUATION of another stream", open_block + frame("CONTINUATION", END_HEADERS, 3), "PROTOCOL_ERROR"),
        ("DATA within a header block", open_block + frame("DATA", 0, 1, "01"), "PROTOCOL_ERROR"),
        ("PING within a header block", open_block + frame("PING", 0, 0, bytes(8)), "PROTOCOL_ERROR"),
        ("an unknown frame within a header block", open_block + frame(0x63, 0, 0), "PROTOCOL_ERROR"),
        ("a frame of 16,385 bytes", frame("DATA", 0, 1, bytes(16385)), "FRAME_SIZE_ERROR"),
        ("33 CONTINUATION frames", open_block + frame("CONTINUATION", 0, 1) * 33, "ENHANCE_YOUR_CALM"),
        ("a header block of 131,073 bytes", frame("HEADERS", 0, 1, bytes(16384)) + frame("CONTINUATION", 0, 1, bytes(16384)) * 7 + frame("CONTINUATION", 0, 1, bytes(1)), "ENHANCE_YOUR_CALM"),
    ):  # fmt: skip
        opened = [1] if data.startswith(request()) else [5] if data.startswith(request(5, end=True)) else []
        t.connection(name, "server", data, closed=code, opened=opened)
    return t


def _stream_errors() -> Topic:
    t = Topic("stream_errors", "RFC 9113 section 5.4.2")
    for name, data, code in (
        ("DATA after the end", request(1, end=True) + frame("DATA", 0, 1, "01"), "STREAM_CLOSED"),
        ("HEADERS after the end", request(1, end=True) + headers(1, ("x-a", "1")), "STREAM_CLOSED"),
        ("trailers that do not end", request() + headers(1, ("x-a", "1"), end=False), "PROTOCOL_ERROR"),
        ("trailers with a pseudo field", request() + headers(1, (":status", "200")), "PROTOCOL_ERROR"),
        ("a stream that depends on itself", request() + frame("PRIORITY", 0, 1, u32(1) + b"\0"), "PROTOCOL_ERROR"),
        ("PRIORITY of four bytes", request() + frame("PRIORITY", 0, 1, bytes(4)), "FRAME_SIZE_ERROR"),
        ("WINDOW_UPDATE by nothing", request() + frame("WINDOW_UPDATE", 0, 1, u32(0)), "PROTOCOL_ERROR"),
        ("WINDOW_UPDATE over 2^31 - 1", request() + frame("WINDOW_UPDATE", 0, 1, u32(2**31 - 1)), "FLOW_CONTROL_ERROR"),
        ("more DATA than content-length", request(1, ("content-length", "1")) + frame("DATA", 0, 1, "0102"), "PROTOCOL_ERROR"),
        ("less DATA than content-length", request(1, ("content-length", "3")) + frame("DATA", END_STREAM, 1, "0102"), "PROTOCOL_ERROR"),
        ("trailers before content-length", request(1, ("content-length", "3")) + headers(1, ("x-a", "1")), "PROTOCOL_ERROR"),
    ):  # fmt: skip
        t.connection(name, "server", data + frame("PING", 0, 0, bytes(8)), reset=[[1, code]], opened=[1])
    t.connection(
        "late DATA of a stream that was reset",
        "server",
        headers(1, ("x", "y"), end=False) + frame("DATA", END_STREAM, 1, "01"),
        reset=[[1, "PROTOCOL_ERROR"]],
        opened=[],
    )
    t.connection(
        "late trailers of a stream that was reset",
        "server",
        headers(1, ("x", "y"), end=False) + headers(1, ("x-a", "1")),
        reset=[[1, "PROTOCOL_ERROR"]],
        opened=[],
    )
    large = literal("x-large", "v" * 100)
    bomb = bytes.fromhex("40") + large[1:] + bytes([0xBE]) * 700
    t.connection(
        "a header list over 65,536 bytes, then a good one", "server",
        frame("HEADERS", END_HEADERS | END_STREAM, 1, fields(*REQUEST) + bomb) + request(3, end=True),
        reset=[[1, "ENHANCE_YOUR_CALM"]], opened=[3],
    )  # fmt: skip
    return t


def _malformed() -> Topic:
    t = Topic("malformed_requests", "RFC 9113 section 8")
    method, scheme, path, te = REQUEST
    for name, pairs in (
        ("no :method", [scheme, path]),
        ("no :scheme", [method, path]),
        ("no :path", [method, scheme]),
        ("an empty :path", [method, scheme, (":path", "")]),
        ("a :path without slash", [method, scheme, (":path", "a")]),
        ("an empty :method", [(":method", ""), scheme, path]),
        ("two :method", [method, method, scheme, path]),
        ("two :path", [method, scheme, path, path]),
        (":status in a request", [method, scheme, path, (":status", "200")]),
        ("an unknown pseudo field", [method, scheme, path, (":protocol", "x")]),
        ("a pseudo field after another", [method, scheme, te, path]),
        ("CONNECT with a :path", [(":method", "CONNECT"), path, (":authority", "a")]),
        ("CONNECT without :authority", [(":method", "CONNECT")]),
        ("a name in capitals", [*STANDARD, ("X-A", "1")]),
        ("a name with a blank", [*STANDARD, ("x a", "1")]),
        ("a name with a colon", [*STANDARD, ("x:a", "1")]),
        ("a name beyond ASCII", [*STANDARD, ("x\xe9", "1")]),
        ("an empty name", [*STANDARD, ("", "1")]),
        ("a value with NUL", [*STANDARD, ("x-a", "1\0")]),
        ("a value with CR", [*STANDARD, ("x-a", "1\r2")]),
        ("a value with LF", [*STANDARD, ("x-a", "1\n2")]),
        ("a value with a blank before it", [*STANDARD, ("x-a", " 1")]),
        ("a value with a tab after it", [*STANDARD, ("x-a", "1\t")]),
        ("connection", [*STANDARD, ("connection", "close")]),
        ("keep-alive", [*STANDARD, ("keep-alive", "1")]),
        ("proxy-connection", [*STANDARD, ("proxy-connection", "close")]),
        ("transfer-encoding", [*STANDARD, ("transfer-encoding", "chunked")]),
        ("upgrade", [*STANDARD, ("upgrade", "h2c")]),
        ("te of gzip", [method, scheme, path, ("te", "gzip")]),
        ("a content-length that is no number", [*STANDARD, ("content-length", "1a")]),
        ("an empty content-length", [*STANDARD, ("content-length", "")]),
        ("two content-lengths", [*STANDARD, ("content-length", "1"), ("content-length", "2")]),
        ("content-length and no body", [*STANDARD, ("content-length", "1")]),
    ):
        t.connection(name, "server", headers(1, *pairs), reset=[[1, "PROTOCOL_ERROR"]], opened=[])
    return t


def _client() -> Topic:
    t = Topic("client", "RFC 9113")
    ok = (":status", "200")
    t.connection("a response without body", "client", headers(1, ok), opened=[1])
    t.connection(
        "a response with body and trailers",
        "client",
        headers(1, ok, end=False) + frame("DATA", 0, 1, "01") + headers(1, ("grpc-status", "0")),
        opened=[1, 1],
    )
    t.connection(
        "interim responses",
        "client",
        headers(1, (":status", "100"), end=False) + headers(1, (":status", "103"), end=False) + headers(1, ok),
        opened=[1, 1, 1],
    )
    for name, data, code in (
        ("DATA before the head", frame("DATA", 0, 1, "01"), "PROTOCOL_ERROR"),
        ("DATA after an interim head", headers(1, (":status", "100"), end=False) + frame("DATA", 0, 1, "01"), "PROTOCOL_ERROR"),
        ("no :status", headers(1, ("x-a", "1")), "PROTOCOL_ERROR"),
        (":status of two digits", headers(1, (":status", "20")), "PROTOCOL_ERROR"),
        (":status 101", headers(1, (":status", "101")), "PROTOCOL_ERROR"),
        (":path in a response", headers(1, ok, (":path", "/")), "PROTOCOL_ERROR"),
        ("an interim response that ends", headers(1, (":status", "100")), "PROTOCOL_ERROR"),
        (
            "more than content-length",
            headers(1, ok, ("content-length", "1"), end=False) + frame("DATA", 0, 1, "0102"),
            "PROTOCOL_ERROR",
        ),
    ):
        heard = {"DATA after an interim head": [1], "more than content-length": [1]}.get(name, [])
        t.connection(name, "client", data, reset=[[1, code]], opened=heard)
    for name, data, code in (
        ("PUSH_PROMISE", frame("PUSH_PROMISE", END_HEADERS, 1, u32(2) + fields(*REQUEST)), "PROTOCOL_ERROR"),
        ("a server that asks for push", settings(2, 1), "PROTOCOL_ERROR"),
        ("HEADERS of a stream that is ours to open", headers(3, ok), "PROTOCOL_ERROR"),
        ("HEADERS of a stream of the server", headers(2, ok), "PROTOCOL_ERROR"),
        (
            "DATA of a stream that ended",
            headers(1, ok) + frame("RST_STREAM", 0, 1, u32(0)) + frame("DATA", 0, 1, "01"),
            "STREAM_CLOSED",
        ),
    ):
        t.connection(name, "client", data, closed=code, opened=[1] if data.startswith(headers(1, ok)) else [])
    return t
