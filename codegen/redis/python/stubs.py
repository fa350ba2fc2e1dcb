"""Writes the types of a group's methods: for clients, for asyncio's and for pipelines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from codegen.redis.python.code import HEADER, declared
from codegen.redis.python.definitions import Group, Method, Parameter
from codegen.redis.python.types import PARAMETERS

VARIANTS = {"sync": "", "async": "Async", "pipeline": "Pipeline"}


def kind(parameter: Parameter) -> str:
    """The type of a parameter: its own, or that of its name."""
    if parameter.star == "**":
        return "Any"
    if parameter.default == "False" and not parameter.type:
        return "bool"
    found = parameter.type or PARAMETERS.get(parameter.name)
    if found is None:
        raise SystemExit(f"{parameter.name}: a type is needed, in the definition or in types.py")
    return f"{found} | None" if parameter.default == "None" and not found.endswith("None") else found


def head(method: Method, parameters: list[Parameter], kinds: dict[str, str], returns: str, variant: str, name: str) -> str:
    """One line that declares a method."""
    plain = "Iterator[" in returns or "BitFieldOperation" in returns
    word = "async def" if variant == "async" and not plain else "def"
    if variant == "async":
        returns = returns.replace("Iterator[", "AsyncIterator[")
    if variant == "pipeline" and "Iterator[" not in returns and variant not in method.stubs:
        returns = "Self"
    return f"    {word} {name}({declared(replace(method, parameters=parameters), kinds)}) -> {returns}: ..."


#: The type of a parameter that has its default. A cast that is passed, even `float`, is the business of another overload.
AT_DEFAULT = {"None": "None", "False": "Literal[False]", "float": "absent"}


def at_default(method: Method, kinds: dict[str, str], names: Iterable[str]) -> dict[str, str]:
    """The types of parameters, where these parameters have their defaults."""
    return kinds | {name: AT_DEFAULT[default] for name in names if (default := method.parameter(name).default) in AT_DEFAULT}


def narrowed(method: Method, kinds: dict[str, str], conditions: Iterable[str]) -> list[Parameter]:
    """The parameters of an overload. Those that choose it are required, and by keyword if a default stands before them."""
    parameters: list[Parameter] = []
    named = defaults = False
    for parameter in method.parameters:
        if kinds[parameter.name] == "absent":
            named = True
            continue
        if parameter.name in conditions:
            named = named or defaults
            parameter = replace(parameter, default=None)
        if named and parameter.star == "*":
            raise SystemExit(f"{method.where}: an overload by keyword stands before *{parameter.name}")
        if named and not parameter.star:
            parameter = replace(parameter, keyword_only=True)
        defaults = defaults or (parameter.default is not None and not parameter.keyword_only)
        parameters.append(parameter)
    return parameters


def union(kinds: list[str]) -> str:
    """The types as one, None last."""
    plain = dict.fromkeys(kind.removesuffix(" | None") for kind in kinds)
    return " | ".join([*plain, *["None"] * any(kind.endswith(" | None") for kind in kinds)])


def declarations(method: Method, name: str, variant: str) -> list[str]:
    """The declarations of a method under one name: one, or an overload for each kind of reply."""
    returns = method.stubs.get(variant, method.returns)
    if returns == "none":
        return []
    kinds = {parameter.name: kind(parameter) for parameter in method.parameters}
    if not method.overloads or variant == "pipeline":
        return [head(method, method.parameters, kinds, returns, variant, name)]
    alone = [name for overload in method.overloads if len(overload.conditions) == 1 for name in overload.conditions]
    first = at_default(method, kinds, alone)
    lines = [head(method, narrowed(method, first, ()), first, returns, variant, name)]
    for overload in method.overloads:
        others = {name for other in method.overloads if other.returns != overload.returns for name in other.conditions}
        chosen = {name: "Literal[True]" if kind == "True" else kind for name, kind in overload.conditions.items()}
        narrow = at_default(method, kinds, others - chosen.keys()) | chosen
        lines.append(head(method, narrowed(method, narrow, chosen), narrow, overload.returns, variant, name))
    if any(method.parameter(name).default is None for name in alone):
        # It has no default that the first declaration could be narrowed to: that one would take every call.
        lines.append(lines.pop(0))
    elif any(overload.flag for overload in method.overloads):
        replies = [returns, *(re.sub(r"\bCast\b", "Any", overload.returns) for overload in method.overloads)]
        lines.append(head(method, method.parameters, kinds, union(replies), variant, name))
    return [line for declared_line in lines for line in ("    @overload", declared_line)]


def stub(group: Group) -> str:
    """The stub file of a group."""
    body: list[str] = []
    for variant, prefix in VARIANTS.items():
        base = "" if variant == "pipeline" else "(Generic[Text])"
        body += ["", f"class {prefix}{group.title}{base}:"]
        for method in group.methods:
            for name in (method.name, *method.aliases):
                body += declarations(method, name, variant)
    text = "\n".join(body)

    def used(names: str) -> list[str]:
        return [name for name in names.split() if re.search(rf"\b{name}\b", text)]

    lines = [HEADER]
    collections = used("AsyncIterator Awaitable Callable Iterable Iterator Mapping Sequence Set")
    if collections:
        lines.append(f"from collections.abc import {', '.join(collections)}")
    if used("datetime"):
        lines.append("from datetime import datetime")
    typing = used("Any Generic Literal Self overload")
    lines.append(f"from typing import {', '.join(typing)}")
    lines.append("")
    types = used(" ".join(TYPES))
    lines.append(f"from samewire.redis.typing import {', '.join(types)}")
    for module, names in MODULES.items():
        if found := used(names):
            lines.append(f"from samewire.redis.{module} import {', '.join(found)}")
    return "\n".join([*lines, text, ""])


#: Names of `samewire.redis.typing` that stubs use.
TYPES = (
    "AbsExpiryT AnyKeyT BitfieldOffsetT Cast ChannelT ConsumerT EncodableT ExpiryT FieldT GroupT KeysT KeyT Number PatternT "
    "ScoreCast ScriptTextT StreamIdT Text TimeoutSecT ZScoreBoundT"
).split()

MODULES = {
    "commands.bitfield": "BitFieldOperation",
    "commands.choices": "ArrayAggregateOperations ArrayPredicateCombinator ArrayPredicateType DataPersistOptions HashDataPersistOptions HotkeysMetricsTypes",
}
