"""Equality by content for emitted Java: a record compares its arrays by identity, and another class is equal to itself alone."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

#: Static methods of the outer class, with qualified names that imports and nested types cannot shadow.
METHODS = """\
/** Whether two values have the same content, arrays included. */
private static boolean same(Object a, Object b) {
    if (a instanceof Object[] left && b instanceof Object[] right) {
        return same(java.util.Arrays.asList(left), java.util.Arrays.asList(right));
    }
    if (a instanceof java.util.List<?> left && b instanceof java.util.List<?> right) {
        java.util.Iterator<?> others = right.iterator();
        return left.size() == right.size() && left.stream().allMatch(item -> same(item, others.next()));
    }
    if (a instanceof java.util.Map<?, ?> left && b instanceof java.util.Map<?, ?> right) {
        return left.keySet().equals(right.keySet())
                && left.entrySet().stream().allMatch(entry -> same(entry.getValue(), right.get(entry.getKey())));
    }
    if (a instanceof java.util.Optional<?> left && b instanceof java.util.Optional<?> right) {
        return same(left.orElse(null), right.orElse(null));
    }
    return java.util.Objects.deepEquals(a, b);
}

/** Equal for values that are the same. */
private static int hash(Object value) {
    if (value instanceof Object[] items) {
        return hash(java.util.Arrays.asList(items));
    }
    if (value instanceof java.util.List<?> items) {
        return java.util.Arrays.hashCode(items.stream().mapToInt(item -> hash(item)).toArray());
    }
    if (value instanceof java.util.Map<?, ?> entries) {
        return entries.entrySet().stream().mapToInt(entry -> entry.getKey().hashCode() ^ hash(entry.getValue())).sum();
    }
    if (value instanceof java.util.Optional<?> option) {
        return hash(option.orElse(null));
    }
    return java.util.Arrays.deepHashCode(new Object[] {value});
}
""".splitlines()


def members(native: str, outer: str, components: Sequence[str]) -> list[str]:
    """`equals` and `hashCode` of the class `native` inside `outer`.

    Components are qualified by `this` and `that`, and methods by their class, so that no component's name can shadow
    them.
    """
    mine, theirs = (f"new Object[] {{{', '.join(f'{owner}.{name}' for name in components)}}}" for owner in ("this", "that"))
    return [
        "    @Override",
        "    public boolean equals(Object other) {",
        f"        return other instanceof {native} that",
        *_wrapped(f"&& {outer}.same({mine}, {theirs});", 16),
        "    }",
        "",
        "    @Override",
        "    public int hashCode() {",
        *_wrapped(f"return {outer}.hash({mine});", 8),
        "    }",
    ]


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, 110, initial_indent=" " * indent, subsequent_indent=" " * (indent + 8), break_long_words=False)
