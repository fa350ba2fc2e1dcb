"""What is exported for a message that is not sent is taken back; what is released goes in messages that every peer takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from samewire import bridge
from samewire.errors import SamewireError
from samewire.limits import Limits
from scripted_gateway import ScriptedGateway, frame, returned
from test_security_client import Proxy, session

from spec.oracle.bridge.cursor import Cursor
from spec.oracle.bridge.encode import name, names
from spec.oracle.bridge.messages import Site, read
from spec.oracle.core.primitives import varint


class Unknown:
    """Nothing that crosses."""


class Raises:
    """What raises as it is converted."""

    def __iter__(self) -> Iterator[Any]:
        raise ValueError("no elements")

    def __len__(self) -> int:
        return 1

    def __contains__(self, _: object) -> bool:
        return False


@pytest.fixture(scope="module")
def short() -> Iterator[bridge.Gateway]:
    """A gateway of short messages."""
    with bridge.launch(limits=Limits(frame_bytes=65_536), timeout=20) as made:
        yield made


def exported(gateway: bridge.Gateway) -> int:
    return int(gateway.session.statistics()["exported"])


LONG = [["x" * 1_000] * 100]


@pytest.mark.parametrize(
    "arguments",
    [lambda f: (f, Unknown()), lambda f: ([f, f, Unknown()],), lambda f: ({"a": f}, Raises()), lambda f: (f, LONG)],
)
def test_a_call_that_cannot_be_written_exports_nothing(
    short: bridge.Gateway, arguments: Callable[[Callable[[], int]], tuple[Any, ...]]
) -> None:
    before = exported(short)
    for _ in range(3):
        with pytest.raises((TypeError, ValueError, SamewireError)):
            short.java.util.Arrays.asList(*arguments(lambda: 1))
        with pytest.raises((TypeError, ValueError, SamewireError)), short.batch():
            short.java.util.Arrays.asList(*arguments(lambda: 1))
            short.java.util.Arrays.asList(["x" * 1_000] * 100)
    assert exported(short) == before
    assert short.java.lang.Math.max(1, 2) == 2


def test_a_batch_that_is_dropped_exports_nothing(short: bridge.Gateway) -> None:
    before = exported(short)
    kept = short.java.util.ArrayList()
    with pytest.raises(KeyError), short.batch():
        kept.add(lambda: 1)
        raise KeyError
    assert exported(short) == before


def test_a_reply_that_cannot_be_written_exports_nothing(short: bridge.Gateway) -> None:
    before = exported(short)
    optional = short.java.util.Optional.empty()
    for value in ([lambda: 1, Unknown()], [lambda: 1, LONG]):
        with pytest.raises((TypeError, bridge.JavaError)):
            optional.orElseGet(lambda value=value: value)
    del value
    # The callables of the two calls, and what they raised, are Java's until it has collected them.
    assert exported(short) <= before + 4


def test_a_message_that_is_not_sent_exports_nothing() -> None:
    with ScriptedGateway(lambda message: None) as gateway:
        open_session = session(gateway)
        with pytest.raises(SamewireError):
            open_session.call(2, "A", "b", (lambda: 1,), "")
        sent = open_session.statistics()["exported"]
        gateway.close()
        for _ in range(3):
            with pytest.raises((SamewireError, OSError)):
                open_session.call(2, "A", "b", (lambda: 1,), "")
        assert open_session.statistics()["exported"] <= sent
        open_session.close()


#: A list of what the program reads and, behind it, a reference to the object that was sent first.
LIST = b"\x02" + b"\x31" + name("date") + b"\x02\x00" + b"\x30\x02"
RETURN = returned("list", LIST)
#: A call of that object, with the list.
CALL = frame(b"\x11\x01\x01" + name("A") + name("b") + names(["object", "list"]) + name("void") + b"\x02" + LIST)


@pytest.mark.parametrize("message", [RETURN, CALL], ids=["reply", "call"])
def test_a_message_that_is_read_beyond_the_end_raises_why_the_session_ended(message: bytes) -> None:
    def decode(_: str, payload: bytes) -> bytes:
        # As another thread may while this one waits for its turn: references are forgotten.
        open_session.close()
        return payload

    with ScriptedGateway(lambda _: message) as gateway:
        open_session = session(gateway)
        open_session.decode = decode
        with pytest.raises(SamewireError, match=r"^closed: the session was closed: open another$"):
            open_session.call(2, "A", "b", (lambda: 1,), "")


def test_releases_go_in_messages_of_1024_pairs_at_most() -> None:
    count = 5_000
    numbers = b"".join(b"\x30" + varint(2 * number + 1) + b"\x01" for number in range(1, count + 1))
    told: list[bytes] = [returned("list", varint(count) + numbers), frame(b"\x21\x00")]
    with ScriptedGateway(lambda message: told[0] if message[:1] == b"\x11" else told[1]) as gateway:
        open_session = session(gateway)
        open_session.classes[1] = Proxy
        found = open_session.call(2, "A", "b", (), "")
        assert len(found) == count
        del found
        open_session.call(2, "A", "b", (), "")
        released: list[Any] = []
        while len(released) < count:
            message = read(Cursor(gateway.released.get(timeout=5)), Site())["release"]
            assert 1 <= len(message) <= 1_024
            released += message
        assert len(released) == count
        open_session.close()
