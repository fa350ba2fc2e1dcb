"""Typed values through Spark: a serializer of RDDs, and functions of columns (docs/pyspark.md).

>>> from samewire.spark import PackSerializer, from_pack, to_pack           # doctest: +SKIP
>>> sc = SparkContext(serializer=PackSerializer(Book))                      # doctest: +SKIP
>>> messages.select(from_pack("message", Book).alias("book"))               # doctest: +SKIP

PySpark is imported when the first of these is used. Without it they raise SamewireError `unsupported`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .columns import from_pack, to_pack
    from .rdds import packed
    from .serializer import PackSerializer
else:
    _LATER = {"PackSerializer": "serializer", "from_pack": "columns", "packed": "rdds", "to_pack": "columns"}

    def __getattr__(name: str) -> object:
        """Imports the modules that need PySpark on first access."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        found = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
        globals()[name] = found
        return found


__all__ = ["PackSerializer", "from_pack", "packed", "to_pack"]


def __dir__() -> list[str]:
    """Includes the names that are imported on first access."""
    return sorted({*globals(), *__all__})
