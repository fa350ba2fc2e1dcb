"""Typed values with an asyncio client, on a real server: the same operations, from many tasks on one connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any

import pytest
from samewire import pack
from samewire.errors import SamewireError
from samewire.redis import DELETE
from samewire.redis.aio import Client
from samewire.redis.typed import AsyncStore, StoredValueError


@dataclass(slots=True, frozen=True)
class Book:
    name: str
    year: Annotated[int, pack.I32]


CARRIE, IT, CUJO = Book("Carrie", 1974), Book("It", 1986), Book("Cujo", 1981)
Newer: Any = dataclass(type("Book", (), {"__annotations__": {"year": int, "author": str | None, "name": str}}))


@asynccontextmanager
async def connected(port: int, **options: Any) -> AsyncIterator[Client[Any]]:
    client: Client[Any] = Client(port=port, **options)
    async with client:
        await client.execute_command("FLUSHALL")
        yield client


def run(port: int, test: Callable[[Client[Any]], Awaitable[None]], **options: Any) -> None:
    async def main() -> None:
        async with connected(port, **options) as client:
            await asyncio.wait_for(test(client), 30)

    asyncio.run(main())


@pytest.mark.parametrize("decode", [False, True])
def test_values_come_back(port: int, decode: bool) -> None:
    async def test(client: Client[Any]) -> None:
        books: AsyncStore[Book] = client.store(Book, prefix="book:", ttl=timedelta(seconds=100))
        assert await books.get("1") is None
        assert await books.get("1", CARRIE) is CARRIE
        assert await books.put("1", CARRIE) is True
        assert await books.put("1", CARRIE, nx=True) is False
        assert await books.get("1") == CARRIE
        assert 99_000 < await client.execute_command("PTTL", "book:1") <= 100_000
        assert [await books.exists("1"), await books.touch("1", 1), await books.touch("2")] == [True, True, False]
        assert [await books.delete("1", "2"), await books.exists("1")] == [1, False]

    run(port, test, decode_responses=decode)


@pytest.mark.parametrize("count", [0, 1, 5000])
def test_many(port: int, count: int) -> None:
    async def test(client: Client[Any]) -> None:
        numbers = client.store(int, prefix="n:")
        assert await numbers.put_many((str(number), number) for number in range(count)) == count
        names = [str(number) for number in range(count)]
        assert await numbers.get_many(["none", *names]) == [None, *range(count)]
        assert sorted([name async for name in numbers.scan()]) == sorted(names)
        assert {name: value async for name, value in numbers.items()} == {name: int(name) for name in names}

    run(port, test)


def test_calls_of_many_tasks(port: int) -> None:
    async def test(client: Client[Any]) -> None:
        numbers = client.store(int, prefix="n:")
        await asyncio.gather(*(numbers.put(str(number), number) for number in range(500)))
        assert await asyncio.gather(*(numbers.get(str(number)) for number in range(500))) == list(range(500))
        assert await client.execute_command("DBSIZE") == 501

    run(port, test)


def test_no_update_of_tasks_is_lost(port: int) -> None:
    async def test(client: Client[Any]) -> None:
        counts = client.store(int, prefix="count:")

        async def later(count: int | None) -> int:
            await asyncio.sleep(0)
            return (count or 0) + 1

        async def add(number: int) -> None:
            for _ in range(10):
                await counts.update("all", later if number % 2 else lambda count: (count or 0) + 1)

        await asyncio.gather(*map(add, range(20)))
        assert await counts.get("all") == 200
        with pytest.raises(SamewireError, match=r"samewire\.redis\.DELETE") as caught:
            await counts.update("all", lambda count: None)  # type: ignore[arg-type, return-value]
        assert caught.value.code == "misuse"
        assert await counts.get("all") == 200
        assert await counts.update("all", lambda count: DELETE) is None
        assert await counts.exists("all") is False

    run(port, test)


def test_other_versions_and_other_bytes(port: int) -> None:
    async def test(client: Client[Any]) -> None:
        books, newer = client.store(Book, prefix="book:"), client.store(Newer, prefix="book:")
        await books.put("1", CARRIE)
        await newer.put("2", Newer(1981, "Stephen King", "Cujo"))
        assert await newer.get("1") == Newer(1974, None, "Carrie")
        with pytest.raises(StoredValueError, match=r"^book:2: schema_mismatch .*\$\.year"):
            await books.get_many(["1", "2"])
        await client.execute_command("SET", "book:3", b"junk")
        with pytest.raises(StoredValueError, match=r"^book:3: unsupported at byte 0"):
            await books.get("3")

    run(port, test)


def test_hashes_and_lists(port: int) -> None:
    async def test(client: Client[Any]) -> None:
        shelf, queue = client.typed_hash(Book, "shelf"), client.typed_list(Book, "queue")
        assert await shelf.put("a", CARRIE) is True
        assert await shelf.put_many({"b": IT, "c": CUJO}) == 2
        assert await shelf.all() == {"a": CARRIE, "b": IT, "c": CUJO}
        assert await shelf.get_many(["c", "x"]) == [CUJO, None]
        assert [await shelf.get("a"), await shelf.get("x", IT)] == [CARRIE, IT]
        assert sorted([field async for field, _ in shelf.items()]) == sorted(await shelf.fields()) == ["a", "b", "c"]
        assert [await shelf.length(), await shelf.exists("a"), await shelf.delete("a")] == [3, True, 1]
        assert await shelf.update("b", lambda book: CARRIE) == CARRIE

        assert [await queue.push(CARRIE, IT), await queue.push_left(CUJO), await queue.length()] == [2, 3, 3]
        await queue.set(0, IT)
        assert [await queue.get(0), await queue.range()] == [IT, [IT, CARRIE, IT]]
        await queue.trim(1, 2)
        assert [await queue.pop_left(), await queue.pop(), await queue.pop(0.01)] == [CARRIE, IT, None]

    run(port, test)


def test_a_pop_that_waits_holds_up_nobody(port: int) -> None:
    async def test(client: Client[Any]) -> None:
        queue = client.typed_list(Book, "queue")
        waiting = asyncio.create_task(queue.pop(10))
        await asyncio.sleep(0.05)
        assert await queue.length() == 0
        await queue.push(CARRIE)
        assert await waiting == CARRIE

    run(port, test)


def test_streams(port: int) -> None:
    async def test(client: Client[Any]) -> None:
        log = client.typed_stream(Book, "log")
        assert [await log.create_group("g", "0"), await log.create_group("g")] == [True, False]
        first = await log.add(CARRIE)
        await log.add(IT, maxlen=100)
        assert [entry.value for entry in await log.range()] == [CARRIE, IT]
        assert [entry.value for entry in await log.read(first, timeout=1)] == [IT]
        taken = await log.read_group("g", "one")
        assert [entry.value for entry in taken] == [CARRIE, IT]
        assert [entry.value for entry in await log.claim("g", "two", idle=0)] == [CARRIE, IT]
        assert await log.ack("g", *(entry.id for entry in taken)) == 2
        assert [await log.delete(first), await log.length()] == [1, 1]

        async def follow() -> list[Book]:
            found = []
            async for entry in log.follow():
                found.append(entry.value)
                if len(found) == 3:
                    break
            return found

        following = asyncio.create_task(follow())
        await asyncio.sleep(0.05)
        for book in (CUJO, IT, CUJO):
            await log.add(book)
        assert await following == [CUJO, IT, CUJO]

    run(port, test)


def test_channels(port: int) -> None:
    async def test(client: Client[Any]) -> None:
        news = client.typed_channel(Book, "news")
        async with news.subscribe() as messages:
            assert await messages.get(timeout=0.01) is None
            assert await news.publish(CARRIE) == 1
            await client.execute_command("PUBLISH", "news", "junk")
            await news.publish(IT)
            assert await messages.get(timeout=5) == CARRIE
            with pytest.raises(StoredValueError, match=r"^news: unsupported"):
                await anext(messages)
            async for book in messages:
                assert book == IT
                break

    run(port, test)
