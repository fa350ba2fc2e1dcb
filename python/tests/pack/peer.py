"""Python's peer in the matrix of languages (spec/matrix/README.md).

usage: peer.py encode SCHEMAS VALUES OUT
       peer.py reencode SCHEMAS VALUES IN OUT
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from notation import Values
from samewire.pack import Codec, SamewireError, codec, types_of
from samewire.pack.introspect import native_type_of
from samewire.pack.native_type import NativeType


class Types:
    """The codecs of the schemas in a file, each made when it is first used."""

    def __init__(self, path: str) -> None:
        listed = json.loads(Path(path).read_text(encoding="utf-8"))
        self.texts = {entry["id"]: entry["schema"] for entry in listed}
        self.kinds: dict[str, tuple[Any, NativeType]] = {}
        self.codecs: dict[tuple[str, str], Codec[Any]] = {}

    def kind(self, name: str) -> tuple[Any, NativeType]:
        """The Python type of a schema, and its native type."""
        if name not in self.kinds:
            kind = types_of(self.texts[name])
            self.kinds[name] = (kind, native_type_of(kind))
        return self.kinds[name]

    def codec(self, name: str, profile: str) -> Codec[Any]:
        """The codec of a schema in a profile."""
        if (name, profile) not in self.codecs:
            self.codecs[name, profile] = codec(self.kind(name)[0], profile=profile)
        return self.codecs[name, profile]


def lines(path: str) -> Iterator[str]:
    """The lines of a file without their ends."""
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


def outcome(make: Callable[[], bytes]) -> str:
    """A message in hexadecimal, or the error's line."""
    try:
        return make().hex()
    except SamewireError as error:
        return f"error {error.code} {error.path or '-'}"


def encode(types: Types, entry: dict[str, Any]) -> bytes:
    """The message of a value in notation."""
    native = types.kind(entry["schema"])[1]
    return types.codec(entry["schema"], entry["profile"]).encode(Values().of(entry["value"], native))


def reencode(types: Types, entry: dict[str, Any], message: str) -> bytes:
    """The message of the value in another language's message."""
    own = types.codec(entry["schema"], entry["profile"])
    return own.encode(own.decode(bytes.fromhex(message)))


def main(arguments: list[str]) -> int:
    """Runs one command of the protocol."""
    match arguments:
        case ["encode", schemas, values, out]:
            types = Types(schemas)
            made = (outcome(partial(encode, types, json.loads(line))) for line in lines(values))
        case ["reencode", schemas, values, given, out]:
            types = Types(schemas)
            pairs = zip(lines(values), lines(given), strict=True)
            made = (outcome(partial(reencode, types, json.loads(line), message)) for line, message in pairs)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    with Path(out).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in made)
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.exit(main(sys.argv[1:]))
