"""Replies of commands that the pinned server lacks: as Redis documents them, converted as redis-py converts them.

Redis 8.8 has ARINFO, 8.6 HOTKEYS GET; STRALGO was removed in 7.0.
"""

from __future__ import annotations

from typing import Any

import pytest
import redis
from samewire.redis.commands.replies import response_callbacks
from samewire.redis.commands.replies.texts import pairs
from test_command_returns import fits, promised

SHAPES = [(protocol, legacy) for protocol in (None, 2, 3) for legacy in (True, False)]

#: redis.io/docs/latest/commands/arinfo: behind ARMSET myarray 0 a 1 b 100 c and ARINSERT myarray d.
ARRAY = [
    *(b"count", 3, b"len", 101, b"next-insert-index", 1, b"slices", 1, b"directory-size", 1),
    *(b"super-dir-entries", 0, b"slice-size", 4096),
]

#: redis.io/docs/latest/commands/hotkeys-get. A server wraps it in an array: a proxy has one for each of its servers.
HOT = [
    *(b"tracking-active", 1, b"sample-ratio", 1, b"selected-slots", [], b"all-commands-all-slots-us", 220),
    *(b"net-bytes-all-commands-all-slots", 200, b"collection-start-time-unix-ms", 1769420604522),
    *(b"collection-duration-ms", 6408, b"total-cpu-time-user-ms", 3, b"total-cpu-time-sys-ms", 11),
    *(b"by-cpu-time-us", [b"x", 104, b"y", 98, b"z", 18]),
]

#: Documented with LCS, which has STRALGO's replies: ohmytext and mynewtext.
MATCHES = [b"matches", [[[4, 7], [5, 8], 4], [[2, 3], [0, 1], 2]], b"len", 6]


def theirs(protocol: int | None, legacy: bool, name: str, reply: Any) -> Any:
    client = redis.Redis(protocol=protocol, legacy_responses=legacy)
    conversion = client.response_callbacks.get(name)  # type: ignore[no-untyped-call]
    return conversion(reply) if conversion else reply


@pytest.mark.parametrize(("protocol", "legacy"), SHAPES)
@pytest.mark.parametrize(
    ("name", "call", "wire"), [("ARINFO", "arinfo", (ARRAY, pairs(ARRAY))), ("HOTKEYS GET", "hotkeys_get", ([HOT], [pairs(HOT)]))]
)
def test_is_what_redis_py_returns(protocol: int | None, legacy: bool, name: str, call: str, wire: tuple[Any, Any]) -> None:
    conversion: Any = response_callbacks(protocol, legacy)[name]
    flat, nested = wire
    expected = theirs(protocol, legacy, name, flat if protocol == 2 else nested)
    # redis-py converts what the protocol sends that was asked for; here either protocol gives the same.
    assert conversion(flat) == conversion(nested) == expected
    assert fits(conversion(flat), promised(call, ["key"] if call == "arinfo" else [], {}, bytes))


def test_nothing_was_counted() -> None:
    conversion: Any = response_callbacks()["HOTKEYS GET"]
    assert conversion(None) is None


@pytest.mark.parametrize(
    ("reply", "options"),
    [(b"mytext", {}), (6, {"len": True}), (MATCHES, {"idx": True}), (pairs(MATCHES), {"idx": True, "withmatchlen": True})],
)
def test_stralgo_stays_as_it_was_sent(reply: Any, options: dict[str, Any]) -> None:
    for protocol, legacy in SHAPES:
        assert "STRALGO" not in response_callbacks(protocol, legacy)
    assert theirs(None, True, "STRALGO", reply) == reply
    assert fits(reply, promised("stralgo", ["LCS", "ohmytext", "mynewtext"], options, bytes))
