"""Numbers of one type as numbers of another (pack.md section 13)."""

from __future__ import annotations

import struct

from spec.oracle.pack.notation import float_text
from spec.oracle.pack.schema import FLOATS, SIGNED, UNSIGNED, Option, Scalar, Type

#: How many significant bits a float has.
SIGNIFICANT = {"f32": 24, "f64": 53}


def widens(writer: str, reader: str) -> bool:
    """Returns whether one scalar type is read as the other by the table of section 13."""
    if reader in FLOATS:
        return writer in SIGNED or writer in UNSIGNED or (writer, reader) == ("f32", "f64")
    if writer in SIGNED:
        return reader == "bigint" or SIGNED.get(reader, 0) > SIGNED[writer]
    if writer in UNSIGNED:
        wider = UNSIGNED.get(reader, 0) > UNSIGNED[writer] or SIGNED.get(reader, 0) > UNSIGNED[writer]
        return reader == "bigint" or wider
    return False


def number_type(name: str, reader: Type | None) -> str:
    """Returns the numeric type of the reader's value."""
    if isinstance(reader, Option):
        reader = reader.item
    return reader.name if isinstance(reader, Scalar) else name


def exact(name: str, target: str, number: int) -> bool:
    """Returns whether the target type has this number of the type `name`; of a float, its bits."""
    if name in FLOATS or target not in FLOATS:
        return True
    magnitude = abs(number)
    lowest = max(1, magnitude & -magnitude)
    return magnitude < lowest << SIGNIFICANT[target]  # no integer of 64 bits is too large for a float's exponent


def number_text(name: str, target: str, number: int) -> str:
    """Returns the notation of a number, an integer or the bits of a float, in the target type, which has it."""
    if target not in FLOATS:
        return str(number)
    if name == target:
        return float_text(name, number)
    (value,) = struct.unpack("<f", number.to_bytes(4, "little")) if name == "f32" else (float(number),)
    packed = struct.pack("<f" if target == "f32" else "<d", value)
    return float_text(target, int.from_bytes(packed, "little"))
