"""Fields of an index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samewire.redis.exceptions import DataError


class Field:
    """A field: its name, or for JSON its path.

    sortable: results may be sorted by it. no_index: it cannot be searched for; needs `sortable`.
    index_missing, index_empty: values that are not there, and empty texts, can be searched for (since 2.10).
    as_name: the name in queries.

    Raises ValueError for `no_index` without `sortable`.
    """

    NUMERIC = "NUMERIC"
    TEXT = "TEXT"
    WEIGHT = "WEIGHT"
    GEO = "GEO"
    TAG = "TAG"
    VECTOR = "VECTOR"
    SORTABLE = "SORTABLE"
    NOINDEX = "NOINDEX"
    AS = "AS"
    GEOSHAPE = "GEOSHAPE"
    INDEX_MISSING = "INDEXMISSING"
    INDEX_EMPTY = "INDEXEMPTY"

    def __init__(
        self,
        name: Any,
        args: list[Any] | None = None,
        sortable: bool = False,
        no_index: bool = False,
        index_missing: bool = False,
        index_empty: bool = False,
        as_name: str | None = None,
    ) -> None:
        if no_index and not sortable:
            raise ValueError("a field with no_index needs sortable: else nothing is known of it")
        self.name = name
        self.args = [] if args is None else args
        self.as_name = as_name
        flags = {
            self.NOINDEX: no_index,
            self.INDEX_MISSING: index_missing,
            self.INDEX_EMPTY: index_empty,
            self.SORTABLE: sortable,
        }
        self.args_suffix = [word for word, given in flags.items() if given]

    def append_arg(self, value: Any) -> None:
        """Adds an argument behind the type."""
        self.args.append(value)

    def redis_args(self) -> list[Any]:
        """The field as it is sent."""
        return [self.name, *([self.AS, self.as_name] if self.as_name else []), *self.args, *self.args_suffix]


class TextField(Field):
    """Words. weight: of a match. phonetic_matcher: "dm:en", "dm:fr", "dm:pt" or "dm:es"; others are left out."""

    NOSTEM = "NOSTEM"
    PHONETIC = "PHONETIC"

    def __init__(
        self,
        name: Any,
        weight: float = 1.0,
        no_stem: bool = False,
        phonetic_matcher: str | None = None,
        withsuffixtrie: bool = False,
        **kwargs: Any,
    ) -> None:
        words = [self.TEXT, self.WEIGHT, weight, *([self.NOSTEM] if no_stem else [])]
        if phonetic_matcher in ("dm:en", "dm:fr", "dm:pt", "dm:es"):
            words += [self.PHONETIC, phonetic_matcher]
        super().__init__(name, [*words, *(["WITHSUFFIXTRIE"] if withsuffixtrie else [])], **kwargs)


class NumericField(Field):
    """Numbers."""

    def __init__(self, name: Any, **kwargs: Any) -> None:
        super().__init__(name, [self.NUMERIC], **kwargs)


class GeoShapeField(Field):
    """Polygons (since 2.8). coord_system: FLAT or SPHERICAL."""

    SPHERICAL = "SPHERICAL"
    FLAT = "FLAT"

    def __init__(self, name: Any, coord_system: str | None = None, **kwargs: Any) -> None:
        super().__init__(name, [self.GEOSHAPE, *([coord_system] if coord_system else [])], **kwargs)


class GeoField(Field):
    """Points: "longitude,latitude"."""

    def __init__(self, name: Any, **kwargs: Any) -> None:
        super().__init__(name, [self.GEO], **kwargs)


class TagField(Field):
    """Whole values that a character separates."""

    SEPARATOR = "SEPARATOR"
    CASESENSITIVE = "CASESENSITIVE"

    def __init__(
        self, name: Any, separator: str = ",", case_sensitive: bool = False, withsuffixtrie: bool = False, **kwargs: Any
    ) -> None:
        words = [self.TAG, self.SEPARATOR, separator, *([self.CASESENSITIVE] if case_sensitive else [])]
        super().__init__(name, [*words, *(["WITHSUFFIXTRIE"] if withsuffixtrie else [])], **kwargs)


class VectorField(Field):
    """Vectors, to be searched for by nearness.

    algorithm: "FLAT", "HNSW" or "SVS-VAMANA". attributes: TYPE, DIM, DISTANCE_METRIC and others of the algorithm.

    Raises DataError for another algorithm, and for `sortable` or `no_index`.
    """

    def __init__(self, name: Any, algorithm: str, attributes: Mapping[str, Any], **kwargs: Any) -> None:
        if kwargs.get("sortable") or kwargs.get("no_index"):
            raise DataError("a vector field takes neither sortable nor no_index")
        if algorithm.upper() not in ("FLAT", "HNSW", "SVS-VAMANA"):
            raise DataError(f"expected FLAT, HNSW or SVS-VAMANA for algorithm, not {algorithm!r}")
        words = [word for pair in attributes.items() for word in pair]
        super().__init__(name, [self.VECTOR, algorithm, len(words), *words], **kwargs)
