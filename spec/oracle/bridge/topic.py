"""How a topic of the bridge's vectors is written down, and what the oracle makes of each case."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from spec.oracle.bridge import decode, encode, messages
from spec.oracle.bridge.cursor import MOST_BLOB, MOST_DEPTH, Cursor
from spec.oracle.bridge.messages import Site
from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT, Limits
from spec.oracle.core.vector_file import VectorFile


class WrongCaseError(Exception):
    """A case does not say what the oracle finds."""


def cursor(data: bytes, limits: dict[str, int]) -> Cursor:
    """A cursor with these limits, and the defaults of all others."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 8 * MOST_DEPTH))
    given = {key: value for key, value in limits.items() if key != "blob_bytes"}
    return Cursor(data, Limits(**{**asdict(DEFAULT), **given}), limits.get("blob_bytes", MOST_BLOB))


class Topic(VectorFile):
    """One file of vectors. Bytes are given as `bytes`, and stand in the file as hex."""

    def value(self, name: str, kind: str, value: Any, data: bytes | None = None) -> None:
        """A value: `canonical` if it is written as these bytes (or without any), else `accepted`."""
        written = encode.encode(value, kind)
        data = written if data is None else data
        at = cursor(data, {})
        found = decode.value(at, kind)
        at.finish()
        self._add(name, {"of": kind}, data, written, found == value, value, asdict(at.uses))

    def message(self, name: str, message: dict[str, Any], data: bytes | None = None, site: Site | None = None) -> None:
        """Adds a message, written and read back. `site` has the kinds of a call or return without a definition."""
        given = site or Site()
        written = messages.write(message, given)
        data = written if data is None else data
        at = cursor(data, {})
        found = messages.read(at, given)
        self._add(name, {"site": asdict(site)} if site else {}, data, written, found == message, message, asdict(at.uses))

    def _add(
        self, name: str, head: dict[str, Any], data: bytes, written: bytes, same: bool, value: Any, uses: dict[str, int]
    ) -> None:
        if not same:
            raise WrongCaseError(f"{self.name}: {name}: it reads otherwise")
        case = {"name": name, "kind": "canonical" if written == data else "accepted", **head, "hex": data.hex(), "value": value}
        self.cases.append(case | ({} if written == data else {"canonical": written.hex()}) | {"uses": uses})

    def refused(self, name: str, of: str | Site | None, data: bytes, error: str, at: int, **limits: int) -> None:
        """Adds bytes that are not a value of a kind, or not a message (of a site, or of none)."""
        place = cursor(data, limits)
        try:
            if isinstance(of, str):
                decode.value(place, of)
                place.finish()
            else:
                messages.read(place, of or Site())
        except SamewireError as failed:
            if (failed.code, failed.at) != (error, at):
                raise WrongCaseError(f"{self.name}: {name}: {failed.code} at {failed.at}") from failed
        else:
            raise WrongCaseError(f"{self.name}: {name}: it is read")
        head: dict[str, Any] = {"of": of} if isinstance(of, str) else {"site": asdict(of)} if of else {}
        case = {"name": name, "kind": "rejected", **head, "hex": data.hex(), "error": error, "at": at}
        self.cases.append(case | ({"limits": limits} if limits else {}))

    def stream(self, name: str, data: bytes, error: str | None = None, at: int | None = None, **limits: int) -> None:
        """A stream of frames, and the error behind the last that is whole."""
        found, failed = messages.frames(data, limits.get("frame_bytes", DEFAULT.frame_bytes))
        if (failed and failed.code) != error or (failed and failed.at) != at:
            raise WrongCaseError(f"{self.name}: {name}: {failed}")
        case: dict[str, Any] = {"name": name, "kind": "frames", "hex": data.hex(), "messages": [part.hex() for part in found]}
        case |= {"error": error, "at": at} if error else {}
        self.cases.append(case | ({"limits": limits} if limits else {}))
