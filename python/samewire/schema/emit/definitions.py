"""The definition files for a schema, one for each language."""

from __future__ import annotations

from collections.abc import Collection

from samewire.pack.schema import Schema

from . import java, python, rust, typescript
from .casing import pascal, snake

LANGUAGES = ("python", "java", "typescript", "rust")


def file_for(
    schema: Schema,
    language: str,
    name: str,
    package: str = "",
    long: Collection[tuple[str, str]] | None = None,
    fine: Collection[tuple[str, str]] = frozenset(),
) -> tuple[str, str]:
    """File name and text.

    name: of the file, in any form (`movie types` gives movie_types.py, MovieTypes.java, …). package: Java's.
    long: the fields whose lists of numbers are typed arrays in TypeScript, as `typescript.emit` takes them. In Java all are.
    fine: the fields whose times are nanoseconds in Python, as `python.emit` takes them.
    """
    if language == "java":
        outer = pascal(name)
        return f"{outer}.java", java.emit(schema, package, outer)
    if language == "python":
        return f"{snake(name)}.py", python.emit(schema, fine=fine)
    if language == "typescript":
        return f"{snake(name)}.ts", typescript.emit(schema, long=long)
    if language == "rust":
        return f"{snake(name)}.rs", rust.emit(schema)
    raise ValueError(f"{language!r} is none of {', '.join(LANGUAGES)}")
