"""Calls of a method with generated arguments, for tests that compare clients."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from samewire.redis.commands.choices import DataPersistOptions

from spec.redis.definitions import Method, Parameter
from spec.redis.stubs import kind

#: Values by the type of a parameter. A parameter's own come first.
BY_TYPE: dict[str, list[Any]] = {
    "AbsExpiryT": [1_900_000_000, datetime(2031, 5, 6, 7, 8, 9, 250_000, UTC)],
    "AnyFieldT": ["field"],
    "BitfieldOffsetT": [0, "#1"],
    "ChannelT": ["channel", b"channel"],
    "ConsumerT": ["consumer"],
    "DataPersistOptions": list(DataPersistOptions),
    "EncodableT": ["value", b"\x00\xff", 7, 1.5, ""],
    "ExpiryT": [60, timedelta(minutes=2, milliseconds=250)],
    "FieldT": ["field", b"field"],
    "GroupT": ["group"],
    "KeyT": ["key", b"key{1}", "sch\u00fcssel"],
    "KeysT": [["a", "b"], "key", ("x",), [b"y"]],
    "Number": [3, 2.5],
    "PatternT": ["a*", b"?"],
    "ScoreCast": [float, int],
    "ScriptTextT": ["return 1"],
    "StreamIdT": ["5-0", "$", 7],
    "TimeoutSecT": [0, 1.5, 2],
    "ZScoreBoundT": ["-inf", "(5", 1.5, 3],
    "bool": [True, False],
    "float": [1.5, 3],
    "int": [0, 1, 5, -1],
    "str": ["text"],
}

BY_NAME: dict[str, list[Any]] = {
    "algo": ["LCS"],
}


def choices(parameter: Parameter) -> list[Any]:
    """Values that a parameter may have."""
    if parameter.name in BY_NAME:
        return BY_NAME[parameter.name]
    declared = kind(parameter).replace(" | None", "")
    if declared.startswith("Literal["):
        return [eval(word) for word in declared[8:-1].split(", ")]
    if declared.startswith("Mapping["):
        return [{"a": 1, "b": "2"}, {b"x": 1.5}]
    if declared in ("Sequence[str]", "list[str]"):
        return [["a", "b"], ["c"]]
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
    """What a client is asked to send and its options, or the name of what is raised."""
    try:
        found = call(*arguments, **keywords)
    except Exception as failed:
        return "raised", type(failed).__name__, str(failed)
    return "sent", found[0], found[1]
