"""The fields of a dataclass, also of one that was pickled by value.

cloudpickle before 3.0, and so PySpark 3.5, pickles the marks of `dataclasses` as objects of their own. In the process
that reads such a class, `dataclasses.fields` finds no field, and each field seems to have a default.
"""

from __future__ import annotations

import dataclasses
from typing import Any


def fields_of(cls: Any) -> tuple[dataclasses.Field[Any], ...]:
    """Returns what `dataclasses.fields` returned where the class was made."""
    found = dataclasses.fields(cls)
    if found:
        return found
    every = cls.__dataclass_fields__.values()
    return tuple(field for field in every if getattr(field._field_type, "name", "") == "_FIELD")


def is_missing(default: object) -> bool:
    """Whether a field's default, or its factory, says that there is none."""
    return isinstance(default, type(dataclasses.MISSING))
