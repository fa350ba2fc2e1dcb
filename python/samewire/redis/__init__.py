"""redis: RESP2 and RESP3, the protocol of Redis and Valkey (spec/redis.md).

>>> from samewire.redis import Reader
>>> reader = Reader(encoding="utf-8")
>>> reader.feed(b"*2\\r\\n$5\\r\\nhel")
>>> reader.gets()
False
>>> reader.feed(b"lo\\r\\n:42\\r\\n")
>>> reader.gets()
['hello', 42]
"""

from __future__ import annotations

from .as_redis import install_as_redis
from .reader import HiredisError, ProtocolError, PushNotification, Reader, ReplyError, install_as_hiredis, pack_command

__all__ = [
    "HiredisError",
    "ProtocolError",
    "PushNotification",
    "Reader",
    "ReplyError",
    "install_as_hiredis",
    "install_as_redis",
    "pack_command",
]
