"""`key_slot` against what a server says."""

from __future__ import annotations

import random

import pytest
from samewire._native import key_slot
from servers import link, valkey


def test_slots_are_the_servers() -> None:
    chance = random.Random(1)
    keys = [b"", b"{}", b"{", b"}{", b"a{b}c", b"a{}{b}", b"{{b}}", b"a{b}{c}", "schlüssel{ß}".encode()]
    keys += [bytes(chance.choices(b"ab{}\x00\xff", k=chance.randrange(12))) for _ in range(200)]
    with valkey(**{"cluster-enabled": "yes"}) as server:
        connected = link(server.port)
        assert [key_slot(key) for key in keys] == [connected.call(("CLUSTER KEYSLOT", key)) for key in keys]


def test_keys_are_texts_or_bytes() -> None:
    assert key_slot("foo") == key_slot(b"foo") == key_slot(bytearray(b"foo")) == key_slot(memoryview(b"foo")) == 12182
    with pytest.raises(TypeError):
        key_slot(1)  # type: ignore[arg-type]
