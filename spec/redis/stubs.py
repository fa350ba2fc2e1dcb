"""Writes the types of a group's methods: for clients, for asyncio's and for pipelines."""

from __future__ import annotations

import re
from dataclasses import replace

from spec.redis.code import HEADER, declared
from spec.redis.definitions import Group, Method, Overload, Parameter
from spec.redis.types import PARAMETERS

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


def narrowed(method: Method, kinds: dict[str, str], overload: Overload) -> tuple[list[Parameter], dict[str, str]]:
    """The parameters where one of them has its other type: required, and by keyword if a default stands before it."""
    wanted = "Literal[True]" if overload.type == "True" else overload.type
    parameters = list(method.parameters)
    index = next(i for i, parameter in enumerate(parameters) if parameter.name == overload.parameter)
    required = replace(parameters[index], default=None)
    if not required.keyword_only and any(parameter.default is not None for parameter in parameters[:index]):
        rest = [replace(parameter, keyword_only=not parameter.star) for parameter in parameters[index + 1 :]]
        if any(parameter.star == "*" for parameter in rest):
            raise SystemExit(f"{method.where}: an overload by {required.name} stands before *args")
        required = replace(required, keyword_only=True)
        parameters = [*parameters[:index], required, *rest]
    else:
        parameters[index] = required
    return parameters, kinds | {overload.parameter: wanted}


def declarations(method: Method, name: str, variant: str) -> list[str]:
    """The declarations of a method under one name: one, or an overload for each kind of reply."""
    returns = method.stubs.get(variant, method.returns)
    if returns == "none":
        return []
    kinds = {parameter.name: kind(parameter) for parameter in method.parameters}
    if not method.overloads or variant == "pipeline":
        return [head(method, method.parameters, kinds, returns, variant, name)]
    first = dict(kinds)
    for overload in method.overloads:
        default = method.parameter(overload.parameter).default
        if default in ("None", "False"):
            first[overload.parameter] = "None" if default == "None" else "Literal[False]"
    lines = [head(method, method.parameters, first, returns, variant, name)]
    for overload in method.overloads:
        parameters, narrow = narrowed(method, kinds, overload)
        lines.append(head(method, parameters, narrow, overload.returns, variant, name))
    everything = " | ".join(dict.fromkeys([returns, *(overload.returns for overload in method.overloads)]))
    if all(overload.type == "True" for overload in method.overloads):
        lines.append(head(method, method.parameters, kinds, everything, variant, name))
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
    "AbsExpiryT AnyKeyT BitfieldOffsetT ChannelT ConsumerT EncodableT ExpiryT FieldT GroupT KeysT KeyT Number PatternT "
    "ScoreCast ScriptTextT StreamIdT Text TimeoutSecT ZScoreBoundT"
).split()

MODULES = {
    "commands.bitfield": "BitFieldOperation",
    "commands.choices": "ArrayAggregateOperations ArrayPredicateCombinator ArrayPredicateType DataPersistOptions HashDataPersistOptions HotkeysMetricsTypes",
}
