"""Statements of `compared` that print another line on samewire.redis than on redis-py, and why that stays."""

from __future__ import annotations

NAME = "the class is named Client; Redis and StrictRedis are its other names"

HIREDIS = "redis-py writes UTF-8 whatever the encoding is, if hiredis is there"

SPLIT = "commands of several keys are split by node, in pipelines as well"
EVERY = "every master is asked, not one"

#: By script, by the statement as `side_by_side.py` prints it.
DIFFERENCES: dict[str, dict[str, str]] = {
    "pipelines_and_scripts": {
        "p.set('a', object())": "an argument that cannot be sent is refused when it is queued, not when the pipeline runs",
    },
    "pubsub_and_streams": {
        "pong": "redis-py loses the answer to ping('text') if replies are decoded",
    },
    "cluster_client": {
        "rc.mget('key:1', 'key:2')": SPLIT,
        "rc.dbsize()": EVERY,
        "sorted(rc.keys('key:1*'))": EVERY,
        "rc.execute_command('NOSUCH')": "a command without keys goes to any node",
        "await ac.execute_command('NOSUCH')": "a command without keys goes to any node",
        "pipe.delete('a', 'b').execute()": SPLIT,
        "pipe.mget('a', 'b').execute()": SPLIT,
        "answer": "replies of a transaction are converted as all others are",
        "sorted(rc.flushall(target_nodes=RedisCluster.PRIMARIES).values())": "what all nodes agree on is one reply",
        "await ac.mget('key:1', 'key:2')": SPLIT,
    },
    "connections": {
        "parse_url('redis://user:p%40ss@host:1234/5?socket_timeout=1.5&retry_on_timeout=yes&decode_responses=True')": (
            "redis-py keeps the text 'True', and takes 'False' for true"
        ),
        "redis.Redis.from_url(URL, protocol=4)": NAME,
        "r.get('latin')": HIREDIS,
        "redis.Redis.from_url(URL, decode_responses=True).get('latin')": HIREDIS,
        "redis.Redis.from_url(URL, decode_responses=True, encoding_errors='replace').get('latin')": HIREDIS,
        "(str(redis.ResponseError('x')), repr(redis.ResponseError('x')), redis.ResponseError('x').args)": (
            "redis-py's repr is a category of its telemetry"
        ),
    },
    "asyncio_client": {
        "await p.set('text', 'x').incr('text').get('text').execute(raise_on_error=False)": (
            "redis-py's repr is a category of its telemetry"
        ),
        "await p.set('text', 'x').incr('text').get('text').execute()": "redis-py puts the repr of the arguments into the text",
    },
}
