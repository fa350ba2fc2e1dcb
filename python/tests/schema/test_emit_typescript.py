"""Emitted TypeScript passes the strict compiler with the library's own sources."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from emitted import SCHEMAS
from samewire.pack.schema import Schema
from samewire.schema.emit.typescript import emit

ROOT = Path(__file__).parents[3] / "typescript"


def compile_typescript(folder: Path) -> None:
    options = {
        "strict": True,
        "noEmit": True,
        "module": "nodenext",
        "target": "es2022",
        "types": [],
        "skipLibCheck": True,
        "exactOptionalPropertyTypes": True,
        "lib": ["es2022", "dom"],
        "noUncheckedIndexedAccess": True,
        "verbatimModuleSyntax": True,
        "paths": {"samewire/pack": [str(ROOT / "src/pack/index.ts")]},
    }
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.ts"]}))
    run = subprocess.run(
        ["node", str(ROOT / "node_modules/typescript/bin/tsc"), "-p", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:]


@pytest.mark.compiler
def test_every_type_compiles(tmp_path: Path) -> None:
    for name, schema in SCHEMAS.items():
        (tmp_path / f"{name}.ts").write_text(emit(schema), "utf-8")
    compile_typescript(tmp_path)


def test_types_that_contain_themselves() -> None:
    text = emit(Schema.parse("struct Node { name: string, next: option<Node>, kids: list<Node> }"))
    assert "export interface Node {\n  name: string;\n  next: Node | null;\n  kids: Node[];\n}" in text
    assert 'export const Node: pack.StructType<"Node", Node> = pack.struct("Node", {' in text
    assert "next: pack.option(pack.recursive(() => Node))," in text


def test_a_field_called_type_moves_the_discriminator() -> None:
    text = emit(Schema.parse("union { struct A { type: i8 }, struct B { x: i8 } }"))
    assert 'pack.union([A, B], { discriminator: "$type" })' in text


def test_long_lists_of_numbers_are_typed_arrays_and_others_are_not() -> None:
    schema = Schema.parse("struct Track { at: list<f64>, samples: option<list<f64>>, next: option<Track> }")
    text = emit(schema, long={("Track", "samples")})
    assert "at: pack.list(pack.f64)," in text
    assert "at: Array<number>;" in text
    assert "samples: pack.option(pack.array(pack.f64))," in text
    assert "samples: Float64Array | null;" in text
    assert "at: pack.array(pack.f64)," in emit(schema), "all, where nothing is known of the lengths"
    assert "pack.list(pack.i32)" in emit(Schema.parse("list<i32>"), long=())
    assert "pack.array(pack.i32)" in emit(Schema.parse("list<i32>"), long={("", "")})
