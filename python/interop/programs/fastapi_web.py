"""FastAPI on redis.asyncio: lifespan, dependencies, pub/sub to websockets and streams, fastapi-cache2, fastapi-limiter."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

import httpx
import redis.asyncio as redis
import uvicorn
from fastapi import Depends, FastAPI, Request, Response, WebSocket
from fastapi.responses import StreamingResponse
from fastapi_cache import FastAPICache
from fastapi_cache.backends.redis import RedisBackend
from fastapi_cache.decorator import cache
from fastapi_limiter.depends import RateLimiter
from harness import URL, check, run
from pyrate_limiter import Duration, Limiter, Rate, RedisBucket
from websockets.asyncio.client import connect

calls = {"cached": 0}


@contextlib.asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    pool = redis.ConnectionPool.from_url(URL, decode_responses=True, max_connections=50)
    app.state.redis = redis.Redis.from_pool(pool)
    raw = redis.from_url(URL)
    FastAPICache.init(RedisBackend(raw), prefix="fastapi-cache")
    app.state.limiter = Limiter(await RedisBucket.init([Rate(2, Duration.MINUTE)], raw, "limits"))
    yield
    await FastAPICache.clear()
    FastAPICache.reset()
    await raw.aclose()
    await app.state.redis.aclose()


app = FastAPI(lifespan=lifespan)


async def client(request: Request) -> redis.Redis:
    found: redis.Redis = request.app.state.redis
    return found


Client = Annotated[redis.Redis, Depends(client)]


@app.put("/items/{key}")
async def put(key: str, request: Request, client: Client) -> dict[str, bool]:
    async with client.pipeline(transaction=True) as pipe:
        stored, _ = await pipe.set(f"item:{key}", await request.body(), ex=60).incr("puts").execute()
    return {"stored": stored}


@app.get("/items/{key}")
async def get(key: str, client: Client) -> dict[str, Any]:
    value, ttl = await asyncio.gather(client.get(f"item:{key}"), client.ttl(f"item:{key}"))
    return {"value": value, "ttl": ttl}


@app.get("/cached")
@cache(expire=30)
async def cached(number: int) -> dict[str, int]:
    calls["cached"] += 1
    return {"number": number, "calls": calls["cached"]}


async def limit(request: Request, response: Response) -> None:
    await RateLimiter(request.app.state.limiter)(request, response)


@app.get("/limited", dependencies=[Depends(limit)])
async def limited() -> dict[str, bool]:
    return {"allowed": True}


@app.websocket("/chat/{room}")
async def chat(socket: WebSocket, room: str) -> None:
    await socket.accept()
    client: redis.Redis = socket.app.state.redis
    async with client.pubsub() as pubsub:
        await pubsub.subscribe(room)

        async def forward() -> None:
            async for message in pubsub.listen():
                if message["type"] == "message":
                    await socket.send_text(message["data"])

        task = asyncio.create_task(forward())
        with contextlib.suppress(Exception):
            async for text in socket.iter_text():
                await client.publish(room, text)
        task.cancel()


@app.get("/stream")
async def stream(client: Client) -> StreamingResponse:
    async def lines() -> AsyncIterator[str]:
        async with client.pubsub() as pubsub:
            await pubsub.psubscribe("news.*")
            yield "data: ready\n\n"
            while True:
                message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
                if message is not None:
                    yield f"data: {json.dumps([message['channel'], message['data']])}\n\n"
                    if message["data"] == "end":
                        return

    return StreamingResponse(lines(), media_type="text/event-stream")


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[str]:
    """The address of the application, served by uvicorn in this loop."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="on"))
    task = asyncio.create_task(server.serve())
    while not server.started:
        assert not task.done(), task
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task


@check
async def requests_side_by_side() -> None:
    async with served() as address, httpx.AsyncClient(base_url=f"http://{address}") as http:
        await asyncio.gather(*(http.put(f"/items/{i}", content=f"text {i}") for i in range(50)))
        replies = await asyncio.gather(*(http.get(f"/items/{i}") for i in range(50)))
        assert [reply.json()["value"] for reply in replies] == [f"text {i}" for i in range(50)]
        assert all(0 < reply.json()["ttl"] <= 60 for reply in replies)
        assert (await http.get("/items/absent")).json() == {"value": None, "ttl": -2}


@check
async def caches_and_limits() -> None:
    async with served() as address, httpx.AsyncClient(base_url=f"http://{address}") as http:
        first = (await http.get("/cached?number=1")).json()
        assert (await http.get("/cached?number=1")).json() == first and calls["cached"] == 1
        assert (await http.get("/cached?number=2")).json()["calls"] == 2
        assert [(await http.get("/limited")).status_code for _ in range(3)] == [200, 200, 429]


@check
async def websockets_in_a_room() -> None:
    async with served() as address, connect(f"ws://{address}/chat/room") as one, connect(f"ws://{address}/chat/room") as two:
        await asyncio.sleep(0.1)
        await one.send("hello")
        assert await asyncio.wait_for(two.recv(), 5) == "hello" == await asyncio.wait_for(one.recv(), 5)
        await two.send("again")
        assert await asyncio.wait_for(one.recv(), 5) == "again"


@check
async def a_stream_of_events() -> None:
    async with served() as address, httpx.AsyncClient(base_url=f"http://{address}") as http:
        seen = []
        async with http.stream("GET", "/stream") as reply:
            async for line in reply.aiter_lines():
                if line == "data: ready":
                    publisher = redis.from_url(URL)
                    for text in ("one", "two", "end"):
                        assert await publisher.publish("news.world", text) == 1
                    await publisher.aclose()
                elif line:
                    seen.append(json.loads(line.removeprefix("data: ")))
        assert seen == [["news.world", "one"], ["news.world", "two"], ["news.world", "end"]]


run()
