"""A cluster of three masters with replicas: commands, keys on several nodes, pipelines, subscribers, asyncio."""

import os

import redis
import redis.asyncio as aredis
from redis.cluster import ClusterNode, RedisCluster

port = int(os.environ["CLUSTER"])
rc = RedisCluster(host="127.0.0.1", port=port)
dc = RedisCluster.from_url(f"redis://127.0.0.1:{port}", decode_responses=True)
reset = rc.flushall()
rc.ping()
len(rc.get_nodes()), len(rc.get_primaries()), len(rc.get_replicas())
type(rc.get_node(host="127.0.0.1", port=port)).__name__
rc.get_default_node().server_type
rc.keyslot("foo"), rc.keyslot(b"{user}.a") == rc.keyslot("{user}.b")
rc.get_node_from_key("foo").server_type
[rc.set(f"key:{i}", i) for i in range(20)] == [True] * 20
[rc.get(f"key:{i}") for i in range(3)]
dc.get("key:7")
rc.mget("key:1", "key:2")
rc.mget("{t}a", "{t}b")
rc.mset({"{t}a": 1, "{t}b": 2})
rc.mget("{t}a", "{t}b")
rc.mget_nonatomic("key:1", "key:2", "{t}a", "absent")
rc.mset_nonatomic({"x": 1, "y": 2, "z": 3})
rc.delete("x", "y", "absent")
rc.exists("key:1", "key:2", "absent")
rc.unlink("z")
rc.touch("key:1", "key:2")
rc.dbsize()
sorted(rc.keys("key:1*"))
sorted(dc.scan_iter("key:1*"))
rc.hset("h", mapping={"a": 1}), rc.hgetall("h")
rc.rename("{t}a", "{t}c")
rc.rename("key:1", "key:2")
rc.incr("key:1"), rc.expire("key:1", 100)
rc.eval("return redis.call('GET', KEYS[1])", 1, "key:1")
rc.eval("return 1", 0)
rc.eval("return KEYS", 2, "key:1", "key:2")
script = rc.register_script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
script(keys=["key:1"], args=[10])
rc.script_flush()
script(keys=["key:1"], args=[10])
rc.publish("channel", "message") >= 0
type(rc.info()).__name__
[info["role"] for info in rc.info("replication", target_nodes=RedisCluster.PRIMARIES).values()]
rc.ping(target_nodes=RedisCluster.ALL_NODES)
rc.ping(target_nodes=rc.get_default_node())
rc.config_get("maxmemory", target_nodes=RedisCluster.RANDOM)
rc.execute_command("GET", "key:1")
rc.execute_command("NOSUCH")
rc.execute_command("DBSIZE", target_nodes=RedisCluster.PRIMARIES).__class__.__name__
rc.lock("lock", timeout=5).acquire()
rc.geoadd("geo", (13.361389, 38.115556, "Palermo"))
rc.cluster_countkeysinslot(rc.keyslot("key:1")) >= 1
rc.cluster_keyslot("foo")
type(rc.cluster_info()).__name__
rc.cluster_info()["cluster_state"]
len(rc.cluster_nodes())
len(rc.cluster_slots())
# pipelines
pipe = rc.pipeline()
pipe.set("a", 1).set("b", 2).get("a").incr("b").get("absent") is pipe
pipe.execute()
len(pipe)
with dc.pipeline() as p:
    for i in range(30):
        p.set(f"p:{i}", i)
    replies = p.execute()
replies == [True] * 30
pipe.set("text", "x").incr("text").get("text").execute()
[type(reply).__name__ for reply in pipe.set("text", "x").incr("text").get("text").execute(raise_on_error=False)]
pipe.delete("a", "b").execute()
pipe.mget("a", "b").execute()
with rc.pipeline(transaction=True) as p:
    answer = p.set("{tx}a", 1).incr("{tx}a").execute()
answer
with rc.pipeline(transaction=True) as p:
    p.set("a", 1)
    p.set("b", 1)
    p.execute()
# subscribers
ps = dc.pubsub()
ps.subscribe("news")
ps.get_message(timeout=30)
dc.publish("news", "hello")
ps.get_message(timeout=30)
ps.close()
ps = dc.pubsub()
ps.ssubscribe("shard")
ps.get_sharded_message(timeout=30)
dc.spublish("shard", "x")
ps.get_sharded_message(timeout=30)
ps.close()
# other ways to make one
RedisCluster(startup_nodes=[ClusterNode("127.0.0.1", port)]).get("key:3")
RedisCluster.from_url(f"redis://127.0.0.1:{port}", read_from_replicas=True).get("absent")
RedisCluster(host="127.0.0.1", port=1)
RedisCluster()
redis.RedisCluster is RedisCluster
issubclass(redis.exceptions.MovedError, redis.ResponseError)
# asyncio
ac = aredis.RedisCluster.from_url(f"redis://127.0.0.1:{port}", decode_responses=True)
await ac.initialize() is ac
await ac.ping()
await ac.set("async", "value"), await ac.get("async")
await ac.mget("key:1", "key:2")
await ac.mget_nonatomic("key:1", "key:2")
await ac.delete("key:1", "key:2")
sorted([key async for key in ac.scan_iter("p:1*")])
await ac.dbsize() > 0
await ac.pipeline().set("a", 1).incr("a").get("absent").execute()
async with ac.pipeline() as p:
    reply = await p.set("c", 1).hset("hash", "f", 1).execute()
reply
len(ac.get_nodes()), len(ac.get_primaries()), len(ac.get_replicas())
await ac.execute_command("NOSUCH")
await ac.eval("return redis.call('GET', KEYS[1])", 1, "async")
ascript = ac.register_script("return ARGV[1]")
await ascript(keys=["k"], args=["x"])
await ac.publish("news", "x") >= 0
await ac.aclose()
sorted(rc.flushall(target_nodes=RedisCluster.PRIMARIES).values())
rc.dbsize()
rc.close()
