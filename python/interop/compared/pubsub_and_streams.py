"""Publish and subscribe, keyspace events, streams with consumer groups, monitor."""

import os
import queue
import time

import redis

r = redis.Redis.from_url(os.environ["REDIS_URL"])
d = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
p = r.pubsub()
p.subscribed
p.get_message()
p.subscribe("one", "two")
p.psubscribe("pattern.*")
p.subscribed
p.get_message(timeout=10)
p.get_message(timeout=10)
p.get_message(timeout=10)
p.get_message()
r.publish("one", "hello")
r.publish("pattern.x", b"\xff")
r.publish("nobody", "x")
p.get_message(timeout=10)
p.get_message(timeout=10)
p.get_message(timeout=0.01)
r.pubsub_channels()
r.pubsub_numsub("one", "nobody")
r.pubsub_numpat()
p.channels, p.patterns
p.unsubscribe("one")
p.get_message(timeout=10)
p.unsubscribe()
p.get_message(timeout=10)
p.punsubscribe()
p.get_message(timeout=10)
p.subscribed
p.ping()
p.close()
# handlers
seen = []
p = d.pubsub(ignore_subscribe_messages=True)
p.subscribe(handled=lambda message: seen.append(message))
p.subscribe("plain")
p.get_message(timeout=10)
p.get_message(timeout=10)
d.publish("handled", "ünicode")
p.get_message(timeout=10)
seen
d.publish("plain", "text")
next(message for message in p.listen())
p.ping("are you there")
pong = p.get_message(timeout=10)
pong
p.close()
# a thread
got = queue.Queue()
with d.pubsub(ignore_subscribe_messages=True) as p:
    p.subscribe(news=got.put)
    thread = p.run_in_thread(sleep_time=0.01, daemon=True)
    while d.pubsub_numsub("news") != [("news", 1)]:
        time.sleep(0.01)
    d.publish("news", "one")
    message = got.get(timeout=30)
    thread.stop()
    thread.join(30)
message, thread.is_alive(), type(thread).__name__
type(d.pubsub().run_in_thread(daemon=True))
p = d.pubsub()
p.subscribe("no handler")
p.run_in_thread()
p.close()
# subscribed while disconnected
p = d.pubsub()
p.subscribe("again")
p.get_message(timeout=10)
p.connection.disconnect()
p.get_message(timeout=10)
d.publish("again", "after")
p.get_message(timeout=10)
p.close()
# sharded
p = d.pubsub()
p.ssubscribe("shard")
p.get_sharded_message(timeout=30) if hasattr(p, "get_sharded_message") else p.get_message(timeout=10)
d.spublish("shard", "x")
p.get_message(timeout=10)
d.pubsub_shardchannels(), d.pubsub_shardnumsub("shard")
p.sunsubscribe("shard")
p.get_message(timeout=10)
p.close()
# keyspace events
d.config_set("notify-keyspace-events", "KEA")
p = d.pubsub()
p.psubscribe("__keyspace@0__:watched*")
p.get_message(timeout=10)
d.set("watched:1", "v", ex=100)
p.get_message(timeout=10)
p.get_message(timeout=10)
p.close()
# streams
r.xadd("s", {"a": 1, "b": "two"}, id="1-1")
r.xadd("s", {"c": b"\xff"}, id="2-1")
d.xadd("t", {"x": "y"}, id="5-0", maxlen=10, approximate=False)
r.xadd("s", {"a": 1}, id="1-1")
r.xadd("s", {})
r.xlen("s")
r.xrange("s")
r.xrange("s", min="2", count=1)
r.xrevrange("s", count=1)
r.xread({"s": "0"})
d.xread({"t": 0, "nothing": 0}, count=5)
r.xread({"s": "$"}, block=10)
r.xinfo_stream("t")
d.xinfo_stream("t")["length"]
r.xgroup_create("s", "group", id="0")
r.xgroup_create("s", "group", id="0")
r.xgroup_create("fresh", "group", mkstream=True)
r.xreadgroup("group", "consumer", {"s": ">"}, count=1)
r.xreadgroup("group", "consumer", {"s": ">"})
r.xreadgroup("group", "consumer", {"s": ">"}, block=10)
r.xpending("s", "group")
[
    {name: entry[name] for name in ("message_id", "consumer", "times_delivered")}
    for entry in r.xpending_range("s", "group", "-", "+", 10)
]
r.xack("s", "group", "1-1", "9-9")
r.xclaim("s", "group", "other", 0, ["2-1"])
r.xclaim("s", "group", "other", 0, ["2-1"], justid=True)
r.xautoclaim("s", "group", "third", min_idle_time=0)
r.xautoclaim("s", "group", "third", min_idle_time=0, justid=True)
[sorted(group) for group in d.xinfo_groups("s")]
[consumer["name"] for consumer in d.xinfo_consumers("s", "group")]
r.xgroup_createconsumer("s", "group", "fourth")
r.xgroup_delconsumer("s", "group", "fourth")
r.xgroup_setid("s", "group", "0")
r.xgroup_destroy("s", "group")
r.xtrim("s", maxlen=1, approximate=False)
r.xdel("s", "2-1")
r.xrange("s")
r.xadd("m", {"k": "v"}, nomkstream=True)
r.xinfo_stream("absent")
# scanning
r.mset({f"key:{i}": i for i in range(300)})
len(set(r.scan_iter("key:*", count=50)))
len(list(d.scan_iter(match="key:1?", _type="string")))
r.hset("big", mapping={f"f{i}": i for i in range(600)})
len(dict(r.hscan_iter("big", count=100)))
len(list(d.hscan_iter("big", no_values=True)))
r.sadd("bigset", *range(600))
len(set(r.sscan_iter("bigset", match="1*")))
r.zadd("bigz", {f"m{i}": i for i in range(300)})
sum(score for _, score in r.zscan_iter("bigz"))
# monitor
with d.monitor() as m:
    d.set("seen", "by the monitor")
    command = m.next_command()
sorted(command), command["command"], command["db"]
