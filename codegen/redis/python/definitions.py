"""Reads the definitions of Python's methods: the calls of `python` in the groups of commands (notation.py).

A definition is a signature in Python's syntax and what follows it, indented:

    SET
      python set(name, value, ex=None, get=False) -> bool | None
        sends name value [EX ex:ex] [GET get]
        options get?
        when get=True -> Text | None

- `sends`: the wire form behind the command, in the syntax of the commands' documentation (wire.py). Without it the command is
  sent alone. `by hand`: the method is written in Python.
- `options`: parameters that the reply's conversion takes. `get?` is passed only if it is true.
- `when`: what is returned if a parameter has another type or value than its default: an overload. Several parameters are
  separated by commas: `when withscores=True, score_cast_func=Callable[[Any], Cast] -> ...`. The other parameters that
  decide on the reply have their defaults there.
- `note`: what else the documentation says of the reply, where it is not written by hand.
- `never decode`: texts of the reply stay bytes.
- `fast N`: called with exactly N arguments, the method sends its command and them. Usually found from the wire form.
- `redis only WORD …`: words of the wire form that the pinned server does not know.
- `stub sync|async -> TYPE`: another return type there. `none` leaves the method out.

A line that is none of these continues the signature or the wire form. `other = method` makes an alias.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from codegen.redis import notation
from codegen.redis.notation import Call
from codegen.redis.table import Table


@dataclass
class Parameter:
    """One parameter; `default` is source text, None without one. `star` is "", "*" or "**"."""

    name: str
    default: str | None = None
    star: str = ""
    type: str | None = None
    keyword_only: bool = False


@dataclass
class Overload:
    """The type of the reply if each of these parameters has its type, or the value `True`."""

    conditions: dict[str, str]
    returns: str

    @property
    def flag(self) -> bool:
        """Whether it is chosen by a value, which the type `bool` leaves open."""
        return "True" in self.conditions.values()


@dataclass
class Method:
    """One definition. `wire` is what it sends behind the command, None where the method is written by hand."""

    command: str
    name: str
    parameters: list[Parameter]
    returns: str
    where: str
    wire: str | None
    options: list[str] = field(default_factory=list)
    overloads: list[Overload] = field(default_factory=list)
    note: str = ""
    never_decode: bool = False
    fast: int | None = None
    redis_only: frozenset[str] = frozenset()
    stubs: dict[str, str] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)

    def parameter(self, name: str) -> Parameter:
        for found in self.parameters:
            if found.name == name:
                return found
        raise SystemExit(f"{self.where}: {self.name} has no parameter {name!r}")


@dataclass
class Group:
    """The methods of one file."""

    file: str
    title: str
    summary: str
    methods: list[Method]


def signature(text: str, command: str, where: str) -> Method:
    """A method from its signature, which sends its command alone."""
    try:
        tree = ast.parse(f"def {text}: ...").body[0]
    except SyntaxError as failed:
        raise SystemExit(f"{where}: {failed.msg}: {text}") from None
    assert isinstance(tree, ast.FunctionDef)
    given = tree.args
    if tree.returns is None:
        raise SystemExit(f"{where}: {tree.name} needs `-> TYPE`")

    def one(argument: ast.arg, default: ast.expr | None = None, star: str = "", keyword_only: bool = False) -> Parameter:
        kind = ast.unparse(argument.annotation) if argument.annotation else None
        return Parameter(argument.arg, ast.unparse(default) if default else None, star, kind, keyword_only)

    defaults: list[ast.expr | None] = [None] * (len(given.args) - len(given.defaults))
    parameters = [one(*pair) for pair in zip(given.args, [*defaults, *given.defaults], strict=True)]
    if given.vararg:
        parameters.append(one(given.vararg, star="*"))
    parameters += [one(*pair, keyword_only=True) for pair in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    if given.kwarg:
        parameters.append(one(given.kwarg, star="**"))
    return Method(command, tree.name, parameters, ast.unparse(tree.returns), where, "")


def detail(method: Method, line: str) -> None:
    """One indented line of a definition."""
    word, _, rest = line.partition(" ")
    match word:
        case "sends":
            method.wire = rest
        case "options":
            method.options = rest.split()
        case "when":
            chosen, _, returns = rest.partition(" -> ")
            pairs = (one.partition("=") for one in re.split(r", (?=\w+=)", chosen))
            conditions = {method.parameter(name).name: kind for name, _, kind in pairs}
            method.overloads.append(Overload(conditions, returns))
        case "note":
            method.note = f"{method.note} {rest}".strip()
        case "never":
            method.never_decode = True
        case "fast":
            method.fast = int(rest)
        case "redis":
            method.redis_only = frozenset(rest.split()[1:])
        case "stub":
            variant, _, returns = rest.partition(" ")
            method.stubs[variant] = returns.removeprefix("-> ")
        case "by":
            method.wire = None
        case _ if method.wire:
            method.wire = f"{method.wire} {line}"
        case _:
            raise SystemExit(f"{method.where}: {method.name}: a definition has no line `{line}`")


def method(call: Call) -> Method:
    """The method of a definition."""
    text, details = call.text, list(call.details)
    while ") -> " not in text and details:
        text += f" {details.pop(0)}"
    made = signature(text, call.command, call.where)
    for line in details:
        detail(made, line)
    return made


def definitions(group: notation.Group) -> Group:
    """The definitions of one group."""
    title, summary = group.titles["python"]
    methods: list[Method] = []
    for call in group.of("python"):
        if "(" in call.text:
            methods.append(method(call))
        else:
            alias, _, name = call.text.partition(" = ")
            next(found for found in methods if found.name == name).aliases.append(alias)
    return Group(group.file, title, summary, methods)


def groups() -> list[Group]:
    """Every group that Python has, in the order of their names."""
    return [definitions(group) for group in notation.groups(Table().names) if "python" in group.titles]
