"""Builds the cases of pack's topics. Values may hold Python integers and bytes where the notation has strings.

The expected outcome of a case (code, offset, path, digest, cells) is written by hand; expand.py checks that the oracle
agrees.
"""

from __future__ import annotations

import struct

from spec.oracle.core import primitives
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.pack.notation import Value


class Topic(VectorFile):
    """One file of vectors, and a way to write each kind of case."""

    def canonical(
        self,
        name: str,
        schema: str,
        value: Value,
        profile: str = "compact",
        named: int = 0,
        cells: int | None = None,
        kept: str | None = None,
    ) -> None:
        """Adds a canonical case.

        named: how many bytes of the digest the message carries: 0, 2 or 8. cells: how many the message must use, if given.
        kept: the bytes of an earlier release, which must stay.
        """
        case = {"name": name, "kind": "canonical", "schema": schema, "profile": profile}
        self.cases.append(case | {"named": named, "value": tidy(value), "cells": cells, "kept": kept})

    def both(self, name: str, schema: str, value: Value) -> None:
        """Adds a canonical case for each of the two profiles."""
        self.canonical(name, schema, value)
        self.canonical(f"{name} (fast)", schema, value, "fast")

    def rewritten(self, name: str, schema: str, value: Value, profile: str, named: int = 0) -> None:
        """Adds a value that the vectors keep in rows, because it is long, and what `profile` writes of it."""
        case = {"name": name, "kind": "rewritten", "schema": schema, "profile": profile}
        self.cases.append(case | {"named": named, "value": tidy(value)})

    def sorted(self, name: str, schema: str, *values: Value) -> None:
        """Adds equal values, whose maps differ in the order of their entries, for each of the two profiles."""
        value, *more = map(tidy, values)
        case = {"kind": "sorted", "schema": schema, "value": value, "more": more}
        self.cases.append(case | {"name": name, "profile": "compact"})
        self.cases.append(case | {"name": f"{name} (fast)", "profile": "fast"})

    def accepted(self, name: str, schema: str, data: str, value: Value) -> None:
        case = {"name": name, "kind": "accepted", "schema": schema, "hex": data, "value": tidy(value)}
        self.cases.append(case)

    def rejected(self, name: str, schema: str, data: str, error: str, at: int, path: str = "$", **limits: int) -> None:
        case = {"name": name, "kind": "rejected", "schema": schema, "hex": data}
        self.cases.append(case | {"error": error, "at": at, "path": path, "limits": limits})

    def resolved(
        self,
        name: str,
        writer: str,
        schema: str,
        written: Value,
        value: Value,
        profile: str = "compact",
        **limits: int,
    ) -> None:
        """Adds a case: `written`, encoded with the writer's schema, must be read as `value`."""
        case = {"name": name, "kind": "resolved", "writer": writer, "schema": schema, "profile": profile}
        self.cases.append(case | {"written": tidy(written), "value": tidy(value), "limits": limits})

    def unresolved(self, name: str, writer: str, schema: str, path: str) -> None:
        case = {"name": name, "kind": "unresolved", "writer": writer, "schema": schema}
        self.cases.append(case | {"error": "schema_mismatch", "path": path})

    def unreadable(
        self,
        name: str,
        writer: str,
        schema: str,
        data: str,
        error: str,
        at: int,
        path: str = "$",
        **limits: int,
    ) -> None:
        """Adds a case in which the pair resolves, but this message cannot be read."""
        case = {"name": name, "kind": "unresolved", "writer": writer, "schema": schema, "hex": data}
        self.cases.append(case | {"error": error, "at": at, "path": path, "limits": limits})

    def schema(self, name: str, text: str, canonical: str, digest: str | None = None) -> None:
        case = {"name": name, "kind": "schema", "text": text, "canonical": canonical, "digest": digest}
        self.cases.append(case)

    def annotated(self, name: str, text: str, canonical: str, annotated: str) -> None:
        """Adds a schema with annotations, which the canonical text lacks."""
        self.schema(name, text, canonical)
        self.cases[-1]["annotated"] = annotated

    def bad_schema(self, name: str, text: str, error: str, at: int) -> None:
        self.cases.append({"name": name, "kind": "bad_schema", "text": text, "error": error, "at": at})

    def differ(self, name: str, here: str, there: str, path: str | None = None, ours: str = "", theirs: str = "") -> None:
        """Adds the first difference of two schemas; without a path they are the same."""
        found = None if path is None else {"path": path, "here": ours, "there": theirs}
        case = {"name": name, "kind": "difference", "here": here, "there": there}
        self.cases.append(case | {"difference": found})

    def frames(
        self,
        name: str,
        data: str,
        messages: list[str],
        error: str | None = None,
        at: int | None = None,
        **limits: int,
    ) -> None:
        case = {"name": name, "kind": "frames", "hex": data, "messages": messages}
        self.cases.append(case | {"error": error, "at": at, "limits": limits})


def tidy(value: Value) -> Value:
    """Returns the value with Python integers and bytes as the notation's strings."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        if isinstance(value.get("ref"), int) and value.keys() <= {"ref", "value"}:
            return value | ({"value": tidy(value["value"])} if "value" in value else {})
        return {key: tidy(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(part) for part in value]
    raise TypeError(f"no notation for {value!r}")


def f32(number: float) -> str:
    """Returns the bits of the nearest f32."""
    return struct.pack(">f", number).hex()


def f64(number: float) -> str:
    return struct.pack(">d", number).hex()


def varint(number: int) -> str:
    """Returns a varint as hexadecimal digits."""
    return primitives.varint(number).hex()


def zigzag(number: int) -> str:
    """Returns a zigzag varint as hexadecimal digits."""
    return primitives.varint(primitives.zigzag(number)).hex()
