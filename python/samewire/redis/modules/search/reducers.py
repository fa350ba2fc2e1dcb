"""Reducers of FT.AGGREGATE, under redis-py's names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .aggregation import Asc, Desc, Reducer, SortDirection


class FieldOnlyReducer(Reducer):
    """A reducer of one field."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self._field = field


class count(Reducer):  # noqa: N801
    """The number of rows."""

    NAME = "COUNT"

    def __init__(self) -> None:
        super().__init__()


class sum(FieldOnlyReducer):  # noqa: N801
    """The sum."""

    NAME = "SUM"


class min(FieldOnlyReducer):  # noqa: N801
    """The least value."""

    NAME = "MIN"


class max(FieldOnlyReducer):  # noqa: N801
    """The greatest value."""

    NAME = "MAX"


class avg(FieldOnlyReducer):  # noqa: N801
    """The mean."""

    NAME = "AVG"


class tolist(FieldOnlyReducer):  # noqa: N801
    """All different values."""

    NAME = "TOLIST"


class count_distinct(FieldOnlyReducer):  # noqa: N801
    """The number of different values."""

    NAME = "COUNT_DISTINCT"


class count_distinctish(FieldOnlyReducer):  # noqa: N801
    """The number of different values, about."""

    NAME = "COUNT_DISTINCTISH"


class stddev(FieldOnlyReducer):  # noqa: N801
    """The standard deviation."""

    NAME = "STDDEV"


class quantile(Reducer):  # noqa: N801
    """The value at a fraction."""

    NAME = "QUANTILE"

    def __init__(self, field: str, pct: float) -> None:
        super().__init__(field, str(pct))
        self._field = field


class first_value(Reducer):  # noqa: N801
    """The value of the first row, in an order."""

    NAME = "FIRST_VALUE"

    def __init__(self, field: str, *byfields: Any) -> None:
        if len(byfields) == 1 and isinstance(byfields[0], type) and issubclass(byfields[0], SortDirection):
            byfields = (byfields[0](field),)
        words = [word for one in byfields for word in (one.field, one.DIRSTRING)]
        super().__init__(field, *(["BY", *words] if words else []))
        self._field = field


class random_sample(Reducer):  # noqa: N801
    """Some of the values."""

    NAME = "RANDOM_SAMPLE"

    def __init__(self, field: str, size: int) -> None:
        super().__init__(field, str(size))
        self._field = field


class collect(Reducer):  # noqa: N801
    """Fields of the group's rows (newest servers): all, or those named; different rows only; sorted; `limit` of them.

    Raises ValueError for no names, and for nothing to sort by.
    """

    NAME = "COLLECT"

    def __init__(
        self,
        fields: str | Iterable[str] = "*",
        distinct: bool = False,
        sort_by: Asc | Desc | Iterable[Asc | Desc] | None = None,
        limit: tuple[int, int] | None = None,
    ) -> None:
        words = ["FIELDS", "*"]
        if fields != "*":
            names = [fields] if isinstance(fields, str) else list(fields)
            if not names or not all(name.strip() for name in names):
                raise ValueError(f"expected '*' or names of fields, not {fields!r}")
            words = ["FIELDS", str(len(names)), *map(with_at, names)]
        words += ["DISTINCT"] if distinct else []
        if sort_by is not None:
            order = [sort_by] if isinstance(sort_by, SortDirection) else list(sort_by)
            if not order:
                raise ValueError("sort_by has no field")
            words += ["SORTBY", str(2 * len(order))]
            words += [str(word) for one in order for word in (with_at(one.field), one.DIRSTRING)]
        super().__init__(*words, *(["LIMIT", *map(str, limit)] if limit is not None else []))


def with_at(name: str) -> str:
    """A name as expressions write it."""
    return name if name.startswith("@") else f"@{name}"
