"""The data sets of a tour: the user's, or the default ones."""

from __future__ import annotations

import json
import keyword
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from samewire.schema.emit import rust
from samewire.schema.emit.casing import pascal, snake
from samewire.schema.emit.typescript import RESERVED_WORDS
from samewire.schema.infer import Inferred, Options, infer, name_from, read
from samewire.schema.infer.convert import complete

from tour.places import TOUR

#: Sets of vega-datasets that have nothing in common.
DEFAULT = (
    "movies.json",
    "airports.csv",
    "birdstrikes.csv",
    "earthquakes.json",
    "flights-20k.json",
    "seattle-weather.csv",
    "sp500-2000.csv",
)
#: Names that a module cannot have in one of the languages.
_RESERVED = frozenset(
    (*keyword.kwlist, *rust.IDIOMS.fields.reserved, *RESERVED_WORDS, "all", "core", "loose", "std", "serde", "timing")
)


@dataclass(frozen=True)
class DataSet:
    """One file. id: names its modules in every language. value: as JSON has it."""

    id: str
    path: Path
    value: Any

    @property
    def title(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def outer(self) -> str:
        """The name of the Java class around the types."""
        return pascal(self.id) + "Data"

    @cached_property
    def inferred(self) -> Inferred:
        """The schema that the tour carries."""
        return infer(self.value, Options(name=name_from(self.path.stem), tuples=False, unions=False))

    @cached_property
    def plain(self) -> Inferred:
        """The schema of the same data with text for dates and enums, as JSON and msgpack carry it."""
        return infer(self.value, Options(name=name_from(self.path.stem), texts=False, enums=0, tuples=False, unions=False))

    @cached_property
    def completed(self) -> Any:
        """The value with null for every missing field: what every peer carries."""
        return complete(self.inferred.type, self.value)

    def as_json(self) -> bytes:
        """The smallest JSON text of it."""
        return json.dumps(self.completed, ensure_ascii=False, separators=(",", ":")).encode()

    @property
    def items(self) -> int:
        """Rows, or 1."""
        return len(self.value) if isinstance(self.value, list) else 1


def load(path: Path, taken: set[str]) -> DataSet:
    """Reads one file. taken: ids in use, to which the new one is added. Raises SourceError and OSError."""
    base = snake(path.stem)
    if base in _RESERVED or base.endswith(("_plain", "_msgspec")):
        base += "_data"
    name, number = base, 2
    while name in taken or pascal(name) in map(pascal, taken):
        name, number = f"{base}_{number}", number + 1
    taken.add(name)
    return DataSet(name, path, read(path).loaded())


def default_paths(patterns: tuple[str, ...] = DEFAULT) -> list[Path]:
    """The files of the npm package `vega-datasets`, which the Makefile installs by the lock file."""
    folder = TOUR / "node_modules/vega-datasets/data"
    return [path for pattern in patterns for path in sorted(folder.glob(pattern), key=lambda path: path.stat().st_size)]
