"""Writes everything that is made from the data sets: schemas, definitions, and the plan that the hops read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from samewire.pack.schema import Schema, Struct
from samewire.schema.emit import java, python, rust, typescript
from samewire.schema.emit.peers import write_files

from tour.datasets import DataSet
from tour.plan import Plan

#: msgspec's fastest form: its own structs, as arrays, without the garbage collector.
MSGSPEC = python.Style("", "(msgspec.Struct, array_like=True, gc=False, frozen=True)", "import msgspec")
#: The types of the Rust peers. `Loose` is JSON's own mixture of types.
SERDE = rust.Style(
    derives=("Serialize", "Deserialize"),
    rename="#[serde(rename = {})]",
    rename_types=False,
    scalars=rust.PACK.scalars | {"any": "Loose", "bigint": "Loose"},
    map="BTreeMap",
    homes=rust.STANDARD_HOMES
    | {"BTreeMap": "std::collections", "Loose": "crate::loose", "Serialize": "serde", "Deserialize": "serde"},
)
#: Structs with more fields are carried as untyped JSON by the Rust peers.
MAX_SERDE_FIELDS = 48
JAVA_PACKAGE = "io.samewire.tour.types"


def write_all(sets: Iterable[DataSet], work: Path, plan: Plan) -> None:
    """Writes all files. Unchanged files are not touched, so that compilers have nothing to do in a second tour."""
    sets = list(sets)
    write_files(python_files(sets), work / "python")
    write_files(java_files(sets), work / "java/source")
    write_files(typescript_files(sets), work / "typescript/types")
    write_files(rust_files(sets), work / "rust")
    for each in sets:
        folder = work / each.id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "source.json").write_text(json.dumps({"path": str(each.path.resolve())}), "utf-8")
        (folder / "schema.txt").write_text(each.inferred.schema.text + "\n", "utf-8")
        (folder / "plain.json").write_bytes(each.as_json())
    plan.write(work)


def python_files(sets: Iterable[DataSet]) -> dict[str, str]:
    """`<id>.py`, and `<id>_msgspec.py` for the peer."""
    files = {}
    for each in sets:
        files[f"{each.id}.py"] = python.emit(each.inferred.schema, fine=each.inferred.fine_fields)
        files[f"{each.id}_msgspec.py"] = python.emit(each.inferred.schema, style=MSGSPEC, fine=each.inferred.fine_fields)
    return files


def java_files(sets: Iterable[DataSet]) -> dict[str, str]:
    """`<Id>` and, for peers that carry JSON's types alone, `<Id>Plain`."""
    folder = JAVA_PACKAGE.replace(".", "/")
    files = {}
    for each in sets:
        plain = f"{each.outer}Plain"
        files[f"{folder}/{each.outer}.java"] = java.emit(each.inferred.schema, JAVA_PACKAGE, each.outer)
        files[f"{folder}/{plain}.java"] = java.emit(each.plain.schema, JAVA_PACKAGE, plain)
    return files


def typescript_files(sets: Iterable[DataSet]) -> dict[str, str]:
    """`<id>.ts`, and `all.ts`, which has every root by its id."""
    sets = list(sets)
    files = {f"{each.id}.ts": typescript.emit(each.inferred.schema) for each in sets}
    lines = [f'import {{ Root as {each.id} }} from "./{each.id}.js";' for each in sets]
    ids = "".join(f"  {each.id},\n" for each in sets)
    files["all.ts"] = "\n".join(lines) + f"\n\n/** The root type of every data set. */\nexport const roots = {{\n{ids}}};\n"
    return files


def rust_files(sets: Iterable[DataSet]) -> dict[str, str]:
    """`types.rs`: a module for each data set with its `Root`, `<id>_plain` for the peers, and a macro over all."""
    sets = list(sets)
    modules = []
    for each in sets:
        for name, text in ((each.id, rust.emit(each.inferred.schema)), (f"{each.id}_plain", serde(each.plain.schema))):
            body = "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
            modules.append(f"#[allow(dead_code, clippy::all)]\npub mod {name} {{\n{body}}}\n")
    pairs = "".join(f'            ("{each.id}", {each.id}, {each.id}_plain)\n' for each in sets)
    macro = "macro_rules! for_each_set {\n    ($visit:ident) => {\n        $visit! {\n" + pairs + "        }\n    };\n}\n"
    return {"types.rs": "\n".join([*modules, macro])}


def is_untyped(schema: Schema) -> bool:
    """Whether the Rust peers carry untyped JSON: the code that serde derives for a struct of 300 fields takes minutes to compile."""
    structs = (item for item in schema.definitions.values() if isinstance(item, Struct))
    return any(len(struct.fields) > MAX_SERDE_FIELDS for struct in structs)


def serde(schema: Schema, style: rust.Style = SERDE) -> str:
    """The peers' types, as a module's body."""
    untyped = is_untyped(schema)
    text = "pub type Root = crate::loose::Loose;\n" if untyped else rust.emit(schema, style=style)
    return f"pub const UNTYPED: bool = {str(untyped).lower()};\n\n{text}"
