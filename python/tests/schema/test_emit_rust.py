"""Emitted Rust compiles with a stand-in for the crate; rust/peers compiles it with the real one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from emitted import SCHEMAS
from samewire.pack.schema import Schema
from samewire.schema.emit.peers import rust_files, write_files
from samewire.schema.emit.rust import emit

DERIVE = """
extern crate proc_macro;
#[proc_macro_derive(Pack, attributes(pack))]
pub fn pack(_: proc_macro::TokenStream) -> proc_macro::TokenStream { proc_macro::TokenStream::new() }
"""
CRATE = "pub use derive::Pack;\n" + "".join(
    f"#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)] pub struct {name}{arguments};\n"
    for name, arguments in [
        *((name, "") for name in ("Any", "BigInt", "Bytes", "Date", "Decimal", "Duration", "Time", "Timestamp", "Uuid")),
        ("Map<K, V>", "(pub Vec<(K, V)>)"),
    ]
)
USER = """
#![deny(warnings)]
include!("types.rs");
macro_rules! visit { ($(($id:literal, $module:ident))*) => {
    pub fn sizes() -> Vec<(&'static str, usize)> { vec![$(($id, core::mem::size_of::<$module::Root>())),*] }
} }
for_each_schema!(visit);
"""


def rustc(folder: Path, *arguments: str) -> None:
    run = subprocess.run(
        ["rustc", "--edition=2021", "-L", ".", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-4000:]


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rust")
    (folder / "derive.rs").write_text(DERIVE)
    (folder / "samewire_pack.rs").write_text(CRATE)
    rustc(folder, "--crate-type=proc-macro", "derive.rs")
    rustc(folder, "--crate-type=rlib", "--extern=derive", "samewire_pack.rs")
    return folder


def test_every_type_compiles(stand_in: Path) -> None:
    # The standard library derives nothing for tuples of more than twelve.
    schemas = {name: schema for name, schema in SCHEMAS.items() if not schema.text.startswith("tuple<bool, i8")}
    write_files(rust_files(schemas), stand_in)
    (stand_in / "user.rs").write_text(USER)
    rustc(stand_in, "--crate-type=rlib", "--extern=samewire_pack", "user.rs")


def test_names_and_boxes() -> None:
    text = emit(Schema.parse('struct Node { "Max Size": i8, next: option<Node>, kids: list<Node> }'))
    assert '#[pack(name = "Max Size")]\n    pub max_size: i8,' in text
    assert "pub next: Option<Box<Node>>," in text
    assert "pub kids: Vec<Node>," in text
