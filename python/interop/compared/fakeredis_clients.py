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
s.subscribe("c"), s.get_message(timeout=1), s.get_message(timeout=0.01)
r.publish("c", "m"), s.get_message(timeout=1)
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
await asub.subscribe("c"), await asub.get_message(timeout=1), await asub.get_message(timeout=0.01)
await ar.publish("c", "m"), await asub.get_message(timeout=1)
await asub.aclose()
await asyncio.gather(ar.blpop("q", timeout=5), ar.rpush("q", "item"))
sorted([key async for key in ar.scan_iter()])
await ar.aclose()
