"""ormsgpack: encodes dataclasses as maps; decodes to dicts, which are made records here as its users must."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import ormsgpack

from bench.peers.python.forms import Form
from bench.peers.python.peer import Peer


def prepare(shape: str, form: str) -> Peer:
    kind = Form(form)

    def node(value: dict[str, Any]) -> Any:
        return kind.node(value["name"], value["color"], [node(child) for child in value["children"]])

    def decode(data: bytes) -> Any:
        value = ormsgpack.unpackb(data)
        if shape == "event":
            return kind.event(**value)
        if shape == "tree":
            return node(value)
        return [kind.book(**item) for item in value] if value and isinstance(value[0], dict) else value

    if shape in ("ints", "doubles", "strings", "uniqueStrings", "map"):
        return Peer(version("ormsgpack"), form, ormsgpack.packb, ormsgpack.unpackb)
    return Peer(version("ormsgpack"), form, ormsgpack.packb, decode)
