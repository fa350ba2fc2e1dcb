"""Every case of spec/vectors/redis, by `Reader` and `pack_command`, cut at every byte."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from samewire.limits import Limits
from samewire.redis import ProtocolError, PushNotification, Reader, ReplyError, pack_command

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "spec" / "vectors"

Case = dict[str, Any]
MISSING = object()
executed: dict[str, int] = {}


class TextError(ReplyError):
    """An error reply, known by its text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def plain(value: Any) -> Any:
    """What `Reader` makes of a value in the notation of the vectors: simple, bulk and verbatim strings are bytes alike,
    big numbers too, and sets are lists."""
    if value is None or isinstance(value, bool):
        return value
    ((kind, inner),) = value.items()
    if kind in ("simple", "bulk"):
        return bytes.fromhex(inner)
    if kind == "verbatim":
        return bytes.fromhex(inner[1])
    if kind == "big":
        return inner.encode()
    if kind == "integer":
        return int(inner)
    if kind == "double":
        return struct.unpack(">d", bytes.fromhex(inner))[0]
    if kind == "error":
        return ("error", bytes.fromhex(inner).decode(errors="replace"))
    if kind == "map":
        return ("map", [(plain(key), plain(entry)) for key, entry in inner])
    return (kind if kind == "push" else "list", [plain(part) for part in inner])


def seen(value: Any) -> Any:
    """A reply in the same form."""
    if isinstance(value, TextError):
        return ("error", value.text)
    if isinstance(value, PushNotification):
        return ("push", [seen(part) for part in value])
    if isinstance(value, list):
        return ("list", [seen(part) for part in value])
    if isinstance(value, dict):
        return ("map", [(seen(key), seen(part)) for key, part in value.items()])
    return value


def same(found: Any, wanted: Any) -> bool:
    """Equality by representation: NaN is itself, and 1 is neither True nor 1.0."""
    return repr(found) == repr(wanted)


def holds(value: Any) -> bool:
    """Whether a dict can hold the maps of a value: no key twice, no key without a hash."""
    if isinstance(value, tuple) and value[0] == "map":
        keys = [key for key, _ in value[1]]
        hashable = not any(isinstance(key, tuple) for key in keys)
        return hashable and len(set(keys)) == len(keys) and all(holds(part) for _, part in value[1])
    return not isinstance(value, tuple) or value[0] == "error" or all(holds(part) for part in value[1])


def replies(data: bytes, cut: int, **limits: int) -> tuple[list[Any], str | None]:
    """All replies of a stream that comes in two pieces, and what ends it."""
    reader = Reader(replyError=TextError, notEnoughData=MISSING, limits=Limits(**limits))
    found = []
    try:
        for piece in (data[:cut], data[cut:]):
            reader.feed(piece)
            while (reply := reader.gets()) is not MISSING:
                found.append(seen(reply))
    except ProtocolError as error:
        with pytest.raises(ProtocolError):
            reader.gets()
        return found, str(error)
    return found, "truncated" if reader.has_data() else None


def cuts(data: bytes) -> range:
    return range(0, len(data) + 1, 1 if len(data) < 3000 else 9973)


def reply(case: Case) -> None:
    data, wanted = bytes.fromhex(case["hex"]), plain(case["value"])
    if not holds(wanted):
        entries = wanted[1]
        hashable = not any(isinstance(key, tuple) for key, _ in entries)
        for cut in cuts(data):
            reader = Reader(notEnoughData=MISSING)
            reader.feed(data[:cut])
            if cut < len(data):
                assert reader.gets() is MISSING
            reader.feed(data[cut:] + b"+next\r\n")
            if hashable:
                # The last value of a repeated key stays.
                assert reader.gets() == dict(entries)
            else:
                with pytest.raises(TypeError, match="unhashable"):
                    reader.gets()
            assert reader.gets() == b"next"
        return
    for cut in cuts(data):
        found, ended = replies(data, cut)
        assert ended is None
        assert same(found, [wanted])


def rejected(case: Case) -> None:
    data = bytes.fromhex(case["hex"])
    for cut in cuts(data):
        found, ended = replies(data, cut, **case.get("limits", {}))
        if case["error"] == "truncated":
            assert (found, ended) == ([], "truncated" if data else None)
        else:
            assert ended is not None
            assert ended.startswith(f"{case['error']} at {case['at']}:"), ended


def stream(case: Case) -> None:
    data = bytes.fromhex(case["hex"])
    for cut in cuts(data):
        found, ended = replies(data, cut)
        assert same(found, [plain(value) for value in case["values"]])
        if case.get("error") in (None, "truncated"):
            assert ended == case.get("error")
        else:
            assert ended is not None
            assert ended.startswith(f"{case['error']} at {case['at']}:")


def command(case: Case) -> None:
    arguments = [
        int(argument["integer"]) if "integer" in argument else bytes.fromhex(argument["bytes"]) for argument in case["arguments"]
    ]
    assert pack_command(tuple(arguments)).hex() == case["hex"]


KINDS: dict[str, Callable[[Case], None]] = {
    "canonical": reply,
    "accepted": reply,
    "rejected": rejected,
    "stream": stream,
    "command": command,
}


def cases() -> Iterator[Any]:
    for file in sorted(FOLDER.glob("redis/*.json")):
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            yield pytest.param(f"redis/{file.name}", case, id=f"{file.stem}-{case['name']}")


@pytest.mark.parametrize(("file", "case"), list(cases()))
def test_case(file: str, case: Case) -> None:
    KINDS[case["kind"]](case)
    executed[file] = executed.get(file, 0) + 1


def test_every_case_was_executed() -> None:
    manifest = json.loads((FOLDER / "MANIFEST.json").read_text(encoding="utf-8"))
    report = ROOT / "build" / "executed" / "python-redis.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"vectors": executed}), encoding="utf-8")
    assert executed == {file: count for file, count in manifest["only"]["python"].items() if file.startswith("redis/")}
