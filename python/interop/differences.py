"""Statements of `compared` that print another line on samewire.redis than on redis-py, and why that stays."""

from __future__ import annotations

#: By script, by the statement as `side_by_side.py` prints it.
DIFFERENCES: dict[str, dict[str, str]] = {
    "pipelines_and_scripts": {
        "p.set('a', object())": "an argument that cannot be sent is refused when it is queued, not when the pipeline runs",
    },
    "pubsub_and_streams": {
        "pong": "redis-py loses the answer to ping('text') if replies are decoded",
    },
    "connections": {
        "parse_url('redis://user:p%40ss@host:1234/5?socket_timeout=1.5&retry_on_timeout=yes&decode_responses=True')": (
            "redis-py keeps the text 'True', and takes 'False' for true"
        ),
        "(str(redis.ResponseError('x')), repr(redis.ResponseError('x')), redis.ResponseError('x').args)": (
            "redis-py's repr is a category of telemetry"
        ),
    },
    "asyncio_client": {},
}
