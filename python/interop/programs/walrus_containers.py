"""walrus, whose Database is a subclass of Redis: containers, streams, models, locks, limits, caches, a restart."""

from __future__ import annotations

import datetime
import threading
from typing import Any

import walrus
from harness import URL, check, run
from restarts import restart, restartable
from walrus.rate_limit import RateLimitException

db = walrus.Database.from_url(URL)


@check
def containers() -> None:
    hashed = db.Hash("hash")
    hashed.update({"a": 1, "b": "two"}, c=b"\x00\xff")
    assert hashed["a"] == b"1" and hashed["a", "c", "none"] == [b"1", b"\x00\xff", None] and "b" in hashed
    assert hashed.incr("a", 4) == 5 and hashed.incr_float("f", 0.5) == 0.5 and len(hashed) == 4
    del hashed["b"]
    del hashed["c"]
    assert dict(hashed) == {b"a": b"5", b"f": b"0.5"} and hashed.as_dict(True) == {"a": "5", "f": "0.5"}
    listed = db.List("list")
    listed.extend(["b", "c"])
    listed.prepend("a")
    listed[1] = "B"
    assert list(listed) == [b"a", b"B", b"c"] and listed[-1] == b"c" and listed[1:] == [b"B", b"c"]
    listed.insert_after("x", "a")
    assert listed.popleft() == b"a" and listed.bpopleft(1) == b"x" and listed.bpopright(1) == b"c"
    ones, others = db.Set("ones"), db.Set("others")
    ones.add("a", "b")
    others.add("b", "c")
    assert ones & others == {b"b"} and ones | others == {b"a", b"b", b"c"} and ones - others == {b"a"}
    ones |= others
    assert set(ones) == {b"a", b"b", b"c"} and ones.diffstore("left", others).members() == {b"a"}
    scored = db.ZSet("scored")
    scored.add({"a": 1, "b": 2.5, "c": 3})
    assert scored.score("b") == 2.5 and scored.range(0, 1) == [b"a", b"b"]
    assert scored.range_by_score(2, 3, with_scores=True) == [(b"b", 2.5), (b"c", 3.0)]
    assert scored.incr("a", 5) == 6 and scored.popmin() == [(b"b", 2.5)] and scored.bpopmax(1) == (b"a", 6.0)
    assert list(scored) == [(b"c", 3.0)] == scored.as_items() and scored.rank("c") == 0 and scored.count(0, 10) == 1
    logs = db.HyperLogLog("logs")
    assert logs.add("a", "b") == 1 and len(logs) == 2
    array = db.Array("array")
    array.extend(["a", "b", "c"])
    assert array.pop(1) == b"b" and array[1] == b"c" and list(array) == [b"a", b"c"] and len(array) == 2
    bits = db.bit_field("bits")
    assert bits.set("u8", 0, 255).incrby("u8", 0, 1, "SAT").get("u4", "#1").execute() == [0, 255, 15]
    bits[8:16] = 7
    assert bits[8:16] == 7 and bits.bit_count() == 11
    bloom = db.bloom_filter("bloom", 1024)
    bloom.add("a")
    assert "a" in bloom and "b" not in bloom


@check
def keys() -> None:
    db["text"] = "value"
    assert db["text"] == b"value" and "text" in db and db.get_key("hash")["a"] == b"5"
    assert len(db) == db.dbsize() > 5 and set(db.search("s*")) == {b"scored"} and set(db) >= {b"text", b"hash"}
    del db["text"]
    assert "text" not in db and isinstance(db.get_key("scored"), walrus.ZSet)
    assert db.cas("cas", "", "one") in (0, 1)
    sorted_ = db.List("numbers")
    sorted_.extend([3, 1, 2])
    assert sorted_.sort() == [b"1", b"2", b"3"] and sorted_.sort(ordering="DESC", limit=1) == [b"3"]
    assert db.List("copy").clear() is not None


@check
def streams() -> None:
    group = db.consumer_group("group", ["one", "two"], consumer="reader")
    assert group.create() == {"one": True, "two": True}
    first, second = group.one.add({"k": "v"}), group.two.add({"k": "w"})
    read = dict(group.read(count=1))
    assert {key: [name for name, _ in rows] for key, rows in read.items()} == {b"one": [first], b"two": [second]}
    assert group.read() == [] or group.read() == {}
    other = group.consumer("other")
    assert [row["consumer"] for row in group.one.pending()] == [b"reader"] and other.one.claim(first)[0][0] == first
    assert other.one.ack(first) == 1 and group.one.pending() == []
    assert [info["name"] for info in group.one.groups_info()] == [b"group"] and group.one.info()["length"] == 1
    series = db.time_series("series", ["sa", "sb"], consumer="c")
    series.create()
    day = datetime.datetime(2018, 1, 1)
    for number in range(4):
        (series.sa, series.sb)[number % 2].add({"n": str(number)}, id=day + datetime.timedelta(days=number))
    messages = series.read()
    assert [(m.stream, m.timestamp.day, m.data) for m in messages] == [
        ("sa", 1, {"n": "0"}), ("sb", 2, {"n": "1"}), ("sa", 3, {"n": "2"}), ("sb", 4, {"n": "3"})
    ]  # fmt: skip
    assert series.sa.trim(1, False) == 1 and [m.timestamp.day for m in series.sa] == [3]


class Note(walrus.Model):
    __database__ = db
    __namespace__ = "notes"
    title = walrus.TextField(primary_key=True)
    text = walrus.TextField(fts=True)
    stars = walrus.IntegerField(index=True, default=0)
    tags = walrus.SetField()
    when = walrus.DateTimeField(index=True)


@check
def models() -> None:
    for number in range(4):
        note = Note.create(
            title=f"n{number}", text=f"words number {number}", stars=number, when=datetime.datetime(2020, 1, number + 1)
        )
        note.tags.add("t", f"t{number}")
    assert Note.load("n1").stars == 1 and sorted(Note.load("n1").tags) == [b"t", b"t1"]
    assert [note.title for note in Note.query(Note.stars >= 2, order_by=Note.stars.desc())] == ["n3", "n2"]
    assert [note.title for note in Note.query(Note.text.match("words AND 3"))] == ["n3"]
    assert {note.title for note in Note.query((Note.stars == 0) | (Note.when > datetime.datetime(2020, 1, 3)))} == {
        "n0",
        "n3",
    }
    note = Note.get(Note.title == "n2")
    note.stars = 9
    note.save()
    assert Note.count() == 4 and [note.title for note in Note.query(Note.stars == 9)] == ["n2"]
    note.delete()
    assert sorted(note.title for note in Note.all()) == ["n0", "n1", "n3"]


@check
def locks_and_limits() -> None:
    lock, other = db.lock("lock", ttl=20_000), db.lock("lock")
    with lock:
        assert not other.acquire(block=False)
        taken: list[Any] = []
        waiter = threading.Thread(target=lambda: taken.append(other.acquire()))
        waiter.start()
    waiter.join(30)
    assert taken == [True] and other.release()
    for limit in (db.rate_limit("limit", 2, 100), db.rate_limit_lua("limit-lua", 2, 100)):
        assert [limit.limit("k") for _ in range(3)] == [False, False, True]

        @limit.rate_limited(key_function=lambda: "f")
        def limited() -> int:
            return 1

        assert limited() == limited() == 1
        try:
            limited()
        except RateLimitException:
            continue
        raise AssertionError("no RateLimitException")
    counter = db.counter("counter")
    counter += 4
    assert counter.value() == 4 and counter.decr() == 3


@check
def caches_and_completion() -> None:
    cache, calls = db.cache("cache", default_timeout=60), []

    @cache.cached()
    def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    assert double(2) == double(2) == 4 and calls == [2]
    double.bust(2)
    assert double(2) == 4 and calls == [2, 2]
    cache.set_many({"a": 1, "b": [2]})
    assert cache.get_many(["a", "b", "c"]) == {"a": 1, "b": [2]} and cache.delete_many(["a", "b"]) == 2
    names = db.autocomplete()
    for number, title in enumerate(("testing python", "testing python code", "unit tests with python")):
        names.store(number, title, {"n": number})
    assert [found["n"] for found in names.search("test")] == [0, 1, 2] and list(names.search("missing")) == []


@check
def transactions_and_listeners() -> None:
    with db.atomic() as transaction:
        transaction.pipe.set("in", 1)
        transaction.pipe.incr("in")
        assert "in" not in db
    assert db["in"] == b"2"
    pipe = db.get_transaction()
    pipe.set("in", 5)
    db.clear_transaction()
    assert db["in"] == b"2"
    heard: list[Any] = []

    @db.listener(channels=["channel"], patterns=["p*"], is_async=True)
    def hears(**message: Any) -> None:
        heard.append((message["type"], message["data"]))
        if message["data"] == b"stop":
            raise StopIteration

    thread = hears()
    while db.publish("p1", "text") < 1 or db.publish("channel", "stop") < 1:
        pass
    thread.join(30)
    assert not thread.is_alive() and ("pmessage", b"text") in heard and heard[-1] == ("message", b"stop")


@check
def after_a_restart() -> None:
    with restartable() as server:
        own = walrus.Database(port=server.port)
        own.Hash("hash")["a"] = 1
        restart(server)
        # The server has forgotten the scripts.
        assert own.Hash("hash")["a"] == b"1" and not own.rate_limit_lua("limit", 1, 100).limit("k")
        restart(server)
        with own.atomic() as transaction:
            transaction.pipe.hincrby("hash", "a", 1)
        assert own.Hash("hash").as_dict(True) == {"a": "2"}


run()
