"""Every case of spec/vectors/bridge, by a session: a gateway says the bytes in reply to a call, or as a call."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from samewire._native import Object, Session
from samewire.errors import SamewireError
from samewire.limits import Limits
from scripted_gateway import TOKEN, ScriptedGateway, frame, returned

from spec.oracle.bridge.encode import encode
from spec.oracle.bridge.kinds import ROWS, WIDTHS, result
from spec.oracle.bridge.messages import BYTES, REPLIES, Site, write

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "spec" / "vectors"
FORMATS = {"bool": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f", "f64": "d", "char": "H"}
#: A blob of more bytes is announced, and never sent.
MOST_SENT = 1 << 20

Case = dict[str, Any]
executed: dict[str, int] = {}


class ThrownError(Exception):
    """What a throw is raised as."""


class Proxy(Object):
    """An object of the gateway's."""

    __slots__ = ()


def cases() -> Iterator[tuple[str, Case]]:
    for path in sorted((FOLDER / "bridge").glob("*.json")):
        for case in json.loads(path.read_text())["cases"]:
            yield f"bridge/{path.name}", case


@pytest.fixture(scope="module", autouse=True)
def _report() -> Iterator[None]:
    yield
    report = ROOT / "build" / "executed" / "python-bridge.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"vectors": executed}, indent=1) + "\n")


@pytest.fixture(scope="module")
def gateway() -> Iterator[ScriptedGateway]:
    with ScriptedGateway(lambda message: None) as running:
        yield running


def session(gateway: ScriptedGateway, limits: dict[str, int] | None = None) -> Session:
    given = dict(limits or {})
    blob_bytes = given.pop("blob_bytes", 2**31 - 9)
    made = Session(gateway.address, TOKEN, shared_memory=False, limits=Limits(**given), blob_bytes=blob_bytes)
    made.timeout = 20
    made.on_class = lambda info: Proxy
    made.on_throw = lambda *parts: ThrownError(*parts)
    made.decode = lambda schema, payload: ("pack", schema, payload)
    return made


def scalar(of: str, bits: Any) -> Any:
    """An element of a row, as a memoryview has it."""
    if of == "bool":
        return bits
    if of[0] == "i":
        return int(bits)
    return struct.unpack(">" + FORMATS[of], bytes.fromhex(bits))[0]


def same(found: Any, value: Any) -> bool:
    """Whether a Python object is a value in the notation of the vectors."""
    if value is None or isinstance(value, bool):
        return found is value
    ((kind, inner),) = value.items()
    if kind == "char":
        return bool(found == chr(int(inner, 16)))
    if kind in WIDTHS:
        wanted = scalar(kind, inner)
        return type(found) is type(wanted) and (found == wanted or (found != found and wanted != wanted))
    if kind == "string":
        return bool(found == inner)
    if kind == "units":
        raw = b"".join(int(inner[i : i + 4], 16).to_bytes(2, "little") for i in range(0, len(inner), 4))
        return bool(found == raw.decode("utf-16-le", "surrogatepass"))
    if kind == "bytes":
        return bytes(found) == bytes.fromhex(inner)
    if kind in ROWS:
        if isinstance(found, str):
            return kind.endswith("<char>") and [ord(unit) for unit in found] == [int(bits, 16) for bits in inner]
        elements = found.tolist() if isinstance(found, memoryview) else list(found)
        wanted = [scalar(ROWS[kind], bits) for bits in inner]
        if kind.endswith("<char>") and elements and isinstance(elements[0], str):
            wanted = [chr(unit) for unit in wanted]
        return len(elements) == len(wanted) and all(a == b or (a != a and b != b) for a, b in zip(elements, wanted, strict=True))
    if kind in ("list", "list<string>"):
        return isinstance(found, list) and alike(found, inner)
    if kind == "tuple":
        return isinstance(found, tuple) and alike(found, inner)
    if kind == "set":
        return isinstance(found, (set, frozenset)) and len(found) <= len(inner)
    if kind == "map":
        return isinstance(found, dict) and len(found) <= len(inner)
    if kind == "sender":
        return isinstance(found, Proxy) and [str(found.__java_number__), str(found.__java_class__)] == inner
    if kind == "pack":
        return bool(found == ("pack", inner[0], bytes.fromhex(inner[1])))
    if kind == "class":
        members = [[member[key] for key in ("what", "flags", "name", "parameters", "result")] for member in inner["members"]]
        plain = [found.number == int(inner["number"]), found.name == inner["name"], found.form == inner["form"]]
        plain += [found.superclass == inner["superclass"], list(found.supertypes) == inner["supertypes"]]
        plain += [found.functional == inner["functional"], [list(pair) for pair in found.inner] == inner["inner"]]
        return all(plain) and [[*entry[:3], list(entry[3]), entry[4]] for entry in found.members] == members
    raise AssertionError(kind)


def alike(found: Any, values: list[Any]) -> bool:
    return len(found) == len(values) and all(map(same, found, values))


def has(value: Any, *names: str) -> bool:
    """Whether a value has one of these kinds in it."""
    if isinstance(value, dict):
        return any(name in value or has(list(value.values()), *names) for name in names)
    return isinstance(value, list) and any(has(part, *names) for part in value)


def wrong(error: SamewireError) -> tuple[str, int]:
    """What the session found wrong with a message, and where."""
    if error.code in ("limit_items", "limit_depth") and error.at is not None:
        return error.code, error.at  # of the call alone
    found = re.search(r"does not allow: (\w+)(?: at byte (\d+) )?", str(error))
    assert error.code == "closed", error
    assert found, error
    return found[1], int(found[2] or 0)


def call(gateway: ScriptedGateway, reply: bytes | None, limits: dict[str, int] | None = None) -> Any:
    """What a call returns that gets this reply."""
    gateway.answer = lambda message: reply
    open_session = session(gateway, limits)
    try:
        return open_session.call(2, "A", "b", (), "")
    finally:
        open_session.close()


def refused(gateway: ScriptedGateway, reply: bytes, limits: dict[str, int] | None = None) -> tuple[str, int]:
    with pytest.raises(SamewireError) as caught:
        call(gateway, reply, limits)
    return wrong(caught.value)


def offset(kind: str) -> int:
    """Where the value stands in a first return."""
    return len(b"\x22" + encode({"string": kind}, "string"))


def blobs(value: Any, kind: str) -> bytes:
    """The bytes that follow a value which is a blob."""
    of = kind.removeprefix("option<").removesuffix(">") if kind.startswith("option<") else kind
    size = int(value["blob"]) * WIDTHS.get(ROWS.get(of, ""), 1)
    return b"".join(frame(b"\x28" + bytes(min(1 << 20, size - at))) for at in range(0, size, 1 << 20))


def run_value(gateway: ScriptedGateway, case: Case) -> None:
    kind, data = case["of"], bytes.fromhex(case["hex"])
    if not result(kind):
        run_argument(gateway, case)
        return
    before = offset(kind)
    if case["kind"] == "rejected":
        assert refused(gateway, returned(kind, data), case.get("limits")) == (case["error"], case["at"] + before)
        return
    value = case["value"]
    if has(value, "receiver"):
        # No object of this process has that number.
        assert refused(gateway, returned(kind, data))[0] == "malformed"
        return
    if has(value, "sender") and "0" in [str(part) for part in _classes(value)]:
        assert refused(gateway, returned(kind, data))[0] == "malformed"
        return
    follows = b""
    if isinstance(value, dict) and "blob" in value:
        if int(value["blob"]) > MOST_SENT:
            return
        follows = blobs(value, kind)
    found = call(gateway, returned(kind, data) + follows)
    if follows or (isinstance(value, dict) and "blob" in value):
        # A blob of a schema is a message of it.
        inner = found[2] if isinstance(found, tuple) else found
        assert memoryview(inner).nbytes == sum(len(part) for part in [follows]) - 5 * -(-len(follows) // ((1 << 20) + 5))
        return
    assert same(found, value), found
    if data:
        end = len(data) // 2
        assert refused(gateway, returned(kind, data[:end])) == ("truncated", before + end)
    if len(data) < MOST_SENT:
        assert refused(gateway, returned(kind, data + b"\0")) == ("trailing", before + len(data))
    for name, code in (("depth", "limit_depth"), ("items", "limit_items"), ("cells", "limit_items")):
        if case["uses"][name] > 1:
            assert refused(gateway, returned(kind, data), {name: case["uses"][name] - 1})[0] == code


def _classes(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "sender" in value:
            yield value["sender"][1]
        else:
            yield from _classes(list(value.values()))
    elif isinstance(value, list):
        for part in value:
            yield from _classes(part)


def run_argument(gateway: ScriptedGateway, case: Case) -> None:
    """A value of a kind that only arguments have: the gateway calls Python with it, of an object that is null."""
    kind, data = case["of"], bytes.fromhex(case["hex"])
    kinds = encode({"string": "object"}, "string") + encode({"string": kind}, "string")
    call_head = b"\x11\0\1\0" + encode({"string": "take"}, "string") + b"\2" + kinds + encode({"string": "any"}, "string") + b"\0"
    if case["kind"] == "rejected":
        found = refused(gateway, frame(call_head + data))
        # Outside a batch, no result may be asked for.
        assert found == (case["error"], case["at"] + len(call_head)) or kind == "result"
    elif kind == "null":
        assert call(gateway, frame(call_head + data)) is None
        assert gateway.replies.get(timeout=5)[0] == BYTES["throw"]
    else:
        # No object of this process has that number, an object of the JVM has a class, and no batch runs.
        assert refused(gateway, frame(call_head + data))[0] == "malformed"


def run_message(gateway: ScriptedGateway, case: Case) -> None:
    data = bytes.fromhex(case["hex"])
    name = next(iter(case["value"])) if "value" in case else ""
    if case["kind"] == "frames":
        run_frames(gateway, case)
    elif name == "welcome" or data[:1] == b"\x02":
        run_welcome(gateway, case, data)
    elif case["kind"] == "rejected":
        if data and data[0] in (BYTES[reply] for reply in REPLIES if reply != "return"):
            assert refused(gateway, frame(data), case.get("limits")) in ((case["error"], case["at"]), ("malformed", 0))
        elif data:
            refused(gateway, frame(data), case.get("limits"))
        else:
            assert refused(gateway, bytes(4)) == ("malformed", 0)
    elif name == "throw":
        run_throw(gateway, case["value"]["throw"], data)
    elif name == "first return":
        value = case["value"][name]
        assert same(call(gateway, frame(data)), value["value"])
    elif name in ("release", "nothing") and not case["value"][name]:
        # Nothing is not a reply to a call that has not been resolved.
        assert refused(gateway, frame(data) + (frame(b"\x20") if name == "release" else b"")) == ("malformed", 0)
    elif name in ("ping", "bye", "more", "interrupt", "pong"):
        run_control(case["value"], data)
    elif name == "first call" and not has(case["value"][name]["arguments"], "receiver", "result"):
        # Python has no classes to be reached: it throws, and goes on.
        assert call(gateway, frame(data)) is None
        assert gateway.replies.get(timeout=5)[0] == BYTES["throw"]
    else:
        # A message that may not stand there, a call of an object that is not alive, a site that has no definition.
        assert refused(gateway, frame(data))[0] in ("malformed", "unsupported")


def run_throw(gateway: ScriptedGateway, body: dict[str, Any], data: bytes) -> None:
    if body["object"] and "receiver" in body["object"]:
        assert refused(gateway, frame(data)) == ("malformed", 1)
        return
    with pytest.raises(ThrownError) as caught:
        call(gateway, frame(data))
    thrown, kind, code, message, trace = caught.value.args
    assert same(thrown, body["object"])
    assert (kind, code) == (body["type"], body["code"])
    assert same(message, body["message"])
    assert same(trace, body["trace"])


def run_welcome(gateway: ScriptedGateway, case: Case, data: bytes) -> None:
    before = gateway.welcome
    gateway.welcome = lambda channel: frame(data)
    try:
        if case["kind"] == "rejected":
            with pytest.raises(SamewireError) as caught:
                session(gateway)
            assert caught.value.code == case["error"]
        else:
            session(gateway).close()
    finally:
        gateway.welcome = before


def run_control(value: dict[str, Any], data: bytes) -> None:
    with ScriptedGateway(lambda message: returned("void", b"")) as gateway:
        open_session = session(gateway)
        control = gateway.controls.get(timeout=5)
        control.sendall(frame(data))
        if "ping" in value:
            assert gateway.said() == {"pong": value["ping"]}
        elif "more" in value:
            gateway.callbacks.get(timeout=5)
        elif "bye" in value:
            with pytest.raises(SamewireError, match="closed"):
                while True:
                    open_session.call(2, "A", "b", (), "")
        else:
            control.sendall(frame(write({"ping": "9"}, Site())))
            assert gateway.said() == {"pong": "9"}
        open_session.close()


def run_frames(gateway: ScriptedGateway, case: Case) -> None:
    stream = bytes.fromhex(case["hex"])
    if not stream:
        return
    with pytest.raises(SamewireError) as caught:
        gateway.answer = lambda message: stream
        open_session = session(gateway, case.get("limits"))
        open_session.timeout = 0.05 if case.get("error") == "truncated" and not case["messages"] else 20
        open_session.call(2, "A", "b", (), "")
    # A whole frame is not a reply: closed. Half a frame never becomes whole: timeout. Other bytes are not a frame:
    # closed.
    if case.get("limits"):
        # Shorter frames than a hello needs.
        assert caught.value.code == "limit_size"
    elif case["messages"] or case.get("error") != "truncated":
        assert caught.value.code == "closed"
    else:
        assert caught.value.code == "timeout"


@pytest.mark.parametrize(("file", "case"), [pytest.param(f, c, id=f"{f}:{c['name']}") for f, c in cases()])
def test_vector(file: str, case: Case, gateway: ScriptedGateway) -> None:
    if "of" in case:
        run_value(gateway, case)
    else:
        run_message(gateway, case)
    executed[file] = executed.get(file, 0) + 1
