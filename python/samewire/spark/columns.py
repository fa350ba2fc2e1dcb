"""Functions of columns: convert pack messages to columns and back, in the JVM.

The session needs Samewire's jar for Spark and its extension: `spark.jars` (or `--jars`) and
`spark.sql.extensions=io.samewire.spark.SamewireExtensions`.
"""

from __future__ import annotations

from typing import Any

from samewire import pack
from samewire.errors import SamewireError
from samewire.pack.schema import Schema

from . import required


def to_pack(col: Any, kind: Any = None) -> Any:
    """Returns a binary column: the message of each value of a column. Null stays null.

    col: a column, or its name.
    kind: the type of the messages, as for `from_pack`. Without it the type follows from the column's (docs/pyspark.md).

    Raises SamewireError `unsupported` without PySpark, and as `pack.codec` for a type without a schema. If the column
    does not fit the type, the query fails when it is analyzed; if a value does not fit, when it runs. The text has the
    error's code and path.
    """
    return _call("to_pack", col, *([] if kind is None else [schema_text(kind)]))


def from_pack(col: Any, kind: Any) -> Any:
    """Returns a column with the values of the messages in a binary column: a struct for a record. Null stays null.

    col: a column, or its name.
    kind: the type that the messages were written with: a dataclass or another type for `pack.codec`, a `pack.Schema`,
    or
        schema text.

    Raises as `to_pack`.
    """
    return _call("from_pack", col, schema_text(kind))


def schema_text(kind: Any) -> str:
    """Returns the canonical schema text of a type."""
    if isinstance(kind, Schema):
        return kind.text
    return Schema.parse(kind).text if isinstance(kind, str) else pack.codec(kind).schema.text


def _call(name: str, col: Any, *texts: str) -> Any:
    functions = required.module("pyspark.sql.functions")
    if not hasattr(functions, "call_function"):
        raise SamewireError("unsupported", text=f"samewire.spark.{name} needs PySpark 3.5 or newer: pip install -U pyspark")
    column = functions.col(col) if isinstance(col, str) else col
    return functions.call_function(name, column, *map(functions.lit, texts))
