"""The user's own data in Rust: the types of its schema, for us and for peers, compiled into a runner of their own.

A peer whose library has a derive of its own carries by that, its fastest set-up; the others by serde's. Times and UUIDs are
numbers to peers: none of them has such types without a further crate.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from samewire.pack.schema import Enum, List, Map, Named, Option, Ref, Scalar, Schema, Set, Struct, Tuple, Type
from samewire.schema.emit import rust

from bench.peers import building
from bench.peers.python.natives import Function, to_plain
from tour.definitions import SERDE, is_untyped, serde

_SERDE = replace(
    SERDE,
    scalars=SERDE.scalars
    | {"uuid": "[u8; 16]", "date": "i32", "time": "u64", "timestamp": "(i64, u32)", "duration": "(i64, u32)"},
)
_NATIVE = replace(_SERDE, derives=(*_SERDE.derives, "bitcode::Encode", "bitcode::Decode", "bincode::Encode", "bincode::Decode"))
_WITH_DERIVES = ("bitcode", "bincode")
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def runner(data: Path, schema: Schema) -> list[str]:
    """The command of the runner; values of one type share it. Puts ``peers.json``, the value as peers take it, beside the data."""
    plain = data.with_name("peers.json")
    if not plain.exists():
        value = to_plain(schema, _SCALARS)(json.loads(data.read_text("utf-8")))
        plain.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), "utf-8")
    written = types(schema)
    folder = building.BUILD / "rust-own" / hashlib.sha256(written.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "types.rs").exists():
        (folder / "types.rs").write_text(written, "utf-8")
    kept = folder / "runner"
    state = building.changed(folder / "stamp", [folder / "types.rs", *_sources()])
    if state or not kept.exists():
        made = building.rust("samewire-bench-own", {"SAMEWIRE_BENCH_TYPES": str(folder.resolve())})
        shutil.copy2(made[0], kept)
        (folder / "stamp").write_text(state or "")
    return [str(kept)]


def types(schema: Schema) -> str:
    """``own``, ``plain``, and ``carried`` with the function that reports a peer on a plain value."""
    native = not is_untyped(schema) and _has_derives(schema)
    plain = rust.emit(schema, style=_NATIVE) if native else serde(schema, _SERDE)
    arms = "".join(f'        "{stem}" => peers::with_{stem}::native(row, value, plan),\n' for stem in _WITH_DERIVES if native)
    carried = (
        "use samewire_bench_peers::arguments::Plan;\nuse samewire_bench_peers::peers;\n\n"
        "pub fn own(stem: &str, row: &str, value: &super::plain::Root, plan: Plan) -> bool {\n    match stem {\n"
        f"{arms}        _ => return peers::own(stem, row, value, plan),\n    }}\n    #[allow(unreachable_code)]\n    true\n}}\n"
    )
    modules = {"own": rust.emit(schema), "plain": plain, "carried": carried}
    return "\n".join(f"#[allow(dead_code, clippy::all)]\npub mod {name} {{\n{text}\n}}\n" for name, text in modules.items())


def _sources() -> Iterator[Path]:
    for folder in (building.PEERS / "rust", building.ROOT / "rust" / "pack", building.ROOT / "rust" / "core"):
        yield from (path for path in folder.rglob("*") if path.suffix in (".rs", ".toml", ".lock") and "target" not in path.parts)


def _has_derives(schema: Schema) -> bool:
    """Whether every derive carries these types: bitcode's has no recursive ones, and none knows our scalars."""
    open_: set[str] = set()

    def carried(node: Type) -> bool:
        match node:
            case Scalar(kind):
                return kind not in ("any", "bigint", "decimal", "bytes")
            case Option(item) | List(item) | Set(item) | Ref(item):
                return carried(item)
            case Map(key, item):
                return carried(key) and carried(item)
            case Tuple(items):
                return all(carried(item) for item in items)
            case Enum():
                return True
            case Named(name) | Struct(name):
                if name in open_:
                    return False
                open_.add(name)
                each = schema.definitions[name]
                fits = isinstance(each, Enum) or all(carried(field.type) for field in each.fields)
                open_.discard(name)
                return fits
            case _:
                return False

    return carried(schema.root)


def _timestamp(text: str) -> list[int]:
    since = dt.datetime.fromisoformat(text) - _EPOCH
    return [since.days * 86_400 + since.seconds, since.microseconds * 1_000]


_SCALARS: dict[str, Function] = {
    "f64": float,
    "uuid": lambda text: list(UUID(text).bytes),
    "timestamp": _timestamp,
    "date": lambda text: (dt.date.fromisoformat(text) - _EPOCH.date()).days,
}
