"""The interpreter ends while threads wait for replies: neither does it wait for them, nor do they end it badly."""

from __future__ import annotations

import subprocess
import sys

import pytest
from servers import valkey

PROGRAM = """
import asyncio, threading, time
import samewire.redis.aio as aio
from samewire.redis import Client

client = Client(port={port})

def calls():
    while True:
        client.get("key")

def conversions():
    while True:
        client.hgetall("key")

def blocked():
    client.blpop("never", 0)

def subscribed():
    pubsub = client.pubsub()
    pubsub.subscribe("news")
    for message in pubsub.listen():
        pass

def coroutines():
    async def main():
        shared = aio.Client(port={port})
        while True:
            await asyncio.gather(*[shared.get("key") for _ in range(10)])
    asyncio.run(main())

for target in (calls, calls, conversions, blocked, subscribed, coroutines):
    threading.Thread(target=target, daemon=True).start()
time.sleep(0.3)
"""


@pytest.mark.parametrize("attempt", range(4))
def test_daemon_threads_end_with_the_interpreter(attempt: int) -> None:
    with valkey() as server:
        command = [sys.executable, "-c", PROGRAM.format(port=server.port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, "")
