"""gRPC: grpcio, to a server of grpc-java. Messages are bytes packed by hand, where protobuf would take longer."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import grpc

from bench.peers.bridge import java, tasks
from bench.peers.bridge.peer import FROM, MEMORY, PLACES, START, THREADS, TO, Bridge, Row

LIMITS = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
FIXED = struct.Struct(">iqd?32siBB")


class Grpc(Bridge):
    """One channel; a call is a unary method."""

    def __init__(self) -> None:
        self.process = java.started("GrpcMain", path=java.libraries())
        self.others = (self.process.pid,)
        self.channel = grpc.insecure_channel(f"127.0.0.1:{java.said(self.process)}", options=LIMITS)
        names = ("args0", "args8", "take", "give")
        self.calls: dict[str, Callable[[bytes], bytes]] = {
            name: self.channel.unary_unary(f"/bench.Target/{name}") for name in names
        }

    def static(self, name: str) -> Callable[..., Any]:
        call = self.calls[name]
        return lambda: int(call(b""))

    def args8(self, a: int, b: int, c: float, d: str, e: bool, f: bytes, g: int, h: str) -> float:
        texts = d.encode(), h.encode()
        return float(self.calls["args8"](FIXED.pack(a, b, c, e, f, g, *map(len, texts)) + b"".join(texts)))

    def take(self, data: bytes) -> int:
        return int(self.calls["take"](data))

    def give(self, count: int) -> bytes:
        return self.calls["give"](count.to_bytes(4))

    def close(self) -> None:
        self.channel.close()
        java.ended(self.process)


CARRIED = [name for name in ("args-0", "args-8", *THREADS, *TO, *FROM, START, MEMORY, *PLACES) if not name.endswith("1GiB")]
ROWS = {"grpc": Row("grpcio", "process", "messages' bounds", CARRIED, lambda workload: tasks.task(workload, Grpc))}
