"""Small trees for the root checks to judge."""

from __future__ import annotations

from pathlib import Path


def plant(root: Path, tree: dict[str, str]) -> Path:
    """Writes the files of a tree and returns its root."""
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


SOUND = {
    "rust/Cargo.toml": '[workspace]\nmembers = ["pack"]\n',
    "rust/pack/Cargo.toml": '[package]\nname = "samewire-pack"\n[dependencies]\nsamewire-pack-derive = { path = "derive" }\n',
    "rust/pack/src/lib.rs": 'extern crate samewire_pack_derive;\nconst V: &str = include_str!("../../../spec/pack.md");\n',
    "rust/pack/derive/Cargo.toml": '[package]\nname = "samewire-pack-derive"\n[dependencies]\nsyn = "2"\n',
    "rust/pack/derive/src/lib.rs": "/// Derives `samewire_pack::Encode`.\nquote! { ::samewire_pack::Encode }\n",
    "rust/python/Cargo.toml": '[package]\nname = "samewire-python"\n[dependencies]\npyo3 = "1"\nsamewire-pack = { path = "../pack" }\n',
    "java/pom.xml": """<project xmlns="http://maven.apache.org/POM/4.0.0"><groupId>io.samewire</groupId><modules><module>pack</module></modules>
      <dependencyManagement><dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
      <scope>test</scope></dependency></dependencies></dependencyManagement></project>""",
    "java/pack/pom.xml": """<project xmlns="http://maven.apache.org/POM/4.0.0"><dependencies>
      <dependency><groupId>org.ow2.asm</groupId><artifactId>asm</artifactId></dependency>
      <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId></dependency></dependencies></project>""",
    "java/pack/src/main/java/io/samewire/pack/Pack.java": "package io.samewire.pack;\nimport io.samewire.pack.Codec;\n",
    "java/pack/src/test/java/io/samewire/pack/VectorsTest.java": "import io.samewire.peers.Schemas;\n",
    "typescript/package.json": '{"name": "samewire", "devDependencies": {"typescript": "5.0.0"}}',
    "typescript/src/pack/index.ts": 'export { codec } from "./codec.js";\n',
    "typescript/test/pack.test.ts": 'import test from "node:test";\nimport { codec } from "../src/pack/index.js";\n',
    "python/pyproject.toml": '[project]\nname = "samewire"\ndependencies = []\n',
    "python/samewire/pack/__init__.py": "import dataclasses\nfrom samewire import _native\nfrom .codec import Codec\n",
    "python/samewire/pack/codec.py": "def attrs_fields():\n    import attrs\n",
    "python/tests/test_pack.py": "import pytest\nfrom samewire import pack\n",
    "spec/oracle/generate.py": "import json\nimport encode\n",
    "spec/oracle/encode.py": "import struct\n",
    "spec/oracle/test_oracle.py": "import pytest\nfrom spec.oracle import encode\n",
    "tour/carry.py": "import rich\nfrom samewire import pack\n",
    "tour/carry.mjs": 'import { codec } from "../typescript/dist/src/pack/index.js";\n',
    "bench/rust/Cargo.toml": '[package]\nname = "bench"\n[dependencies]\nbitcode = "1"\nsamewire-pack = { path = "../../rust/pack" }\n',
    "house/arrows.py": "import sys\n",
}
