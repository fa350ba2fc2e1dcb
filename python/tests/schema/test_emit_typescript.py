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
