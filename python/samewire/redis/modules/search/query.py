"""Queries of FT.SEARCH. Methods return the query, so that they can be chained."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

#: The dialect of queries, as redis-py asks for it.
DEFAULT_DIALECT = 2


class Query:
    """A query: its text, and what is replied. The first ten results unless `paging` says otherwise."""

    def __init__(self, query_string: str) -> None:
        self._query_string = query_string
        self._offset = 0
        self._num = 10
        self._no_content = False
        self._no_stopwords = False
        self._fields: list[str] | None = None
        self._verbatim = False
        self._with_payloads = False
        self._with_scores = False
        self._scorer: str | None = None
        self._filters: list[Filter] = []
        self._ids: tuple[Any, ...] | None = None
        self._slop = -1
        self._timeout: float | None = None
        self._in_order = False
        self._sortby: SortbyField | None = None
        self._return_fields: list[Any] = []
        self._return_fields_decode_as: dict[Any, str | None] = {}
        self._summarize_fields: list[Any] = []
        self._highlight_fields: list[Any] = []
        self._language: str | None = None
        self._expander: str | None = None
        self._dialect = DEFAULT_DIALECT

    def query_string(self) -> str:
        """The text."""
        return self._query_string

    def limit_ids(self, *ids: Any) -> Self:
        """Searches these keys only."""
        self._ids = ids
        return self

    def return_fields(self, *fields: Any) -> Self:
        """Returns these fields of each document."""
        for field in fields:
            self.return_field(field)
        return self

    def return_field(
        self, field: Any, as_field: str | None = None, decode_field: bool | None = True, encoding: str | None = "utf8"
    ) -> Self:
        """Returns a field of each document, under another name, as text of an encoding or as bytes."""
        self._return_fields.append(field)
        self._return_fields_decode_as[field] = encoding if decode_field else None
        if as_field is not None:
            self._return_fields += ["AS", as_field]
        return self

    def summarize(
        self,
        fields: Iterable[str] | str | None = None,
        context_len: int | None = None,
        num_frags: int | None = None,
        sep: str | None = None,
    ) -> Self:
        """Returns fragments of fields that show what matches."""
        words = ["SUMMARIZE", *of_fields(fields)]
        words += [] if context_len is None else ["LEN", str(context_len)]
        words += [] if num_frags is None else ["FRAGS", str(num_frags)]
        self._summarize_fields = words + ([] if sep is None else ["SEPARATOR", sep])
        return self

    def highlight(self, fields: Iterable[str] | str | None = None, tags: Iterable[str] | None = None) -> Self:
        """Marks what matches, by two tags."""
        self._highlight_fields = ["HIGHLIGHT", *of_fields(fields), *(["TAGS", *tags] if tags else [])]
        return self

    def language(self, language: str) -> Self:
        """The language of the query's words."""
        self._language = language
        return self

    def slop(self, slop: int) -> Self:
        """How many other words may stand between those of the query."""
        self._slop = slop
        return self

    def timeout(self, timeout: float) -> Self:
        """How many milliseconds the server may search."""
        self._timeout = timeout
        return self

    def in_order(self) -> Self:
        """Words must stand in the query's order."""
        self._in_order = True
        return self

    def scorer(self, scorer: str) -> Self:
        """The function that scores documents."""
        self._scorer = scorer
        return self

    def paging(self, offset: int, num: int) -> Self:
        """Has `num` results from `offset` on replied."""
        self._offset = offset
        self._num = num
        return self

    def verbatim(self) -> Self:
        """Words are not stemmed."""
        self._verbatim = True
        return self

    def no_content(self) -> Self:
        """Returns keys only, without fields."""
        self._no_content = True
        return self

    def no_stopwords(self) -> Self:
        """Stop words count."""
        self._no_stopwords = True
        return self

    def with_payloads(self) -> Self:
        """Returns payloads, too."""
        self._with_payloads = True
        return self

    def with_scores(self) -> Self:
        """Returns scores, too."""
        self._with_scores = True
        return self

    def limit_fields(self, *fields: str) -> Self:
        """Searches these text fields only."""
        self._fields = list(fields)
        return self

    def add_filter(self, flt: Filter) -> Self:
        """Adds a filter of numbers or points."""
        self._filters.append(flt)
        return self

    def sort_by(self, field: str, asc: bool | None = True) -> Self:
        """Sorts by a field."""
        self._sortby = SortbyField(field, asc)
        return self

    def expander(self, expander: str) -> Self:
        """The function that expands words."""
        self._expander = expander
        return self

    def dialect(self, dialect: int) -> Self:
        """The version of the query language."""
        self._dialect = dialect
        return self

    def get_args(self) -> list[Any]:
        """The query as it is sent. Raises AttributeError for a filter that is no `Filter`."""
        if any(not isinstance(one, Filter) for one in self._filters):
            raise AttributeError("expected a Filter for add_filter")
        words: list[Any] = [self._query_string]
        words += ["NOCONTENT"] if self._no_content else []
        words += counted("INFIELDS", self._fields)
        words += ["VERBATIM"] if self._verbatim else []
        words += ["NOSTOPWORDS"] if self._no_stopwords else []
        words += [word for one in self._filters for word in one.args]
        words += ["WITHPAYLOADS"] if self._with_payloads else []
        words += ["SCORER", self._scorer] if self._scorer else []
        words += ["WITHSCORES"] if self._with_scores else []
        words += counted("INKEYS", self._ids)
        words += ["SLOP", self._slop] if self._slop >= 0 else []
        words += ["TIMEOUT", self._timeout] if self._timeout is not None else []
        words += ["INORDER"] if self._in_order else []
        words += counted("RETURN", self._return_fields)
        words += ["SORTBY", *self._sortby.args] if self._sortby else []
        words += ["LANGUAGE", self._language] if self._language else []
        words += ["EXPANDER", self._expander] if self._expander else []
        words += ["DIALECT", self._dialect] if self._dialect else []
        return words + self._summarize_fields + self._highlight_fields + ["LIMIT", self._offset, self._num]


def counted(word: str, items: Any) -> list[Any]:
    """A word, the number of items, and those; nothing for no items."""
    return [word, len(items), *items] if items else []


def of_fields(fields: Iterable[str] | str | None) -> list[str]:
    """FIELDS of SUMMARIZE and HIGHLIGHT."""
    names = [fields] if isinstance(fields, str) else list(fields or ())
    return ["FIELDS", str(len(names)), *names] if names and names != [""] else []


class Filter:
    """A filter of results."""

    def __init__(self, keyword: str, field: str, *args: Any) -> None:
        self.args = [keyword, field, *args]


class NumericFilter(Filter):
    """Numbers from `minval` to `maxval`, which count unless they are exclusive."""

    INF = "+inf"
    NEG_INF = "-inf"

    def __init__(
        self,
        field: str,
        minval: float | str,
        maxval: float | str,
        minExclusive: bool = False,  # noqa: N803
        maxExclusive: bool = False,  # noqa: N803
    ) -> None:
        super().__init__("FILTER", field, f"({minval}" if minExclusive else minval, f"({maxval}" if maxExclusive else maxval)


class GeoFilter(Filter):
    """Points within a radius."""

    METERS = "m"
    KILOMETERS = "km"
    FEET = "ft"
    MILES = "mi"

    def __init__(self, field: str, lon: float, lat: float, radius: float, unit: str = KILOMETERS) -> None:
        super().__init__("GEOFILTER", field, lon, lat, radius, unit)


class SortbyField:
    """By what results are sorted."""

    def __init__(self, field: str, asc: bool | None = True) -> None:
        self.args = [field, "ASC" if asc else "DESC"]
