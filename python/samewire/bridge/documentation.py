"""Texts for `help()`: Java's signatures of a method, and the outline of a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .java_class import ABSTRACT, ANNOTATION, DEFAULT, ENUM, INTERFACE, RECORD, STATIC, VARARGS
from .members import Overloads

if TYPE_CHECKING:
    from inspect import Signature

    from .java_class import JavaClass

_WORDS = {INTERFACE: "interface", ENUM: "enum", RECORD: "record", ANNOTATION: "@interface"}


def document(method: Any) -> str | None:
    """The signatures as in Java's source, one a line. None for a callable without a description."""
    overloads = _overloads(method)
    if overloads is None:
        return None
    return "\n".join(_line(overloads.name, flags, parameters, result) for flags, parameters, result in overloads.members)


def _overloads(method: Any) -> Overloads | None:
    return method if method is None or isinstance(method, Overloads) else method.overloads


def _line(name: str, flags: int, parameters: Sequence[str], result: str) -> str:
    words = [word for flag, word in ((STATIC, "static"), (DEFAULT, "default"), (ABSTRACT, "abstract")) if flags & flag]
    listed = [shortened(parameter) for parameter in parameters]
    if flags & VARARGS and listed:
        listed[-1] = listed[-1].removesuffix("[]") + "..."
    return " ".join([*words, f"{shortened(result)}{' ' + name if name else ''}({', '.join(listed)})"])


def shortened(kind: str) -> str:
    """A type as in Java's source: without `java.lang.`, nested classes with dots."""
    plain = kind.removeprefix("java.lang.")
    return (kind if "." in plain else plain).replace("$", ".")


def signature(method: Any) -> Signature:
    """A signature for tools: the parameters of the only overload, else any number of arguments.

    Raises ValueError for a callable without a description, as `inspect.signature` does.
    """
    from inspect import Parameter, Signature

    overloads = _overloads(method)
    if overloads is None:
        raise ValueError("no signature is known")
    if len(overloads.members) != 1:
        return Signature([Parameter("arguments", Parameter.VAR_POSITIONAL)])
    flags, kinds, result = overloads.members[0]
    parameters = []
    for place, kind in enumerate(kinds):
        last = flags & VARARGS and place == len(kinds) - 1
        form = Parameter.VAR_POSITIONAL if last else Parameter.POSITIONAL_ONLY
        shown = kind.removesuffix("[]") if last else kind
        parameters.append(Parameter(f"arg{place}", form, annotation=shortened(shown)))
    return Signature(parameters, return_annotation=shortened(result))


class ClassText:
    """`__doc__` of a Java class: its declaration and its constructors, made on first access."""

    def __get__(self, instance: object, owner: JavaClass) -> str:
        described = owner.__java__
        info = described.info
        lines = [f"{_WORDS.get(info.form, 'class')} {shortened(info.name)}"]
        if info.superclass not in ("", "java.lang.Object"):
            lines.append(f"    extends {shortened(info.superclass)}")
        others = [name for name in info.supertypes if name not in (info.superclass, "java.lang.Object")]
        if others:
            lines.append(f"    is a {', '.join(shortened(name) for name in others)}")
        if info.functional:
            lines.append(f"    functional: a Python callable can be passed for it, as its method {info.functional}")
        constructor: Any = owner.__java__.proxy.__dict__.get("__constructor__")
        if constructor is not None:
            members = constructor.overloads.members
            simple = info.name.rpartition(".")[2].rpartition("$")[2]
            lines += ["", "Constructors:", *(f"    {_line('', flags, parameters, simple)}" for flags, parameters, _ in members)]
        if described.inner:
            lines += ["", f"Nested: {', '.join(sorted(described.inner))}"]
        return "\n".join(lines)
