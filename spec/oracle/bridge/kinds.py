"""Kinds (bridge.md section 4): which texts are kinds of the bridge, and where each may stand."""

from __future__ import annotations

import re

#: Values of fixed width and their bytes.
WIDTHS = {"bool": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f32": 4, "f64": 8, "char": 2}
ROWS = {f"{shape}<{of}>": of for shape in ("list", "array") for of in WIDTHS}
OPTIONAL = {*WIDTHS, "string", "bytes", *ROWS, "list<string>"}
PLAIN = {*OPTIONAL, "void", "null", "object", "peer", "result", "any", "list", "set", "tuple", "map", "class"}

TAGS = {0x03: "i64", 0x05: "f64", 0x06: "string", 0x07: "bytes", 0x08: "list", 0x09: "map", 0x19: "i32", 0x1B: "char",
        0x1C: "set", 0x1D: "tuple", 0x1E: "f32", 0x30: "object", 0x1A: "list<bool>"}  # fmt: skip
TAGS |= {0x10 + index: f"list<{of}>" for index, of in enumerate(("i8", "i16", "i32", "i64"))}
TAGS |= {0x17: "list<f32>", 0x18: "list<f64>"}
TAGS |= {0x20 + index: f"array<{of}>" for index, of in enumerate(WIDTHS)}


def is_own(text: str) -> bool | None:
    """Whether a text is a kind of the bridge's own, not a pack schema; None if it is neither."""
    if text in PLAIN:
        return True
    if text.startswith("object "):
        number = text.removeprefix("object ")
        return True if re.fullmatch("[1-9][0-9]{0,9}", number) and int(number) < 2**31 else None
    if text.startswith("peer "):
        return True if all(text.removeprefix("peer ").split(" ")) else None
    if text.startswith("array<") and text.endswith(">"):
        return None
    if text.startswith("option<") and text.endswith(">"):
        inner = text.removeprefix("option<").removesuffix(">")
        if inner in OPTIONAL:
            return True
        # An option of what only pack knows is a schema of pack.
        return False if is_own(inner) is False else None
    return False if text else None


def argument(text: str) -> bool:
    """Whether an argument may have this kind."""
    return is_own(text) is not None and text != "void"


def result(text: str) -> bool:
    """Whether a result may have this kind."""
    return is_own(text) is not None and text not in ("null", "result") and text.split(" ")[0] != "peer" and text[:7] != "object "
