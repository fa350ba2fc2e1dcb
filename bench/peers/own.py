"""The user's own data for runners whose language compiles its types: definitions are written from the schema and compiled, once for a file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from samewire import pack
from samewire.pack.schema import List, Scalar, Schema, Type
from samewire.schema.emit import java, python
from samewire.schema.emit.type_names import flat

from bench.peers import building, own_rust
from bench.peers.python.natives import to_native
from bench.peers.python.own import definitions
from tour.definitions import JAVA_PACKAGE

_JAVA_CLASS = "OwnData"


def typed(language: str, command: list[str], data: Path, schema: Path) -> list[str]:
    """The command of a language's runner, to be given ``--data data --schema schema``.

    data: JSON with null for every missing field; ``value.pack``, the same value as a message, is put beside it. schema: the text of
    its type. Raises BuildError.
    """
    read = Schema.parse(schema.read_text("utf-8").strip())
    message = data.with_name("value.pack")
    if not message.exists():
        message.write_bytes(_message(data, read))
    folder = data.parent / language
    if language == "jvm":
        return _java(read, folder, command)
    if language == "rust":
        return own_rust.runner(data, read)
    return command


def _message(data: Path, schema: Schema) -> bytes:
    types = definitions(schema, python.DATACLASS)
    value = to_native(schema, vars(types))(json.loads(data.read_text("utf-8")))
    return bytes(pack.codec(types.Root).encode(value))


def _java(schema: Schema, folder: Path, command: list[str]) -> list[str]:
    source = folder / f"{_JAVA_CLASS}.java"
    classes = folder / "classes"
    folder.mkdir(parents=True, exist_ok=True)
    source.write_text(java.emit(schema, JAVA_PACKAGE, _JAVA_CLASS, arrays=_compared(schema.root)), "utf-8")
    at = command.index("-cp") + 1
    state = building.changed(folder / "stamp", [source])
    if state:
        shutil.rmtree(classes, ignore_errors=True)
        building.call(*building.JAVAC, "-proc:none", "-d", classes, "-cp", command[at], source)
        (folder / "stamp").write_text(state)
    named = f"-Dsamewire.types={JAVA_PACKAGE}.{_JAVA_CLASS}"
    return [*command[: at - 1], named, "-cp", f"{classes}:{command[at]}", *command[at + 1 :]]


def _compared(root: Type) -> bool:
    """Whether arrays stand only where Java's runner compares their content: in records, or as the whole value."""
    match root:
        case List(Scalar()):
            return True
        case _:
            return not java.by_identity(flat(root))
