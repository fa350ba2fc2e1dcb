"""`encode_into`: what it appends, and to which buffers."""

from __future__ import annotations

from typing import Any

import pytest
from samewire import pack


class Own(bytearray):
    """A subclass, which has a bytearray's memory."""


@pytest.mark.parametrize("kind", [bytearray, Own])
def test_messages_are_appended_to_what_is_there(kind: type[bytearray]) -> None:
    codec = pack.codec(list[str])
    buffer, whole = kind(b"before"), b"before"
    for length in (0, 1, 3, 200, 5):
        value = [f"text {n}" for n in range(length)]
        data = codec.encode(value)
        assert codec.encode_into(value, buffer) == len(data)
        whole += data
        assert buffer == whole
    del buffer[:3]
    codec.encode_into([], buffer)
    assert buffer == whole[3:] + codec.encode([])


@pytest.mark.parametrize("arguments", [(), ([],), ([], b"bytes"), ([], memoryview(bytearray(9))), ([], bytearray(), 0)])
def test_what_is_no_value_and_a_bytearray_is_refused(arguments: Any) -> None:
    with pytest.raises(TypeError):
        pack.codec(list[str]).encode_into(*arguments)


def test_nothing_is_appended_where_encoding_or_growing_fails() -> None:
    codec = pack.codec(list[str])
    buffer = bytearray(b"before")
    with pytest.raises(pack.SamewireError) as refused:
        codec.encode_into(["text", 1], buffer)  # type: ignore[list-item]
    assert refused.value.code == "type_mismatch"
    with memoryview(buffer), pytest.raises(BufferError):
        codec.encode_into(["text"], buffer)
    assert buffer == b"before"
    assert codec.encode_into(["text"], buffer) == len(buffer) - 6
