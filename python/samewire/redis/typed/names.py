"""Keys of a store: a prefix and a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from samewire.errors import SamewireError

T = TypeVar("T")

#: What a program calls a value by. `bytes` are taken as they are; a text is written as UTF-8.
Name: TypeAlias = str | bytes
#: Names with their values.
Items: TypeAlias = Mapping[str, T] | Mapping[bytes, T] | Iterable[tuple[Name, T]]

_GLOB = re.compile(r"[\\*?\[\]^-]")


class Names:
    """Keys with one prefix."""

    def __init__(self, prefix: Name) -> None:
        self.prefix = prefix if isinstance(prefix, str) else text(prefix)
        self._bytes = _bytes(self.prefix)

    def key(self, name: Name) -> Name:
        """The key of a name."""
        if isinstance(name, bytes):
            return self._bytes + name
        if not isinstance(name, str):
            raise SamewireError("misuse", text=f"a name is {name!r}: expected str or bytes")
        return argument(self.prefix + name)

    def keys(self, names: Sequence[Name]) -> list[Name]:
        """The keys of names. As `key` for each; for texts in ASCII at a third of the time."""
        prefix: Any = self.prefix
        try:
            keys = [prefix + name for name in names]
            if all(map(str.isascii, keys)):
                return keys
        except TypeError:
            pass
        return [self.key(name) for name in names]

    def name(self, key: bytes) -> str:
        """The name of a key with the prefix."""
        return text(key[len(self._bytes) :])

    def pattern(self, match: str) -> Name:
        """A pattern for SCAN: the prefix as it is, then `match`, in which `* ? [ ] \\` have their meaning."""
        return argument(_GLOB.sub(r"\\\g<0>", self.prefix) + match)


def text(name: bytes) -> str:
    """A name as text; bytes that are not UTF-8 become lone surrogates, which `argument` writes as those bytes again."""
    return name.decode("utf-8", "surrogateescape")


def _bytes(name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise SamewireError("bad_utf8", text=f"the name {name!r} has a lone surrogate at {error.start}") from None


def argument(name: str) -> Name:
    """A name as an argument of a command."""
    return name if name.isascii() else _bytes(name)


def several(names: Iterable[Name]) -> Iterable[Name]:
    """The names as they are. Raises SamewireError `misuse` for a single one, which would be taken as one name a letter."""
    if isinstance(names, str | bytes):
        raise SamewireError("misuse", text=f"names are {names!r}: expected several, as in [{names!r}]")
    return names


def shown(name: Name) -> str:
    """A name as error texts show it."""
    return name if isinstance(name, str) else name.decode("utf-8", "backslashreplace")


def pairs(items: Items[T]) -> Iterable[tuple[Name, T]]:
    """Names with their values, one after the other."""
    found: Iterable[tuple[Name, T]] = items.items() if isinstance(items, Mapping) else items
    return found
