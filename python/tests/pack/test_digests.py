"""The digest that a message carries, and codecs that require one (spec/pack.md, section 3)."""

from __future__ import annotations

import array
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
    assert pack.digest_of(b"\x40") is None


@pytest.mark.parametrize(
    ("message", "code", "at"),
    [
        ("", "truncated", 0),
        ("50", "truncated", 1),
        ("5001020304050607", "truncated", 8),
        ("0002", "unsupported", 0),
        ("7b7d", "truncated", 2),
        ("ff", "unsupported", 0),
    ],
)
def test_what_is_no_message_has_no_digest(message: str, code: str, at: int) -> None:
    assert error_of(pack.digest_of, bytes.fromhex(message)) == (code, at, "$")


def test_only_bytes_have_a_digest() -> None:
    with pytest.raises(TypeError):
        pack.digest_of("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        pack.digest_of(array.array("d", [1.0]))
    assert pack.digest_of(memoryview(b"\x40\x00\x40\x00")[::2]) is None


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
    assert error_of(strict.decode, b"\x40\x02\x00\x00") == ("limit_size", 0, "$")
    assert error_of(strict.decode, b"\x80\x02") == ("unsupported", 0, "$")
    assert error_of(strict.decode, b"") == ("truncated", 0, "$")
    # Before all the rest: this value is cut.
    assert error_of(strict.decode, b"\x40") == ("schema_mismatch", 0, "$")


def test_the_option_is_true_or_false() -> None:
    assert error_of(lambda: pack.codec(int, require_digest=1))[0] == "misuse"  # type: ignore[call-overload]
