"""Reads the definitions of methods in `notation/python/*.txt`.

A definition is a signature in Python's syntax and what follows it, indented:

    set(name, value, ex=None, get=False) -> bool | None
      SET name value [EX ex:ex] [GET get]
      options get?
      when get=True -> Text | None

- The wire form, in the syntax of the commands' documentation (wire.py), or `by hand`.
- `options`: parameters that the reply's conversion takes. `get?` is passed only if it is true.
- `when`: what is returned if a parameter has another type or value than its default: an overload. Several parameters are
  separated by commas: `when withscores=True, score_cast_func=Callable[[Any], Cast] -> ...`. The other parameters that
  decide on the reply have their defaults there.
- `note`: what else the documentation says of the reply, where it is not written by hand.
- `never decode`: texts of the reply stay bytes.
- `fast N`: called with exactly N arguments, the method sends its command and them. Usually found from the wire form.
- `sends COMMAND`: the command of a method that is written by hand.
- `redis only WORD …`: words of the wire form that the pinned server does not know.
- `stub sync|async -> TYPE`: another return type there. `none` leaves the method out.

`other = method` makes an alias. A line that starts with `#` is a comment. The first line names the class.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "notation/python"


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
    """One definition. `wire` is None where the method is written by hand."""

    name: str
    parameters: list[Parameter]
    returns: str
    where: str
    wire: str | None = None
    sends: str | None = None
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


def signature(text: str, where: str) -> Method:
    """A method from its signature."""
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
    return Method(tree.name, parameters, ast.unparse(tree.returns), where)


def detail(method: Method, line: str) -> None:
    """One indented line of a definition."""
    word, _, rest = line.partition(" ")
    match word:
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
        case "sends":
            method.sends = rest
        case "redis":
            method.redis_only = frozenset(rest.split()[1:])
        case "stub":
            variant, _, returns = rest.partition(" ")
            method.stubs[variant] = returns.removeprefix("-> ")
        case "by":
            method.wire = None
        case _:
            method.wire = line if method.wire is None else f"{method.wire} {line}"


def read(path: Path) -> Group:
    """The definitions of one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    title, _, summary = lines[0].partition(": ")
    methods: list[Method] = []
    pending = ""
    for number, line in enumerate(lines[1:], 2):
        where = f"{path.name}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("  ") and not pending:
            detail(methods[-1], line.strip())
        elif not pending and "(" not in line:
            alias, _, name = line.partition(" = ")
            next(method for method in methods if method.name == name).aliases.append(alias)
        else:
            pending += line.strip() + " "
            if ") -> " in pending:
                methods.append(signature(pending.strip(), where))
                pending = ""
    return Group(path.stem, title, summary, methods)


def groups() -> list[Group]:
    """Every file of definitions, in the order of their names."""
    return [read(path) for path in sorted(FOLDER.glob("*.txt"))]
