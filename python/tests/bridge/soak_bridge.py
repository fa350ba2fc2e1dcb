"""A soak of the bridge beside Py4J, in one run: what callers saw, what was lost, what ran twice, what stayed behind.

Each side is a process with a JVM of its own and default settings: ours is started by `launch` and reached by `connect` in turn,
over shared memory, unix sockets and TCP, with tokens. Threads, asyncio tasks and the main thread call at a fixed pace (values,
exceptions, large bytes, batches, callbacks within callbacks, thread-locals), while by one schedule the JVM is killed and started
again, stopped for seconds, and the gateway is closed under them and opened anew; tasks are cancelled, the main thread gets SIGINT,
strangers knock, and the process forks. Each call has a name, which Java writes to a file before anything else.

- `lost`: the call returned, and has not run. `doubled`: it ran more than once. `wrong`: it returned another value.
- `errors`: calls that raised what they should not. One for each caller at each kill and close cannot be helped.
- `hung`: a call that has not ended after a minute. `leaked`: objects, descriptors, threads or folders at the end that were not
  there at the beginning.

usage: soak_bridge.py [--seconds S] [--seed N]        in an environment with py4j; PYTHONPATH=python; javac is needed

Exits 1 if samewire has one of these but errors, or more errors than Py4J (beyond a tenth and twenty).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soak_sides import SIDES, Side, forked, holdings

THREADS, TASKS = 4, 6
#: Seconds between two calls of a caller.
PACE = 0.03
#: Seconds after which a call is hung.
HUNG = 60.0
EXAMPLES, MOST_TEXTS = 5, 12
JAVA = Path(__file__).with_name("java") / "tested" / "Soaked.java"
#: What Java gives, from any first byte on.
PATTERN = bytes(index * 7 % 256 for index in range(256)) * 8_192


class WrongError(Exception):
    """A call returned what it should not."""


def check(found: Any, right: Any) -> None:
    if found != right:
        raise WrongError(f"{str(found)[:60]!r} in place of {str(right)[:60]!r}")


def java_hash(text: str) -> int:
    """`text.hashCode()`."""
    found = 0
    for unit in text:
        found = (31 * found + ord(unit)) % 2**32
    return found - 2**32 if found >= 2**31 else found


@dataclass
class Seen:
    """What the callers of a side saw."""

    passed: set[str] = field(default_factory=set)
    #: Cancelled, or interrupted: they may have run.
    doubt: set[str] = field(default_factory=set)
    errors: Counter[str] = field(default_factory=Counter)
    #: Some of the errors, as they are.
    texts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)
    attempted: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)

    def fault(self, kind: str, text: str) -> None:
        with self.guard:
            self.faults.setdefault(kind, []).append(text)

    def failed(self, name: str, error: Exception, kind: str) -> None:
        if isinstance(error, WrongError):
            self.fault("wrong", f"{name}: {error}")
            return
        with self.guard:
            self.errors[kind] += 1
            text = f"{type(error).__name__}: {error}"[:300]
            if "closed" not in kind:
                text = f"{name} {text}"
            if len(self.texts) < MOST_TEXTS or text in self.texts:
                self.texts[text] += 1


class Function:
    """A function of Python's that Java calls."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self.calls = 0
        self._function = function

    def applyAsInt(self, argument: int) -> int:  # noqa: N802
        self.calls += 1
        return self._function(argument)

    class Java:
        """What it implements."""

        implements = ["java.util.function.IntUnaryOperator"]  # noqa: RUF012


class Soak:
    """A side under its callers and faults."""

    def __init__(self, side: Side, seconds: float, seed: int) -> None:
        self.side, self.seconds, self.seed = side, seconds, seed
        self.seen = Seen()
        self.over = threading.Event()
        #: Cleared while no JVM runs: programs wait for it before they go on calling.
        self.ready = threading.Event()
        #: Since when the current call of a caller runs.
        self.since: dict[str, float] = {}
        self.done: Counter[str] = Counter()

    # --- calls --------------------------------------------------------------------------------------------------

    def perform(self, name: str, own: str, chance: random.Random) -> list[str]:
        """Makes one call of some kind, and compares its result. Returns the names of what has run."""
        target, kind = self.side.target, chance.random()
        size = chance.choice([10, 2_000, 2_000, 200_000]) if chance.random() < 0.2 else chance.randrange(500)
        if kind < 0.10:
            data = chance.randbytes(size)
            check(target.take(name, data), zlib.crc32(data))
        elif kind < 0.20:
            first = chance.randrange(256)
            # 183 is the inverse of 7: where the pattern has this first byte.
            start = first * 183 % 256
            check(bytes(target.give(name, size, first)), PATTERN[start : start + size])
        elif kind < 0.27:
            numbers = [chance.randrange(1_000_000) for _ in range(20)]
            check(target.sum(name, numbers), sum(numbers))
        elif kind < 0.35:
            self._fails(name)
        elif kind < 0.45:
            return self._nested(name, chance.randrange(4), chance.randrange(1_000))
        elif kind < 0.53:
            names = [f"{name}.{place}" for place in range(5)]
            check(self.side.calls(names), [java_hash(one) for one in names])
            return names
        elif kind < 0.60:
            before = target.keep(name, own)
            if before is not None or not self.side.keeps_threads:
                check(before, own if self.side.keeps_threads else before)
        elif kind < 0.65:
            check(target.slow(name, chance.randrange(50)), java_hash(name))
        else:
            check(target.run(name), java_hash(name))
        return [name]

    def _fails(self, name: str) -> None:
        try:
            self.side.target.fail(name)
        except Exception as error:
            message = self.side.message(error)
            if message is None:
                raise
            check(message, name)
        else:
            raise WrongError("no exception")

    def _nested(self, name: str, level: int, argument: int) -> list[str]:
        """A call that calls back, which calls again, as deep as the level says."""
        names = [name]

        def within(given: int) -> int:
            check(given, argument)
            if level > 0:
                names.extend(self._nested(f"{name}+", level - 1, argument + 1))
            return given * 2

        function = Function(within)
        check(self.side.target.callback(name, function, argument), argument * 2 + 1)
        check(function.calls, 1)
        return names

    def turns(self, caller: str) -> Iterator[str]:
        """The names of a caller's calls, at its pace. After an outage it makes up for what it has not called."""
        began, turn = time.monotonic(), 0
        while not self.over.is_set():
            turn += 1
            pause = began + turn * PACE - time.monotonic()
            yield f"{caller}:{turn}" if pause <= 0 else f"{caller}:{turn}@{pause}"

    def caller(self, caller: str) -> None:
        """A thread that calls. In the main thread an interrupt may come at any place: what it hits is in doubt."""
        chance = random.Random(f"{self.seed} {caller}")
        for turn in self.turns(caller):
            name, _, pause = turn.partition("@")
            try:
                time.sleep(float(pause or 0))
                while not self.ready.wait(1) and not self.over.is_set():
                    pass
                self.since[caller] = time.monotonic()
                self.seen.attempted += 1
                passed = self.perform(name, caller, chance)
                self.seen.passed.update(passed)
            except KeyboardInterrupt:
                self.seen.doubt.add(name)
            except Exception as error:
                self.seen.failed(name, error, self.side.kind(error))
            finally:
                self.since.pop(caller, None)

    async def task(self, caller: str) -> None:
        """A task that calls; about each tenth call is cancelled soon after it began."""
        chance = random.Random(f"{self.seed} {caller}")
        loop = asyncio.get_running_loop()
        for turn in self.turns(caller):
            name, _, pause = turn.partition("@")
            await asyncio.sleep(float(pause or 0))
            while not self.ready.is_set() and not self.over.is_set():
                await asyncio.sleep(0.01)
            self.since[caller] = time.monotonic()
            self.seen.attempted += 1
            kind, argument = chance.random(), chance.randrange(1_000)
            if kind < 0.3:
                call = self.side.awaited("slow", name, chance.randrange(100))
            elif kind < 0.5:
                call = self.side.awaited("callback", name, Function(lambda given: given * 2), argument)
            else:
                call = self.side.awaited("run", name)
            right = argument * 2 + 1 if 0.3 <= kind < 0.5 else java_hash(name)
            made = asyncio.ensure_future(call)
            if chance.random() < 0.1:
                loop.call_later(chance.random() * 0.05, made.cancel)
            try:
                check(await made, right)
                self.seen.passed.add(name)
            except asyncio.CancelledError:
                self.seen.doubt.add(name)
            except Exception as error:
                self.seen.failed(name, error, self.side.kind(error))
            self.since.pop(caller, None)

    async def tasks(self) -> None:
        await asyncio.gather(*(self.task(f"a{number}") for number in range(TASKS)))

    # --- faults -------------------------------------------------------------------------------------------------

    def faults(self) -> None:
        """Breaks the side by its schedule, and leaves it well."""
        chance = random.Random(self.seed)
        began = time.monotonic()
        at = 0.0
        while (at := at + chance.uniform(0.5, 5.0)) < self.seconds:
            fault = chance.choice(["kill", "kill", "close", "close", "stop", "stop", "strangers", "fork"])
            extent = chance.random()
            time.sleep(max(0.0, began + at - time.monotonic()))
            try:
                getattr(self, f"_{fault}")(extent)
                self.done[fault] += 1
            except Exception as error:
                self.seen.fault("broken", f"{fault}: {''.join(traceback.format_exception(error))}")
                break
        self.over.set()

    def _kill(self, extent: float) -> None:
        self.ready.clear()
        os.kill(self.side.pid, signal.SIGKILL)
        time.sleep(extent / 2)
        self.side.killed()
        self.side.start()
        self.ready.set()

    def _close(self, _: float) -> None:
        self.ready.clear()
        self.side.reopen()
        self.ready.set()

    def _stop(self, extent: float) -> None:
        pid = self.side.pid
        os.kill(pid, signal.SIGSTOP)
        time.sleep(1 + 2 * extent)
        os.kill(pid, signal.SIGCONT)

    def _strangers(self, _: float) -> None:
        if not self.side.strangers():
            self.seen.fault("stranger", f"a wrong token was not refused as such ({self.side.mode})")

    def _fork(self, _: float) -> None:
        if not forked(self.side):
            self.seen.fault("fork", f"a child's call did not raise misuse in time ({self.side.mode})")

    def interrupts(self) -> None:
        """Interrupts the main thread now and then."""
        chance = random.Random(f"{self.seed} interrupts")
        while not self.over.wait(chance.uniform(0.3, 1.5)):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            self.done["interrupts"] += 1

    def watch(self) -> None:
        """Prints the progress, and records calls that hang."""
        began, told = time.monotonic(), set[str]()
        while not self.over.wait(5):
            now = time.monotonic()
            for caller, since in list(self.since.items()):
                if now - since > HUNG and caller not in told:
                    told.add(caller)
                    self.seen.fault("hung", f"{caller} ({self.side.mode})")
            text = f"{now - began:.0f} s: {self.seen.attempted} calls, {self.seen.errors.total()} errors, {dict(self.done)}"
            print(f"{self.side.name} {text}, {self.side.mode} {' '.join(self.seen.faults)}", file=sys.stderr, flush=True)

    # --- the whole ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        before = holdings()
        self.side.start()
        base = self.side.left()
        self.ready.set()
        threads = [threading.Thread(target=self.caller, args=(f"t{number}",), daemon=True) for number in range(THREADS)]
        threads.append(threading.Thread(target=lambda: asyncio.run(self.tasks()), daemon=True))
        threads += [threading.Thread(target=one, daemon=True) for one in (self.faults, self.interrupts, self.watch)]
        for thread in threads:
            thread.start()
        try:
            self.caller("main")
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:
            # The last one, between two of the above.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        for thread in threads:
            thread.join(HUNG)
            if thread.is_alive():
                stack = traceback.format_stack(sys._current_frames()[thread.ident or 0])
                self.seen.fault("hung", f"{thread.name} at the end ({self.side.mode}): {''.join(stack[-6:])}")
        if "hung" in self.seen.faults or "broken" in self.seen.faults:
            return
        try:
            left = self.side.left()
        except Exception as error:
            self.seen.fault("broken", f"at the end ({self.side.mode}): {error!r}")
            return
        for what, count in left.items():
            if count > base.get(what, 0):
                self.seen.fault("leaked", f"{count} objects {what}, and {base.get(what, 0)} at the beginning")
        self.side.close()
        deadline = time.monotonic() + 30
        while (after := holdings()) != before and time.monotonic() < deadline:
            time.sleep(0.05)
        for what, count in after.items():
            if count > before[what]:
                self.seen.fault("leaked", f"{count} {what}, and {before[what]} at the beginning")

    def account(self, ledger: Path) -> dict[str, Any]:
        """What became of the calls."""
        ran = Counter(ledger.read_text("latin-1").split("\n"))
        for name in self.seen.passed:
            if not ran[name]:
                self.seen.fault("lost", name)
        for name, times in ran.items():
            if times > 1 and name:
                self.seen.fault("doubled", f"{name}: {times} times")
        seen = self.seen
        return {
            "calls": seen.attempted,
            "returned": len(seen.passed),
            "in doubt": len(seen.doubt),
            "errors": dict(seen.errors),
            "texts": dict(seen.texts),
            "faults": {kind: [len(texts), texts[:EXAMPLES]] for kind, texts in seen.faults.items()},
            "done": dict(self.done),
        }


def one_side(name: str, classes: Path, seconds: float, seed: int) -> int:
    """The process of a side: prints the account as a line of JSON."""
    # Where a shell has started this in the background, interrupts are ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ledger = classes / f"{name}.txt"
    ledger.touch()
    soak = Soak(SIDES[name](classes, ledger), seconds, seed)
    soak.run()
    account = soak.account(ledger)
    print(json.dumps(account), flush=True)
    if {"hung", "broken"} & account["faults"].keys():
        os.kill(os.getpid(), signal.SIGKILL)
    return 0


FAULTS = ("lost", "doubled", "wrong", "hung", "leaked", "stranger", "fork", "broken")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--side", choices=sorted(SIDES), help="one of them, with the CLASSES of Java: for this program itself")
    parser.add_argument("--classes", type=Path)
    options = parser.parse_args()
    if options.side:
        return one_side(options.side, options.classes, options.seconds, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["javac", "-d", folder, str(JAVA)], check=True, timeout=120)
        given = ["--seconds", str(options.seconds), "--seed", str(options.seed), "--classes", folder]
        processes = {
            name: subprocess.Popen([sys.executable, __file__, "--side", name, *given], stdout=subprocess.PIPE, text=True)
            for name in SIDES
        }
        found = {}
        for name, process in processes.items():
            try:
                # A side that hangs says so a minute after its time, and needs as long to end as its threads have.
                output, _ = process.communicate(timeout=options.seconds + 20 * HUNG)
                found[name] = json.loads(output.splitlines()[-1])
            except (subprocess.TimeoutExpired, IndexError, ValueError) as error:
                process.kill()
                found[name] = {"calls": 0, "returned": 0, "in doubt": 0, "errors": {}, "done": {}}
                found[name]["faults"] = {"broken": [1, [f"no account: {error!r}, exit code {process.wait()}"]]}
    return 0 if judged(found, options.seconds, options.seed) else 1


def judged(found: dict[str, Any], seconds: float, seed: int) -> bool:
    """Prints the accounts, and returns whether ours is as it should be."""
    print(f"{seconds:g} s, seed {seed}, {THREADS} threads, {TASKS} tasks and the main thread")
    print(f"| | calls | returned | in doubt | errors | {' | '.join(FAULTS)} |")
    print(f"|---|{'--:|' * (4 + len(FAULTS))}")
    for name, one in found.items():
        counts = [str(one["faults"].get(kind, [0])[0]) for kind in FAULTS]
        print(
            f"| {name} | {one['calls']} | {one['returned']} | {one['in doubt']} | {sum(one['errors'].values())} | {' | '.join(counts)} |"
        )
    for name, one in found.items():
        print(f"{name}: {one['done']}; errors: {one['errors']}")
        for text, count in one.get("texts", {}).items():
            print(f"  {count} {text}")
        for kind, (count, texts) in one["faults"].items():
            print(f"  {kind} ({count}): " + "\n    ".join(texts))
    ours, theirs = (sum(found[name]["errors"].values()) for name in ("samewire", "py4j"))
    compared = "broken" not in found["py4j"]["faults"]
    fewer = not compared or ours <= theirs * 1.1 + 20
    if not compared:
        print("Py4J's side hung or ended: its errors cannot be compared")
    if not fewer:
        print(f"samewire has more errors than Py4J: {ours} against {theirs}")
    return fewer and not found["samewire"]["faults"]


if __name__ == "__main__":
    sys.exit(main())
