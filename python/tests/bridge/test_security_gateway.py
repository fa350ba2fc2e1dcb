"""What a gateway of the JVM does with clients that may not come in, that break the protocol, that stall, or come in hordes."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_frames import hammer
from raw_client import (
    TOKEN,
    JavaGateway,
    RawChannel,
    RawSession,
    descriptors,
    hello,
    mapped,
    resident,
    settles,
    threads,
    unix_socket,
)
from samewire import bridge
from scripted_gateway import frame, next_message

from spec.oracle.bridge.encode import encode
from spec.oracle.bridge.messages import Site, write
from spec.oracle.core.primitives import varint

VECTORS = Path(__file__).parents[3] / "spec" / "vectors" / "bridge"
MEBIBYTE = 1 << 20
#: A tenth and less of what has been tried: SAMEWIRE_HOSTILE=20 takes 20 times as many frames and clients.
TIMES = int(os.environ.get("SAMEWIRE_HOSTILE", "1"))


@pytest.fixture(scope="module")
def gateway() -> Iterator[JavaGateway]:
    with JavaGateway() as running:
        yield running


class Silence:
    """What says nothing for longer than the 10 seconds that a hello has, while the other tests run: clients of a gateway that stall
    at each byte of theirs, and a gateway that Python has launched and not called.
    """

    def __init__(self, gateway: JavaGateway, launched: bridge.Gateway) -> None:
        self.gateway, self.launched = gateway, launched
        self.before = descriptors(gateway.pid)
        self.memory = resident(gateway.pid)
        self._stalled = [RawChannel(gateway.path) for _ in range(200)]
        whole = message()
        for index, channel in enumerate(self._stalled):
            channel.socket.sendall(whole[: index % len(whole)])
        self._began = time.monotonic()

    def passes(self) -> None:
        """Waits until 11 seconds are over."""
        time.sleep(max(0.0, 11 - (time.monotonic() - self._began)))

    def close(self) -> None:
        for channel in self._stalled:
            channel.close()


@pytest.fixture(scope="module")
def silence() -> Iterator[Silence]:
    with bridge.launch() as launched, JavaGateway() as gateway:
        made = Silence(gateway, launched)
        yield made
        made.close()


@pytest.mark.long
def test_clients_that_stall_hold_nobody_up(silence: Silence) -> None:
    """The first test of this file: the last ones check how the clients that it starts end."""
    gateway = silence.gateway
    began = time.monotonic()
    with RawSession(gateway.path) as session:
        assert session.works()
    assert time.monotonic() - began < 60
    assert threads(gateway.pid) < 600
    assert resident(gateway.pid) < silence.memory + 128 * MEBIBYTE


def refusal(gateway: JavaGateway, data: bytes) -> str:
    """The code with which a first message is refused."""
    channel = RawChannel(gateway.path)
    channel.socket.sendall(data)
    reply = channel.receive()
    assert channel.ends()
    channel.close()
    return str(reply["refused"]["code"])


def settle(gateway: JavaGateway, channels: int, seconds: float = 60) -> None:
    """Waits until no more descriptors are open than `channels`."""
    deadline = time.monotonic() + seconds
    while descriptors(gateway.pid) > channels:
        assert time.monotonic() < deadline, f"{descriptors(gateway.pid)} descriptors are open, {channels} were before"
        time.sleep(0.02)


def message(**given: Any) -> bytes:
    return frame(write(hello(**given), Site()))


@pytest.mark.parametrize("token", [b"", b"\0", bytes(32), bytes(range(31)), bytes(range(33)), b"x" * 60_000])
def test_a_wrong_token_is_refused(gateway: JavaGateway, token: bytes) -> None:
    assert refusal(gateway, message(token=token)) == "misuse"


def test_a_wrong_token_is_refused_before_the_rest_is_looked_at(gateway: JavaGateway) -> None:
    whole = write(hello(token=bytes(32)), Site())
    assert refusal(gateway, frame(whole[:37] + b"\xff" * 20)) == "misuse"


@pytest.mark.parametrize("version", [b"\0\0", b"\2\0", b"\1\1", b"\xff\xff"])
def test_another_version_is_unsupported(gateway: JavaGateway, version: bytes) -> None:
    whole = write(hello(), Site())
    assert refusal(gateway, frame(whole[:1] + version + whole[3:])) == "unsupported"


def test_a_session_that_there_is_not_is_closed(gateway: JavaGateway) -> None:
    assert refusal(gateway, message(role=1, session=bytes(16).hex())) == "closed"
    with RawSession(gateway.path) as session:
        secret = session.secret
    time.sleep(0.2)
    assert refusal(gateway, message(role=1, session=secret)) == "closed"


def test_a_secret_of_a_session_needs_the_token_too(gateway: JavaGateway) -> None:
    with RawSession(gateway.path) as session:
        assert refusal(gateway, message(role=1, session=session.secret, token=bytes(32))) == "misuse"
        assert session.works()


def test_sessions_have_secrets_of_their_own(gateway: JavaGateway) -> None:
    with RawSession(gateway.path) as one, RawSession(gateway.path) as other:
        assert one.secret != other.secret
        assert len(one.secret) == 32


def test_only_a_channel_over_pipes_goes_on_over_another_connection(gateway: JavaGateway) -> None:
    with RawSession(gateway.path) as session:
        for number in (0, 1, 2**31, 2**32 - 1):
            continued = session.secret + number.to_bytes(4, "little").hex()
            assert refusal(gateway, message(role=1, session=continued)) == "misuse"
        assert refusal(gateway, message(role=1, session="00" * 16 + "00000000")) == "closed"
        assert session.works()


def test_a_hello_over_64_kib_is_refused(gateway: JavaGateway) -> None:
    for length in (65_537, 1 << 20, 1 << 31, (1 << 32) - 1):
        channel = RawChannel(gateway.path)
        channel.socket.sendall(length.to_bytes(4, "little"))
        assert channel.ends()
        channel.close()


@pytest.mark.parametrize(
    "case", [case for case in json.loads((VECTORS / "opening.json").read_text())["cases"] if case["kind"] == "rejected"]
)
def test_what_is_no_hello_is_refused(gateway: JavaGateway, case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    if not data:
        return
    channel = RawChannel(gateway.path)
    channel.socket.sendall(frame(data))
    assert channel.ends()
    channel.close()


def test_objects_of_one_session_are_not_those_of_another(gateway: JavaGateway) -> None:
    with RawSession(gateway.path) as one, RawSession(gateway.path) as other:
        made = one.call("java.util.ArrayList", "", [], [], action=0)
        number = made["first return"]["value"]["sender"][0]
        definition = {"action": 1, "class": "java.util.List", "member": "size", "arguments": ["object"], "result": ""}
        other.calls.send({"first call": {"site": "0", "definition": definition, "arguments": [{"receiver": number}]}})
        assert other.calls.ends()
        assert "bye" in other.control.receive()
        assert one.works()


def test_files_and_folders_are_the_owners_alone(gateway: JavaGateway) -> None:
    assert stat.S_IMODE(gateway.path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(gateway.path.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("length", [0, (64 << 20) + 1, 1 << 31, (1 << 32) - 1])
def test_a_frame_of_no_or_too_many_bytes_ends_the_session(gateway: JavaGateway, length: int) -> None:
    session = RawSession(gateway.path)
    session.calls.socket.sendall(length.to_bytes(4, "little") + b"\x10")
    assert session.calls.ends()
    bye = session.control.receive()["bye"]
    assert bye["code"] == ("malformed" if length == 0 else "limit_size")
    assert length == 0 or "raise limits.frame_bytes on both sides" in bye["text"]
    assert session.control.ends()
    session.close()


def test_declared_lengths_are_not_allocated(gateway: JavaGateway) -> None:
    before = resident(gateway.pid)
    sessions = [RawSession(gateway.path) for _ in range(20)]
    for session in sessions:
        # 64 MiB, of which a byte comes: twenty of them would be five times the heap.
        session.calls.socket.sendall((64 << 20).to_bytes(4, "little") + b"\x10")
    time.sleep(0.3)
    assert resident(gateway.pid) < before + 64 * MEBIBYTE
    with RawSession(gateway.path) as other:
        assert other.works()
    for session in sessions:
        session.close()


def test_blobs_that_never_come_do_not_exhaust_the_heap(gateway: JavaGateway) -> None:
    """A blob is allocated as its number is read: what a heap cannot hold is refused, and the gateway goes on."""
    with RawSession(gateway.path) as session:
        definition = {"action": 2, "class": "java.util.Arrays", "member": "hashCode", "arguments": ["bytes"], "result": ""}
        session.calls.send({"first call": {"site": "0", "definition": definition, "arguments": [{"blob": str(2**31 - 9)}]}})
        time.sleep(0.3)
    with RawSession(gateway.path) as other:
        assert other.works()


def test_definitions_do_not_fill_the_heap() -> None:
    """A client may define 65,535 sites, each as long as a frame: others go on beside one that does."""
    with JavaGateway(jvm=("-Xmx48m",)) as gateway, RawSession(gateway.path) as witness, RawSession(gateway.path) as session:
        static = b"\2" + encode({"string": "java.lang.Math"}, "string")
        definition = static + varint(2 * MEBIBYTE) + b"m" * MEBIBYTE + b"\0" + encode({"string": ""}, "string")
        for site in range(1, 80):
            session.calls.socket.sendall(frame(b"\x11" + varint(site) + definition))
            answer = next_message(session.calls.socket)
            assert answer[0] == 0x23
            assert b"OutOfMemoryError" not in answer
        assert session.works()
        assert witness.works()


def latin1(text: str) -> bytes:
    """A string of a message. The oracle looks at each character."""
    return varint(2 * len(text)) + text.encode("latin-1")


def static(of: str, member: str, kind: str) -> bytes:
    """The first call of a static method with an argument of a kind, up to the argument."""
    return b"\x11\0\2" + latin1(of) + latin1(member) + b"\1" + latin1(kind) + latin1("")


def test_a_kind_of_many_options_takes_no_memory() -> None:
    """An option in an option in an option …: of 480 KB, and each within would be a text of its own."""
    with JavaGateway(jvm=("-Xmx48m",)) as gateway, RawSession(gateway.path) as witness, RawSession(gateway.path) as session:
        for of in ("x", "i32"):
            kind = "option<" * 60_000 + of + ">" * 60_000
            session.calls.socket.sendall(frame(static("java.lang.Math", "abs", kind) + b"\0"))
            if of == "x":
                assert next_message(session.calls.socket)[0] == 0x23
            else:
                # No kind, and no schema either: the session ends by what it has sent.
                assert session.control.receive()["bye"]["code"] == "malformed"
        assert witness.works()


def test_schemas_that_a_client_makes_up_do_not_fill_the_heap() -> None:
    """What was made of a schema is kept, if it is short: no policy bounds how many there are, and no session forgets them."""
    fields = ", ".join("f" * 240 + f"{index}: i32" for index in range(4_000))
    policy = ("--deny", "*", "--allow", "java.lang.Math")
    heap = ("-Xmx48m",)
    with JavaGateway(*policy, jvm=heap) as gateway, RawSession(gateway.path) as witness, RawSession(gateway.path) as session:
        for index in range(30):
            call = static("java.lang.Math", "abs", f"struct S{index} {{ {fields} }}")
            session.calls.socket.sendall(frame(call + b"\0"))
            answer = next_message(session.calls.socket)
            assert answer[0] == 0x23
            assert b"OutOfMemoryError" not in answer
        assert session.works()
        assert witness.works()


def test_exceptions_of_a_batch_do_not_fill_the_heap() -> None:
    """A call takes 11 bytes of a frame, and the exception that it throws a kilobyte of the heap."""
    call = b"\x10\1" + b"\xff\xff\xff\x7f" + b"\1\0\0\0"
    first = b"\x11\1\2" + latin1("java.lang.Math") + latin1("addExact") + b"\2" + latin1("i32") * 2 + latin1("")
    policy = ("--deny", "*", "--allow", "java.lang.Math")
    heap = ("-Xmx48m",)
    with JavaGateway(*policy, jvm=heap) as gateway, RawSession(gateway.path) as witness, RawSession(gateway.path) as session:
        session.calls.socket.sendall(frame(first + b"\1\0\0\0" * 2))
        assert next_message(session.calls.socket)[0] == 0x22
        calls = 100_000
        session.calls.socket.sendall(frame(b"\x12" + varint(calls) + (varint(len(call)) + call) * calls))
        assert next_message(session.calls.socket)[0] == 0x24
        assert session.works()
        assert witness.works()


def test_lists_of_interfaces_do_not_fill_the_memory_of_classes() -> None:
    """The JVM keeps a class for each list of interfaces that an object of a client's has, for good, and not in its heap."""
    names = ["java.lang.Runnable", "java.lang.Comparable", "java.lang.Iterable", "java.util.Iterator", "java.util.Comparator"]
    names += ["java.io.Closeable", "java.io.Flushable", "java.io.Serializable", "java.util.Enumeration", "java.lang.Readable"]
    policy = [word for name in [*names, "java.util.Objects", "java.lang.Math"] for word in ("--allow", name)]
    lists = [[name for bit, name in enumerate(names) if index >> bit & 1] for index in range(1, 1 << len(names))]
    with JavaGateway("--deny", "*", *policy) as gateway, RawSession(gateway.path) as session:

        def passes(number: int, interfaces: list[str]) -> bool:
            """Whether the object of that number crosses as the interfaces."""
            argument = varint(2 * number + 1) + b"\0"
            session.calls.socket.sendall(frame(static("java.util.Objects", "isNull", " ".join(["peer", *interfaces])) + argument))
            while (answer := next_message(session.calls.socket))[0] == 0x30:
                pass
            assert (answer[0] == 0x22) != (b"too many different lists" in answer), answer
            return answer[0] == 0x22

        passed = sum(passes(number, interfaces) for number, interfaces in enumerate(lists, 1))
        assert 500 < passed < 950
        # What there is a class of goes on.
        assert passes(2_000, names[:2])
        assert passes(2_001, ["java.lang.Runnable"])
        assert session.works()


def test_wrong_tokens_at_speed_hold_nobody_up(gateway: JavaGateway) -> None:
    """At 2,000 wrong tokens a second, in a longer run, an honest client waited for milliseconds."""
    guess, over = message(token=bytes(32)), threading.Event()
    refused = [0] * 4

    def guesses(index: int) -> None:
        while not over.is_set():
            with unix_socket(gateway.path) as connection:
                connection.sendall(guess)
                refused[index] += b"misuse" in next_message(connection)

    guessing = [threading.Thread(target=guesses, args=(index,)) for index in range(len(refused))]
    for thread in guessing:
        thread.start()
    try:
        for _ in range(20):
            with RawSession(gateway.path) as session:
                assert session.works()
        assert settles(lambda: sum(refused) >= 300)
    finally:
        over.set()
        for thread in guessing:
            thread.join()
    assert settles(lambda: threads(gateway.pid) < 60)


def test_callbacks_that_never_return_hold_nobody_else_up() -> None:
    with JavaGateway() as gateway:
        before = threads(gateway.pid)
        argument = varint(2 * 1 + 1) + b"\0"
        head = b"\x11\0\2" + latin1("java.util.Objects") + latin1("requireNonNullElseGet")
        call = frame(head + b"\2" + latin1("null") + latin1("peer") + latin1("") + argument)
        stuck = [RawSession(gateway.path) for _ in range(40)]
        for session in stuck:
            session.calls.socket.sendall(call)
            # Python's function is called, and will never have an answer.
            assert next_message(session.calls.socket)[0] == 0x11
        with RawSession(gateway.path) as other:
            assert other.works()
        # One thread for each channel, also for nested calls.
        assert threads(gateway.pid) <= before + 2 * 40 + 10
        for session in stuck[:30]:
            session.close()
        assert settles(lambda: threads(gateway.pid) <= before + 2 * 10 + 10)
        began = time.monotonic()
        gateway.close()
        assert time.monotonic() - began < 60


@pytest.mark.long
def test_many_clients_come_and_go() -> None:
    """500 sessions, one after another: nothing is left of them. SAMEWIRE_HOSTILE=20 has 10,000."""
    # A larger heap would grow by what is not collected yet.
    with JavaGateway(jvm=("-Xmx48m",)) as gateway:
        for _ in range(50):
            with RawSession(gateway.path) as session:
                assert session.works()
        settle(gateway, descriptors(gateway.pid) + 2)
        opened, memory = descriptors(gateway.pid), resident(gateway.pid)
        for _ in range(500 * TIMES):
            RawSession(gateway.path).close()
        settle(gateway, opened + 4)
        assert resident(gateway.pid) < memory + 64 * MEBIBYTE
        assert threads(gateway.pid) < 100
        with RawSession(gateway.path) as session:
            assert session.works()


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_damaged_messages_end_sessions_and_nothing_else(seed: int) -> None:
    with JavaGateway() as gateway, RawSession(gateway.path) as witness:
        hammer(gateway.path, gateway.pid, 500, 0)
        time.sleep(0.5)
        opened, memory = descriptors(gateway.pid), resident(gateway.pid)
        hammer(gateway.path, gateway.pid, 2_500 * TIMES, seed)
        assert witness.works()
        settle(gateway, opened + 8)
        assert resident(gateway.pid) < memory + 192 * MEBIBYTE
        assert threads(gateway.pid) < 200


def test_a_channel_of_a_session_that_ended_ends(gateway: JavaGateway) -> None:
    session = RawSession(gateway.path)
    other = session.open(1)
    session.control.close()
    assert session.calls.ends()
    assert other.ends()
    session.close()


def test_the_end_of_a_call_channel_ends_nothing_else(gateway: JavaGateway) -> None:
    with RawSession(gateway.path) as session:
        other = session.open(1)
        other.socket.sendall((50).to_bytes(4, "little") + b"\x10\1")
        other.close()
        assert session.works()


def test_a_reply_that_nobody_reads_holds_nobody_up(gateway: JavaGateway) -> None:
    with RawSession(gateway.path) as slow, RawSession(gateway.path) as quick:
        definition = {"action": 2, "class": "java.lang.String", "member": "valueOf", "arguments": ["any"], "result": ""}
        text = {"string": "x" * 60_000}
        slow.calls.socket.settimeout(0.5)
        with pytest.raises((TimeoutError, socket.timeout)):
            for _ in range(200):
                slow.calls.send({"first call": {"site": "0", "definition": definition, "arguments": [text]}})
        assert quick.works()


def test_pings_are_answered(gateway: JavaGateway) -> None:
    with RawSession(gateway.path) as session:
        session.control.send({"ping": "77"})
        assert next_message(session.control.socket) == write({"pong": "77"}, Site())


def thrown(reply: dict[str, Any]) -> str:
    """The code with which the bridge refuses a call."""
    return str(reply["throw"]["code"])


def test_a_policy_bounds_what_a_client_reaches() -> None:
    with JavaGateway("--deny", "java.lang.Runtime", "--deny", "java.io.*") as gateway, RawSession(gateway.path) as session:
        assert thrown(session.call("java.lang.Runtime", "getRuntime", [], [])) == "unsupported"
        assert thrown(session.call("java.io.File", "", ["string"], [{"string": "/etc/passwd"}], action=0)) == "unsupported"
        assert thrown(session.call("java.io.File", "separator", [], [], action=5)) == "unsupported"
        # Neither by another way to the same object, nor by a description.
        assert thrown(session.call("java.lang.System", "out", [], [], action=5)) in ("unsupported", "misuse")
        described = session.call("", "", ["string"], [{"string": "java.lang.Runtime"}], "class", action=7)
        assert described.get("throw", {}).get("code") == "unsupported" or described["first return"]["value"] is None
        assert session.works()


def test_only_what_is_allowed_is_reached() -> None:
    with JavaGateway("--deny", "*", "--allow", "java.lang.Math") as gateway, RawSession(gateway.path) as session:
        assert session.works()
        assert thrown(session.call("java.lang.System", "exit", ["i32"], [{"i32": "1"}])) == "unsupported"
        assert session.works()


def test_rings_are_unmapped_when_their_clients_are_gone(gateway: JavaGateway) -> None:
    for number in range(30):
        with bridge.connect(f"unix:{gateway.path}", token=TOKEN) as client:
            assert client.session.call(2, "java.lang.Math", "abs", (-number,)) == number
    # The collector has no reason to run.
    assert settles(lambda: mapped(gateway.pid) == 0), f"{mapped(gateway.pid)} rings are mapped"


_KILLED = """
import sys, threading, time
from samewire import bridge
client = bridge.connect(sys.argv[1], token=bytes.fromhex(sys.argv[2]))
java = client.java
def wait():
    print("called", flush=True)
    time.sleep(60)
java.util.concurrent.Executors.newSingleThreadExecutor().submit(client.implement(wait, "java.lang.Runnable"))
threads = [threading.Thread(target=java.lang.Thread.sleep, args=(300,)) for _ in range(3)]
for thread in threads:
    thread.start()
print("calls", flush=True)
time.sleep(60)
"""


def test_rings_of_a_client_that_is_killed_are_unmapped_when_its_calls_have_ended(gateway: JavaGateway) -> None:
    command = [sys.executable, "-c", _KILLED, f"unix:{gateway.path}", TOKEN.hex()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        try:
            assert {client.stdout.readline(), client.stdout.readline()} == {"called\n", "calls\n"}
            assert mapped(gateway.pid) >= 3
        finally:
            client.kill()
    assert settles(lambda: mapped(gateway.pid) == 0), f"{mapped(gateway.pid)} rings are mapped"
    with RawSession(gateway.path) as session:
        assert session.works()


@pytest.mark.long
def test_clients_that_stall_are_cut_off(silence: Silence) -> None:
    silence.passes()
    # What polls for virtual threads, where the JVM has them, it keeps.
    settle(silence.gateway, silence.before + 8, 5)


@pytest.mark.long
def test_a_first_call_may_come_later_than_a_stranger_s_hello(silence: Silence) -> None:
    silence.passes()
    assert silence.launched.java.lang.Math.max(1, 2) == 2
