"""redis-py, with hiredis' reader, which it takes where that is installed, and with its own in Python; blocking and asyncio."""

from __future__ import annotations

import asyncio
import functools
import json
import pickle
from collections.abc import Callable
from typing import Any

import redis
import redis.asyncio
import redis.asyncio.connection
import redis.connection
from redis._parsers import _AsyncRESP3Parser, _RESP3Parser

from bench.peers.redis import books, tasks
from bench.peers.redis.peer import BOOKS, CALLERS, CALLS, PIPELINES, UNIX, Client, Row, Task
from bench.peers.redis.server import Server

CONNECTIONS = 50
"""Of a pool for a thousand callers, who wait for one: redis-py's own bound is 100, and beyond it a call raises."""


def synchronous(pure: bool, workload: str, server: Server) -> Task:
    """`redis.Redis`."""
    parser: dict[str, Any] = {"parser_class": _RESP3Parser if pure else redis.connection.DefaultParser}
    if workload.startswith("unix-"):
        pool = redis.ConnectionPool(connection_class=redis.UnixDomainSocketConnection, path=server.path, **parser)
    else:
        pool = redis.ConnectionPool(port=server.port, **parser)
    client = redis.Redis(connection_pool=pool)

    def call(name: str) -> tuple[Any, tuple[Any, ...]]:
        return getattr(client, name.partition("-")[0]), tasks.arguments(name)

    def pipeline(count: int) -> Any:
        pipe = client.pipeline(transaction=False)
        for _ in range(count):
            pipe.set("newkey", "abc")
        return pipe.execute()

    return tasks.synchronous(workload, Client(call, pipeline, client.close))


def asynchronous(pure: bool, workload: str, server: Server) -> Task:
    """`redis.asyncio.Redis`, its callers on a pool of 50 connections."""

    async def connect() -> Client:
        parser: dict[str, Any] = {"parser_class": _AsyncRESP3Parser if pure else redis.asyncio.connection.DefaultParser}
        pool: redis.asyncio.ConnectionPool
        if workload.startswith("unix-"):
            kind = redis.asyncio.UnixDomainSocketConnection
            pool = redis.asyncio.ConnectionPool(connection_class=kind, path=server.path, **parser)
        else:
            pool = redis.asyncio.BlockingConnectionPool(max_connections=CONNECTIONS, timeout=None, port=server.port, **parser)
        client = redis.asyncio.Redis(connection_pool=pool)

        def call(name: str) -> tuple[Any, tuple[Any, ...]]:
            return getattr(client, name.partition("-")[0]), tasks.arguments(name)

        async def pipeline(count: int) -> Any:
            pipe = client.pipeline(transaction=False)
            for _ in range(count):
                pipe.set("newkey", "abc")
            return await pipe.execute()

        async def close() -> None:
            await client.aclose()
            await pool.disconnect()
            await asyncio.sleep(0)

        return Client(call, pipeline, close)

    return tasks.asynchronous(workload, connect)


def typed(dumps: Callable[[Any], Any], loads: Callable[[Any], Any], workload: str, server: Server) -> Task:
    """Books written by MSET and read by MGET, a chunk at a time."""
    client = redis.Redis(port=server.port)

    def put(some: dict[str, books.Book]) -> None:
        for part in books.parts(list(some.items())):
            client.mset({f"book:{name}": dumps(book) for name, book in part})

    def get(names: list[str]) -> list[books.Book]:
        found: list[books.Book] = []
        for part in books.parts(names):
            found += [loads(data) for data in client.mget([f"book:{name}" for name in part])]
        return found

    return books.task(workload, server, put, get, client.close)


def _json(book: books.Book) -> str:
    return json.dumps({"id": book.id, "name": book.name, "author": book.author, "year": book.year})


def _from_json(data: bytes) -> books.Book:
    return books.Book(**json.loads(data))


HIREDIS, PYTHON = "every reply; hiredis' reader", "every reply; its reader in Python"
ROWS = {
    "redis-py": Row("redis", "client", HIREDIS, (*CALLS, *UNIX, *PIPELINES), functools.partial(synchronous, False)),
    "redis-py-pure": Row("redis", "client", PYTHON, (*CALLS, *UNIX, *PIPELINES), functools.partial(synchronous, True)),
    "redis-py-asyncio": Row(
        "redis", "client", HIREDIS, (*CALLS, *UNIX, "pipelines-10k", CALLERS), functools.partial(asynchronous, False)
    ),
    "redis-py-asyncio-pure": Row(
        "redis", "client", PYTHON, (*CALLS, *UNIX, "pipelines-10k", CALLERS), functools.partial(asynchronous, True)
    ),
    "redis-py-json": Row("redis", "client", "json", BOOKS, functools.partial(typed, _json, _from_json)),
    "redis-py-pickle": Row(
        "redis", "client", "pickle", BOOKS, functools.partial(typed, functools.partial(pickle.dumps, protocol=5), pickle.loads)
    ),
}
