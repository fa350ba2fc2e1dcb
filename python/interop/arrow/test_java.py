"""The sample that Java's tables are compared with: a message, and the table that Python makes of it, by pyarrow's streams.

`python python/interop/arrow/test_java.py` writes `java/pack-arrow/src/test/resources/sample.json` anew.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from dataclasses import make_dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pyarrow
from samewire import pack

SAMPLE = Path(__file__).parents[3] / "java" / "pack-arrow" / "src" / "test" / "resources" / "sample.json"
ROWS = 90
TEXTS = ["", "a", "buy", "é" * 9, "日本語", "\U0001f600 and more than twelve"]


class Side(Enum):
    BUY = "buy"
    SELL = "sell"
    HOLD = "hold"


Inner = make_dataclass("Inner", [("side", Side | None), ("at", datetime | None), ("deep", list[int])])

Make = Callable[[random.Random], Any]


def whole(bits: int, low: int = 0) -> Make:
    return lambda r: r.choice([low, low + 1, low + (1 << bits) - 1, low + r.getrandbits(bits)])


def instant(r: random.Random) -> datetime:
    return datetime(
        1 + r.randrange(9998), 1 + r.randrange(12), 1 + r.randrange(28), r.randrange(24), 5, 7, r.choice([0, 1000, 7]), UTC
    )


#: The types of the fields, and what makes a value of each.
FIELDS: dict[str, tuple[Any, Make]] = {
    "truth": (bool, lambda r: r.random() < 0.5),
    **{f"i{bits}": (Annotated[int, getattr(pack, f"I{bits}")], whole(bits, -1 << (bits - 1))) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (Annotated[int, getattr(pack, f"U{bits}")], whole(bits)) for bits in (8, 16, 32, 64)},
    "f32": (Annotated[float, pack.F32], lambda r: r.randrange(-1000, 1000) / 8),
    "f64": (float, lambda r: r.choice([0.1, -0.0, float("inf"), r.random()])),
    "big": (Annotated[int, pack.BIGINT], lambda r: r.choice([0, -1, 10**38 - 1, -(10**38) + 1, r.getrandbits(70)])),
    "exact": (
        Decimal,
        lambda r: Decimal(r.choice(["0", "-1.50", "12345678901234567890.123456789012345678", "1E+5", "1.00E-17"])),
    ),
    "text": (str, lambda r: r.choice(TEXTS)),
    "raw": (bytes, lambda r: r.randbytes(r.randrange(4))),
    "id": (UUID, lambda r: UUID(int=r.getrandbits(128))),
    "day": (date, lambda r: date.fromordinal(1 + r.randrange(3_652_059))),
    "tick": (time, lambda r: time(r.randrange(24), 1, 2, r.randrange(1_000_000))),
    "at": (datetime, instant),
    "took": (timedelta, lambda r: timedelta(r.randrange(-9, 9), 1, r.randrange(1_000_000))),
    "side": (Side, lambda r: r.choice(list(Side))),
    "tags": (list[str | None], lambda r: [r.choice([None, *TEXTS]) for _ in range(r.randrange(4))]),
    "codes": (set[Annotated[int, pack.I32]], lambda r: {r.randrange(99) for _ in range(r.randrange(4))}),
    "named": (dict[str, float | None], lambda r: {text: r.choice([None, 0.5]) for text in r.sample(TEXTS, r.randrange(4))}),
    "pair": (tuple[Annotated[int, pack.I32], str], lambda r: (r.randrange(9), r.choice(TEXTS))),
    "inner": (
        Inner,
        lambda r: Inner(r.choice([None, *Side]), r.choice([None, instant(r)]), [r.randrange(9) for _ in range(r.randrange(3))]),
    ),
}


def sample() -> tuple[pack.Codec[list[Any]], list[Any]]:
    """Returns the codec of rows that have each type, and each as an option, and rows."""
    fields = [(name, kind) for name, (kind, _) in FIELDS.items()]
    fields += [(f"maybe_{name}", kind | None) for name, (kind, _) in FIELDS.items()]
    kind = make_dataclass("Row", fields)
    r = random.Random(38)
    rows = [
        kind(*(make(r) for _, make in FIELDS.values()), *(r.choice([None, make(r)]) for _, make in FIELDS.values()))
        for _ in range(ROWS)
    ]
    return pack.codec(list[kind]), rows  # type: ignore[valid-type]


def write() -> None:
    codec, rows = sample()
    stored: dict[str, str] = {"schema": codec.schema.text}
    for profile in ("compact", "fast"):
        stored[profile] = pack.codec(list[type(rows[0])], profile=profile).encode(rows).hex()
    table = pyarrow.table(codec.table(codec.encode(rows)))
    out = io.BytesIO()
    with pyarrow.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    stored["table"] = out.getvalue().hex()
    SAMPLE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def test_the_sample_of_javas_tests_is_what_python_makes() -> None:
    stored = json.loads(SAMPLE.read_text(encoding="utf-8"))
    codec, rows = sample()
    assert codec.schema.text == stored["schema"]
    assert codec.encode(rows).hex() == stored["compact"]
    kept = pyarrow.ipc.open_stream(bytes.fromhex(stored["table"])).read_all()
    made = pyarrow.table(codec.table(bytes.fromhex(stored["fast"])))
    assert made.schema.equals(kept.schema, check_metadata=True)
    assert made.equals(kept)


if __name__ == "__main__":
    write()
