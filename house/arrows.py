"""Proves the dependency arrows `spec <- language <- tour <- bench` from manifests and imports, against one table.

Inside a language `redis` and `bridge` may import `pack`; `pack` imports nothing of ours. Libraries stay nearly free of
other people's code: the table names what each may take from outside.

usage: python -m house.arrows
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from house import circles
from house.edges import Edge, edges
from house.sources import files


@dataclass(frozen=True)
class Rule:
    """What one part may import: parts of ours, and packages from outside (None: any, it is no library)."""

    ours: frozenset[str] = frozenset()
    outside: frozenset[str] | None = frozenset()


def rule(*ours: str, outside: set[str] | None = frozenset()) -> Rule:  # type: ignore[assignment]
    return Rule(frozenset(ours), None if outside is None else frozenset(outside))


LIBRARIES = (
    "rust/core", "rust/pack", "rust/derive", "rust/peers", "rust/python",
    "python/core", "python/pack", "python/schema", "python/cli", "python/tests",
    "java/core", "java/pack", "java/tests",
    "typescript/core", "typescript/transport", "typescript/pack", "typescript/grpc", "typescript/test",
)  # fmt: skip

#: What the transport and gRPC's streams and call objects take of Node itself. The linter keeps it out of the protocol layers.
NODE = {f"node:{name}" for name in ("async_hooks", "dns/promises", "events", "fs", "http", "net", "os", "stream", "tls", "zlib")}

TABLE: dict[str, Rule] = {
    "spec": rule(),
    "spec/tests": rule("spec", outside=None),
    "rust/core": rule("spec"),
    "rust/pack": rule("spec", "rust/core", "rust/derive"),
    "rust/derive": rule("spec", outside={"proc-macro2", "quote", "syn"}),
    "rust/python": rule("spec", "rust/core", "rust/pack", outside={"pyo3", "pyo3-build-config"}),
    "rust/peers": rule("spec", "rust/core", "rust/pack", "rust/derive", outside=None),
    "python": rule(outside={"setuptools"}),
    "python/__init__": rule(),
    "python/core": rule("spec"),
    "python/pack": rule("spec", "rust/python", "python/core"),
    "python/schema": rule("python/core", "python/pack"),
    "python/cli": rule("python/core", "python/schema"),
    "python/tests": rule("spec", "rust/python", "python/core", "python/pack", "python/schema", "python/cli", outside=None),
    "java/core": rule("spec"),
    "java/pack": rule("spec", "java/core", outside={"org.ow2.asm:asm"}),
    "java/conformance": rule("java/pack"),
    "java/tests": rule("spec", "java/core", "java/pack", "java/conformance", outside=None),
    "typescript/core": rule("spec"),
    "typescript/pack": rule("spec", "typescript/core"),
    "typescript/transport": rule("typescript/core", outside=NODE),
    "typescript/grpc": rule("spec", "typescript/core", "typescript/transport", "typescript/pack", outside=NODE),
    "typescript/test": rule(
        "spec", "typescript/core", "typescript/transport", "typescript/pack", "typescript/grpc", outside=None
    ),
    "tour": rule("spec", *LIBRARIES, outside=None),
    "bench": rule("spec", "tour", *LIBRARIES, outside=None),
    "house": rule(outside=None),
}


def fault(edge: Edge) -> str | None:
    """What is wrong with one dependency, or None."""
    allowed = TABLE.get(edge.area)
    if allowed is None:
        return f"{edge.file}: '{edge.area}' is no part of the house (house/arrows.py lists them)"
    if edge.outside:
        if allowed.outside is None or edge.target in allowed.outside:
            return None
        return f"{edge.file}: {edge.area} may not take '{edge.target}' from outside"
    if edge.target == edge.area or edge.target in allowed.ours:
        return None
    return f"{edge.file}: {edge.area} may not import {edge.target}"


def violations(root: Path) -> list[str]:
    """Every forbidden dependency and every circle of imports, one line each, without repetition."""
    paths = files(root)
    found = [fault(edge) for edge in edges(root, paths)]
    return sorted({line for line in found if line} | set(circles.violations(root, paths)))


if __name__ == "__main__":
    broken = violations(Path(__file__).parents[1])
    print("\n".join(broken) if broken else "dependency arrows: in order")
    sys.exit(bool(broken))
