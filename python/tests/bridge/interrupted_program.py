"""A program whose calls of Java are interrupted at random times; it ends with a word on what was left behind.

usage: interrupted_program.py in-process|shared-memory|unix|tcp ROUNDS SEED
"""

from __future__ import annotations

import gc
import random
import signal
import sys
import threading
import time
from typing import Any

from samewire import bridge

#: Seconds after which an interrupt is lost: all calls here are short.
LOST = 10.0


class Presses:
    """Sends SIGINT to the main thread a random while after it was asked to."""

    def __init__(self, rounds: int, seed: int) -> None:
        self._source = random.Random(seed)
        self._wanted = threading.Event()
        self._main = threading.main_thread().ident or 0
        self.sent = 0.0
        self._thread = threading.Thread(target=self._run, args=(rounds,), daemon=True)
        self._thread.start()

    def _run(self, rounds: int) -> None:
        for _ in range(rounds):
            self._wanted.wait()
            self._wanted.clear()
            time.sleep(self._source.random() / 700)
            self.sent = time.monotonic()
            signal.pthread_kill(self._main, signal.SIGINT)

    def one(self) -> None:
        self.sent = 0.0
        self._wanted.set()

    def lost(self) -> bool:
        """Whether the one that was asked for was sent long ago."""
        return 0 < self.sent < time.monotonic() - LOST


class Witness:
    """Another thread that calls, and is called back, all the time: no interrupt is for it."""

    def __init__(self, gateway: bridge.Gateway) -> None:
        self._jvm = gateway.jvm
        self._over = threading.Event()
        self.calls = 0
        self.errors: list[BaseException] = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            letters = self._jvm.java.util.ArrayList(["b", "a"])
            while not self._over.wait(0.001):
                letters.sort(self._compare)
                # Throws if the thread of Java's has been interrupted, and not if it has not.
                self._jvm.java.lang.Thread.sleep(0)
                self.calls += 1
        except BaseException as error:
            self.errors.append(error)

    def _compare(self, one: str, other: str) -> int:
        return int(self._jvm.java.lang.Integer.compare(ord(one), ord(other)))

    def end(self) -> None:
        self._over.set()
        self._thread.join()


class Work:
    """Calls of all kinds within one another."""

    def __init__(self, gateway: bridge.Gateway) -> None:
        self._gateway = gateway
        self._jvm = gateway.jvm
        util = self._jvm.java.util
        self.numbers, self._letters = util.ArrayList(), util.ArrayList(["bb", "a", "ccc"] * 3)
        self._queue = util.concurrent.SynchronousQueue()
        self._millis = util.concurrent.TimeUnit.MILLISECONDS
        #: Calls of `add` that have begun, and those that have returned.
        self.begun = self.added = 0

    def add(self) -> None:
        self.begun += 1
        self.numbers.add(self.begun)
        self.added += 1

    def add_batch(self) -> None:
        count = 5
        self.begun += count
        with self._gateway.batch():
            futures = [self.numbers.add(number) for number in range(count)]
        for future in futures:
            future.result()
        self.added += count

    def compare(self, one: str, other: str) -> int:
        return int(self._jvm.java.lang.Integer.compare(len(one), len(other)))

    def nested(self, level: int) -> Any:
        """Calls within callbacks within calls, one of them a batch with a callback of its own."""
        if level == 0:
            return self.batched()
        return self._jvm.java.util.HashMap().computeIfAbsent("k", lambda key: self.nested(level - 1))

    def batched(self) -> Any:
        with self._gateway.batch():
            made = self._jvm.java.util.HashMap()
            called = made.computeIfAbsent("k", lambda key: self._jvm.java.lang.Math.abs(-7))
            size = made.size()
        return called.result() + size.result()

    def all(self) -> None:
        self.add()
        self.add_batch()
        self._jvm.java.util.HashMap({"a": [1, "x"]}).get("a")
        self._letters.sort(self.compare)
        assert self.nested(3) == 8
        self._queue.offer(1, 1, self._millis)
        try:
            self._jvm.java.util.HashMap(-1)
        except self._jvm.java.lang.IllegalArgumentException:
            pass
        else:
            raise AssertionError("no exception")

    def settled(self) -> None:
        """The calls that were interrupted have run, or have not; no interrupt is left for a later one."""
        assert self.added <= len(self.numbers) <= self.begun, (self.added, len(self.numbers), self.begun)
        self.begun = self.added = len(self.numbers)
        assert not self._jvm.java.lang.Thread.interrupted()

    def finish(self) -> None:
        self._letters.sort(self.compare)
        assert list(self._letters) == ["a"] * 3 + ["bb"] * 3 + ["ccc"] * 3
        assert self.nested(3) == 8


def settles(gateway: bridge.Gateway) -> bool:
    """Whether no more is left than this program has: an exception that Java has not collected keeps what its frames had."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        gateway.jvm.java.lang.System.gc()
        gc.collect()
        gateway.jvm.java.lang.Math.abs(-1)
        counts = gateway.statistics()
        # The threads' own channels, and idle ones of calls within callbacks.
        if counts["java"]["exported"] < 20 and counts["exported"] < 20 and counts["open_channels"] < 20:
            return True
        time.sleep(0.05)
    return False


def main(transport: str, rounds: int, seed: int) -> None:
    gateway = bridge.embed() if transport == "in-process" else bridge.launch(transport=transport)
    assert gateway.session.transport == transport
    work, witness = Work(gateway), Witness(gateway)
    work.all()
    presses = Presses(rounds, seed)
    for number in range(rounds):
        presses.one()
        try:
            while not presses.lost():
                work.all()
            print(f"interrupt {number} was lost")
            break
        except KeyboardInterrupt:
            pass
        work.settled()
    work.finish()
    witness.end()
    settled = settles(gateway)
    print(settled or gateway.statistics(), witness.errors, witness.calls > 0)
    gateway.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
