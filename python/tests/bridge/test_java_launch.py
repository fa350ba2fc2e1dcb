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
    deadline = time.monotonic() + 5
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
            gateway.java.lang.Thread.sleep(30_000)
        assert caught.value.code == "timeout"
        assert time.monotonic() - began < 3
        gateway.timeout = None
        assert gateway.java.lang.Math.abs(-1) == 1


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
    # What Python implements is what its interfaces are, whatever a proxy's class is called.
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


def test_a_jvm_that_does_not_start_leaves_no_descriptor_open() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(bridge.SamewireError, match=r"^closed: java ended with exit code 1 before it listened"):
        bridge.launch(options="-XX:NoSuchOption")
    assert len(list(Path("/proc/self/fd").iterdir())) == before
