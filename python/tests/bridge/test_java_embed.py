"""A JVM within the process. Each test has a process of its own, since there is one JVM for each and never a second."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
import zipfile
from pathlib import Path

#: What each program begins with.
PRELUDE = """
import contextlib, os, signal, threading, time
from samewire import bridge
gateway = bridge.embed()
jvm = gateway.jvm
"""


#: Its handler stands before the JVM does. Most interrupts come when the short call that they are for has returned: the next call
#: is made later still, so that it would meet one that had stayed with the channel.
QUIET_HANDLER = """
import signal, threading, time
came = 0

def note(number, frame):
    global came
    came += 1

signal.signal(signal.SIGINT, note)
from samewire import bridge
jvm = bridge.embed().jvm
short, thread = jvm.java.lang.Math.max, jvm.java.lang.Thread
main, wanted = threading.main_thread().ident, threading.Event()
rounds = 50

def press():
    for _ in range(rounds):
        wanted.wait()
        wanted.clear()
        signal.pthread_kill(main, signal.SIGINT)

pressing = threading.Thread(target=press)
pressing.start()
met = 0
for done in range(1, rounds + 1):
    wanted.set()
    while came < done:
        short(1, 2)
    time.sleep(0.01)
    met += thread.interrupted()
pressing.join()
print(met)
"""


def run(program: str) -> str:
    """Runs a program after the prelude; its output. It must end by itself, without a word on stderr."""
    source = PRELUDE + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_a_signal_that_comes_while_a_call_is_written_interrupts_it() -> None:
    output = run(
        """
        import subprocess, sys
        queue = jvm.java.util.concurrent.SynchronousQueue()
        large = [[None] * 1_000_000 for _ in range(4)]
        beat = "import os, sys, time; os.read(0, 1); time.sleep(float(sys.argv[2])); os.kill(int(sys.argv[1]), 2)"
        began = time.monotonic()
        jvm.java.util.Objects.isNull(large)
        written = time.monotonic() - began
        interrupted = 0
        for attempt in range(4):
            # Before, in the midst of it, or while the JVM waits: it never comes to nothing.
            delay = str(written * attempt / 6)
            beating = subprocess.Popen([sys.executable, "-c", beat, str(os.getpid()), delay], stdin=subprocess.PIPE)
            time.sleep(0.3)
            began = time.monotonic()
            try:
                os.write(beating.stdin.fileno(), b"!")
                queue.offer(large, 60, jvm.java.util.concurrent.TimeUnit.SECONDS)
            except KeyboardInterrupt:
                # Raised when the call has come back: by itself, if it was not interrupted.
                interrupted += time.monotonic() - began < 60
            with contextlib.suppress(KeyboardInterrupt):
                beating.wait()
        print(interrupted)
        """
    )
    assert output == "4\n"


def test_calls_callbacks_exceptions_and_large_values_cross_both_ways() -> None:
    output = run(
        """
        assert gateway.session.transport == "in-process"
        numbers = jvm.java.util.ArrayList([3, 1, 2])
        jvm.java.util.Collections.sort(numbers, lambda a, b: b - a)
        assert numbers.to_py() == [3, 2, 1]

        def deep(level):
            return jvm.java.util.HashMap().computeIfAbsent("k", lambda key: deep(level - 1)) + 1 if level else 0

        assert deep(1) == 1 and deep(25) == 25
        try:
            jvm.java.lang.Integer.parseInt("x")
        except jvm.java.lang.NumberFormatException as error:
            assert "x" in str(error)
        mine = ValueError("mine")

        def refuse(key):
            raise mine

        try:
            jvm.java.util.HashMap().computeIfAbsent("k", refuse)
        except ValueError as error:
            assert error is mine
        large = bytes(range(256)) * 8000
        assert bytes(jvm.java.nio.ByteBuffer.wrap(large).array()) == large
        assert bytes(jvm.java.util.HashMap().computeIfAbsent("k", lambda key: large)) == large
        text = "\\u20ac" * 100_000
        assert jvm.java.lang.String.valueOf(text) == text
        print("all")
        """
    )
    assert output == "all\n"


def test_threads_of_both_languages_call() -> None:
    output = run(
        """
        results = []

        def work():
            results.append(sum(jvm.java.lang.Math.max(i, 3) for i in range(200)))

        for _ in range(2):
            threads = [threading.Thread(target=work) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(results) == 16 and len(set(results)) == 1, results
        here = threading.get_ident()
        seen = []
        thread = jvm.java.lang.Thread(lambda: seen.append(threading.get_ident()))
        thread.start()
        thread.join()
        assert len(seen) == 1 and seen[0] != here
        jvm.java.util.HashMap().computeIfAbsent("k", lambda key: seen.append(threading.get_ident()))
        assert seen[1] == here, "a callback runs on the thread whose call it belongs to"
        print("all")
        """
    )
    assert output == "all\n"


def test_there_is_one_jvm_and_never_a_second_and_a_fork_cannot_use_it() -> None:
    output = run(
        """
        def refused(act):
            try:
                act()
            except bridge.SamewireError as error:
                return error.code
            return "not refused"

        print(refused(bridge.embed))
        child = os.fork()
        if not child:
            same = refused(lambda: jvm.java.lang.Math.max(1, 2)) == "misuse"
            os._exit(0 if same else 1)
        print(os.waitpid(child, 0)[1])
        gateway.close()
        print(refused(lambda: jvm.java.lang.Math.max(1, 2)))
        print(refused(lambda: bridge.embed(options=["-Xmx1g"])))
        print(bridge.embed().jvm.java.lang.Math.max(1, 2))
        """
    )
    assert output.split() == ["misuse", "0", "closed", "misuse", "2"]


def test_ctrl_c_interrupts_java_and_raises() -> None:
    output = run(
        """
        def press():
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press).start()
        try:
            jvm.java.lang.Thread.sleep(60_000)
        except KeyboardInterrupt:
            print("interrupted", jvm.java.lang.Math.max(1, 2))
        """
    )
    assert output == "interrupted 2\n"


def test_a_handler_that_does_not_raise_has_no_later_call_interrupted() -> None:
    done = subprocess.run([sys.executable, "-c", QUIET_HANDLER], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "0\n"


def test_the_process_ends_whatever_java_still_does() -> None:
    start = time.monotonic()
    output = run(
        """
        timer = jvm.java.util.Timer(False)  # A thread that no daemon is.

        def waits():
            with contextlib.suppress(bridge.SamewireError, jvm.java.lang.InterruptedException):
                jvm.java.lang.Thread.sleep(60_000)

        threading.Thread(target=waits, daemon=True).start()
        time.sleep(0.2)
        print("done", flush=True)
        """
    )
    assert output == "done\n"
    assert time.monotonic() - start < 40


def test_a_timeout_is_refused() -> None:
    output = run(
        """
        try:
            gateway.timeout = 1.0
        except bridge.SamewireError as error:
            print(error.code)
        gateway.timeout = None
        print(jvm.java.lang.Math.max(1, 2))
        """
    )
    assert output == "unsupported\n2\n"


NESTED = """
import contextlib, sys
from samewire import bridge
gateway = bridge.embed(options=sys.argv[1:])
some = gateway.java.util.Optional.of(1)
def deeper(level, most):
    global reached
    reached = level
    return some.map(lambda _: deeper(level + 1, most)).get() if level < most else level
"""


def test_calls_nest_three_hundred_deep() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NESTED + "print(deeper(1, 300))"], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("300\n", "", 0)


def test_calls_nest_until_the_stack_is_full_and_the_next_is_refused() -> None:
    program = """
for _ in range(2):
    try:
        print(deeper(1, 250))
    except bridge.JavaError as error:
        print(reached >= 30, error.message)
    print(gateway.java.lang.Math.abs(-1))
"""
    done = subprocess.run(
        [sys.executable, "-c", NESTED + program, "-Xss1m"], capture_output=True, text=True, timeout=120, check=False
    )
    refused = "True limit_depth: calls within calls have used up this thread's stack: nest fewer, or give it more (-Xss)\n1\n"
    assert (done.stdout, done.stderr, done.returncode) == (2 * refused, "", 0)


def test_a_folder_of_jars_is_on_the_class_path(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with zipfile.ZipFile(tmp_path / f"{name}.jar", "w") as jar:
            jar.writestr(f"{name}.txt", name)
    (tmp_path / "three.txt").write_text("no jar")
    program = """
import sys
from samewire import bridge
loader = bridge.embed(f"{sys.argv[1]}/*").java.lang.ClassLoader
print([loader.getSystemResource(f"{name}.txt") is not None for name in ("one", "two", "three")])
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("[True, True, False]\n", "", 0)
