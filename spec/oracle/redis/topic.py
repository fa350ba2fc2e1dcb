"""How a topic of redis' vectors is written down, and what the oracle makes of each case."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT, Limits
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.redis.decode import decode
from spec.oracle.redis.encode import command, encode


class WrongCaseError(Exception):
    """A case does not say what the oracle finds."""


class Topic(VectorFile):
    """One file of vectors. Bytes are given as `bytes`, and stand in the file as hex."""

    def reply(self, name: str, data: bytes, value: Any) -> None:
        """A reply that reads as this value: `canonical` if the value is written as these bytes, else `accepted`."""
        found, decoder = decode(data)
        if found != value or decoder.pos != len(data):
            raise WrongCaseError(f"{self.name}: {name}: {found!r}")
        written = encode(value)
        case: dict[str, Any] = {"name": name, "kind": "canonical", "hex": data.hex(), "value": value}
        if written != data:
            again, _ = decode(written)
            case |= {"kind": "accepted", "canonical": written.hex()}
            if encode(again) != written:
                raise WrongCaseError(f"{self.name}: {name}: what is written does not read as it was")
        self.cases.append(case | {"uses": asdict(decoder.uses)})

    def refused(self, name: str, data: bytes, error: str, at: int, **limits: int) -> None:
        """Bytes that are refused, before or after they end."""
        try:
            decode(data, Limits(**{**asdict(DEFAULT), **limits}))
        except SamewireError as failed:
            if (failed.code, failed.at) != (error, at):
                raise WrongCaseError(f"{self.name}: {name}: {failed}") from failed
        else:
            raise WrongCaseError(f"{self.name}: {name}: it is read")
        case: dict[str, Any] = {"name": name, "kind": "rejected", "hex": data.hex(), "error": error, "at": at}
        self.cases.append(case | ({"limits": limits} if limits else {}))

    def stream(self, name: str, data: bytes, values: list[Any], error: str | None = None, at: int | None = None) -> None:
        """Replies one after another, and the error after them if there is one."""
        found, base, failed = [], 0, None
        try:
            while base < len(data):
                value, decoder = decode(data, base=base)
                found.append(value)
                base = decoder.pos
        except SamewireError as refusal:
            failed = refusal
        if found != values or (failed and failed.code) != error or (failed and failed.at) != at:
            raise WrongCaseError(f"{self.name}: {name}: {found!r} {failed}")
        case: dict[str, Any] = {"name": name, "kind": "stream", "hex": data.hex(), "values": values}
        self.cases.append(case | ({"error": error, "at": at} if error else {}))

    def command(self, name: str, *arguments: bytes | int | float) -> None:
        """The bytes of a command."""
        texts = [argument if isinstance(argument, bytes) else str(argument).encode() for argument in arguments]
        written = [
            {"bytes": argument.hex()} if isinstance(argument, bytes) else {"integer": str(argument)} for argument in arguments
        ]
        self.cases.append({"name": name, "kind": "command", "arguments": written, "hex": command(texts).hex()})
