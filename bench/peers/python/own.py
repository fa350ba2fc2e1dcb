"""Data of a schema: its types as the classes that each library is fastest with."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType
from typing import Any

from samewire.pack.schema import Schema
from samewire.schema.emit import python

from bench.peers.python.natives import to_dicts, to_native
from tour.definitions import MSGSPEC

_MUTABLE = python.Style("@dataclass(slots=True)", "", "from dataclasses import dataclass")
_STYLES = {"struct": MSGSPEC, "slots": python.DATACLASS, "fory": _MUTABLE}


def definitions(schema: Schema, style: python.Style) -> ModuleType:
    """A module of its types, importable so that peers can look up their annotations."""
    made = ModuleType("samewire_bench_own")
    sys.modules[made.__name__] = made
    exec(python.emit(schema, style=style), made.__dict__)
    return made


class OwnForm:
    """One kind of class, ``dicts`` with dates and the like as Python has them, or (``plain``) values of JSON as they are."""

    def __init__(self, name: str, value: Any, schema: Schema) -> None:
        self.value = value
        self._pickled = b""
        self.classes: tuple[type, ...] = ()
        self._type: Any = Any
        self._native = value
        if name == "dicts":
            self._type = schema
            self._native = to_dicts(schema)(value)
        if name not in _STYLES:
            return
        made = definitions(schema, _STYLES[name])
        self._type = made.Root
        self._native = to_native(schema, vars(made))(value)
        self.classes = tuple(item for item in vars(made).values() if isinstance(item, type) and item.__module__ == made.__name__)

    def type_of(self, _: str) -> Any:
        """The type to compile a codec from."""
        return self._type

    def build(self, _: str, __: Any) -> Any:
        """The value in this form."""
        return self._native

    def renewed(self, _: str, __: Any) -> Any:
        """An equal value whose objects are new: no text has a cached hash or a cached encoding."""
        if not self._pickled:
            self._pickled = pickle.dumps(self._native, pickle.HIGHEST_PROTOCOL)
        return pickle.loads(self._pickled)
