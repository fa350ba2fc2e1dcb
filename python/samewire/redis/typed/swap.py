"""Optimistic update of one value: a script replaces it only if it still is the bytes that were read.

WATCH needs a connection of its own. A script runs on a connection that many callers share, and on a cluster; an attempt takes one
round trip, because a failed one returns what another writer has put there.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isawaitable
from typing import Any, Generic, TypeVar

from samewire.errors import SamewireError

from ..exceptions import WatchError
from .deletion import DELETE, Deletion
from .steps import AsyncClient, Client, Command, Steps, run, run_async
from .values import Values

T = TypeVar("T")

#: How often an update is tried. Each failure means that another writer has succeeded.
ATTEMPTS = 1000

#: Replaces a key's value: what it must be ("" for none), what it becomes ("" to delete it), and its time to live in
#: milliseconds ("" to keep the one it has). Returns 1, or what the key holds instead.
STRING = """
local held = redis.call('GET', KEYS[1]) or ''
if held ~= ARGV[1] then return held end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
elseif ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1
"""

#: The same for a hash's field; the last argument is the field.
FIELD = """
local held = redis.call('HGET', KEYS[1], ARGV[3]) or ''
if held ~= ARGV[1] then return held end
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[3]) else redis.call('HSET', KEYS[1], ARGV[3], ARGV[2]) end
return 1
"""


class Swap(Generic[T]):
    """One update. `read`, then `replace` until it returns True; `old` is what the new value is to be made of."""

    def __init__(self, values: Values[T], where: str, get: Command, script: str, key: str | bytes, last: object) -> None:
        """get: reads what is there. last: the script's third argument."""
        self.old: T | None = None
        self._values = values
        self._where = where
        self._get = get
        self._script = script
        self._key = key
        self._last = last
        self._held = b""
        self._attempts = 0

    def read(self) -> Steps[None]:
        """Reads `old`."""
        yield from self._hold((yield self._get))

    def _hold(self, held: bytes | None) -> Steps[None]:
        self._held = held or b""
        self.old = None if held is None else (yield from self._values.decode(self._where, held))

    def replace(self, new: T | Deletion) -> Steps[bool]:
        """Returns whether the new value is stored; DELETE deletes. If not, `old` is what another writer has stored meanwhile.

        Raises WatchError once ATTEMPTS are overtaken, SamewireError `misuse` for None.
        """
        if new is None:
            raise SamewireError(
                "misuse",
                text=f"{self._where}: the function of update() returned None, so nothing was stored: return the new value, or"
                " samewire.redis.DELETE to delete it",
            )
        if new is not DELETE:
            yield from self._values.ready()
        data = b"" if new is DELETE else self._values.encode(new)
        found = yield ("EVAL", self._script, 1, self._key, self._held, data, self._last)
        if found == 1:
            return True
        self._attempts += 1
        if self._attempts == ATTEMPTS:
            raise WatchError(f"{self._where}: {ATTEMPTS} updates in a row were overtaken by other writers")
        yield from self._hold(found or None)
        return False


def update(client: Client, swap: Swap[T], change: Callable[[T | None], T | Deletion]) -> T | None:
    """Returns the new value, None if it was deleted."""
    run(client, swap.read())
    while True:
        new = change(swap.old)
        if run(client, swap.replace(new)):
            return None if new is DELETE else new


async def update_async(client: AsyncClient, swap: Swap[T], change: Callable[[T | None], Any]) -> T | None:
    """Returns the new value, None if it was deleted. change: a function or a coroutine function."""
    await run_async(client, swap.read())
    while True:
        new = change(swap.old)
        if isawaitable(new):
            new = await new
        if await run_async(client, swap.replace(new)):
            result: T | None = None if new is DELETE else new
            return result
