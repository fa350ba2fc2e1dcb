"""Fuzzes the decoders of the extension module: damaged vectors get a value or a coded error, in bounded time and memory.

The corpus is every message of `spec/vectors/pack` and `spec/vectors/columns`, under its own schema and now and then
under another. What decodes is encoded again in both profiles, and must come back to the same bytes. Schema texts and the
scanner of frames are damaged too.

usage: fuzz.py [--seconds N] [--seed S]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

from samewire.pack import Codec, FrameScanner, Limits, SamewireError, Schema, codec, types_of

VECTORS = Path(__file__).parents[3] / "spec" / "vectors"
CODES = frozenset(
    "malformed truncated trailing limit_depth limit_size limit_items bad_utf8 bad_number type_mismatch "
    "schema_mismatch unsupported".split()
)
SLOWEST = 2.0
"""Seconds for one input: all of them are short, so this is a hang, not a slow machine."""
MOST_BYTES_PER_BYTE = 512
"""Of objects for a byte of input. A list of `bool` has 64 for its pointers; a row of a struct is an object a byte."""
CONSTANT = 1 << 20
INTERESTING = (0x00, 0x01, 0x5F, 0x60, 0x61, 0x62, 0x63, 0x70, 0x71, 0x7E, 0x7F, 0x80, 0xBF, 0xDF, 0xE0, 0xFF)


class Finding(Exception):
    """The decoder did what it must not."""


def corpus() -> tuple[list[tuple[str, bytes]], list[str]]:
    """Messages with their schemas, and schema texts."""
    messages, texts = [], []
    for path in sorted([*VECTORS.glob("pack/*.json"), *VECTORS.glob("columns/*.json")]):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            schema = case.get("writer") or case.get("schema")
            if schema and "hex" in case and len(case["hex"]) < 8192:
                messages.append((schema, bytes.fromhex(case["hex"])))
            if "text" in case and len(case["text"]) < 4096:
                texts.append(case["text"])
    return messages, texts


def damage(source: random.Random, data: bytes, other: bytes) -> bytes:
    """One to four changes."""
    made = bytearray(data)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(made) + 1)
        match source.randrange(7):
            case 0 if made:
                made[at % len(made)] ^= 1 << source.randrange(8)
            case 1 if made:
                made[at % len(made)] = source.choice(INTERESTING)
            case 2:
                del made[at:]
            case 3:
                del made[at : at + source.randint(1, 8)]
            case 4:
                made[at:at] = source.randbytes(source.randint(1, 8))
            case 5:
                made[at:at] = source.choice((b"\xff\xff\xff\xff\x07", b"\x80\x80\x80\x08", b"\xff\xff\x03"))
            case _:
                cut = source.randrange(len(other) + 1)
                made[at:] = other[cut:]
    return bytes(made)


def attempt(own: Codec[Any], compact: Codec[Any], data: bytes) -> None:
    """Decodes, checks the outcome, and encodes the decoded value: at last in rows, in which all NaNs have the same bits."""
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    began = time.monotonic()
    try:
        value = own.decode(data)
    except SamewireError as error:
        value = None
        # A value that the Python type cannot hold: the error has a path and no offset.
        placed = error.code == "type_mismatch" or (error.at is not None and 0 <= error.at <= len(data))
        if error.code not in CODES or not placed or not error.path:
            raise Finding(f"a poor error: {error!r}") from error
        failed = True
    else:
        failed = False
    spent = time.monotonic() - began
    taken = tracemalloc.get_traced_memory()[1] - before
    if spent > SLOWEST:
        raise Finding(f"took {spent:.1f} s")
    if taken > MOST_BYTES_PER_BYTE * len(data) + CONSTANT:
        raise Finding(f"took {taken} bytes")
    if not failed:
        again = own.encode(value)
        if own.encode(own.decode(again)) != again:
            raise Finding("what was decoded does not come back")
        if own.encode(own.decode(compact.encode(value))) != again:
            raise Finding("what was decoded does not come back from the other profile")


def attempt_text(text: str) -> None:
    """Reads a schema text."""
    try:
        made = Schema.parse(text)
    except SamewireError as error:
        if error.code not in ("malformed", "limit_size", "limit_depth", "limit_items", "bad_utf8") or error.at is None:
            raise Finding(f"a poor error: {error!r}") from error
    else:
        if Schema.parse(made.text).text != made.text:
            raise Finding("canonical text is not canonical")


def attempt_frames(source: random.Random, data: bytes) -> None:
    """Feeds a scanner in pieces."""
    scanner = FrameScanner(Limits(frame_bytes=4096, buffered_bytes=5000))
    try:
        at = 0
        while at < len(data):
            size = source.randint(1, 64)
            scanner.feed(data[at : at + size])
            at += size
            for _ in scanner:
                pass
        scanner.end()
    except SamewireError as error:
        if error.code not in ("malformed", "truncated", "limit_size", "bad_number") or error.at is None:
            raise Finding(f"a poor error: {error!r}") from error


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    source = random.Random(chosen.seed)
    messages, texts = corpus()
    codecs: dict[str, tuple[Codec[Any], Codec[Any]]] = {}
    tracemalloc.start()
    began = time.monotonic()
    count = 0
    while time.monotonic() - began < chosen.seconds:
        schema, data = source.choice(messages)
        other = source.choice(messages)[1]
        if source.random() < 0.05:
            schema = source.choice(messages)[0]
        made = damage(source, data, other)
        text = damage(source, source.choice(texts).encode(), b"list<").decode("utf-8", "replace") if count % 50 == 0 else ""
        try:
            if schema not in codecs:
                kind = types_of(schema)
                codecs[schema] = (codec(kind, profile="fast"), codec(kind))
            attempt(*codecs[schema], made)
            if text:
                attempt_text(text)
                attempt_frames(source, made)
        except Exception as error:
            print(f"fuzz python: FOUND {error!r}\n  schema {schema}\n  input {made.hex()}\n  text {text!r}")
            return 1
        count += 1
    print(
        f"fuzz python: {count} inputs in {time.monotonic() - began:.0f} s, damaged vectors, schema texts and frames; no finding"
    )
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.exit(main())
