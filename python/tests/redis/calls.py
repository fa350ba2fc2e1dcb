"""Calls of a method with generated arguments, for tests that compare clients."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from samewire.redis.commands import choices as enums
from samewire.redis.commands.choices import ArrayPredicateType

from codegen.redis.python.definitions import Method, Parameter
from codegen.redis.python.stubs import kind

#: Values by the type of a parameter. A parameter's own come first.
BY_TYPE: dict[str, list[Any]] = {
    "AbsExpiryT": [1_900_000_000, datetime(2031, 5, 6, 7, 8, 9, 250_000, UTC)],
    "AnyFieldT": ["field"],
    "ChannelT": ["channel", b"channel"],
    "ConsumerT": ["consumer"],
    "BitfieldOffsetT": [0, "#1"],
    "EncodableT": ["value", b"\x00\xff", 7, 1.5, ""],
    "ExpiryT": [60, timedelta(minutes=2, milliseconds=250)],
    "FieldT": ["field", b"field"],
    "GroupT": ["group"],
    "Iterable[ChannelT]": [["news.*", b"c"]],
    "Iterable[KeyT]": [["a*", b"~b", "%R~c"]],
    "Iterable[str]": [["+@read", "-write"], ["+get"]],
    "Iterable[tuple[str, KeyT]]": [[("+get", "a*"), ("-set", b"%W~b")]],
    "int | str": [7, "8"],
    "KeyT": ["key", b"key{1}", "sch\u00fcssel"],
    "KeysT": [["a", "b"], "key", ("x",), [b"y"]],
    "Number": [3, 2.5],
    "PatternT": ["a*", b"?"],
    "KeyT | EncodableT": ["key", b"key", 1],
    "Sequence[EncodableT]": [[13.3, 38.1, "Palermo"], [1, 2, "a", 3, 4, b"b"]],
    "Sequence[KeyT]": [["a", b"b"], []],
    "Sequence[StreamIdT]": [["1-1", b"1-2", 3], []],
    "ScoreCast": [float, int],
    "ScriptTextT": ["return 1"],
    "StreamIdT": ["5-0", "$", 7],
    "TimeoutSecT": [0, 1.5, 2],
    "ZScoreBoundT": ["-inf", "(5", 1.5, 3],
    "bool": [True, False],
    "float": [1.5, 3],
    "int": [0, 1, 5, -1],
    "str": ["text"],
    "str | Iterable[str]": ["+secret", ["+one", "-two"], "unsigned"],
    "tuple[str, bytes]": [("producer", b"id")],
}

BY_NAME: dict[str, list[Any]] = {
    "aggregate": ["SUM", "min", "COUNT", "mean"],
    "algo": ["LCS"],
    "metrics": [list(enums.HotkeysMetricsTypes), [enums.HotkeysMetricsTypes.NET]],
    # False is a flag that is not there; redis-py sends it as one that is.
    "no_values": [True],
    "mapping": [{"a": 1}, {"a": 1, b"b": 2.5}, {}],
    "predicates": [[(ArrayPredicateType.GLOB, "a*")], [(ArrayPredicateType.EXACT, "a"), (ArrayPredicateType.RE, "b")]],
    "ranges": [(1, 5), (7, 7)],
    "_type": ["normal", "hash", "PubSub"],
    "sort": ["ASC", "DESC"],
    "unit": ["km", "m", "furlong"],
}


def choices(parameter: Parameter) -> list[Any]:
    """Values that a parameter may have."""
    if parameter.name in BY_NAME:
        return BY_NAME[parameter.name]
    declared = kind(parameter).replace(" | None", "").split(" | ")[0]
    if declared.startswith("Literal["):
        return [eval(word) for word in declared[8:-1].split(", ")]
    if hasattr(enums, declared):
        return list(getattr(enums, declared))
    if "Mapping[" in declared:
        return [{"a": 1, "b": 2.5}, ["a"], ["b", b"c"]]
    if declared.startswith(("Sequence[", "list[", "Iterable[")):
        return [["a", "b"], [b"c"], ["d", "e", "f"]]
    return BY_TYPE[declared]


def combinations(method: Method, count: int) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments of some calls: the required ones alone, then with a few of the others."""
    chance = random.Random(method.name)
    for number in range(count):
        arguments: list[Any] = []
        keywords: dict[str, Any] = {}
        by_keyword = False
        for parameter in method.parameters:
            if parameter.star == "**":
                continue
            if parameter.star == "*":
                if not by_keyword:
                    arguments += chance.choices(choices(parameter), k=chance.randint(0 if number else 1, 3))
                continue
            if parameter.default is not None and (number == 0 or chance.random() < 0.6):
                by_keyword = True
                continue
            value = chance.choice(choices(parameter))
            if by_keyword or parameter.keyword_only:
                keywords[parameter.name] = value
            else:
                arguments.append(value)
        yield tuple(arguments), keywords


Outcome = tuple[str, Any, Any]


def outcome(call: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Outcome:
    """What a client is asked to send and its options, or the names of the class that is raised and of its bases."""
    try:
        found = call(*arguments, **keywords)
    except Exception as failed:
        return "raised", [kind.__name__ for kind in type(failed).__mro__], str(failed)
    return "sent", found[0], found[1]
