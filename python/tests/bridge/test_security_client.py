"""What Python does with a gateway that breaks the protocol."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hostile_frames import NO_BLOBS, damaged
from raw_client import descriptors, resident, threads
from samewire import bridge
from samewire._native import Object, Session
from samewire.bridge.building import MOST_MEMBERS
from samewire.errors import SamewireError
from scripted_gateway import TOKEN, ScriptedGateway, described, frame, returned

from spec.oracle.bridge.encode import encode
from spec.oracle.core.primitives import varint

VECTORS = Path(__file__).parents[3] / "spec" / "vectors" / "bridge"
MEBIBYTE = 1 << 20
#: A tenth and less of what has been tried: SAMEWIRE_HOSTILE=20 takes 20 times as many replies.
TIMES = int(os.environ.get("SAMEWIRE_HOSTILE", "1"))


class Proxy(Object):
    __slots__ = ()


class ThrownError(Exception):
    """What a throw is raised as."""


def session(gateway: ScriptedGateway, stream: Callable[[], Any] | None = None) -> Session:
    made = Session(gateway.address if stream is None else ("127.0.0.1", gateway.port), TOKEN, shared_memory=False, stream=stream)
    made.timeout = 20
    made.on_class = lambda info: Proxy
    made.on_throw = lambda *parts: ThrownError(*parts)
    made.decode = lambda schema, payload: payload
    return made


def call(open_session: Session) -> Any:
    return open_session.call(2, "A", "b", (), "")


def replies() -> list[bytes]:
    """Streams to reply with: messages of the vectors, and returns of their values."""
    found = []
    for path in sorted(VECTORS.glob("*.json")):
        for case in json.loads(path.read_text())["cases"]:
            data = bytes.fromhex(case["hex"])
            large = "blob" in json.dumps(case.get("value", "")) or "larger blob" in case["name"] or "largest" in case["name"]
            if len(data) > 4_096 or large:
                continue
            found.append(returned(case["of"], data) if "of" in case else frame(data) if data else b"")
    return found


def damaged_reply(stream: bytes, source: random.Random) -> bytes:
    """A few changes of a reply, the length of the frame often set right again."""
    made = damaged(stream[4:], source, NO_BLOBS)
    return frame(made) if source.random() < 0.9 else stream[:4] + made


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_damaged_replies_are_values_or_errors(seed: int) -> None:
    source = random.Random(seed)
    given = replies()
    pid = os.getpid()
    with ScriptedGateway(lambda message: b"") as gateway:
        opened = memory = 0
        # A reply that is not whole never comes to its end: the channel ends behind it.
        gateway.ends_after_answer = True
        for index in range(700 * TIMES):
            if index == 300:
                opened, memory = descriptors(pid), resident(pid)
            stream = damaged_reply(source.choice(given), source)
            gateway.answer = lambda _, stream=stream: stream  # type: ignore[misc]
            open_session = session(gateway)
            began = time.monotonic()
            # TypeError: an element of a set or a key that cannot be hashed.
            with suppress(SamewireError, ThrownError, TypeError):
                call(open_session)
            open_session.close()
            assert time.monotonic() - began < 60, stream.hex()
        assert resident(pid) < memory + 64 * MEBIBYTE
        assert descriptors(pid) < opened + 50
        assert threads(pid) < 200


def test_an_object_in_place_of_a_description_ends_the_session() -> None:
    thing = returned("object", b"\3\1")
    with ScriptedGateway(lambda message: thing) as gateway:
        # Its class is asked for in turn: as deep as the stack, once.
        gateway.describe = lambda number: thing[4:]
        open_session = session(gateway)
        with pytest.raises(SamewireError, match=r"malformed at byte 1 .*description"):
            call(open_session)
        assert open_session.closed
        open_session.close()


def test_a_throw_of_what_is_no_throwable_is_an_exception_without_an_object() -> None:
    reply = frame(b"\x23\3\1" + encode({"string": "x.Y"}, "string") + b"\0\1" + encode({"string": "why"}, "string") + b"\0")
    with ScriptedGateway(lambda message: reply) as gateway:
        made = bridge.connect(gateway.address, token=TOKEN, shared_memory=False)
        with pytest.raises(bridge.JavaError, match=r"x\.Y: why") as caught:
            made.session.call(2, "A", "b", (), "")
        assert caught.value.java is None
        made.close()


#: A program that calls gateways whose replies declare more than they send, with little address space left.
BOUNDED = """
import resource, sys
from samewire.errors import SamewireError
from test_security_client import call, session, size_of_address_space
from scripted_gateway import ScriptedGateway

head = bytes.fromhex(sys.argv[1])
with ScriptedGateway(lambda message: head) as gateway:
    sessions = [session(gateway) for _ in range(5)]
    first = sessions.pop()
    first.timeout = 0.1
    try:
        call(first)
    except (SamewireError, MemoryError):
        pass
    most = size_of_address_space() + (32 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for open_session in sessions:
        open_session.timeout = 0.1
        try:
            call(open_session)
        except SamewireError as error:
            print(error.code)
        except MemoryError:
            print("memory")
"""


def size_of_address_space() -> int:
    """Bytes that this process has mapped, whether it has touched them or not."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def bounded(head: bytes) -> list[str]:
    """How calls end whose replies begin so and never come to an end, in a process that may map 32 MiB more."""
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, head.hex()],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.split()


def test_declared_lengths_are_not_allocated() -> None:
    assert bounded((64 << 20).to_bytes(4, "little") + b"\x22") == ["timeout"] * 4


def test_a_blob_for_which_there_is_no_memory_is_an_error() -> None:
    assert bounded(returned("bytes", b"\xef\xff\xff\xff\x0f")) == ["timeout"] * 4
    # Of one that there is memory for nothing is left when it does not come.
    assert bounded(returned("bytes", blob(20 * MEBIBYTE))) == ["timeout"] * 4


def blob(length: int) -> bytes:
    """The number of a blob of so many bytes."""
    number, made = 2 * length + 1, b""
    while number > 127:
        made += bytes([number & 127 | 128])
        number >>= 7
    return made + bytes([number])


def test_a_gateway_that_says_nothing_is_given_up() -> None:
    with ScriptedGateway(lambda message: b"") as gateway:
        open_session = session(gateway)
        open_session.timeout = 0.2
        began = time.monotonic()
        with pytest.raises(SamewireError) as caught:
            call(open_session)
        assert caught.value.code == "timeout"
        assert time.monotonic() - began < 60
        open_session.close()


def test_one_broken_channel_ends_every_wait_of_the_session() -> None:
    stop = threading.Event()

    def answer(message: bytes) -> bytes | None:
        if stop.is_set():
            return frame(b"\x7f")
        return b""

    with ScriptedGateway(answer) as gateway:
        open_session = session(gateway)
        open_session.timeout = 20
        caught: list[SamewireError] = []

        def wait() -> None:
            try:
                call(open_session)
            except SamewireError as error:
                caught.append(error)

        waiting = [threading.Thread(target=wait) for _ in range(8)]
        for thread in waiting:
            thread.start()
        while gateway.calls.qsize() < 8:
            time.sleep(0.01)
        stop.set()
        began = time.monotonic()
        with pytest.raises(SamewireError):
            call(open_session)
        for thread in waiting:
            thread.join(60)
        assert time.monotonic() - began < 60
        assert [error.code for error in caught] == ["closed"] * 8
        assert gateway.said()["bye"]["code"] == "malformed"
        open_session.close()


def test_replies_nested_too_deep_are_refused() -> None:
    with ScriptedGateway(lambda message: returned("any", b"\x08\1" * 5_000 + b"\0")) as gateway:
        open_session = session(gateway)
        with pytest.raises(SamewireError, match="limit_depth"):
            call(open_session)
        open_session.close()


@pytest.mark.hard
def test_many_equal_keys_take_no_time() -> None:
    """Integers whose hashes are one: 2^61 - 1 is what Python divides by."""
    keys = b"".join(
        b"\x03" + (index * (2**61 - 1)).to_bytes(8, "little", signed=True) + b"\0" for index in (-4, -3, -2, -1, 0, 1, 2, 3, 4)
    )
    with ScriptedGateway(lambda message: returned("map", b"\xa8\xc3\x01" + keys * 2_777 + b"\0" * 20)) as gateway:
        open_session = session(gateway)
        began = time.monotonic()
        with pytest.raises(SamewireError):
            call(open_session)
        assert time.monotonic() - began < 2
        open_session.close()


def test_a_class_of_too_many_members_is_refused_and_others_are_not() -> None:
    def members(count: int) -> Callable[[int], bytes]:
        # A method without parameters after the other, behind a class without any.
        bare = described(1)[:-1]
        listed = (b"\1\0" + bytes([2 * len(name)]) + name + b"\0\x08void" for name in (b"m%d" % at for at in range(count)))
        made = bare + varint(count) + b"".join(listed)
        return lambda number: made

    thing = returned("object", b"\3\1")
    with ScriptedGateway(lambda message: thing) as gateway:
        made = bridge.connect(gateway.address, token=TOKEN, shared_memory=False)
        gateway.describe = members(MOST_MEMBERS + 1)
        began = time.process_time()
        with pytest.raises(SamewireError, match=f"limit_items: C1 has {MOST_MEMBERS + 1} public members"):
            made.session.call(2, "A", "b", (), "")
        assert time.process_time() - began < 2
        assert not made.closed
        made.close()
        gateway.describe = members(100)
        made = bridge.connect(gateway.address, token=TOKEN, shared_memory=False)
        assert made.session.call(2, "A", "b", (), "").__java__.name == "C1"
        made.close()
