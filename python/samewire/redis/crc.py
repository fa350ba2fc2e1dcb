"""redis-py's function for slots, which also divides into another number of them."""

from __future__ import annotations

from binascii import crc_hqx

REDIS_CLUSTER_HASH_SLOTS = 16384


def key_slot(key: bytes, bucket: int = REDIS_CLUSTER_HASH_SLOTS) -> int:
    """The slot of a key among `bucket` slots: CRC16 of the key, or of its hash tag if it has one."""
    start = key.find(b"{")
    end = key.find(b"}", start + 1)
    if 0 <= start < end - 1:
        key = key[start + 1 : end]
    return crc_hqx(key, 0) % bucket
