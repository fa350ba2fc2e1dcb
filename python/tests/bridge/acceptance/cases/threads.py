"""Threads of both languages."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from adaptor import Bridge, case, own, raises, throws

CALLABLE = "java.util.concurrent.Callable"


class Task:
    """A Callable of a function."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function

    def call(self) -> Any:
        """Called by Java."""
        return self.function()


def task(bridge: Bridge, function: Callable[[], Any]) -> Any:
    """A function as a Callable."""
    return bridge.implement(Task(function), CALLABLE)


@case("threads: eight threads of Python call at once, and each gets its own results")
def many_callers(bridge: Bridge) -> None:
    add = own(bridge, "Members").add

    def adding(thread: int) -> list[int]:
        return [add(thread * 1000, number) for number in range(100)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(adding, range(8))) == [[thread * 1000 + number for number in range(100)] for thread in range(8)]


@case("threads: a counter of Java that is synchronized loses nothing")
def synchronized(bridge: Bridge) -> None:
    threads = own(bridge, "Threads")
    before = threads.increment()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: threads.increment(), range(200)))
    assert threads.increment() == before + 201


@case("threads: a call that waits in Java holds up no other thread")
def waiting(bridge: Bridge) -> None:
    latch = bridge.java.util.concurrent.CountDownLatch(1)
    with ThreadPoolExecutor(1) as pool:
        blocked = pool.submit(own(bridge, "Threads").awaited, latch, 10)
        time.sleep(0.05)
        assert not blocked.done()
        latch.countDown()
        assert blocked.result(5) is True


@case("threads: objects made in one thread are used in another")
def shared_objects(bridge: Bridge) -> None:
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(lambda: own(bridge, "Members")(3)).result(5)
    assert made.next().seen() == 4


@case("threads: a thread of Java calls back")
def from_java_thread(bridge: Bridge) -> None:
    assert own(bridge, "Threads").elsewhere(task(bridge, lambda: "from Python")) == "from Python"


@case("threads: a callback runs in the thread of Python that called Java")
def same_python_thread(bridge: Bridge) -> None:
    class Step:
        """Tells its thread."""

        def run(self, argument: Any) -> Any:
            """Called by Java."""
            return threading.get_ident()

    step = bridge.implement(Step(), "acceptance.Failures$Step")
    assert own(bridge, "Failures").plain(step, None) == threading.get_ident()


@case("threads: what a callback calls runs in the thread of Java that called it")
def same_java_thread(bridge: Bridge) -> None:
    threads = own(bridge, "Threads")
    assert threads.reenters(task(bridge, threads.thread)) is True


@case("threads: several threads of Java call back at once")
def from_java_threads(bridge: Bridge) -> None:
    arrived = threading.Barrier(4)
    # Each waits until all four are there: one after the other they would time out.
    results = own(bridge, "Threads").several(task(bridge, lambda: "met" if arrived.wait(5) >= 0 else ""), 4)
    assert list(results) == ["met"] * 4


@case("threads: a callback from a thread of Java calls Java in turn")
def nested_from_java_thread(bridge: Bridge) -> None:
    add = own(bridge, "Members").add
    assert own(bridge, "Threads").elsewhere(task(bridge, lambda: add(1, 2))) == 3


@case("threads: callbacks from threads of Java do not mix with calls of Python's")
def mixed(bridge: Bridge) -> None:
    threads, add = own(bridge, "Threads"), own(bridge, "Members").add
    future = threads.later(task(bridge, lambda: sum(add(number, 1) for number in range(50))))
    assert [add(number, 0) for number in range(100)] == list(range(100))
    assert threads.within(future, 5) == sum(range(1, 51))


@case("threads: an ExecutorService runs a Callable of Python")
def executor(bridge: Bridge) -> None:
    pool = bridge.java.util.concurrent.Executors.newSingleThreadExecutor()
    try:
        assert pool.submit(task(bridge, lambda: 42)).get() == 42
    finally:
        pool.shutdown()


@case("threads: what a callback raises in a thread of Java is the cause of an ExecutionException")
def raising(bridge: Bridge) -> None:
    def fail() -> None:
        raise ValueError("in a thread")

    future = own(bridge, "Threads").later(task(bridge, fail))
    with throws(bridge, "java.util.concurrent.ExecutionException") as thrown:
        own(bridge, "Threads").within(future, 5)
    assert "in a thread" in str(thrown[0].getCause())


@case("threads: a future that is not done in time throws TimeoutException")
def timeout(bridge: Bridge) -> None:
    with throws(bridge, "java.util.concurrent.TimeoutException"):
        own(bridge, "Threads").within(bridge.java.util.concurrent.CompletableFuture(), 0)


@case("threads: calls of one thread of Python share a ThreadLocal of Java")
def thread_local(bridge: Bridge) -> None:
    threads = own(bridge, "Threads")
    threads.setLocal("main")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(threads.getLocal).result(5) is None
        pool.submit(threads.setLocal, "other").result(5)
        assert pool.submit(threads.getLocal).result(5) == "other"
    assert threads.getLocal() == "main"


@case("threads: a hundred short threads leave the gateway as it was")
def short_threads(bridge: Bridge) -> None:
    add, results = own(bridge, "Members").add, []
    for number in range(100):
        thread = threading.Thread(target=lambda number=number: results.append(add(number, 1)))
        thread.start()
        thread.join(5)
    assert results == list(range(1, 101))


@case("async: a call runs beside the event loop in a thread")
def event_loop(bridge: Bridge) -> None:
    latch = bridge.java.util.concurrent.CountDownLatch(1)

    async def main() -> bool:
        blocked = asyncio.create_task(asyncio.to_thread(own(bridge, "Threads").awaited, latch, 10))
        await asyncio.sleep(0.02)
        latch.countDown()
        return bool(await asyncio.wait_for(blocked, 5))

    assert asyncio.run(main()) is True


@case("async: many calls are gathered")
def gathered(bridge: Bridge) -> None:
    add = own(bridge, "Members").add

    async def main() -> list[int]:
        return list(await asyncio.gather(*(asyncio.to_thread(add, number, number) for number in range(50))))

    assert asyncio.run(main()) == [2 * number for number in range(50)]


@case("async: a CompletableFuture is continued by a function of Python")
def then_apply(bridge: Bridge) -> None:
    future = bridge.java.util.concurrent.CompletableFuture.completedFuture(20)
    assert future.thenApply(lambda number: number + 1).get() == 21


@case("async: a CompletableFuture is completed by Python while Java waits")
def completed_by_python(bridge: Bridge) -> None:
    future = bridge.java.util.concurrent.CompletableFuture()
    with ThreadPoolExecutor(1) as pool:
        waiter = pool.submit(own(bridge, "Threads").within, future, 5)
        future.complete("done")
        assert waiter.result(5) == "done"


@case("async: a CompletableFuture that failed throws what it failed with")
def failed_future(bridge: Bridge) -> None:
    future = bridge.java.util.concurrent.CompletableFuture()
    future.completeExceptionally(bridge.java.lang.IllegalStateException("failed"))
    with throws(bridge, "java.util.concurrent.ExecutionException") as thrown:
        future.get()
    assert thrown[0].getCause().getMessage() == "failed"


@case("threads: a thread that ends while Java waits for it is seen by Java")
def join(bridge: Bridge) -> None:
    thread = bridge.java.lang.Thread(bridge.implement(Runner(), "java.lang.Runnable"))
    thread.start()
    thread.join(5000)
    assert not thread.isAlive()
    with raises(bridge.error):
        thread.start()


class Runner:
    """A Runnable that does nothing."""

    def run(self) -> None:
        """Called by Java."""
