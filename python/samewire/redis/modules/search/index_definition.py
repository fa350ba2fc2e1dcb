"""What an index is of."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from samewire.redis.commands.values import listed

from ..module import option


class IndexType(Enum):
    """The type of the keys."""

    HASH = 1
    JSON = 2


class IndexDefinition:
    """Which keys are indexed: by their prefixes, and by an expression of their fields.

    language_field, score_field, payload_field: fields with what `language` and `score` are for all.

    Raises RuntimeError for an `index_type` that is no `IndexType`, TypeError for a prefix of None.
    """

    def __init__(
        self,
        prefix: Sequence[Any] = (),
        filter: str | None = None,
        language_field: str | None = None,
        language: str | None = None,
        score_field: str | None = None,
        score: float | None = 1.0,
        payload_field: str | None = None,
        index_type: IndexType | None = None,
    ) -> None:
        if index_type is not None and not isinstance(index_type, IndexType):
            raise RuntimeError(f"expected one of {list(IndexType)} for index_type, not {index_type!r}")
        if prefix is None:
            raise TypeError("expected a list of prefixes, not None: [] is all keys")
        prefixes = listed(prefix) if len(prefix) > 0 else []
        self.args: list[Any] = [] if index_type is None else ["ON", index_type.name]
        self.args += ["PREFIX", len(prefixes), *prefixes] if prefixes else []
        self.args += option("FILTER", filter)
        self.args += option("LANGUAGE_FIELD", language_field) + option("LANGUAGE", language)
        self.args += option("SCORE_FIELD", score_field) + option("SCORE", score) + option("PAYLOAD_FIELD", payload_field)
