"""fakeredis, which puts an object in the place of a connection's socket: its clients, blocking and asyncio."""

import asyncio

import fakeredis

r = fakeredis.FakeRedis()
d = fakeredis.FakeStrictRedis(decode_responses=True)
r.set("a", 1), r.get("a"), r.incr("a"), r.get("absent")
r.lpush("l", "x", "y"), r.lrange("l", 0, -1)
r.lpush("a", 1)
r.hset("h", mapping={"f": 1}), r.hgetall("h"), r.smembers("none")
r.pipeline().set("k", "v").get("k").hgetall("h").execute()
[str(reply) for reply in r.pipeline().set("k", "v").lpush("k", 1).execute(raise_on_error=False)]
r.pipeline(transaction=False).zadd("z", {"m": 1.5}).zrange("z", 0, -1, withscores=True).execute()
p = r.pipeline()
p.watch("a"), p.get("a"), p.multi(), len(p.set("a", 5)), p.execute()
p.watch("a"), r.set("a", 7), p.multi(), len(p.set("a", 6))
p.execute()
s = r.pubsub()
s.subscribe("c"), s.get_message(timeout=30), s.get_message(timeout=0.01)
r.publish("c", "m"), s.get_message(timeout=30)
s.close()
d.set("é", "ü"), d.get("é"), d.keys("*"), d.blpop("none", timeout=0.1)
sorted(r.scan_iter()), r.xadd("st", {"a": 1}, id="1-1"), r.xrange("st")
server = fakeredis.FakeServer()
one = fakeredis.FakeRedis(server=server)
other = fakeredis.FakeRedis(server=server)
one.set("shared", 1), other.get("shared")
server.connected = False
other.get("shared")
server.connected = True
other.get("shared")
u = fakeredis.FakeRedis.from_url("redis://localhost:6379/0")
u.set("x", 1), u.get("x")

(
    d.hset("hash", mapping={"a": 1, "b": "x"}, items=["c", 2.5]),
    d.hgetall("hash"),
    d.hmget("hash", "a", "none"),
    d.hlen("hash"),
)
(
    d.hincrby("hash", "a", 4),
    d.hincrbyfloat("hash", "c", 0.25),
    d.hdel("hash", "b", "none"),
    d.hkeys("hash"),
    d.hvals("hash"),
)
(
    sorted(d.hscan_iter("hash")),
    d.hexists("hash", "a"),
    d.hsetnx("hash", "a", 1),
    d.hstrlen("hash", "a"),
    d.hget("hash", "none"),
)
(
    d.mset({"m1": 1, "m2": 2}),
    d.mget("m1", "none", "m2"),
    d.setex("e", 100, "v"),
    90 < d.ttl("e") <= 100,
    d.persist("e"),
    d.ttl("e"),
    d.ttl("none"),
)
(
    d.set("n", 1, nx=True),
    d.set("n", 2, nx=True),
    d.set("n", 3, xx=True, get=True),
    d.getdel("n"),
    d.getrange("e", 0, 0),
    d.append("e", "w"),
)
(
    d.setbit("bits", 7, 1),
    d.getbit("bits", 7),
    d.bitcount("bits"),
    d.bitfield("bits").set("u8", 0, 200).get("u4", 0).execute(),
)
(
    d.sadd("s1", 1, 2),
    d.sadd("s2", 2, 3),
    sorted(d.sinter("s1", "s2")),
    sorted(d.sunion("s1", "s2")),
    d.sismember("s1", 1),
    d.smismember("s1", [1, 9]),
)
(
    d.zadd("zz", {"a": 1, "b": 2.5}),
    d.zrange("zz", 0, -1, withscores=True),
    d.zrangebyscore("zz", 2, "inf"),
    d.zincrby("zz", 2, "a"),
    d.zpopmax("zz"),
)
(
    d.zscore("zz", "b"),
    d.zscore("zz", "none"),
    d.zrank("zz", "b"),
    d.zmscore("zz", ["b", "none"]),
    list(d.zscan_iter("zz")),
)
(
    d.geoadd("geo", (13.361389, 38.115556, "Palermo", 15.087269, 37.502669, "Catania")),
    d.geodist("geo", "Palermo", "Catania", "km"),
)
(
    d.pfadd("hll", "a", "b"),
    d.pfcount("hll"),
    d.type("hash"),
    d.rename("e", "renamed"),
    d.exists("e", "renamed"),
    d.dbsize() > 5,
)
(
    d.lmove("l2", "l3"),
    d.rpush("l2", 1, 2, 3),
    d.lmove("l2", "l3", "LEFT", "RIGHT"),
    d.blpop(["none", "l2"], 1),
    d.lpos("l2", "3"),
    d.linsert("l2", "before", 3, 2),
)
d.sort("l2", desc=True), d.object("encoding", "l2"), d.execute_command("LRANGE", "l2", 0, -1), d.time()[0] > 0
d.get("l2")
d.execute_command("NOSUCH")
d.hset("hash")
# streams
(
    d.xgroup_create("log", "readers", id="0", mkstream=True),
    d.xadd("log", {"a": 1}, id="1-1"),
    d.xadd("log", {"a": 2}, id="1-2"),
    d.xlen("log"),
)
d.xreadgroup("readers", "one", {"log": ">"}, count=1), d.xpending("log", "readers"), d.xack("log", "readers", "1-1")
(
    d.xread({"log": "1-1"}),
    d.xrevrange("log", count=1),
    d.xinfo_groups("log")[0]["name"],
    d.xreadgroup("readers", "one", {"log": ">"}),
)
(
    d.xclaim("log", "readers", "two", 0, ["1-2"]),
    d.xpending_range("log", "readers", "-", "+", 10)[0]["consumer"],
    d.xtrim("log", maxlen=1),
    d.xdel("log", "1-2"),
)
d.xgroup_create("log", "readers")
# publish and subscribe
sub = d.pubsub(ignore_subscribe_messages=True)
heard = []
sub.psubscribe(**{"p*": heard.append}), sub.subscribe("c1", "c2"), sub.get_message(timeout=0.1), sub.subscribed
(
    d.publish("c2", "text"),
    d.publish("p1", "pattern"),
    d.publish("nobody", "x"),
    d.pubsub_numsub("c1"),
    d.pubsub_channels("c*"),
    d.pubsub_numpat(),
)
messages = [sub.get_message(timeout=0.1) for _ in range(6)]
[message for message in messages if message], heard
sub.unsubscribe("c1"), sub.get_message(timeout=0.1), sub.punsubscribe(), sub.get_message(timeout=0.1), sub.close()
# scripts
(
    d.eval("return {KEYS[1], ARGV[1], 3, 'x', false}", 1, "key", "arg"),
    d.eval("return redis.call('set', KEYS[1], ARGV[1])", 1, "scripted", 5),
)
script = d.register_script("return redis.call('incrby', KEYS[1], ARGV[1])")
(
    script(keys=["scripted"], args=[2]),
    script(keys=["scripted"], args=[3], client=d),
    d.script_exists(script.sha),
    d.evalsha(script.sha, 1, "scripted", 1),
)
d.eval("return redis.error_reply('WRONG it is')", 0)
d.evalsha("0" * 40, 0)
q = d.pipeline()
len(script(keys=["scripted"], args=[1], client=q)), len(q.get("scripted")), q.execute()
lock = d.lock("lock", timeout=10)
(
    lock.acquire(),
    lock.locked(),
    lock.owned(),
    d.lock("lock").acquire(blocking=False),
    lock.extend(5),
    lock.release(),
    lock.locked(),
)
(
    d.transaction(lambda pipe: pipe.set("t", 1), "watched"),
    d.transaction(lambda pipe: pipe.get("t") and 7, value_from_callable=True),
)
with d.pipeline() as p:
    for _ in range(300):
        p.rpush("long", "x" * 100)
    lengths = p.execute()
lengths[-1], len(d.lrange("long", 0, -1)), d.flushdb(), d.keys()
# servers
(
    fakeredis.FakeRedis(version=6).info("server")["redis_version"],
    fakeredis.FakeStrictRedis(db=3).connection_pool.connection_kwargs["db"],
)
strangers = fakeredis.FakeRedis(server=fakeredis.FakeServer()), fakeredis.FakeRedis(server=fakeredis.FakeServer())
strangers[0].set("mine", 1), strangers[1].get("mine"), strangers[0].ping(), strangers[0].select(2)
numbered = fakeredis.FakeRedis(server=server, db=1)
(
    numbered.get("shared"),
    numbered.set("only", 1),
    one.get("only"),
    one.move("shared", 1),
    numbered.get("shared"),
    numbered.swapdb(0, 1),
    one.get("only"),
)
v = fakeredis.FakeRedis(server_type="valkey", protocol=2)
v.hset("h", "a", 1), v.hgetall("h"), v.config_set("maxmemory", 0), v.client_setname("name"), v.client_getname()

# asyncio
ar = fakeredis.FakeAsyncRedis(server=fakeredis.FakeServer())
await ar.set("a", 1), await ar.get("a"), await ar.incr("a")
await ar.lpush("a", 1)
await ar.pipeline().set("k", "v").get("k").execute()
await ar.pipeline(transaction=False).zadd("z", {"m": 1.5}).zrange("z", 0, -1, withscores=True).execute()
ap = ar.pipeline()
await ap.watch("a"), await ap.get("a"), ap.multi(), len(ap.set("a", 5)), await ap.execute()
await ap.watch("a"), await ar.set("a", 7), ap.multi(), len(ap.set("a", 6))
await ap.execute()
sorted(await asyncio.gather(*(ar.incr("n") for _ in range(50)))) == list(range(1, 51))
asub = ar.pubsub()
await asub.subscribe("c"), await asub.get_message(timeout=30), await asub.get_message(timeout=0.01)
await ar.publish("c", "m"), await asub.get_message(timeout=30)
await asub.aclose()
await asyncio.gather(ar.blpop("q", timeout=5), ar.rpush("q", "item"))
sorted([key async for key in ar.scan_iter()])
await ar.hset("h", mapping={"a": 1}), await ar.hgetall("h"), await ar.hincrby("h", "a", 2), await ar.hget("h", "none")
(
    await ar.xgroup_create("log", "readers", id="0", mkstream=True),
    await ar.xadd("log", {"a": 1}, id="1-1"),
    await ar.xlen("log"),
)
(
    await ar.xreadgroup("readers", "one", {"log": ">"}),
    await ar.xack("log", "readers", "1-1"),
    await ar.xread({"log": "0"}),
)
ascript = ar.register_script("return redis.call('incrby', KEYS[1], ARGV[1])")
(
    await ascript(keys=["scripted"], args=[2]),
    await ascript(keys=["scripted"], args=[3]),
    await ar.eval("return ARGV[1]", 0, "x"),
)
async with ar.lock("lock", timeout=10) as alock:
    owned = await alock.owned(), await ar.lock("lock").acquire(blocking=False)
owned, await alock.locked()
aheard = []
async with ar.pubsub() as asub:
    await asub.psubscribe(**{"p*": aheard.append})
    await ar.publish("p1", "x")
    while not aheard:
        await asub.get_message(ignore_subscribe_messages=True, timeout=1)
aheard
async with ar.pipeline(transaction=True) as ap:
    for _ in range(300):
        ap.rpush("long", "x" * 100)
    lengths = await ap.execute()
lengths[-1], await ar.llen("long"), await ar.execute_command("GET", "k"), await ar.blpop("none", timeout=0.1)
await ar.execute_command("NOSUCH")
aserver = fakeredis.FakeServer()
aone, aother = (
    fakeredis.FakeAsyncRedis(server=aserver, decode_responses=True),
    fakeredis.FakeStrictRedis(server=aserver),
)
await aone.set("shared", "é"), aother.get("shared"), await aone.get("shared")
aserver.connected = False
await aone.get("shared")
aserver.connected = True
await aone.get("shared"), await aone.aclose()
await ar.aclose()
