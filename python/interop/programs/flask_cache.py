"""Flask-Caching on its Redis back ends."""

from __future__ import annotations

import time

from flask import Flask
from flask_caching import Cache
from harness import URL, check, run

app = Flask(__name__)
cache = Cache(app, config={"CACHE_TYPE": "RedisCache", "CACHE_REDIS_URL": URL, "CACHE_KEY_PREFIX": "flask:"})
calls = {"view": 0, "function": 0}


@app.route("/view/<int:number>")
@cache.cached(timeout=30, query_string=True)
def view(number: int) -> str:
    calls["view"] += 1
    return f"{number} {calls['view']}"


@cache.memoize(30)
def function(a: int, b: int) -> int:
    calls["function"] += 1
    return a + b


@check
def cached_views() -> None:
    client = app.test_client()
    first = client.get("/view/1?a=1").text
    assert client.get("/view/1?a=1").text == first == "1 1"
    assert client.get("/view/1?a=2").text == "1 2"
    assert calls["view"] == 2


@check
def memoized_functions() -> None:
    with app.test_request_context():
        assert function(1, 2) == function(1, 2) == 3 and calls["function"] == 1
        cache.delete_memoized(function, 1, 2)
        assert function(1, 2) == 3 and calls["function"] == 2


@check
def values() -> None:
    with app.app_context():
        assert cache.set("a", {"b": [1]}, timeout=10) and cache.get("a") == {"b": [1]}
        assert cache.set_many({"x": 1, "y": "z"}) and cache.get_many("x", "y", "absent") == [1, "z", None]
        assert cache.get_dict("x", "y") == {"x": 1, "y": "z"}
        assert cache.add("x", 2) is False and cache.has("x") and cache.delete("x") and not cache.has("x")
        assert cache.cache.inc("n", 5) == 5 and cache.cache.dec("n", 2) == 3
        cache.set("short", 1, timeout=1)
        time.sleep(1.05)
        assert cache.get("short") is None
        assert cache.delete_many("y", "a")
        cache.set("last", 1)
        assert cache.clear() and cache.get("last") is None


run()
