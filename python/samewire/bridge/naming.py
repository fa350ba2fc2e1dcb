"""Java's names in Python: attributes of members, and parts of binary names."""

from __future__ import annotations

from collections.abc import Iterable
from keyword import iskeyword

#: The primitive types and `void`.
PRIMITIVES = frozenset(("boolean", "byte", "char", "short", "int", "long", "float", "double", "void"))


def attribute(name: str) -> str:
    """The attribute for a Java name: `print`, but `from_` for the keyword `from`, and `__x___` for `__x__`."""
    return f"{name}_" if iskeyword(name) or (name.startswith("__") and name.endswith("__")) else name


def java_name(attribute: str) -> str:
    """The Java name that an attribute may stand for: `from` for `from_`."""
    return attribute[:-1] if attribute.endswith("_") and iskeyword(attribute[:-1]) else attribute


def split(binary: str) -> tuple[str, str]:
    """The package and the rest of a binary name, nested names joined by dots: `java.util`, `Map.Entry`."""
    package, _, rest = binary.rpartition(".")
    return package, rest.replace("$", ".") if not rest.startswith("$") else rest


def nested(dotted: str) -> list[str]:
    """The binary names that `java.util.Map.Entry` may be, the likeliest first: as it is, then with its last dots as `$`."""
    names = [dotted]
    while True:
        before, dot, last = names[-1].rpartition(".")
        if not dot or not before.rpartition(".")[2][:1].isupper():
            return names
        names.append(f"{before}${last}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question with the names that are similar to a missing one; empty if there are none."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, 3)
    return f"did you mean {' or '.join(close)}?" if close else ""
