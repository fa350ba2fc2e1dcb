"""The time series module (RedisTimeSeries 1.0 to 1.12, part of Redis 8)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Concatenate, ParamSpec

from samewire.redis.commands.values import together
from samewire.redis.exceptions import DataError

from .module import Module, Table, as_list, is_true_ok, native, numbers, option

#: Attributes of `TSInfo` and the server's names.
ATTRIBUTES = {
    "source_key": "sourceKey",
    "chunk_count": "chunkCount",
    "memory_usage": "memoryUsage",
    "total_samples": "totalSamples",
    "retention_msecs": "retentionTime",
    "last_timestamp": "lastTimestamp",
    "first_timestamp": "firstTimestamp",
}
ALIASES = {
    **{name: attribute for attribute, name in ATTRIBUTES.items()},
    "maxSamplesPerChunk": "max_samples_per_chunk",
    "chunkSize": "chunk_size",
    "duplicatePolicy": "duplicate_policy",
}


class TSInfo:
    """TS.INFO: attributes under redis-py's names, also by `info["name"]` with them or the server's, and `info.get("name")`."""

    max_samples_per_chunk: Any = None
    chunk_size: Any = None
    duplicate_policy: Any = None
    # redis-py has these besides, and never sets them.
    sourceKey: ClassVar[Any] = None  # noqa: N815
    last_time_stamp: ClassVar[Any] = None
    first_time_stamp: ClassVar[Any] = None

    def __init__(self, reply: Any) -> None:
        if isinstance(reply, dict):
            said = reply
            self.rules = said.get("rules") or {}
            self.labels = said.get("labels") or {}
        else:
            said = {native(name): value for name, value in zip(reply[::2], reply[1::2], strict=False)}
            self.rules = said.get("rules")
            self.labels = label_texts(said.get("labels"))
        for attribute, name in ATTRIBUTES.items():
            setattr(self, attribute, said.get(name))
        if "maxSamplesPerChunk" in said:
            self.max_samples_per_chunk = said["maxSamplesPerChunk"]
            self.chunk_size = self.max_samples_per_chunk * 16
        if "chunkSize" in said:
            self.chunk_size = said["chunkSize"]
        if "duplicatePolicy" in said:
            policy = said["duplicatePolicy"]
            self.duplicate_policy = policy.decode() if isinstance(policy, bytes) else policy

    def __getitem__(self, item: str) -> Any:
        return getattr(self, ALIASES.get(item, item))

    def get(self, item: str) -> Any:
        """The attribute; None if there is none."""
        return getattr(self, ALIASES.get(item, item), None)


def label_texts(pairs: Any) -> dict[Any, Any]:
    """Labels as str."""
    return {native(pair[0]): native(pair[1]) for pair in pairs}


def samples(reply: Any, **_: Any) -> list[tuple[Any, ...]]:
    """Samples as tuples of the time and floats."""
    return [tuple(item) for item in sample_lists(reply)]


def sample_lists(reply: Any, **_: Any) -> list[list[Any]]:
    """Samples as lists of the time and floats."""
    return [[item[0], *map(float, item[1:])] for item in reply or []]


def rows(reply: Any, **_: Any) -> list[list[Any]]:
    """TS.NRANGE: rows of the time and one float for each key."""
    return [[int(row[0]), [float(value) for value in row[1]]] for row in reply or []]


def sample(reply: Any, **_: Any) -> tuple[int, float] | None:
    """One sample as a tuple; None for none."""
    return (int(reply[0]), float(reply[1])) if reply else None


def sample_list(reply: Any, **_: Any) -> list[Any] | None:
    """One sample as a list; None for none."""
    return [int(reply[0]), float(reply[1])] if reply else None


def series(reply: Any) -> Iterable[tuple[Any, Any, list[Any], Any]]:
    """Each series of a reply with several, of either protocol: its key, its labels, what RESP3 says besides, its samples."""
    if isinstance(reply, dict):
        for key, item in reply.items():
            yield key, item[0], item[1:-1], item[-1] if len(item) > 1 else []
    else:
        for item in reply:
            yield item[0], {pair[0]: pair[1] for pair in item[1]}, [], item[2]


def texts(labels: Any) -> dict[Any, Any]:
    """Labels with str for bytes."""
    return {native(name): native(value) for name, value in (labels or {}).items()}


def by_key(found: list[dict[Any, Any]]) -> list[dict[Any, Any]]:
    """Dictionaries of one key each, in its order."""
    return sorted(found, key=lambda one: list(one.keys()))


def latest_of_each(reply: Any, **_: Any) -> list[dict[Any, Any]]:
    """TS.MGET as RESP2's clients know it: a dictionary for each series, of labels, time and value."""
    return by_key([{native(key): [texts(labels), *(sample(last) or (None, None))]} for key, labels, _, last in series(reply)])


def latest_by_key(reply: Any, **_: Any) -> dict[Any, Any]:
    """TS.MGET as one dictionary of labels and sample."""
    return {key: [labels, sample_list(last) or []] for key, labels, _, last in series(reply)}


def samples_of_each(reply: Any, **_: Any) -> list[dict[Any, Any]]:
    """TS.MRANGE as RESP2's clients know it: a dictionary for each series, of labels and samples."""
    return by_key([{native(key): [texts(labels), samples(found)]} for key, labels, _, found in series(reply)])


def samples_by_key(reply: Any, aggregation_type: Any = None, **_: Any) -> dict[Any, Any]:
    """TS.MRANGE as one dictionary of labels, aggregators and samples."""
    kinds = [] if aggregation_type is None else aggregation_type if isinstance(aggregation_type, list) else [aggregation_type]
    said = {"aggregators": [native(kind).lower() for kind in kinds]}
    mapped = isinstance(reply, dict)
    return {
        key: [labels, (more[0] if more else []) if mapped else said, sample_lists(found)]
        for key, labels, more, found in series(reply)
    }


def options(retention: Any, uncompressed: Any, chunk_size: Any, policy: Any, labels: Mapping[Any, Any] | None) -> list[Any]:
    """The options of a new series."""
    words = option("RETENTION", retention) + (["ENCODING", "UNCOMPRESSED"] if uncompressed else [])
    words += option("CHUNK_SIZE", chunk_size) + option("DUPLICATE_POLICY", policy)
    return words + (["LABELS", *(word for pair in labels.items() for word in pair)] if labels else [])


def ignored(time_difference: Any, value_difference: Any) -> list[Any]:
    """IGNORE. Raises DataError for one of its two parts."""
    if (time_difference is None) != (value_difference is None):
        raise IncompleteError(str(together("ignore_max_time_diff", "ignore_max_val_diff")))
    return [] if time_difference is None else ["IGNORE", str(time_difference), str(value_difference)]


class IncompleteError(DataError, ValueError):
    """One of two options is given that belong together: redis-py raises ValueError."""


def aggregation(kind: str | list[str] | None, bucket: Any) -> list[Any]:
    """AGGREGATION."""
    return [] if kind is None else ["AGGREGATION", ",".join(kind) if isinstance(kind, list) else kind, bucket]


def chosen(times: Iterable[int] | None, least: Any, greatest: Any, latest: Any) -> list[Any]:
    """Which samples count."""
    words: list[Any] = ["LATEST"] if latest else []
    words += [] if times is None else ["FILTER_BY_TS", *times]
    return words + (["FILTER_BY_VALUE", least, greatest] if least is not None and greatest is not None else [])


def aggregated(count: Any, align: Any, words: list[Any], bucket_timestamp: Any, empty: Any) -> list[Any]:
    """How many samples, and of which buckets."""
    made = option("COUNT", count) + option("ALIGN", align) + words + option("BUCKETTIMESTAMP", bucket_timestamp)
    return made + (["EMPTY"] if empty else [])


def labelled(every: Any, selected: Iterable[str] | None) -> list[Any]:
    """Which labels are replied. Raises DataError for both."""
    if every and selected:
        raise DataError("give at most one of with_labels, select_labels: they are mutually exclusive")
    return ["WITHLABELS"] if every else ["SELECTED_LABELS", *selected] if selected else []


def several(
    keys: Sequence[Any],
    from_time: Any,
    to_time: Any,
    count: int | None = None,
    aggregators: str | Iterable[str] | None = None,
    bucket_size_msec: int | None = 0,
    filter_by_ts: Iterable[int] | None = None,
    filter_by_min_value: float | None = None,
    filter_by_max_value: float | None = None,
    align: int | str | None = None,
    latest: bool | None = False,
    bucket_timestamp: str | None = None,
    empty: bool | None = False,
) -> tuple[dict[str, Any], list[Any]]:
    """The arguments of TS.NRANGE. Raises DataError without keys, and unless there is an aggregator for each."""
    if not keys:
        raise DataError("keys has no key: at least one is needed")
    kinds = [] if aggregators is None else [aggregators] if isinstance(aggregators, str) else list(aggregators)
    if aggregators is not None and len(kinds) != len(keys):
        raise DataError(f"expected an aggregator for each of the {len(keys)} keys, not {len(kinds)}")
    words = ["AGGREGATION", *kinds, bucket_size_msec] if aggregators is not None else []
    made = [len(keys), *keys, from_time, to_time]
    made += chosen(filter_by_ts, filter_by_min_value, filter_by_max_value, latest)
    return {}, made + aggregated(count, align, words, bucket_timestamp, empty)


def matching(
    from_time: Any,
    to_time: Any,
    filters: Iterable[str],
    count: int | None = None,
    aggregation_type: str | list[str] | None = None,
    bucket_size_msec: int | None = 0,
    with_labels: bool | None = False,
    filter_by_ts: Iterable[int] | None = None,
    filter_by_min_value: float | None = None,
    filter_by_max_value: float | None = None,
    groupby: str | None = None,
    reduce: str | None = None,
    select_labels: Iterable[str] | None = None,
    align: int | str | None = None,
    latest: bool | None = False,
    bucket_timestamp: str | None = None,
    empty: bool | None = False,
    exclude_empty: bool | None = False,
) -> tuple[dict[str, Any], list[Any]]:
    """What the conversion is told, and the arguments of TS.MRANGE.

    with_labels, select_labels: all labels are replied, or these. groupby, reduce: series with equal values of a label become one.
    exclude_empty: series without samples are left out.

    Raises DataError for what excludes each other.
    """
    if groupby is not None and isinstance(aggregation_type, list) and len(aggregation_type) > 1:
        raise DataError("groupby takes one aggregation, not several")
    if exclude_empty and groupby is not None:
        raise DataError("give at most one of exclude_empty, groupby: they are mutually exclusive")
    words = [from_time, to_time, *chosen(filter_by_ts, filter_by_min_value, filter_by_max_value, latest)]
    words += labelled(with_labels, select_labels)
    words += aggregated(count, align, aggregation(aggregation_type, bucket_size_msec), bucket_timestamp, empty)
    words += [*(["EXCLUDEEMPTY"] if exclude_empty else []), "FILTER", *filters]
    if groupby is not None and reduce is not None:
        words += ["GROUPBY", groupby, "REDUCE", reduce.upper()]
    return {"aggregation_type": aggregation_type}, words


P = ParamSpec("P")


def method(name: str, arguments: Callable[P, tuple[dict[str, Any], list[Any]]], doc: str) -> Callable[Concatenate[Any, P], Any]:
    """A method with the parameters of the function that makes its arguments."""

    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        options, words = arguments(*args, **kwargs)
        return self.execute_command(f"TS.{name.upper()}", *words, **options)

    own = inspect.signature(arguments)
    me = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    call.__name__, call.__doc__ = name, doc
    call.__signature__ = own.replace(parameters=[me, *own.parameters.values()])  # type: ignore[attr-defined]
    return call


class TimeSeriesCommands:
    """The commands as methods. key: of the series. Times are milliseconds since 1970, values floats."""

    execute_command: Callable[..., Any]

    def create(
        self,
        key: Any,
        retention_msecs: int | None = None,
        uncompressed: bool | None = False,
        labels: Mapping[Any, Any] | None = None,
        chunk_size: int | None = None,
        duplicate_policy: str | None = None,
        ignore_max_time_diff: int | None = None,
        ignore_max_val_diff: float | None = None,
    ) -> Any:
        """TS.CREATE (since 1.0): makes an empty series; returns True.

        retention_msecs: the age at which samples are dropped; 0 for never. uncompressed: samples are kept as they are.
        labels: by which series are found. chunk_size: bytes of a chunk.
        duplicate_policy: of samples at one time: "block", "first", "last", "min", "max", "sum".
        ignore_max_time_diff, ignore_max_val_diff: a sample is ignored that is so near to the last one (since 1.12).
        """
        words = options(retention_msecs, uncompressed, chunk_size, duplicate_policy, labels)
        return self.execute_command("TS.CREATE", key, *words, *ignored(ignore_max_time_diff, ignore_max_val_diff))

    def alter(
        self,
        key: Any,
        retention_msecs: int | None = None,
        labels: Mapping[Any, Any] | None = None,
        chunk_size: int | None = None,
        duplicate_policy: str | None = None,
        ignore_max_time_diff: int | None = None,
        ignore_max_val_diff: float | None = None,
    ) -> Any:
        """TS.ALTER (since 1.0): changes options of a series, as in `create`; returns True."""
        words = options(retention_msecs, False, chunk_size, duplicate_policy, labels)
        return self.execute_command("TS.ALTER", key, *words, *ignored(ignore_max_time_diff, ignore_max_val_diff))

    def add(
        self,
        key: Any,
        timestamp: int | str,
        value: float,
        retention_msecs: int | None = None,
        uncompressed: bool | None = False,
        labels: Mapping[Any, Any] | None = None,
        chunk_size: int | None = None,
        duplicate_policy: str | None = None,
        ignore_max_time_diff: int | None = None,
        ignore_max_val_diff: float | None = None,
        on_duplicate: str | None = None,
    ) -> Any:
        """TS.ADD (since 1.0): adds a sample, to a new series with these options if there is none; returns its time.

        timestamp: "*" for the server's time. on_duplicate: the policy of this sample.
        """
        words = options(retention_msecs, uncompressed, chunk_size, duplicate_policy, labels)
        words += [*ignored(ignore_max_time_diff, ignore_max_val_diff), *option("ON_DUPLICATE", on_duplicate)]
        return self.execute_command("TS.ADD", key, timestamp, value, *words)

    def madd(self, ktv_tuples: Iterable[tuple[Any, Any, Any]]) -> Any:
        """TS.MADD (since 1.0): adds samples, each given as key, time and value; returns their times."""
        return self.execute_command("TS.MADD", *(word for sample in ktv_tuples for word in sample))

    def incrby(
        self,
        key: Any,
        value: float,
        timestamp: int | str | None = None,
        retention_msecs: int | None = None,
        uncompressed: bool | None = False,
        labels: Mapping[Any, Any] | None = None,
        chunk_size: int | None = None,
        duplicate_policy: str | None = None,
        ignore_max_time_diff: int | None = None,
        ignore_max_val_diff: float | None = None,
    ) -> Any:
        """TS.INCRBY (since 1.0): adds a sample that is greater by `value` than the last one; returns its time."""
        words = option("TIMESTAMP", timestamp) + options(retention_msecs, uncompressed, chunk_size, duplicate_policy, labels)
        words += ignored(ignore_max_time_diff, ignore_max_val_diff)
        return self.execute_command("TS.INCRBY", key, value, *words)

    def decrby(
        self,
        key: Any,
        value: float,
        timestamp: int | str | None = None,
        retention_msecs: int | None = None,
        uncompressed: bool | None = False,
        labels: Mapping[Any, Any] | None = None,
        chunk_size: int | None = None,
        duplicate_policy: str | None = None,
        ignore_max_time_diff: int | None = None,
        ignore_max_val_diff: float | None = None,
    ) -> Any:
        """TS.DECRBY (since 1.0): adds a sample that is less by `value` than the last one; returns its time."""
        words = option("TIMESTAMP", timestamp) + options(retention_msecs, uncompressed, chunk_size, duplicate_policy, labels)
        words += ignored(ignore_max_time_diff, ignore_max_val_diff)
        return self.execute_command("TS.DECRBY", key, value, *words)

    def delete(self, key: Any, from_time: int, to_time: int) -> Any:
        """TS.DEL (since 1.6): deletes the samples from one time to another, both included; returns how many."""
        return self.execute_command("TS.DEL", key, from_time, to_time)

    def createrule(
        self,
        source_key: Any,
        dest_key: Any,
        aggregation_type: str | list[str],
        bucket_size_msec: int,
        align_timestamp: int | None = None,
    ) -> Any:
        """TS.CREATERULE (since 1.0): keeps the aggregate of each bucket of a series in another one; returns True.

        aggregation_type: "avg", "sum", "min", "max", "range", "count", "first", "last", "std.p", "std.s", "var.p", "var.s",
        "twa". align_timestamp: a time at which a bucket begins (since 1.8).
        """
        words = aggregation(aggregation_type, bucket_size_msec) + ([] if align_timestamp is None else [align_timestamp])
        return self.execute_command("TS.CREATERULE", source_key, dest_key, *words)

    def deleterule(self, source_key: Any, dest_key: Any) -> Any:
        """TS.DELETERULE (since 1.0): ends a rule; returns True."""
        return self.execute_command("TS.DELETERULE", source_key, dest_key)

    def range(
        self,
        key: Any,
        from_time: int | str,
        to_time: int | str,
        count: int | None = None,
        aggregation_type: str | list[str] | None = None,
        bucket_size_msec: int | None = 0,
        filter_by_ts: Iterable[int] | None = None,
        filter_by_min_value: float | None = None,
        filter_by_max_value: float | None = None,
        align: int | str | None = None,
        latest: bool | None = False,
        bucket_timestamp: str | None = None,
        empty: bool | None = False,
    ) -> Any:
        """TS.RANGE (since 1.0): the samples from one time to another, both included. "-" and "+" are the ends of the series.

        aggregation_type, bucket_size_msec: one sample for each bucket, as in `createrule`. A list asks for several.
        filter_by_ts, filter_by_min_value, filter_by_max_value: samples that count (since 1.6).
        align: "-", "+" or a time at which a bucket begins (since 1.6). latest: the bucket that is not full, too (since 1.8).
        bucket_timestamp: "-", "~" or "+" for a bucket's begin, middle or end. empty: buckets without samples, too (since 1.8).
        """
        words = chosen(filter_by_ts, filter_by_min_value, filter_by_max_value, latest)
        words += aggregated(count, align, aggregation(aggregation_type, bucket_size_msec), bucket_timestamp, empty)
        return self.execute_command("TS.RANGE", key, from_time, to_time, *words)

    def revrange(
        self,
        key: Any,
        from_time: int | str,
        to_time: int | str,
        count: int | None = None,
        aggregation_type: str | list[str] | None = None,
        bucket_size_msec: int | None = 0,
        filter_by_ts: Iterable[int] | None = None,
        filter_by_min_value: float | None = None,
        filter_by_max_value: float | None = None,
        align: int | str | None = None,
        latest: bool | None = False,
        bucket_timestamp: str | None = None,
        empty: bool | None = False,
    ) -> Any:
        """TS.REVRANGE (since 1.4): as `range`, the last sample first."""
        words = chosen(filter_by_ts, filter_by_min_value, filter_by_max_value, latest)
        words += aggregated(count, align, aggregation(aggregation_type, bucket_size_msec), bucket_timestamp, empty)
        return self.execute_command("TS.REVRANGE", key, from_time, to_time, *words)

    def read(
        self,
        key: Any,
        timestamp: int | str,
        block_milliseconds: int | None = None,
        block_min_count: int | None = None,
        max_count: int | None = None,
    ) -> Any:
        """TS.READ (newest servers): the samples after a time, `max_count` at most.

        block_milliseconds: waits for `block_min_count` samples (1) so long.
        """
        if block_milliseconds is None and block_min_count is not None:
            raise together("block_milliseconds", "block_min_count")
        block = [] if block_milliseconds is None else [block_milliseconds, 1 if block_min_count is None else block_min_count]
        words = (["BLOCK", *block] if block else []) + option("MAX_COUNT", max_count)
        return self.execute_command("TS.READ", key, timestamp, *words)

    nrange = method(
        "nrange",
        several,
        """TS.NRANGE (newest servers): rows of the time and the values of several series, with the options of `range`.

        aggregators: in the place of `aggregation_type`, one for each key; one text may name several with commas.

        Raises DataError without keys, and unless there is an aggregator for each.
        """,
    )
    nrevrange = method("nrevrange", several, """TS.NREVRANGE (newest servers): as `nrange`, the last row first.""")
    mrange = method(
        "mrange",
        matching,
        """TS.MRANGE (since 1.0): samples of all series whose labels match, with the options of `range`.

        filters: conditions on labels, such as "sensor=1" or "area!=".
        with_labels, select_labels: all labels are replied, or these. exclude_empty: series without samples are left out.
        groupby, reduce: series with equal values of a label become one.

        Raises DataError for what excludes each other.
        """,
    )
    mrevrange = method("mrevrange", matching, """TS.MREVRANGE (since 1.4): as `mrange`, the last sample first.""")

    def get(self, key: Any, latest: bool | None = False) -> Any:
        """TS.GET (since 1.0): the last sample; None if there is none. latest: of the bucket that is not full (since 1.8)."""
        return self.execute_command("TS.GET", key, *(["LATEST"] if latest else []))

    def mget(
        self,
        filters: Iterable[str],
        with_labels: bool | None = False,
        select_labels: Iterable[str] | None = None,
        latest: bool | None = False,
    ) -> Any:
        """TS.MGET (since 1.0): the last sample of all series whose labels match, with all or the selected labels."""
        words = (["LATEST"] if latest else []) + labelled(with_labels, select_labels)
        return self.execute_command("TS.MGET", *words, "FILTER", *filters)

    def info(self, key: Any) -> Any:
        """TS.INFO (since 1.0): what is known of a series (`TSInfo`)."""
        return self.execute_command("TS.INFO", key)

    def queryindex(self, filters: Iterable[str]) -> Any:
        """TS.QUERYINDEX (since 1.0): the keys of all series whose labels match."""
        return self.execute_command("TS.QUERYINDEX", *filters)

    def querylabels(self, label: str | None = None, filters: Iterable[str] | None = None) -> Any:
        """TS.QUERYLABELS (newest servers): the names of labels, or the values of one, of all series or those that match.

        Raises DataError for filters that are none.
        """
        conditions = None if filters is None else list(filters)
        if conditions == []:
            raise DataError("filters has no condition: pass None for all series")
        words = ["LABELS"] if label is None else ["VALUES", label]
        return self.execute_command("TS.QUERYLABELS", *words, *(["FILTER", *conditions] if conditions else []))


#: The conversions that name a class or count, whatever the values are.
COUNTS: dict[str, Callable[..., Any]] = {"TS.DEL": int, "TS.INFO": TSInfo}
LEGACY: dict[str, Callable[..., Any]] = {
    **COUNTS,
    "TS.GET": sample,
    "TS.MGET": latest_of_each,
    **dict.fromkeys(("TS.MRANGE", "TS.MREVRANGE"), samples_of_each),
    **dict.fromkeys(("TS.RANGE", "TS.REVRANGE"), samples),
    "TS.QUERYINDEX": numbers,
}
UNIFIED: dict[str, Callable[..., Any]] = {
    **COUNTS,
    "TS.GET": sample_list,
    "TS.MGET": latest_by_key,
    **dict.fromkeys(("TS.MRANGE", "TS.MREVRANGE"), samples_by_key),
    **dict.fromkeys(("TS.RANGE", "TS.REVRANGE"), sample_lists),
}


class TimeSeries(Module, TimeSeriesCommands):
    """`client.ts()`: time series."""

    METHODS = TimeSeriesCommands
    TABLE = Table(
        both={
            **dict.fromkeys(("TS.ALTER", "TS.CREATE", "TS.CREATERULE", "TS.DELETERULE"), is_true_ok),
            "TS.QUERYINDEX": as_list,
            "TS.READ": sample_lists,
            **dict.fromkeys(("TS.NRANGE", "TS.NREVRANGE"), rows),
            "TS.QUERYLABELS": lambda reply, **_: set(reply or ()),
        },
        resp2=LEGACY,
        resp2_unified=UNIFIED,
        resp3_unified=UNIFIED,
        unasked=LEGACY,
    )


#: redis-py's name for asyncio.
AsyncTimeSeries = TimeSeries
