"""Django's own Redis cache and django-redis: clients, locks, patterns, sessions."""

from __future__ import annotations

import time

import django
import redis
from django.conf import settings
from harness import check, run, url

DJANGO_REDIS = {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": url(1)}
settings.configure(
    CACHES={
        "default": {**DJANGO_REDIS, "OPTIONS": {"CLIENT_CLASS": "django_redis.client.DefaultClient"}},
        "plain": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url(2)},
        "json": {
            **DJANGO_REDIS,
            "KEY_PREFIX": "json",
            "OPTIONS": {
                "SERIALIZER": "django_redis.serializers.json.JSONSerializer",
                "COMPRESSOR": "django_redis.compressors.zlib.ZlibCompressor",
                "SOCKET_TIMEOUT": 5,
                "SOCKET_CONNECT_TIMEOUT": 5,
                "CONNECTION_POOL_KWARGS": {"max_connections": 10, "retry_on_timeout": True},
            },
        },
        "herd": {**DJANGO_REDIS, "KEY_PREFIX": "herd", "OPTIONS": {"CLIENT_CLASS": "django_redis.client.HerdClient"}},
        "sharded": {
            **DJANGO_REDIS,
            "LOCATION": [url(3), url(4)],
            "OPTIONS": {"CLIENT_CLASS": "django_redis.client.ShardClient"},
        },
        "down": {**DJANGO_REDIS, "LOCATION": "redis://127.0.0.1:1/0", "OPTIONS": {"IGNORE_EXCEPTIONS": True}},
        "refused": {**DJANGO_REDIS, "LOCATION": "redis://127.0.0.1:1/0"},
    },
    SESSION_ENGINE="django.contrib.sessions.backends.cache",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
)
django.setup()

from django.contrib.sessions.backends.cache import SessionStore  # noqa: E402
from django.core.cache import cache, caches  # noqa: E402
from django_redis import get_redis_connection  # noqa: E402


@check
def values_of_many_kinds() -> None:
    for name in ("default", "plain", "herd", "sharded"):
        store = caches[name]
        for value in ("text", 12, 1.5, None, b"\xff\x00", {"a": [1, 2]}, ["é"]):
            store.set("value", value, 30)
            assert store.get("value", "absent") == value, (name, value)
        assert store.delete("value") and store.get("value") is None
        store.set_many({"a": 1, "b": 2})
        assert store.get_many(["a", "b", "c"]) == {"a": 1, "b": 2}
        assert store.add("a", 3) is False and store.add("new", 3) is True


@check
def json_compressed() -> None:
    caches["json"].set("long", {"text": "a" * 1000}, 10)
    assert caches["json"].get("long") == {"text": "a" * 1000}


@check
def counters_and_expiry() -> None:
    cache.set("counter", 1, timeout=100)
    assert cache.incr("counter") == 2 and cache.incr("counter", 10) == 12 and cache.decr("counter", 2) == 10
    assert 90 < cache.ttl("counter") <= 100 and 90000 < cache.pttl("counter") <= 100000
    assert cache.expire("counter", 5) and cache.ttl("counter") <= 5
    assert cache.persist("counter") and cache.ttl("counter") is None
    assert cache.touch("counter", 7) and cache.ttl("counter") <= 7
    assert cache.ttl("absent") == 0
    assert cache.pexpire("counter", 50)
    time.sleep(0.1)
    assert cache.get("counter") is None
    try:
        cache.incr("absent")
    except ValueError:
        pass
    else:
        raise AssertionError("incr of an absent key")


@check
def keys_and_patterns() -> None:
    cache.set_many({f"item:{i}": i for i in range(50)})
    assert sorted(cache.keys("item:*")) == sorted(f"item:{i}" for i in range(50))
    assert len(list(cache.iter_keys("item:*", itersize=10))) == 50
    assert cache.delete_pattern("item:*", itersize=10) == 50
    assert cache.has_key("item:1") is False


@check
def locks() -> None:
    with cache.lock("lock", timeout=5):
        assert cache.lock("lock", timeout=5).acquire(blocking=False) is False
    assert cache.lock("lock", timeout=5).acquire(blocking=False) is True


@check
def sets_and_hashes_and_sorted_sets() -> None:
    assert cache.sadd("set", "a", "b", 3) == 3 and cache.smembers("set") == {"a", "b", 3} and cache.scard("set") == 3
    assert cache.hset("hash", "field", [1, 2]) == 1 and cache.hexists("hash", "field") and cache.hlen("hash") == 1
    assert cache.zadd("scores", {"a": 1.0, "b": 2.5}) == 2
    assert cache.zrange("scores", 0, -1, withscores=True) == [("a", 1.0), ("b", 2.5)]


@check
def raw_client() -> None:
    client = get_redis_connection("default")
    with client.pipeline() as pipe:
        assert pipe.set("raw", 1).incr("raw").get("raw").execute() == [True, 2, b"2"]
    assert client.connection_pool.connection_kwargs["db"] == 1
    assert get_redis_connection("default").connection_pool is client.connection_pool


@check
def sessions() -> None:
    session = SessionStore()
    session["user"] = {"id": 7}
    session.save()
    again = SessionStore(session_key=session.session_key)
    assert again["user"] == {"id": 7}
    again.flush()
    assert SessionStore(session_key=session.session_key).load() == {}


@check
def a_server_that_is_down() -> None:
    assert caches["down"].get("key", "fallback") == "fallback"
    try:
        caches["refused"].get("key")
    except redis.exceptions.ConnectionError as error:
        assert "Connection refused" in str(error), str(error)
    else:
        raise AssertionError("no ConnectionError")


@check
def clear_one_database() -> None:
    caches["plain"].set("stays", 1)
    cache.set("goes", 1)
    cache.clear()
    assert cache.get("goes") is None and caches["plain"].get("stays") == 1


run()
