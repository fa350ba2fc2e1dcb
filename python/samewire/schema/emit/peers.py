"""Definitions of many schemas at once, compiled into the peers and tests of Rust and Java."""

from __future__ import annotations

import json
from pathlib import Path

from samewire.pack.schema import Schema

from . import java, rust, rust_notation

JAVA_PACKAGE = "io.samewire.peers"
_ALLOWED = "#[allow(missing_docs, dead_code, clippy::all)]"


def read_schemas(path: Path) -> dict[str, Schema]:
    """Reads `[{"id": "s0", "schema": "<text>"}, ...]`. An id is a Rust module name."""
    return {entry["id"]: Schema.parse(entry["schema"]) for entry in json.loads(path.read_text("utf-8"))}


def rust_files(schemas: dict[str, Schema]) -> dict[str, str]:
    """`types.rs`: a module for each schema with its `Root`, and a macro that hands all of them to another macro.

    `for_each_schema!(visit)` becomes `visit! { ("s0", s0) ("s1", s1) }`.
    `notations.rs`: for the same modules, inside `super::types`, what `rust_notation` writes.
    """
    modules = []
    for identifier, schema in schemas.items():
        body = "".join(f"    {line}\n" if line else "\n" for line in rust.emit(schema).splitlines())
        modules.append(f"/// `{_comment(schema.text)}`\n{_ALLOWED}\npub mod {identifier} {{\n{body}}}\n")
    pairs = "".join(f'            ("{identifier}", {identifier})\n' for identifier in schemas)
    macro = (
        "/// Calls a macro once, with the id and the module of every schema.\n#[allow(unused_macros)]\n"
        "macro_rules! for_each_schema {\n    ($visit:ident) => {\n        $visit! {\n"
        f"{pairs}        }}\n    }};\n}}\n"
    )
    notations = {identifier: rust_notation.notations(schema) for identifier, schema in schemas.items()}
    modules_of_notations = [
        f"mod {identifier} {{\n    use super::types::{identifier}::*;\n\n{calls}}}\n"
        for identifier, calls in notations.items()
        if calls
    ]
    return {"types.rs": "\n".join([*modules, macro]), "notations.rs": "\n".join(modules_of_notations)}


def java_files(schemas: dict[str, Schema]) -> dict[str, str]:
    """A class for each schema (`s0` is `S0`) and `Schemas`, whose `TYPES` maps each id to its TypeRef."""
    folder = JAVA_PACKAGE.replace(".", "/")
    files = {
        f"{folder}/{identifier.capitalize()}.java": java.emit(schema, JAVA_PACKAGE, identifier.capitalize())
        for identifier, schema in schemas.items()
    }
    # One method for each hundred: a method's code is at most 64 KiB.
    identifiers = list(schemas)
    groups = [identifiers[start : start + 100] for start in range(0, len(identifiers), 100)]
    calls = "".join(f"        add{number}(types);\n" for number in range(len(groups)))
    methods = "".join(
        f"\n    private static void add{number}(Map<String, TypeRef<?>> types) {{\n"
        + "".join(f'        types.put("{name}", {name.capitalize()}.TYPE);\n' for name in group)
        + "    }\n"
        for number, group in enumerate(groups)
    )
    files[f"{folder}/Schemas.java"] = (
        f"package {JAVA_PACKAGE};\n\nimport io.samewire.pack.TypeRef;\nimport java.util.Collections;\n"
        "import java.util.LinkedHashMap;\nimport java.util.Map;\n\n/** The types of all schemas, by id. */\n"
        "public final class Schemas {\n    /** In the order of the list of schemas. */\n"
        "    public static final Map<String, TypeRef<?>> TYPES = types();\n\n    private Schemas() {}\n\n"
        "    private static Map<String, TypeRef<?>> types() {\n"
        "        Map<String, TypeRef<?>> types = new LinkedHashMap<>();\n"
        f"{calls}        return Collections.unmodifiableMap(types);\n    }}\n{methods}}}\n"
    )
    return files


def _comment(text: str) -> str:
    """Schema text for a one-line comment."""
    plain = "".join(character if character.isprintable() and character != "`" else "?" for character in text)
    return plain if len(plain) <= 160 else plain[:157] + "..."


def write_files(files: dict[str, str], folder: Path) -> int:
    """Writes what changed, removes source files that are no longer made; returns how many files changed.

    Removes any file of these kinds in the folders written to that is not in `files`. Unchanged files keep their time, so
    that builds do not start over.
    """
    changed = 0
    wanted = {folder / name: text for name, text in files.items()}
    suffixes = {path.suffix for path in wanted}
    for parent in {path.parent for path in wanted}:
        for path in parent.glob("*.*"):
            if path.suffix in suffixes and path not in wanted:
                path.unlink()
                changed += 1
    for path, text in wanted.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            changed += 1
    return changed
