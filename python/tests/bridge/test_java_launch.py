"""Starting, ending, losing a JVM."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from samewire import bridge
from samewire.bridge.java_program import gateway_options, java_program
from samewire.bridge.process import Process


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough for sockets'."""
    with tempfile.TemporaryDirectory(prefix="sw", dir="/tmp") as folder:
        yield Path(folder)


@pytest.mark.parametrize("transport", ["shared-memory", "unix", "tcp"])
def test_every_transport_starts_and_ends(transport: str, short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(short))
    with bridge.launch(transport=transport, options=["-Dsome.property=x"]) as gateway:
        assert gateway.java.lang.System.getProperty("some.property") == "x"
        assert gateway.transport == transport
        assert len(list(short.iterdir())) == 1
        assert next(short.iterdir()).stat().st_mode & 0o777 == 0o700
        process = gateway.process
        assert process is not None
        assert "running" in repr(process)
    assert process.poll() is not None
    assert not list(short.iterdir())
    assert gateway.closed
    gateway.close()
    with pytest.raises(bridge.SamewireError, match="closed"):
        gateway.java.lang.System.currentTimeMillis()


def test_two_gateways_know_nothing_of_each_other(gateway: bridge.Gateway) -> None:
    with bridge.launch() as other:
        assert other.java.util.ArrayList is not gateway.java.util.ArrayList
        assert not isinstance(other.java.util.ArrayList(), gateway.java.util.List)
        with pytest.raises((bridge.SamewireError, TypeError)):
            gateway.java.util.ArrayList().add(other.java.util.ArrayList())


def test_a_missing_java_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(bridge.SamewireError, match=r"no program java on PATH.*install a JDK"):
        bridge.launch()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(bridge.SamewireError, match="JAVA_HOME is"):
        bridge.launch()
    with pytest.raises(bridge.SamewireError, match="neither a program nor a home"):
        bridge.launch(java=tmp_path / "nothing")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"transport": "smoke"}, "transport='smoke'"),
        ({"waiting": "never"}, "waiting='never'"),
        ({"waiting": ("spin", 0)}, "waiting="),
    ],
)
def test_a_wrong_option_is_refused(options: dict[str, object], text: str) -> None:
    with pytest.raises(bridge.SamewireError, match="misuse.*" + text.replace("(", r"\(")):
        bridge.launch(**options)  # type: ignore[arg-type]


def test_a_jvm_that_does_not_start_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(bridge.SamewireError, match=r"closed.*exit code 1.*-XX:NoSuchOption"):
        bridge.launch(options="-XX:NoSuchOption")
    assert "NoSuchOption" in capfd.readouterr().err


def test_calls_end_when_the_jvm_dies() -> None:
    with bridge.launch() as gateway:
        assert gateway.process is not None
        caught: list[BaseException] = []

        def wait() -> None:
            try:
                gateway.java.lang.Thread.sleep(60_000)
            except BaseException as error:
                caught.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.3)
        gateway.process.kill()
        thread.join(5)
        assert isinstance(caught[0], bridge.SamewireError)
        assert caught[0].code == "closed"
        assert repr(gateway)


_CHILD = """
import os, sys
from samewire import bridge
gateway = bridge.launch()
print(gateway.process.pid, flush=True)
{end}
"""


def _ends(pid: int) -> bool:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "", "sys.exit(3)", "raise ValueError"])
def test_the_jvm_ends_with_its_parent(end: str, short: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _CHILD.format(end=end)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env={**os.environ, "TMPDIR": str(short)},
    )
    assert _ends(int(run.stdout))
    deadline = time.monotonic() + 3
    while list(short.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not list(short.iterdir())


def test_a_fork_is_reported(gateway: bridge.Gateway) -> None:
    reader, writer = os.pipe()
    gateway.java.lang.Math.abs(1)
    pid = os.fork()
    if pid == 0:
        try:
            gateway.java.lang.Math.abs(1)
            os.write(writer, b"called")
        except bridge.SamewireError as error:
            os.write(writer, f"{error.code} {error.text}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    assert os.waitpid(pid, 0)[1] == 0
    with os.fdopen(reader) as result:
        text = result.read()
    assert text.startswith("misuse")
    assert "fork" in text
    assert gateway.java.lang.Math.abs(-1) == 1


def test_connect_takes_a_gateway_that_runs() -> None:
    with bridge.launch(transport="unix") as gateway:
        with pytest.raises(bridge.SamewireError, match="misuse"):
            bridge.connect("unix:/nowhere", token="xyz")
        for wrong in ("nowhere", "tcp://host", "http://host:1", "unix:"):
            with pytest.raises(bridge.SamewireError, match="expected unix:PATH"):
                bridge.connect(wrong, token=b"x" * 32)
        with pytest.raises(OSError, match="nowhere"):
            bridge.connect("unix:/nowhere", token=b"x" * 32)
        assert gateway.java.lang.Math.abs(-1) == 1


def test_a_call_that_takes_too_long_is_interrupted() -> None:
    with bridge.launch() as gateway:
        gateway.timeout = 0.3
        began = time.monotonic()
        with pytest.raises(bridge.SamewireError) as caught:
            gateway.java.lang.Thread.sleep(120_000)
        assert caught.value.code == "timeout"
        assert time.monotonic() - began < 60
        gateway.timeout = None
        assert gateway.java.lang.Math.abs(-1) == 1


@pytest.mark.hard
@pytest.mark.parametrize("transport", ["shared-memory", "unix"])
def test_short_timeouts_are_kept(transport: str) -> None:
    with bridge.launch(transport=transport) as gateway:
        for seconds in (0.05, 0.7):
            assert gateway.java.lang.Math.abs(-1) == 1
            gateway.timeout = seconds
            began = time.monotonic()
            with pytest.raises(bridge.SamewireError, match="timeout"):
                gateway.java.lang.Thread.sleep(30_000)
            assert seconds <= time.monotonic() - began < seconds + 0.3
            gateway.timeout = None


def test_statistics_count(gateway: bridge.Gateway) -> None:
    before = gateway.statistics()
    for _ in range(10):
        gateway.java.lang.Math.abs(-1)
    after = gateway.statistics()
    assert after["calls"] - before["calls"] >= 10
    assert after["java"]


def test_threads_have_channels_of_their_own(gateway: bridge.Gateway) -> None:
    def work() -> None:
        results.append(sum(gateway.java.lang.Math.abs(-number) for number in range(200)))

    results: list[int] = []
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert results == [sum(range(200))] * 8


def test_a_policy_bounds_what_is_reached(capfd: pytest.CaptureFixture[str]) -> None:
    with bridge.launch(
        policy=bridge.Policy(deny=["java.lang.Runtime", "java.util.concurrent.*", "java.lang.System#exit"])
    ) as gateway:
        assert gateway.java.util.ArrayList().isEmpty()
        with pytest.raises(bridge.SamewireError):
            gateway.java.lang.Runtime.getRuntime()
        with pytest.raises(bridge.SamewireError):
            gateway.java.util.concurrent.ConcurrentHashMap()
        with pytest.raises((bridge.SamewireError, AttributeError)):
            gateway.java.lang.System.exit(1)
    with bridge.launch(policy=bridge.Policy(deny=["java.util"])) as gateway, pytest.raises(bridge.SamewireError, match="denies"):
        gateway.java.util.ArrayList()
    with pytest.raises(bridge.SamewireError, match="ended with exit code 1"):
        bridge.launch(policy=bridge.Policy(deny=["java.lang.System.exit"]))
    assert "write java.lang.System#exit for a member" in capfd.readouterr().err
    with bridge.launch(policy=bridge.Policy(allow=["java.util.*"])) as gateway:
        assert gateway.java.util.ArrayList([1]) == [1]
        with pytest.raises(bridge.SamewireError, match=r"unsupported.*denies java\.io\.File"):
            gateway.java.io.File("x")
    # A policy judges a Python implementation by its interfaces, not by the name of its proxy's class.
    for policy in (bridge.Policy(allow=["java.util.*"]), bridge.Policy(deny=["java.lang.reflect"])):
        with bridge.launch(policy=policy) as gateway:
            comparator = gateway.implement(lambda a, b: a - b, "java.util.Comparator")
            assert comparator.reversed().compare(1, 2) == 1


def test_a_class_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    paths: list[list[Path | str]] = [
        [tmp_path / "missing.jar"],
        [f"{tmp_path}{os.pathsep}{tmp_path}/missing.jar"],
        [tmp_path, f"{tmp_path}/none/*"],
    ]
    for classpath in paths:
        with pytest.raises(bridge.SamewireError, match=r"missing\.jar|none") as refused:
            bridge.launch(classpath)
        assert refused.value.code == "misuse"
    with bridge.launch([f"{tmp_path}/*", f"{tmp_path}{os.pathsep}"], timeout=30) as gateway:
        assert gateway.java.lang.Math.max(1, 2) == 2


def test_the_first_channel_goes_on_in_shared_memory() -> None:
    with bridge.launch() as gateway:
        text = gateway.java.lang.String
        thread = gateway.java.lang.Thread.currentThread()
        assert text.valueOf(7) == "7"
        assert gateway.process is not None
        maps = Path(f"/proc/{gateway.process.pid}/maps")
        deadline = time.monotonic() + 60
        while "samewire-ring" not in maps.read_text():
            assert time.monotonic() < deadline, "the JVM has mapped no ring"
            assert text.valueOf(8) == "8"
        # Calls through the ring run on the thread of those before, and carry values larger than it.
        assert gateway.java.lang.Thread.currentThread() == thread
        for number in range(100):
            assert text.valueOf(number) == str(number)
        data = bytes(range(256)) * 8192
        assert bytes(gateway.java.util.Arrays.copyOf(data, len(data))) == data
        assert gateway.statistics()["open_channels"] == 1


def test_the_first_channel_goes_on_beside_a_fork_that_keeps_its_pipes() -> None:
    with bridge.launch(timeout=20) as gateway:
        assert gateway.java.lang.Math.abs(-1) == 1
        pid = os.fork()
        if pid == 0:
            time.sleep(60)
            os._exit(0)
        try:
            assert gateway.process is not None
            maps = Path(f"/proc/{gateway.process.pid}/maps")
            deadline = time.monotonic() + 60
            while "samewire-ring" not in maps.read_text():
                assert time.monotonic() < deadline, "the JVM has mapped no ring"
                assert gateway.java.lang.Math.abs(-2) == 2
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)


def test_a_call_on_the_first_connection_ends_with_the_session() -> None:
    with bridge.launch() as gateway:
        errors: list[bridge.SamewireError] = []

        def call() -> None:
            try:
                gateway.java.lang.Thread.sleep(60_000)
            except bridge.SamewireError as error:
                errors.append(error)

        thread = threading.Thread(target=call)
        thread.start()
        # A describing call, and the one that sleeps.
        deadline = time.monotonic() + 60
        while gateway.statistics()["calls"] < 2:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        gateway.session.close()
        thread.join(1)
        assert [error.code for error in errors] == ["closed"]


def test_the_pipes_of_the_first_connection_are_closed() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(2):
        with bridge.launch() as gateway:
            assert gateway.java.lang.Math.abs(-1) == 1
    with pytest.raises(bridge.SamewireError, match=r"^closed: java ended with exit code 1 before it listened"):
        bridge.launch(options="-XX:NoSuchOption")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize("taken", range(1, 5))
def test_the_pipes_take_no_number_of_one_that_is_still_to_be_copied(taken: int) -> None:
    # In a row, with a hole for the pipes; some numbers behind it are taken, and the next two are free.
    # Earlier tests have left holes of their own: more are opened until twenty lie in a row.
    held = [os.open("/dev/null", os.O_RDONLY)]
    while len(held) < 21 or held[-1] - held[-21] != 20:
        held.append(os.open("/dev/null", os.O_RDONLY))
    row = len(held) - 21
    hole = held[row : row + 8] + held[row + 8 + taken : row + 10 + taken]
    try:
        for number in hole:
            os.close(number)
        with bridge.launch(start_timeout=20) as gateway:
            assert gateway.java.lang.Math.max(1, 2) == 2
    finally:
        for number in set(held) - set(hole):
            os.close(number)


def test_a_process_that_the_jvm_starts_has_none_of_its_pipes() -> None:
    with bridge.launch() as gateway:
        child = gateway.java.lang.ProcessBuilder(["ls", "-l", "/proc/self/fd"]).start()
        listed = bytes(child.getInputStream().readAllBytes()).decode()
        # Those of its own standard streams, which Java reads and writes.
        assert listed.count("pipe:") == 3, listed


def test_threads_that_call_before_the_jvm_listens_wait_for_it() -> None:
    with bridge.launch() as gateway:
        results: list[object] = []
        threads = [threading.Thread(target=lambda: results.append(gateway.java.lang.Integer.sum(1, 2))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert results == [3] * 4


def test_methods_that_ask_for_their_caller_see_the_program_s_loader() -> None:
    with bridge.launch() as gateway:
        # Found by the loader of who calls; this class is on the class path alone.
        name = "io.samewire.bridge.program.ProgramCaller"
        find = gateway.java.lang.Class.forName
        for _ in range(1_000):
            assert find(name).getName() == name
        loader = find(name).getClassLoader()
        assert loader == gateway.java.lang.ClassLoader.getSystemClassLoader()
        assert find("io.samewire.bridge.Operations").getClassLoader() is None


def test_the_gateway_listens_without_first_calls(short: Path) -> None:
    place = short / "gateway.sock"
    arguments = [java_program(None), *gateway_options(()), "io.samewire.bridge.GatewayMain", "--unix", str(place)]
    process = Process()
    process.start(arguments, connections=2)
    try:
        process.say(os.urandom(32).hex() + "\n")
        for _ in range(2):
            os.close(process.connections.pop())
        deadline = time.monotonic() + 60
        while not place.exists():
            assert time.monotonic() < deadline, "the gateway does not listen"
            time.sleep(0.01)
    finally:
        for _ in range(2):
            os.close(process.connections.pop())
        process.end_input()
        try:
            assert process.wait(10) == 0
        finally:
            process.discard()


def test_a_gateway_that_cannot_listen_says_so_and_serves_its_first_calls(
    short: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = short / "open"
    folder.mkdir()
    folder.chmod(0o755)
    launching = sys.modules["samewire.bridge.launch"]
    monkeypatch.setattr(launching, "folder_path", lambda: str(folder))
    monkeypatch.setattr(launching, "make_folder", lambda folder: None)
    said = ""
    with bridge.launch() as gateway:
        deadline = time.monotonic() + 60
        while "cannot listen" not in said:
            assert time.monotonic() < deadline
            assert gateway.java.lang.Math.abs(-1) == 1
            said += capfd.readouterr().err
    assert said.startswith(f"samewire: cannot listen on {folder}/gateway.sock: misuse: others may enter {folder}")


def test_calls_go_on_beside_a_process_that_reads_the_jvm_s_standard_input() -> None:
    with bridge.launch(timeout=5) as gateway:
        java = gateway.java
        child = java.lang.ProcessBuilder(["cat"]).inheritIO().start()
        try:
            for number in range(200):
                assert java.lang.Math.max(number, -1) == number
                time.sleep(0.002)
        finally:
            assert gateway.process is not None
            gateway.process.kill()
            del child
