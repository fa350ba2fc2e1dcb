"""redis-py's function for slots agrees with the native one."""

from __future__ import annotations

import pytest
from samewire._native import key_slot as native
from samewire.redis.crc import key_slot


@pytest.mark.parametrize("key", [b"", b"key", b"{a}b", b"{}a", b"a{b", b"a{b}{c}", b"{{a}}b", b"a}b{c}", bytes(range(256))])
def test_finds_the_slot_of_a_key(key: bytes) -> None:
    assert key_slot(key) == native(key)
    assert key_slot(key, 7) in range(7)
