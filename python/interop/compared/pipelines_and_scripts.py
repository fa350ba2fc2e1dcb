"""Pipelines, transactions, scripts, locks."""

import os
import threading

import redis
from redis.exceptions import LockError, NoScriptError, WatchError

r = redis.Redis.from_url(os.environ["REDIS_URL"])
d = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
pipe = r.pipeline()
pipe.set("foo", "bar") is pipe
len(pipe)
bool(pipe)
pipe.get("foo").hset("h", mapping={"a": 1}).hgetall("h").execute()
pipe.execute()
with r.pipeline(transaction=False) as p:
    p.set("a", 1)
    p.incr("a")
    p.zadd("z", {"m": 1.5}).zrange("z", 0, -1, withscores=True)
    answers = p.execute()
answers
p = d.pipeline()
p.mget("a", "foo").lrange("none", 0, -1).smembers("none").info("server").time().client_getname()
[type(reply).__name__ for reply in p.execute()]
# errors
p = r.pipeline(transaction=False)
p.set("text", "x").incr("text").get("text")
p.execute()
p.set("text", "x").incr("text").get("text")
[type(reply).__name__ for reply in p.execute(raise_on_error=False)]
p = r.pipeline()
p.set("text", "x").lpush("text", 1).get("text")
p.execute()
r.get("text")
p.set("text", "x").lpush("text", 1).get("text")
[str(reply) for reply in p.execute(raise_on_error=False)]
p.execute_command("NOSUCH").set("after", 1)
p.execute()
r.get("after")
p.set("a", object())
p.reset()
p.execute()
p.set("dropped", 1)
p.discard()
r.get("dropped")
# watch
p = r.pipeline()
p.watch("a")
p.get("a")
p.multi()
p.set("a", 5)
p.execute()
p.watch("a")
r.set("a", 6)
p.multi()
p.set("a", 7)
[p.execute()]
r.get("a")
p.multi()
p.watch("a")
p.multi()
p.reset()
p.unwatch()


def bump(pipe):
    value = int(pipe.get("a"))
    pipe.multi()
    pipe.set("a", value + 1)
    return value


r.transaction(bump, "a")
r.transaction(bump, "a", value_from_callable=True)
r.transaction(lambda pipe: (pipe.multi(), pipe.incr("a")), "a")
# commands that are not commands of pipelines
p = r.pipeline()
p.scan_iter()
sorted(
    name
    for name in ("immediate_execute_command", "pipeline_execute_command", "load_scripts", "command_stack")
    if hasattr(p, name)
)
# scripts
multiply = r.register_script("return redis.call('GET', KEYS[1]) * ARGV[1]")
multiply(keys=["a"], args=[2])
multiply(["a"], [3])
multiply.sha
type(multiply).__name__
p = r.pipeline()
multiply(keys=["a"], args=[5], client=p) is p
p.set("in", 1)
p.execute()
r.script_flush()
multiply(keys=["a"], args=[2])
r.script_exists(multiply.sha, "0" * 40)
r.evalsha("0" * 40, 0)
r.eval("return {1, 'two', {3, false}, 1.9}", 0)
d.eval("return {KEYS[1], ARGV[1]}", 1, "k", "é")
r.eval("return redis.error_reply('MYERR text')", 0)
r.eval("return {ok='fine'}", 0)
r.eval("this is no lua", 0)
r.script_load("return 1")
r.evalsha(r.script_load("return 1"), 0)
r.fcall("nosuch", 0)
r.function_load("#!lua name=mylib\nredis.register_function('myfunc', function(keys, args) return args[1] end)")
r.fcall("myfunc", 0, "hello")
r.fcall("myfunc", 1, "k", "x")
r.function_list()
d.function_list()
r.function_delete("mylib")
# locks
lock = r.lock("lock", timeout=10)
lock.acquire()
lock.locked(), lock.owned()
r.lock("lock", timeout=10).acquire(blocking=False)
r.lock("lock", blocking_timeout=0.05).acquire()
lock.extend(5)
lock.reacquire()
lock.release()
lock.release()
with r.lock("lock", timeout=5) as held:
    held.locked()
with r.lock("lock", timeout=5):
    second = r.lock("lock", blocking=False)
    with second:
        pass
thread_lock = r.lock("thread", timeout=5, thread_local=False)
thread_lock.acquire()
threading.Thread(target=thread_lock.release).start()
lock = r.lock("short", timeout=10)
lock.acquire()
r.delete("short")
lock.release()
lock.extend(1)
r.lock("lock").extend(1)
r.lock("x", sleep=0.01).acquire(token="mine")
r.get("x")
issubclass(LockError, ValueError), NoScriptError.__mro__[1].__name__, WatchError.__mro__[1].__name__
