"""The workloads that are one statement, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bench.peers.bridge import values
from bench.peers.bridge.peer import ARGUMENTS, DOUBLES, FROM, ITEMS, TEXTS, TO, Bridge

CALLED_BACK = 200
BATCHED = 1_000
COUNT = len(values.INTS)


class Statement(NamedTuple):
    """text: what is timed, as Python compiles it. calls: the names in it that a bridge gives. given: the others. each: how many
    operations it is. check: an expression of the same names, the statement itself if there is none, and what it has to be.
    """

    text: str
    calls: tuple[str, ...]
    given: dict[str, Any]
    expected: Any
    each: int = 1
    check: str = ""


def of(workload: str, bridge: Bridge) -> Statement:
    """The statement of a workload."""
    family, _, size = workload.partition("-")
    if workload in ARGUMENTS:
        return _arguments(int(size))
    if workload in TO:
        some = values.data(values.SIZES[size])
        return Statement("take(data)", ("take",), {"data": some}, values.acknowledged(some[0], 1, len(some)))
    if workload in FROM:
        count = values.SIZES[size]
        return Statement(
            "give(count)", ("give",), {"count": count}, (count, 1), check="(lambda data: (len(data), data[-1]))(give(count))"
        )
    if workload in TEXTS:
        some_text = values.text(values.SIZES[size])
        return Statement(
            "takeText(text)", ("takeText",), {"text": some_text}, values.acknowledged(ord("a"), ord("z"), len(some_text))
        )
    if family == "batch":
        name, arguments = f"args{size}", values.ARGUMENTS[: int(size)]
        given = {"name": name, "arguments": arguments, "count": BATCHED}
        return Statement("batch(name, arguments, count)", ("batch",), given, values.returned(int(size)), BATCHED)
    return OTHERS[workload](bridge)


def _arguments(count: int) -> Statement:
    names = values.NAMES[:count]
    given = dict(zip(names, values.ARGUMENTS, strict=False))
    return Statement(f"args{count}({', '.join(names)})", (f"args{count}",), given, values.returned(count))


def _method(bridge: Bridge) -> Statement:
    return Statement("get()", (), {"get": bridge.make(7).get}, 7)


def _field(bridge: Bridge) -> Statement:
    return Statement("target.value", (), {"target": bridge.make(7)}, 7)


def _new(_: Bridge) -> Statement:
    return Statement("make(7)", ("make",), {}, 7, check="make(7).get()")


def _exception(bridge: Bridge) -> Statement:
    failed: Any = bridge.failed

    def caught(fail: Callable[[], object]) -> bool:
        try:
            fail()
        except failed as failure:
            return "failed as asked" in str(failure)
        return False

    text = "try:\n    fail()\nexcept failed:\n    pass"
    return Statement(text, ("fail",), {"failed": failed, "caught": caught}, True, check="caught(fail)")


def _callback(bridge: Bridge) -> Statement:
    return Statement("callback(function, 20)", ("callback",), {"function": bridge.function(lambda value: value + 1)}, 21)


def _callbacks(bridge: Bridge) -> Statement:
    given = {"function": bridge.function(lambda value: value + 1), "count": CALLED_BACK}
    return Statement("callbacks(function, count)", ("callbacks",), given, sum(range(1, CALLED_BACK + 1)), CALLED_BACK)


def _ints(name: str) -> Callable[[Bridge], Statement]:
    return lambda _: Statement(f"{name}(ints)", (name,), {"ints": values.INTS}, sum(values.INTS))


def _given_ints(name: str) -> Callable[[Bridge], Statement]:
    return lambda _: Statement(f"{name}(count)", (name,), {"count": COUNT}, values.INTS)


def _doubles(_: Bridge) -> Statement:
    array = values.doubles()
    expected = len(array) + array[0] + array[len(array) // 2] + array[-1]
    return Statement("takeDoubles(array)", ("takeDoubles",), {"array": array}, expected)


def _items(bridge: Bridge) -> Statement:
    some = values.items(bridge.records)
    return Statement("takeItems(items)", ("takeItems",), {"items": some}, values.total(some), len(some))


OTHERS = {
    "method": _method,
    "field": _field,
    "new": _new,
    "exception": _exception,
    "callback": _callback,
    "callbacks-200": _callbacks,
    "ints-to-array": _ints("takeInts"),
    "array-to-ints": _given_ints("giveInts"),
    "ints-to-list": _ints("takeList"),
    "list-to-ints": _given_ints("giveList"),
    DOUBLES: _doubles,
    ITEMS: _items,
}
