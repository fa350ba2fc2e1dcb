"""How the cases of record files are written down, and what the oracle makes of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from spec.oracle.core.limits import DEFAULT, Limits
from spec.oracle.core.vector_file import VectorFile
from spec.oracle.pack.notation import Value
from spec.oracle.records.read import Contents, read
from spec.oracle.records.write import Writer, written


class WrongCaseError(Exception):
    """A case does not say what the oracle finds."""


class Topic(VectorFile):
    """One file of vectors. Bytes are given as `bytes`, and stand in the file as hex."""

    def written(self, name: str, schema: str, blocks: Sequence[Sequence[Value]], indexed: bool = True) -> None:
        """A file as a writer makes it that is flushed after each block, and closed if it is indexed."""
        data = written(schema, blocks, indexed)
        found = self._read(name, data, [value for block in blocks for value in block])
        case = {"name": name, "kind": "written", "schema": schema, "blocks": blocks, "indexed": indexed, "hex": data.hex()}
        self.cases.append(case | {"ends": found.sizes, "starts": [at for at, _ in found.blocks]})

    def appended(self, name: str, schema: str, before: bytes, values: Sequence[Value], cut: int = 0) -> None:
        """A file to which a writer appends one block and an index.

        cut: how many bytes of `before` are an unfinished block.
        """
        writer = Writer(schema)
        writer.data = before[: len(before) - cut]
        found = read(writer.data)
        writer.blocks = list(found.blocks)
        writer.add(values)
        writer.index()
        self._read(name, writer.data, [*found.records, *values])
        case: dict[str, Any] = {"name": name, "kind": "appended", "schema": schema, "before": before.hex(), "records": values}
        self.cases.append(case | {"hex": writer.data.hex()})

    def read(self, name: str, schema: str, data: bytes, records: Sequence[Value], reader: str | None = None) -> None:
        """A file that is read as these records by a reader of another schema, or that no writer of ours writes so."""
        self._read(name, data, records, reader)
        self.cases.append({"name": name, "kind": "read", "schema": reader or schema, "hex": data.hex(), "records": records})

    def refused(
        self,
        name: str,
        schema: str,
        data: bytes,
        records: Sequence[Value],
        error: str,
        at: int | None = None,
        path: str | None = None,
        **limits: int,
    ) -> None:
        """A file of which a reader of this schema reads these records, then finds the error."""
        found = read(data, schema, Limits(**{**asdict(DEFAULT), **limits}))
        failed = found.error
        if not failed or (failed.code, failed.at, failed.path) != (error, at, path) or found.records != list(records):
            raise WrongCaseError(f"{self.name}: {name}: {failed} after {found.records}")
        case: dict[str, Any] = {"name": name, "kind": "refused", "schema": schema, "hex": data.hex(), "records": records}
        self.cases.append(case | {"error": error, "at": at, "path": path} | ({"limits": limits} if limits else {}))

    def _read(self, name: str, data: bytes, records: Sequence[Value], reader: str | None = None) -> Contents:
        found = read(data, reader)
        if found.error or found.records != list(records):
            raise WrongCaseError(f"{self.name}: {name}: {found.error} after {found.records}")
        return found
