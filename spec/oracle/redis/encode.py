"""Writes replies in their canonical form (redis.md section 4), and commands (section 5)."""

from __future__ import annotations

import struct
from typing import Any


def line(kind: str, text: object) -> bytes:
    return f"{kind}{text}\r\n".encode()


def blob(kind: str, text: bytes) -> bytes:
    return line(kind, len(text)) + text + b"\r\n"


def one_line(kind: bytes, other: str, text: bytes) -> bytes:
    """A line if the text has no line end, else a text with its length."""
    if b"\r" in text or b"\n" in text:
        return blob(other, text)
    return kind + text + b"\r\n"


def double(bits: str) -> str:
    """The shortest decimal text that reads back as the same double."""
    value = struct.unpack(">d", bytes.fromhex(bits))[0]
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    sign = "-" if bits[0] in "89abcdef" else ""
    digits, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = digits.partition(".")
    power = int(exponent or 0) - len(fraction if fraction != "0" else "")
    number = (whole + (fraction if fraction != "0" else "")).lstrip("0")
    if not number:
        return sign + "0"
    stripped = number.rstrip("0")
    power += len(number) - len(stripped)
    point = len(stripped) + power
    if not 1e-5 <= abs(value) < 1e17:
        mantissa = stripped[0] + ("." + stripped[1:] if len(stripped) > 1 else "")
        return f"{sign}{mantissa}e{point - 1}"
    if power >= 0:
        return sign + stripped + "0" * power
    if point > 0:
        return f"{sign}{stripped[:point]}.{stripped[point:]}"
    return f"{sign}0.{'0' * -point}{stripped}"


def encode(value: Any) -> bytes:
    """The canonical bytes of a value in the notation of vectors."""
    if value is None:
        return b"_\r\n"
    if value is True or value is False:
        return b"#t\r\n" if value else b"#f\r\n"
    ((kind, inner),) = value.items()
    if kind == "integer":
        return line(":", inner)
    if kind == "double":
        return line(",", double(inner))
    if kind == "big":
        return line("(", inner)
    if kind == "simple":
        return one_line(b"+", "$", bytes.fromhex(inner))
    if kind == "error":
        return one_line(b"-", "!", bytes.fromhex(inner))
    if kind == "bulk":
        return blob("$", bytes.fromhex(inner))
    if kind == "verbatim":
        return blob("=", bytes.fromhex(inner[0]) + b":" + bytes.fromhex(inner[1]))
    mark = {"array": "*", "set": "~", "push": ">", "map": "%"}[kind]
    parts = [part for entry in inner for part in entry] if kind == "map" else inner
    return line(mark, len(inner)) + b"".join(encode(part) for part in parts)


def command(arguments: list[bytes]) -> bytes:
    """A command."""
    return line("*", len(arguments)) + b"".join(blob("$", argument) for argument in arguments)
