"""limits: every strategy on the Redis storages, sync and asyncio."""

from __future__ import annotations

from harness import URL, check, run
from limits import parse
from limits.aio import strategies as aio_strategies
from limits.aio.storage import RedisStorage as AsyncRedisStorage
from limits.storage import RedisStorage, storage_from_string
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter, SlidingWindowCounterRateLimiter

THREE = parse("3/minute")


@check
def sync_strategies() -> None:
    storage = storage_from_string(URL)
    assert isinstance(storage, RedisStorage) and storage.check()
    for strategy in (FixedWindowRateLimiter, MovingWindowRateLimiter, SlidingWindowCounterRateLimiter):
        limiter = strategy(storage)
        name = strategy.__name__
        assert [limiter.hit(THREE, name, "user") for _ in range(5)] == [True, True, True, False, False], name
        assert limiter.test(THREE, name, "user") is False and limiter.test(THREE, name, "other") is True
        stats = limiter.get_window_stats(THREE, name, "user")
        assert stats.remaining == 0 and stats.reset_time > 0
        limiter.clear(THREE, name, "user")
        assert limiter.hit(THREE, name, "user", cost=2) is True
    assert (storage.reset() or 0) >= 3


@check
async def asyncio_strategies() -> None:
    storage = AsyncRedisStorage(f"async+{URL}", implementation="redispy")
    assert await storage.check()
    for strategy in (
        aio_strategies.FixedWindowRateLimiter,
        aio_strategies.MovingWindowRateLimiter,
        aio_strategies.SlidingWindowCounterRateLimiter,
    ):
        limiter = strategy(storage)
        name = f"aio{strategy.__name__}"
        assert [await limiter.hit(THREE, name, "user") for _ in range(5)] == [True, True, True, False, False], name
        assert await limiter.test(THREE, name, "user") is False
        stats = await limiter.get_window_stats(THREE, name, "user")
        assert stats.remaining == 0 and stats.reset_time > 0
        await limiter.clear(THREE, name, "user")
        assert await limiter.hit(THREE, name, "user") is True
    assert (await storage.reset() or 0) >= 3


@check
def wrapped_errors() -> None:
    from limits.errors import StorageError

    storage = RedisStorage("redis://127.0.0.1:1/0", wrap_exceptions=True)
    assert storage.check() is False
    try:
        storage.get("key")
    except StorageError as error:
        import redis

        assert isinstance(error.storage_error, redis.ConnectionError)
    else:
        raise AssertionError("no StorageError")


run()
