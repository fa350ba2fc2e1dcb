"""Queries of FT.HYBRID, and what they return. Methods return the query, so that they can be chained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from ..module import option
from .aggregation import AggregateRequest, Limit, Reducer
from .query import Filter, SortbyField


@dataclass
class HybridResult:
    """What was found: the number of results, those that were asked for, warnings, and milliseconds."""

    total_results: int
    results: list[dict[str, Any]]
    warnings: list[str | bytes]
    execution_time: float


class HybridCursorResult:
    """The cursors of the results of both searches."""

    def __init__(self, search_cursor_id: int, vsim_cursor_id: int) -> None:
        self.search_cursor_id = search_cursor_id
        self.vsim_cursor_id = vsim_cursor_id


class HybridSearchQuery:
    """The query of words."""

    def __init__(self, query_string: str, scorer: str | None = None, yield_score_as: str | None = None) -> None:
        self._query_string = query_string
        self._scorer = scorer
        self._yield_score_as = yield_score_as

    def query_string(self) -> str:
        """The text."""
        return self._query_string

    def scorer(self, scorer: str) -> Self:
        """The function that scores documents."""
        self._scorer = scorer
        return self

    def yield_score_as(self, alias: str) -> Self:
        """The field that has the score."""
        self._yield_score_as = alias
        return self

    def get_args(self) -> list[Any]:
        """As it is sent."""
        words = option("SCORER", self._scorer or None) + option("YIELD_SCORE_AS", self._yield_score_as or None)
        return ["SEARCH", self._query_string, *words]


class VectorSearchMethods(Enum):
    """How vectors are searched for."""

    KNN = "KNN"
    RANGE = "RANGE"


def method_with(method: Enum, options: dict[str, Any]) -> list[Any]:
    """A method and its options."""
    words = [word for pair in options.items() for word in pair]
    return [method.value, *([len(words), *words] if words else [])]


class HybridVsimQuery:
    """The query of vectors."""

    def __init__(
        self,
        vector_field_name: str,
        vector_data: bytes | str,
        vsim_search_method: VectorSearchMethods | None = None,
        vsim_search_method_params: dict[str, Any] | None = None,
        filter: HybridFilter | None = None,
        yield_score_as: str | None = None,
    ) -> None:
        self._vector_field = vector_field_name
        self._vector_data = vector_data
        self._vsim_method_params: list[Any] = []
        if vsim_search_method and vsim_search_method_params:
            self.vsim_method_params(vsim_search_method, **vsim_search_method_params)
        self._filter = filter
        self._yield_score_as = yield_score_as

    def vector_field(self) -> str:
        """The field."""
        return self._vector_field

    def vector_data(self) -> bytes | str:
        """The vector."""
        return self._vector_data

    def vsim_method_params(self, method: VectorSearchMethods, **kwargs: Any) -> Self:
        """How vectors are searched for."""
        self._vsim_method_params = method_with(method, kwargs)
        return self

    def filter(self, flt: HybridFilter) -> Self:
        """Which documents count."""
        self._filter = flt
        return self

    def yield_score_as(self, alias: str) -> Self:
        """The field that has the score."""
        self._yield_score_as = alias
        return self

    def get_args(self) -> list[Any]:
        """As it is sent."""
        words = ["VSIM", self._vector_field, self._vector_data, *self._vsim_method_params]
        return words + (self._filter.args if self._filter else []) + option("YIELD_SCORE_AS", self._yield_score_as or None)


class HybridQuery:
    """Both queries."""

    def __init__(self, search_query: HybridSearchQuery, vector_similarity_query: HybridVsimQuery) -> None:
        self._search_query = search_query
        self._vector_similarity_query = vector_similarity_query

    def get_args(self) -> list[Any]:
        """As it is sent."""
        return self._search_query.get_args() + self._vector_similarity_query.get_args()


class CombinationMethods(Enum):
    """How scores become one."""

    RRF = "RRF"
    LINEAR = "LINEAR"


class CombineResultsMethod:
    """How scores become one, with the method's options."""

    def __init__(self, method: CombinationMethods, **kwargs: Any) -> None:
        self._method = method
        self._kwargs = kwargs

    def get_args(self) -> list[Any]:
        """As it is sent."""
        return ["COMBINE", *method_with(self._method, self._kwargs)]


class HybridPostProcessingConfig:
    """The steps that results go through."""

    def __init__(self) -> None:
        self._load_statements: list[Any] = []
        self._return_fields_decode_as: dict[str, str | None] = {}
        self._applied = AggregateRequest()
        self._grouped = AggregateRequest()
        self._sortby_fields: list[SortbyField] = []
        self._filter: HybridFilter | None = None
        self._limit: Limit | None = None

    def load(self, *fields: str, decode_field: bool = False, encoding: str = "utf8") -> Self:
        """Loads fields, each under another name if "AS" follows, as text of an encoding or as bytes."""
        names = " ".join(fields).split(" ") if fields else []
        if names:
            self._load_statements += ["LOAD", len(names), *names]
        at = 0
        while at < len(names):
            if names[at].upper() == "AS":
                at += 2
                continue
            renamed = at + 2 < len(names) and names[at + 1].upper() == "AS"
            name = names[at + 2] if renamed else names[at].removeprefix("@")
            self._return_fields_decode_as[name] = encoding if decode_field else None
            at += 3 if renamed else 1
        return self

    def group_by(self, fields: str | Iterable[str], *reducers: Reducer) -> Self:
        """Makes one row of all with equal fields."""
        self._grouped.group_by(fields, *reducers)
        return self

    def apply(self, **kwexpr: str) -> Self:
        """Adds fields that expressions make."""
        self._applied.apply(**kwexpr)
        return self

    def sort_by(self, *sortby: SortbyField) -> Self:
        """Sorts by fields."""
        self._sortby_fields = [*sortby]
        return self

    def filter(self, filter: HybridFilter) -> Self:
        """Keeps rows for which conditions hold."""
        self._filter = filter
        return self

    def limit(self, offset: int, num: int) -> Self:
        """Keeps `num` rows from `offset` on."""
        self._limit = Limit(offset, num)
        return self

    def build_args(self) -> list[Any]:
        """As it is sent."""
        words = [*self._load_statements, *self._grouped._aggregateplan, *self._applied._aggregateplan]
        order = [word for one in self._sortby_fields for word in one.args]
        words += ["SORTBY", len(order), *order] if order else []
        words += self._filter.args if self._filter else []
        return words + (self._limit.build_args() if self._limit else [])


class HybridFilter(Filter):
    """Conditions, as a query has them."""

    def __init__(self, conditions: str) -> None:
        super().__init__("FILTER", conditions)


class HybridCursorQuery:
    """Returns the results in parts. max_idle: milliseconds until the server forgets a cursor that is not read."""

    def __init__(self, count: int = 0, max_idle: int = 0) -> None:
        self.count = count
        self.max_idle = max_idle

    def build_args(self) -> list[str]:
        """As it is sent."""
        words = ["WITHCURSOR", *(["COUNT", str(self.count)] if self.count else [])]
        return words + (["MAXIDLE", str(self.max_idle)] if self.max_idle else [])
