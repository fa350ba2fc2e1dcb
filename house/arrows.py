"""Proves the dependency arrows `spec <- language <- tour <- bench` from manifests and imports, against one table.

A part is a folder of one name in each language that has it; its row below says which parts it stands on, and what it may
take from outside. Libraries stay nearly free of other people's code.

usage: python -m house.arrows
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from house import circles, floors
from house.edges import Edge, edges
from house.sources import files


@dataclass(frozen=True)
class Rule:
    """What one part may import: parts of ours, and packages from outside (None: any, it is not a library)."""

    ours: frozenset[str] = frozenset()
    outside: frozenset[str] | None = frozenset()


def rule(*ours: str, outside: set[str] | None = frozenset()) -> Rule:  # type: ignore[assignment]
    return Rule(frozenset(ours), None if outside is None else frozenset(outside))


@dataclass(frozen=True)
class Part:
    """The parts beneath one, and by language the packages that it may take from outside."""

    on: tuple[str, ...] = ()
    outside: dict[str, set[str]] = field(default_factory=dict)


#: What the transport and gRPC's streams and call objects take of Node itself. The linter keeps it out of the protocol layers.
NODE = {f"node:{name}" for name in ("async_hooks", "dns/promises", "events", "fs", "http", "net", "os", "stream", "tls", "zlib")}

#: One row a part, each above what it stands on. The Makefile's list has the same names in the same order.
PARTS: dict[str, Part] = {
    "core": Part(),
    "transport": Part(("core",), {"typescript": NODE}),
    "pack": Part(
        ("core",),
        {
            "java": {"org.ow2.asm:asm", "com.github.luben:zstd-jni"},
            "rust": {"arrow-array", "arrow-schema", "bytes", "chrono", "time", "uuid", "zstd-safe"},
        },
    ),
    "schema": Part(("core", "pack")),
    "pack-arrow": Part(("core", "pack"), {"java": {"org.apache.arrow:arrow-vector"}}),
    "redis": Part(("core", "pack")),
    "redis-micrometer": Part(("core", "redis"), {"java": {"io.micrometer:micrometer-core"}}),
    "redis-opentelemetry": Part(("core", "redis"), {"java": {"io.opentelemetry:opentelemetry-api"}}),
    "redis-spring": Part(
        ("core", "redis"),
        {
            "java": {
                "io.projectreactor:reactor-core",
                "org.springframework.boot:spring-boot-autoconfigure",
                "org.springframework.data:spring-data-redis",
            }
        },
    ),
    "redis-kotlin": Part(
        ("core", "redis"),
        {"java": {"org.jetbrains.kotlin:kotlin-stdlib", "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm"}},
    ),
    "bridge": Part(("core", "pack")),
    "py4j": Part(("core", "pack", "bridge")),
    "spark": Part(("core", "pack"), {"python": {"pyspark"}}),
    "grpc": Part(("core", "transport", "pack"), {"typescript": NODE}),
}

LANGUAGES = ("rust", "python", "java", "typescript")


def of(language: str) -> list[str]:
    """Every part as a place of one language, whether it is there or not."""
    return [f"{language}/{part}" for part in PARTS]


def _parts() -> dict[str, Rule]:
    """The rules of all parts. Every part of Python may call the compiled extension, which holds those of Rust."""
    rules = {}
    for name, part in PARTS.items():
        for language in LANGUAGES:
            beneath = [f"{language}/{other}" for other in part.on]
            if language == "python":
                beneath.append("rust/python")
            if language == "rust" and "pack" in (name, *part.on):
                beneath.append("rust/derive")
            rules[f"{language}/{name}"] = rule("spec", *beneath, outside=part.outside.get(language, set()))
    return rules


TESTS = ("rust/peers", "python/tests", "java/peers", "java/tests", "typescript/test")
LIBRARIES = [place for language in LANGUAGES for place in of(language)] + ["rust/derive", "rust/python", "python/cli"]

TABLE: dict[str, Rule] = {
    "spec": rule(),
    "spec/tests": rule("spec", outside=None),
    "codegen": rule("spec"),
    **_parts(),
    "rust/derive": rule("spec", outside={"proc-macro2", "quote", "syn"}),
    "rust/python": rule("spec", *of("rust"), outside={"pyo3", "pyo3-build-config", "libc"}),
    "rust/peers": rule("spec", *of("rust"), "rust/derive", outside=None),
    "python": rule(outside={"setuptools"}),
    "python/__init__": rule(),
    "python/cli": rule("python/core", "python/schema", "python/bridge"),
    "python/__main__": rule("python/cli"),
    "python/tests": rule("spec", "codegen", *of("python"), "rust/python", "python/cli", outside=None),
    "java/peers": rule(*of("java")),
    "java/tests": rule("spec", *of("java"), "java/peers", outside=None),
    "typescript/portable": rule("typescript/core", "typescript/pack"),
    "typescript/index": rule("typescript/core", "typescript/pack", "typescript/grpc"),
    "typescript/test": rule("spec", *of("typescript"), "typescript/index", "typescript/portable", outside=None),
    "tour": rule("spec", *LIBRARIES, *TESTS, outside=None),
    "bench": rule("spec", "tour", *LIBRARIES, *TESTS, outside=None),
    "house": rule(outside=None),
}


def fault(edge: Edge) -> str | None:
    """What is wrong with one dependency, or None."""
    allowed = TABLE.get(edge.area)
    if allowed is None:
        return f"{edge.file}: '{edge.area}' is not a part that house/arrows.py lists"
    if edge.outside:
        if allowed.outside is None or edge.target in allowed.outside:
            return None
        return f"{edge.file}: {edge.area} may not take '{edge.target}' from outside"
    if edge.target == edge.area or edge.target in allowed.ours:
        return None
    return f"{edge.file}: {edge.area} may not import {edge.target}"


def violations(root: Path) -> list[str]:
    """Every forbidden dependency, every circle of imports and every import upwards, one line each, without repetition."""
    paths = files(root)
    found = [fault(edge) for edge in edges(root, paths)]
    lines = [*circles.violations(root, paths), *floors.violations(root, paths)]
    return sorted({line for line in found if line} | set(lines))


if __name__ == "__main__":
    broken = violations(Path(__file__).parents[1])
    print("\n".join(broken) if broken else "dependency arrows: in order")
    sys.exit(bool(broken))
