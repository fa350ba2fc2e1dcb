"""The digest that a message carries, and codecs that require one (spec/pack.md, section 3)."""

from __future__ import annotations

import array
import importlib
import pickle
from pathlib import Path
from typing import Annotated, Any

import pytest
from samewire import pack

I32 = pack.codec(Annotated[int, pack.I32])
I64 = pack.codec(int)


def error_of(call: Any, *arguments: Any) -> tuple[str, int | None, str | None]:
    with pytest.raises(pack.SamewireError) as caught:
        call(*arguments)
    return caught.value.code, caught.value.at, caught.value.path


def test_the_digest_of_a_message_is_that_of_its_schema() -> None:
    message = pack.codec(int, digest=True).encode(1)
    assert pack.digest_of(message) == I64.digest == pack.Schema.parse("i64").digest
    # What follows is not looked at.
    assert pack.digest_of(message[:9]) == I64.digest
    assert pack.digest_of(bytearray(message)) == pack.digest_of(memoryview(message)) == I64.digest
    assert pack.digest_of(I64.encode(1)) is None
    assert pack.digest_of(b"\x80") is None


@pytest.mark.parametrize(
    ("message", "code", "at"),
    [
        ("", "truncated", 0),
        ("90", "truncated", 1),
        ("9001020304050607", "truncated", 8),
        ("0002", "unsupported", 0),
        ("7b7d", "unsupported", 0),
        ("7f", "unsupported", 0),
    ],
)
def test_what_is_no_message_has_no_digest(message: str, code: str, at: int) -> None:
    assert error_of(pack.digest_of, bytes.fromhex(message)) == (code, at, "$")


def test_only_bytes_have_a_digest() -> None:
    with pytest.raises(TypeError):
        pack.digest_of("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        pack.digest_of(array.array("d", [1.0]))
    assert pack.digest_of(memoryview(b"\x80\x00\x80\x00")[::2]) is None


def test_a_required_digest_must_be_there() -> None:
    strict = pack.codec(int, require_digest=True)
    assert strict.decode(pack.codec(int, digest=True).encode(7)) == 7
    assert error_of(strict.decode, I64.encode(7)) == ("schema_mismatch", 0, "$")
    other = pack.codec(Annotated[int, pack.I32], digest=True).encode(7)
    assert error_of(strict.decode, other) == ("schema_mismatch", 1, "$")
    assert strict.resolve("i32").decode(other) == 7
    assert error_of(strict.resolve("i32").decode, I32.encode(7)) == ("schema_mismatch", 0, "$")


def test_the_length_and_the_version_are_checked_first() -> None:
    strict = pack.codec(int, require_digest=True, limits=pack.Limits(frame_bytes=3))
    assert error_of(strict.decode, b"\x80\x02\x00\x00") == ("limit_size", 0, "$")
    assert error_of(strict.decode, b"\x40\x02") == ("unsupported", 0, "$")
    assert error_of(strict.decode, b"") == ("truncated", 0, "$")
    # Before all the rest: this value is cut.
    assert error_of(strict.decode, b"\x80") == ("schema_mismatch", 0, "$")


def test_the_option_is_true_or_false() -> None:
    assert error_of(lambda: pack.codec(int, require_digest=1))[0] == "misuse"  # type: ignore[call-overload]


def test_a_message_carries_the_check_unless_it_carries_the_digest_or_neither() -> None:
    digest = I32.digest
    checked = b"\xc0" + digest[:2] + b"\x0e"
    carried = b"\x90" + digest + b"\x0e"
    kind = Annotated[int, pack.I32]
    assert I32.encode(7) == pack.codec(kind, check=True).encode(7) == checked
    assert pack.codec(kind, digest=True).encode(7) == pack.codec(kind, digest=True, check=False).encode(7) == carried
    assert pack.codec(kind, check=False).encode(7) == b"\x80\x0e"
    for message in (checked, carried, b"\x80\x0e"):
        assert pack.codec(kind, check=False).decode(message) == I32.decode(message) == 7
    assert pack.digest_of(checked) is None
    assert error_of(pack.codec(kind, require_digest=True).decode, checked) == ("schema_mismatch", 0, "$")
    assert error_of(lambda: pack.codec(int, check=0))[0] == "misuse"  # type: ignore[call-overload]
    assert pickle.loads(pickle.dumps(pack.codec(kind, check=False))).encode(7) == b"\x80\x0e"


def test_a_check_is_that_of_the_writers_schema() -> None:
    message = I32.encode(7)
    assert error_of(I64.decode, message) == ("schema_mismatch", 1, "$")
    assert I64.resolve("i32").decode(message) == 7
    assert error_of(I64.resolve("i32").decode, I64.encode(7)) == ("schema_mismatch", 1, "$")
    text = pack.codec(str).encode("Łódź, as a text")
    assert pack.codec(str).decode(text) == "Łódź, as a text"
    assert error_of(pack.codec(str | None).decode, text) == ("schema_mismatch", 1, "$")
    for cut in range(3):
        assert error_of(I32.decode, message[:cut]) == ("truncated", cut, "$")


@pytest.mark.parametrize("count", [0, 1, 7, 8, 100])
@pytest.mark.parametrize(("check", "digest"), [(True, False), (False, False), (False, True)])
def test_aligned_arrays_behind_each_header(count: int, check: bool, digest: bool) -> None:
    codec = pack.codec(Annotated[memoryview, pack.F64], check=check, digest=digest)
    values = memoryview(array.array("d", range(count)))
    message = codec.encode(values)
    aligned = count >= 8
    head = 9 if digest or (check and aligned) else 3 if check else 1
    assert message[head] == count
    assert codec.decode(message) == values
    assert b"".join(codec.encode_chunks(values, 10)) == message
    assert pack.codec(list[float], check=False).decode(message) == list(values)


def test_messages_that_stand_where_the_schema_is_known_carry_neither(tmp_path: Path) -> None:
    path = tmp_path / "records"
    for codec in (I32, pack.codec(Annotated[int, pack.I32], digest=True)):
        with pack.RecordWriter(path, codec) as writer:
            writer.write(7)
        assert b"\x02\x80\x0e" in path.read_bytes()
        with pack.RecordReader(path, codec) as reader:
            assert list(reader) == [7]
    for name in ("conversions", "times", "typed"):
        module = importlib.import_module(f"samewire.bridge.{name}")
        assert module._codec(Annotated[int, pack.I32]).encode(7) == b"\x80\x0e"
