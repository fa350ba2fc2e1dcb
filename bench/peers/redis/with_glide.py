"""valkey-glide: a core in Rust under an asyncio and a blocking client; no unix sockets."""

from __future__ import annotations

from typing import Any

import glide
import glide_sync

from bench.peers.redis import tasks
from bench.peers.redis.peer import CALLERS, CALLS, PIPELINES, Client, Row, Task
from bench.peers.redis.server import HOST, Server


def asynchronous(workload: str, server: Server) -> Task:
    """`glide.GlideClient`: one connection."""

    async def connect() -> Client:
        addresses = [glide.NodeAddress(HOST, server.port)]
        client = await glide.GlideClient.create(glide.GlideClientConfiguration(addresses, request_timeout=60_000))

        async def pipeline(count: int) -> Any:
            batch = glide.Batch(is_atomic=False)
            for _ in range(count):
                batch.set("newkey", "abc")
            return await client.exec(batch, raise_on_error=True)

        return Client(_call(client), pipeline, client.close)

    return tasks.asynchronous(workload, connect)


def synchronous(workload: str, server: Server) -> Task:
    """`glide_sync.GlideClient`."""
    addresses = [glide_sync.NodeAddress(HOST, server.port)]
    client = glide_sync.GlideClient.create(glide_sync.GlideClientConfiguration(addresses, request_timeout=60_000))

    def pipeline(count: int) -> Any:
        batch = glide_sync.Batch(is_atomic=False)
        for _ in range(count):
            batch.set("newkey", "abc")
        return client.exec(batch, raise_on_error=True)

    return tasks.synchronous(workload, Client(_call(client), pipeline, client.close))


def _call(client: Any) -> Any:
    return lambda name: (getattr(client, name.partition("-")[0]), tasks.arguments(name))


ROWS = {
    "glide": Row("valkey-glide", "client", "every reply", (*CALLS, *PIPELINES, CALLERS), asynchronous),
    "glide-sync": Row("valkey-glide-sync", "client", "every reply", (*CALLS, *PIPELINES), synchronous),
}
