"""Listens to what sentinels say of a change of master, for asyncio: one task for each sentinel, of each event loop of a pool."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from typing import Any

from ..exceptions import RedisError
from ..watching import LISTEN_SECONDS, SWITCHED, pause_before, switch_of
from .stream import NOTHING


def listener(pool: Any, sentinel: Any) -> asyncio.Task[None]:
    """A task that tells a pool of a switch of its master as soon as a sentinel publishes it. It ends with the pool."""
    source = sentinel.connection_pool
    connection = source.connection_class(**source.connection_kwargs)
    loop = asyncio.get_running_loop()
    task = loop.create_task(_listen(weakref.ref(pool), pool.service_name, connection))
    weakref.finalize(pool, _end, loop, task)
    return task


def _end(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(task.cancel)


async def _listen(pool: weakref.ref[Any], service: str, connection: Any) -> None:
    failures = 0
    while pool() is not None:
        try:
            await connection.connect_once()
            failures = 0
            await _messages(pool, service, connection)
        except (RedisError, OSError):
            failures += 1
        finally:
            await connection.disconnect(nowait=True)
        await asyncio.sleep(pause_before(failures))


async def _messages(pool: weakref.ref[Any], service: str, connection: Any) -> None:
    await connection.send_command("SUBSCRIBE", SWITCHED, check_health=False)
    asked = False
    while True:
        message = await connection.reply_within(LISTEN_SECONDS, False, push_request=True)
        if message is NOTHING:
            if asked:
                return
            # A sentinel that is silent may be gone: its reply says that it is not.
            await connection.send_command("PING", check_health=False)
            asked = True
            continue
        if isinstance(message, Exception):
            try:
                raise message
            finally:
                # The error's traceback leads to this frame.
                del message
        asked = False
        told = pool()
        if told is None:
            return
        switch = switch_of(message, service)
        if switch is not None:
            told.switched(*switch)
        elif isinstance(message, list) and message and message[0] == b"subscribe":
            # What was published before is not heard.
            with contextlib.suppress(RedisError, OSError):
                await told.get_master_address()
        del told
