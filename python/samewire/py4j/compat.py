"""Py4J's names for the differences between Python 2 and 3. Each has one meaning now."""

from __future__ import annotations

import builtins
import queue
import sys
from inspect import getattr_static
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import ItemsView, Mapping

version_info = sys.version_info

Empty = queue.Empty
Queue = queue.Queue

basestring = str
bytearray2 = bytes
bytestr = bytes
long = int
next = builtins.next  # noqa: A001
range = builtins.range  # noqa: A001
unichr = chr
unicode = str


def items(d: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Returns a list of a mapping's pairs."""
    return list(d.items())


def iteritems(d: Mapping[Any, Any]) -> ItemsView[Any, Any]:
    """Returns a view of a mapping's pairs."""
    return d.items()


def tobytestr(s: str) -> bytes:
    """Encodes ASCII text."""
    return s.encode("ascii")


def isbytestr(s: object) -> bool:
    """Whether a value is of type bytes."""
    return isinstance(s, bytes)


def ispython3bytestr(s: object) -> bool:
    """Whether a value is of type bytes."""
    return isinstance(s, bytes)


def isbytearray(s: object) -> bool:
    """Whether a value is a bytearray."""
    return isinstance(s, bytearray)


def bytetoint(b: int) -> int:
    """Returns an element of bytes as it is."""
    return b


def bytetostr(b: bytes) -> str:
    """Decodes ASCII text."""
    return b.decode("ascii")


def strtobyte(s: str) -> bytes:
    """Encodes ASCII text."""
    return s.encode("ascii")


def hasattr2(obj: object, attr: str) -> bool:
    """Whether an object has an attribute that is true, without running `__getattr__` or a property."""
    return bool(getattr_static(obj, attr, False))


class CompatThread(Thread):
    """A thread."""
