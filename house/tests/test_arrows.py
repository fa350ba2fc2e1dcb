"""Each forbidden dependency, planted in a sound tree, is found. (The repository itself has none, as `make lint-house` says.)"""

from __future__ import annotations

from pathlib import Path

import pytest

from house.arrows import TABLE, violations
from house.tests.trees import SOUND, plant

POM = SOUND["java/pack/pom.xml"]

PLANTED = {
    "rust library on the tour, by path": (
        "rust/pack/Cargo.toml",
        '[package]\nname = "samewire-pack"\n[dependencies]\nt = { path = "../../tour/rust" }\n',
        "rust/pack may not import tour",
    ),
    "rust pack on a sibling, in tests only": (
        "rust/pack/Cargo.toml",
        '[package]\nname = "samewire-pack"\n[dev-dependencies]\nsamewire-python = { path = "../python" }\n',
        "rust/pack may not import rust/python",
    ),
    "rust pack on a crate from outside": (
        "rust/pack/Cargo.toml",
        '[package]\nname = "samewire-pack"\n[dependencies]\nserde = "1"\n',
        "may not take 'serde'",
    ),
    "rust dependency hidden in a target table": (
        "rust/pack/Cargo.toml",
        '[package]\nname = "samewire-pack"\n[target.\'cfg(unix)\'.dependencies]\nlibc = "1"\n',
        "may not take 'libc'",
    ),
    "rust use of a sibling": (
        "rust/pack/src/a.rs",
        "use samewire_python::x;\n",
        "rust/pack may not import rust/python",
    ),
    "rust extern crate": (
        "rust/pack/src/a.rs",
        "extern crate samewire_python;\n",
        "rust/pack may not import rust/python",
    ),
    "rust include of a file of the tour": (
        "rust/pack/src/a.rs",
        'include_str!("../../../tour/x.json")',
        "rust/pack may not import tour",
    ),
    "rust module by path": (
        "rust/pack/src/a.rs",
        '#[path = "../../python/src/x.rs"]\nmod x;',
        "rust/pack may not import rust/python",
    ),
    "rust file by manifest folder": (
        "rust/pack/src/a.rs",
        'concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/x.json")',
        "rust/pack may not import bench",
    ),
    "a rust crate without a row": (
        "rust/extra/Cargo.toml",
        '[package]\nname = "x"\n[dependencies]\ny = "1"\n',
        "'rust/extra' is not a part",
    ),
    "java import of another module": (
        "java/pack/src/main/java/io/samewire/pack/A.java",
        "import static io.samewire.redis.Client.x;\n",
        "java/pack may not import java/redis",
    ),
    "kotlin import of another module": (
        "java/redis-kotlin/src/main/kotlin/A.kt",
        "import io.samewire.bridge.Gateway\n",
        "java/redis-kotlin may not import java/bridge",
    ),
    "java qualified name of another module": (
        "java/pack/src/main/java/io/samewire/pack/A.java",
        "var x = new io.samewire.bridge.Gateway();\n",
        "java/pack may not import java/bridge",
    ),
    "java library on types that are written for its tests": (
        "java/pack/src/main/java/io/samewire/pack/A.java",
        "import io.samewire.peers.Schemas;\n",
        "java/pack may not import java/peers",
    ),
    "java module dependency": (
        "java/pack/pom.xml",
        POM.replace("org.ow2.asm", "io.samewire").replace(">asm<", ">samewire-bridge<"),
        "java/pack may not import java/bridge",
    ),
    "java dependency from outside": (
        "java/pack/pom.xml",
        POM.replace(">asm<", ">asm-util<"),
        "may not take 'org.ow2.asm:asm-util'",
    ),
    "java module outside the folder": (
        "java/pom.xml",
        SOUND["java/pom.xml"].replace("<module>pack<", "<module>../tour/java<"),
        "'java' is not a part",
    ),
    "typescript import of a sibling": (
        "typescript/src/pack/a.ts",
        'import type { X } from "../grpc/x.js";\n',
        "typescript/pack may not import typescript/grpc",
    ),
    "typescript import by the package's name": (
        "typescript/src/pack/a.ts",
        'export * from "samewire/grpc";\n',
        "typescript/pack may not import typescript/grpc",
    ),
    "typescript dynamic import": (
        "typescript/src/pack/a.ts",
        'await import("../../../tour/x.js");\n',
        "typescript/pack may not import tour",
    ),
    "typescript library on its tests": (
        "typescript/src/pack/a.ts",
        'import "../../test/x.js";\n',
        "typescript/pack may not import typescript/test",
    ),
    "typescript library on node": (
        "typescript/src/pack/a.ts",
        'import fs from "node:fs";\n',
        "may not take 'node:fs'",
    ),
    "typescript runtime dependency": (
        "typescript/package.json",
        '{"dependencies": {"long": "5.0.0"}}',
        "may not take 'long'",
    ),
    "python import of a sibling": (
        "python/samewire/pack/a.py",
        "from samewire.redis import Client\n",
        "python/pack may not import python/redis",
    ),
    "python import from the package": (
        "python/samewire/pack/a.py",
        "from samewire import bridge\n",
        "python/pack may not import python/bridge",
    ),
    "python relative import": (
        "python/samewire/pack/a.py",
        "from ..redis import x\n",
        "python/pack may not import python/redis",
    ),
    "python import of the tour": (
        "python/samewire/pack/a.py",
        "def f():\n    from tour import infer\n",
        "python/pack may not import tour",
    ),
    "python import from outside": ("python/samewire/pack/a.py", "import numpy\n", "may not take 'numpy'"),
    "python runtime dependency": (
        "python/pyproject.toml",
        '[project]\ndependencies = ["msgspec>=0.20"]\n',
        "may not take 'msgspec'",
    ),
    "spec on a language": (
        "spec/oracle/a.py",
        "from samewire import pack\n",
        "spec may not import python/pack",
    ),
    "spec on anything from outside, even inside a function": (
        "spec/oracle/a.py",
        "def f():\n    import numpy\n",
        "may not take 'numpy'",
    ),
    "pack on grpc": (
        "typescript/src/pack/a.ts",
        'import { x } from "../grpc/x.js";\n',
        "typescript/pack may not import typescript/grpc",
    ),
    "grpc on node:http2": ("typescript/src/grpc/a.ts", 'import http2 from "node:http2";\n', "may not take 'node:http2'"),
    "tour on bench": ("tour/a.py", "import bench.pack\n", "tour may not import bench"),
    "bench on house": ("bench/a.py", "from house import sources\n", "bench may not import house"),
    "house on a language": ("house/a.py", "from samewire import pack\n", "house may not import python/pack"),
}


def test_a_sound_tree_passes(tmp_path: Path) -> None:
    assert violations(plant(tmp_path, SOUND)) == []


def test_words_that_look_like_an_import_are_none(tmp_path: Path) -> None:
    words = 'const HEADERS = ["expect", "from", "host", "import"];\n'
    assert violations(plant(tmp_path, SOUND | {"typescript/src/pack/a.ts": words})) == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_forbidden_dependency_is_found(tmp_path: Path, name: str) -> None:
    file, text, expected = PLANTED[name]
    found = violations(plant(tmp_path, SOUND | {file: text}))
    assert any(line.startswith(file) and expected in line for line in found), found


def test_the_table_has_no_cycle() -> None:
    def reach(part: str, above: tuple[str, ...]) -> None:
        assert part not in above, f"cycle {above} -> {part}"
        for target in TABLE[part].ours:
            reach(target, (*above, part))

    for part in TABLE:
        reach(part, ())


def test_pack_imports_nothing_of_ours_but_core_and_its_compiled_half() -> None:
    for part in ("rust/pack", "java/pack", "typescript/pack", "python/pack"):
        assert TABLE[part].ours <= {"spec", part.replace("pack", "core"), "rust/derive", "rust/python"}


def test_files_of_a_crate_import_in_no_circle(tmp_path: Path) -> None:
    files = {
        "rust/pack/src/a.rs": "use crate::b::{c::C, D};\n",
        "rust/pack/src/b/mod.rs": "mod c;\npub struct D;\n// use crate::a;\n",
        "rust/pack/src/b/c.rs": "use super::D;\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n",
    }
    assert violations(plant(tmp_path, SOUND | files)) == []
    files["rust/pack/src/b/mod.rs"] = "mod c;\npub use c::C;\n"
    assert violations(plant(tmp_path, files)) == ["rust/pack/src/b/c.rs: imports in a circle with rust/pack/src/b/mod.rs"]
