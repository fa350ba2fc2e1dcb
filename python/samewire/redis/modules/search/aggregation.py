"""Requests of FT.AGGREGATE. Methods return the request, so that they can be chained; steps run in the order of the calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from .query import DEFAULT_DIALECT

#: An alias: the name of the reducer's field.
FIELDNAME = object()


class Limit:
    """LIMIT: no count is no limit."""

    def __init__(self, offset: int = 0, count: int = 0) -> None:
        self.offset = offset
        self.count = count

    def build_args(self) -> list[str]:
        """As it is sent."""
        return ["LIMIT", str(self.offset), str(self.count)] if self.count else []


class Reducer:
    """What becomes of the rows of a group."""

    NAME: ClassVar[str | None] = None

    def __init__(self, *args: str) -> None:
        self._args = args
        self._field: str | None = None
        self._alias: str | None = None

    def alias(self, alias: Any) -> Self:
        """The name of the result; FIELDNAME for the field's. Raises ValueError if there is no field."""
        if alias is FIELDNAME:
            if not self._field:
                raise ValueError("FIELDNAME needs a reducer with a field")
            alias = self._field.removeprefix("@")
        self._alias = alias
        return self

    @property
    def args(self) -> tuple[str, ...]:
        """The arguments."""
        return self._args


class SortDirection:
    """A field and the direction of sorting."""

    DIRSTRING: ClassVar[str | None] = None

    def __init__(self, field: str) -> None:
        self.field = field


class Asc(SortDirection):
    """The least first."""

    DIRSTRING = "ASC"


class Desc(SortDirection):
    """The greatest first."""

    DIRSTRING = "DESC"


class AggregateRequest:
    """A query, and the steps that its results go through."""

    def __init__(self, query: str = "*") -> None:
        self._query = query
        self._aggregateplan: list[Any] = []
        self._loadfields: list[str] = []
        self._loadall = False
        self._with_schema = False
        self._verbatim = False
        self._cursor: list[str] = []
        self._dialect = DEFAULT_DIALECT
        self._add_scores = False
        self._scorer = "TFIDF"

    def load(self, *fields: str) -> Self:
        """Loads fields of the documents; all without names."""
        self._loadfields += fields
        self._loadall = self._loadall or not fields
        return self

    def group_by(self, fields: str | Iterable[str], *reducers: Reducer) -> Self:
        """Makes one row of all with equal fields."""
        names = [fields] if isinstance(fields, str) else list(fields)
        self._aggregateplan += ["GROUPBY", str(len(names)), *names]
        for reducer in reducers:
            self._aggregateplan += ["REDUCE", reducer.NAME, str(len(reducer.args)), *reducer.args]
            self._aggregateplan += [] if reducer._alias is None else ["AS", reducer._alias]
        return self

    def apply(self, **kwexpr: str) -> Self:
        """Adds fields that expressions make."""
        for alias, expression in kwexpr.items():
            self._aggregateplan += ["APPLY", expression, "AS", alias]
        return self

    def limit(self, offset: int, num: int) -> Self:
        """Keeps `num` rows from `offset` on."""
        self._aggregateplan += Limit(offset, num).build_args()
        return self

    def sort_by(self, *fields: str | SortDirection, **kwargs: Any) -> Self:
        """Sorts by fields. max: the number of rows that are sorted and kept."""
        words: list[Any] = []
        for field in fields:
            words += [field.field, field.DIRSTRING] if isinstance(field, SortDirection) else [field]
        most = kwargs.get("max", 0)
        self._aggregateplan += ["SORTBY", str(len(words)), *words, *(["MAX", str(most)] if most > 0 else [])]
        return self

    def filter(self, expressions: str | Iterable[str]) -> Self:
        """Keeps rows for which expressions hold."""
        for expression in [expressions] if isinstance(expressions, str) else expressions:
            self._aggregateplan += ["FILTER", expression]
        return self

    def with_schema(self) -> Self:
        """Returns the types of the fields, too."""
        self._with_schema = True
        return self

    def add_scores(self) -> Self:
        """Adds the field __score."""
        self._add_scores = True
        return self

    def scorer(self, scorer: str) -> Self:
        """The function that scores documents."""
        self._scorer = scorer
        return self

    def verbatim(self) -> Self:
        """Words are not stemmed."""
        self._verbatim = True
        return self

    def cursor(self, count: int = 0, max_idle: float = 0.0) -> Self:
        """Returns the rows in parts. max_idle: seconds until the server forgets a cursor that is not read."""
        words = ["WITHCURSOR", *(["COUNT", str(count)] if count else [])]
        self._cursor = words + (["MAXIDLE", str(max_idle * 1000)] if max_idle else [])
        return self

    def dialect(self, dialect: int) -> Self:
        """The version of the query language."""
        self._dialect = dialect
        return self

    def build_args(self) -> list[Any]:
        """The request as it is sent."""
        words = [self._query, *(["WITHSCHEMA"] if self._with_schema else []), *(["VERBATIM"] if self._verbatim else [])]
        words += ["SCORER", self._scorer] if self._scorer else []
        words += ["ADDSCORES"] if self._add_scores else []
        words += self._cursor
        if self._loadall:
            words += ["LOAD", "*"]
        elif self._loadfields:
            words += ["LOAD", str(len(self._loadfields)), *self._loadfields]
        words += ["DIALECT", str(self._dialect)] if self._dialect else []
        return words + self._aggregateplan


class Cursor:
    """Rows that are still to be read."""

    def __init__(self, cid: int) -> None:
        self.cid = cid
        self.max_idle = 0
        self.count = 0

    def build_args(self) -> list[str]:
        """As it is sent."""
        words = [str(self.cid), *(["MAXIDLE", str(self.max_idle)] if self.max_idle else [])]
        return words + (["COUNT", str(self.count)] if self.count else [])


class AggregateResult:
    """Rows, each a list of names and values; the cursor for more; types; the number of results, and warnings (RESP3)."""

    def __init__(self, rows: Any, cursor: Cursor | None, schema: Any, total: int = 0, warnings: Any = None) -> None:
        self.rows = rows
        self.cursor = cursor
        self.schema = schema
        self.total = total
        self.warnings = warnings or []

    def __repr__(self) -> str:
        cid = self.cursor.cid if self.cursor else -1
        return f"<{type(self).__name__} at 0x{id(self):x} Rows={len(self.rows)}, Cursor={cid}>"
