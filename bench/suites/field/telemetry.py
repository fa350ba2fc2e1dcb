"""Telemetry of a service, generated: what traces, metrics and request logs look like, and no published set holds.

Names and hosts repeat as they do in a service; identifiers, addresses and times do not.
"""

from __future__ import annotations

import datetime as dt
from random import Random
from typing import Any
from uuid import UUID

_BEGIN = dt.datetime(2024, 3, 1, 6, tzinfo=dt.UTC)
_LEVELS = ("debug", "info", "info", "info", "info", "info", "warn", "error")
_METHODS = ("GET", "GET", "GET", "POST", "PUT", "DELETE")
_STATUS = (200, 200, 200, 200, 201, 204, 304, 400, 404, 500)
_MESSAGES = (
    "request served",
    "cache miss for user %d",
    "retrying upstream, attempt %d",
    "slow query took %d ms",
    "session %d expired",
)
_TAGS = {
    "region": ("eu-west-1", "us-east-1", "ap-south-1"),
    "tier": ("web", "batch"),
    "customer": None,
    "build": ("1.14.2", "1.15.0"),
}
_SPANS = ("auth", "route", "db.query", "db.commit", "render", "cache.get", "serialize")


def rows(count: int) -> list[dict[str, Any]]:
    """So many readings of a schema in `workloads/telemetry.schema`, the same in every call."""
    random = Random(7)
    at = _BEGIN
    found = []
    for _ in range(count):
        at += dt.timedelta(microseconds=random.randrange(20, 90_000))
        message = random.choice(_MESSAGES)
        found.append(
            {
                "id": str(UUID(int=random.getrandbits(128), version=4)),
                "at": at.isoformat().replace("+00:00", "Z"),
                "host": f"web-{random.randrange(40):02}.example.net",
                "address": ".".join(str(random.randrange(256)) for _ in range(4)),
                "level": random.choice(_LEVELS),
                "message": message % random.randrange(10_000) if "%" in message else message,
                "http": _http(random),
                "tags": _tags(random),
                "trace": _trace(random),
            }
        )
    return found


def _http(random: Random) -> dict[str, Any]:
    path = f"/api/v2/{random.choice(('orders', 'users', 'items', 'search'))}/{random.randrange(5_000)}"
    status, size = random.choice(_STATUS), int(random.lognormvariate(7, 2))
    return {
        "method": random.choice(_METHODS),
        "path": path,
        "status": status,
        "bytes": min(size, 50_000_000),
        "seconds": round(random.lognormvariate(-4, 1), 6),
    }


def _tags(random: Random) -> dict[str, str]:
    names = [name for name in _TAGS if random.random() < 0.6]
    return {name: random.choice(values) if (values := _TAGS[name]) else f"c{random.randrange(900)}" for name in names}


def _trace(random: Random) -> list[dict[str, Any]]:
    start, spans = 0, []
    for _ in range(random.randrange(4)):
        length = random.randrange(10, 20_000)
        spans.append({"name": random.choice(_SPANS), "start": start, "length": length})
        start += random.randrange(length)
    return spans
