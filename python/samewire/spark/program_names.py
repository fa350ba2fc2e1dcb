"""Finds the names in annotations of a program's own classes, for worker processes.

A class of `__main__` is pickled by value. With `from __future__ import annotations` its annotations are texts, and a
worker's `__main__` does not have the names in them.
"""

from __future__ import annotations

import sys
from typing import Any, get_args


def names_of(types: tuple[Any, ...]) -> dict[str, Any]:
    """Returns the names in annotations of the types' classes of `__main__`, and of those that they refer to."""
    program = vars(sys.modules["__main__"])
    names: dict[str, Any] = {}
    seen: set[int] = set()
    left = list(types)
    while left:
        kind = left.pop()
        if id(kind) in seen:
            continue
        seen.add(id(kind))
        left.extend(get_args(kind))
        if isinstance(kind, type) and kind.__module__ == "__main__":
            left.extend(kind.__mro__)
            for annotation in vars(kind).get("__annotations__", {}).values():
                if not isinstance(annotation, str):
                    left.append(annotation)
                    continue
                used = compile(annotation, "<annotation>", "eval").co_names
                found = {name: program[name] for name in used if name in program}
                names.update(found)
                left.extend(found.values())
    return names
