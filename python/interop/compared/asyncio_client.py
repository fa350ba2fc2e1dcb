"""redis.asyncio as its documentation shows it: commands, pipelines, pub/sub, locks, scripts, streams, many at once."""

import asyncio
import os

import redis
import redis.asyncio as aredis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

URL = os.environ["REDIS_URL"]
r = aredis.Redis.from_url(URL)
d = aredis.from_url(URL, decode_responses=True)
await r.ping()
await r.set("foo", "bar")
await r.get("foo"), await d.get("foo"), await r.get("absent")
await r.set("foo", "x", nx=True)
await r.mset({"a": 1, "b": "ü"})
await d.mget("a", "b", "absent")
sorted(await asyncio.gather(*(r.incr("n") for i in range(100)))) == list(range(1, 101))
await r.hset("h", mapping={"f": 1, "g": "two"})
await r.hgetall("h")
await d.hgetall("h")
await r.zadd("z", {"one": 1, "two": 2})
await r.zrange("z", 0, -1, withscores=True)
await r.sadd("s", "a", "b")
await r.smembers("s")
await r.incr("foo")
await r.execute_command("NOSUCH")
await r.execute_command("CONFIG", "GET", "maxmemory")
await r.blpop("none", timeout=0.05)
await asyncio.gather(r.blpop("wanted", timeout=2), r.rpush("wanted", "x"))
await asyncio.wait_for(r.blpop("none", timeout=0), 0.05)
await r.get("a")
sorted([key async for key in r.scan_iter("*")])
sorted([pair async for pair in d.hscan_iter("h")])
sorted([member async for member in r.sscan_iter("s")])
[pair async for pair in r.zscan_iter("z")]
(await r.info("server"))["executable"] is not None
# pipelines
pipe = r.pipeline()
pipe.set("p", 1) is pipe
len(pipe)
await pipe.incr("p").get("p").execute()
await pipe.execute()
async with d.pipeline(transaction=False) as p:
    replies = await p.set("q", "1").incr("q").hgetall("h").execute()
replies
p = r.pipeline()
await p.set("text", "x").incr("text").get("text").execute(raise_on_error=False)
await p.set("text", "x").incr("text").get("text").execute()
await p.watch("a")
await p.get("a")
p.multi()
p.set("a", 5)
await p.execute()
await p.watch("a")
await r.set("a", 6)
p.multi()
p.set("a", 7)
[await p.execute()]
await r.get("a")


async def bump(pipe):
    value = int(await pipe.get("a"))
    pipe.multi()
    pipe.set("a", value + 1)
    return value


await r.transaction(bump, "a")
await r.transaction(bump, "a", value_from_callable=True)
# scripts and locks
script = r.register_script("return {KEYS[1], ARGV[1]}")
await script(keys=["k"], args=["v"])
type(script).__name__
await r.script_flush()
await script(keys=["k"], args=["w"])
p = r.pipeline()
await script(keys=["k"], args=["v"], client=p) is p
await p.execute()
await r.eval("return redis.error_reply('MYERR x')", 0)
lock = r.lock("lock", timeout=10)
await lock.acquire()
await lock.locked(), await lock.owned()
await r.lock("lock", timeout=1).acquire(blocking=False)
await r.lock("lock", blocking_timeout=0.05).acquire()
await lock.extend(5), await lock.reacquire()
await lock.release() is None
await lock.release()
async with r.lock("lock", timeout=5) as held:
    inside = await held.locked()
inside, await r.exists("lock")
# publish and subscribe
ps = d.pubsub()
await ps.subscribe("one")
await ps.psubscribe("p.*")
ps.subscribed
await ps.get_message(timeout=10)
await ps.get_message(timeout=10)
await ps.get_message(timeout=0.01)
await d.publish("one", "hello"), await d.publish("p.x", "there")
await ps.get_message(ignore_subscribe_messages=True, timeout=10)
await ps.get_message(timeout=10)
await d.publish("one", "listened")
[message async for message in ps.listen() if not await ps.unsubscribe() and not await ps.punsubscribe()][:1]
ps.subscribed
await ps.aclose()
seen = []
ps = r.pubsub(ignore_subscribe_messages=True)
await ps.subscribe(handled=seen.append)
await r.publish("handled", b"\xff")
await ps.get_message(timeout=10)
await ps.get_message(timeout=10)
seen
runner = asyncio.ensure_future(ps.run())
await r.publish("handled", "again")
while len(seen) < 2:
    await asyncio.sleep(0.01)
runner.cancel()
len(seen)
await ps.aclose()
# streams
await r.xadd("stream", {"a": 1}, id="1-1")
await r.xgroup_create("stream", "g", id="0")
await r.xreadgroup("g", "c", {"stream": ">"})
await r.xack("stream", "g", "1-1")
await r.xread({"stream": "$"}, block=10)
# pools and clients
pool = aredis.ConnectionPool.from_url(URL, max_connections=5, decode_responses=True)
shared = aredis.Redis(connection_pool=pool)
await shared.get("a")
await asyncio.gather(*(shared.get("a") for _ in range(4)))
await shared.aclose()
await pool.disconnect()
own = aredis.Redis.from_pool(pool)
await own.ping()
await own.aclose()
async with aredis.Redis.from_url(URL, single_connection_client=True) as single:
    answer = [await single.client_setname("me"), await single.client_getname()]
answer
async with r.client() as one:
    answer = await one.ping()
answer
await aredis.Redis(port=1, retry=Retry(NoBackoff(), 0)).ping()
await aredis.from_url("redis://127.0.0.1:1", retry=Retry(NoBackoff(), 0)).get("x")
await aredis.from_url(URL, password="wrong").get("x")
await aredis.from_url(URL.replace("/0", "/99")).get("x")
aredis.from_url("http://localhost")
await aredis.from_url(URL, protocol=2).hgetall("h")
await aredis.from_url(URL, encoding="latin-1", decode_responses=True).set("latin", "é")
await r.get("latin")
await d.get("latin")
r.get("never awaited").close()
issubclass(aredis.ConnectionError, redis.ConnectionError), aredis.ConnectionError is redis.ConnectionError
await r.aclose()
await r.ping()
await r.aclose()
await d.aclose()
