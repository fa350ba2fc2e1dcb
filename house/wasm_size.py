"""Measures the WebAssembly module of a Rust program that encodes and decodes one struct, and writes it into the crate's README.

The program is compiled for size, run in Node, and compressed as a web server would. Standing in it are the crate and what it
needs of `core` and `alloc`; the allocator only takes memory. Custom sections (names) do not count.

usage: python -m house.wasm_size
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build/wasm-size"
README = ROOT / "rust/pack/README.md"
TARGET = "wasm32-unknown-unknown"
#: What is measured, and the features beside `derive`.
PROGRAMS = {"`derive`": "", "`derive`, `paths`": ', "paths"'}
ROW = "| features | bytes | gzipped |\n|---|--:|--:|\n"

MANIFEST = """\
[package]
name = "wasm-size"
version = "0.0.0"
edition = "2021"

[workspace]

[lib]
crate-type = ["cdylib"]

[dependencies]
samewire-pack = {{ path = "{crate}", default-features = false, features = ["derive"{more}] }}

[profile.release]
opt-level = "z"
lto = "fat"
codegen-units = 1
panic = "abort"
"""

PROGRAM = """\
#![no_std]

extern crate alloc;

use alloc::string::String;
use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32;
use core::hint::black_box;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use samewire_pack::{Code, Codec, Pack};

#[derive(Pack, PartialEq)]
struct Book {
    id: String,
    name: String,
    author: String,
    year: i32,
}

/// Takes memory and gives none back.
struct Growing(AtomicUsize);

// SAFETY: each block lies behind the one before it, in memory that is there.
unsafe impl GlobalAlloc for Growing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let have = wasm32::memory_size(0) << 16;
        let start = match self.0.load(Relaxed) {
            0 => have,
            at => at.next_multiple_of(layout.align()),
        };
        let end = start + layout.size();
        if end > have {
            wasm32::memory_grow(0, (end - have).div_ceil(1 << 16));
        }
        self.0.store(end, Relaxed);
        start as *mut u8
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static MEMORY: Growing = Growing(AtomicUsize::new(0));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    wasm32::unreachable()
}

/// The bytes of a book that was encoded and decoded; 0 if anything went wrong.
#[no_mangle]
pub extern "C" fn run() -> usize {
    let codec = Codec::<Book>::new();
    let book = Book { id: "1001".into(), name: "Carrie".into(), author: "Stephen King".into(), year: 1974 };
    let Ok(bytes) = codec.encode(black_box(&book)) else { return 0 };
    match (codec.decode(black_box(&bytes)), codec.decode(black_box(&bytes[..20]))) {
        (Ok(read), Err(error)) if read == book && error.code == Code::Truncated => bytes.len(),
        _ => 0,
    }
}
"""

RUN = """\
const { instance } = await WebAssembly.instantiate(require("node:fs").readFileSync(process.argv[1]));
process.stdout.write(String(instance.exports.run()));
"""


def varint(module: bytes, at: int) -> tuple[int, int]:
    """The LEB128 number at an offset, and where it ends."""
    number = shift = 0
    while True:
        number |= (module[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if module[at - 1] < 0x80:
            return number, at


def without_custom_sections(module: bytes) -> bytes:
    """A module as it is served: without names and the like."""

    def sections() -> Iterator[bytes]:
        at = 8
        while at < len(module):
            length, body = varint(module, at + 1)
            if module[at] != 0:
                yield module[at : body + length]
            at = body + length

    return module[:8] + b"".join(sections())


def measured(more: str) -> tuple[int, int]:
    """The bytes of the program's module with further features, plain and compressed. Raises SystemExit if it does not run."""
    (PLACE / "src").mkdir(parents=True, exist_ok=True)
    (PLACE / "Cargo.toml").write_text(MANIFEST.format(crate=ROOT / "rust/pack", more=more))
    (PLACE / "src/lib.rs").write_text(PROGRAM)
    shutil.copy(ROOT / "rust/Cargo.lock", PLACE)
    subprocess.run(["cargo", "build", "--quiet", "--release", "--target", TARGET], cwd=PLACE, check=True)
    module = PLACE / f"target/{TARGET}/release/wasm_size.wasm"
    ran = subprocess.run(
        ["node", "-e", f"(async () => {{{RUN}}})()", str(module)], capture_output=True, text=True, check=True
    ).stdout
    if int(ran) == 0:
        sys.exit("wasm_size: the program did not read what it wrote")
    served = without_custom_sections(module.read_bytes())
    return len(served), len(gzip.compress(served, 9, mtime=0))


def main() -> None:
    """Measures the programs, prints what came, and writes the README's table."""
    installed = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
    if not (Path(installed) / "lib/rustlib" / TARGET).exists():
        sys.exit(f"wasm_size: Rust's {TARGET} is missing: rustup target add {TARGET}")
    rows = [(name, *measured(more)) for name, more in PROGRAMS.items()]
    table = ROW + "".join(f"| {name} | {plain:,} | {packed:,} |\n" for name, plain, packed in rows)
    print(table, end="")
    text = README.read_text("utf-8")
    README.write_text(re.sub(re.escape(ROW) + r"(?:\|.*\n)*", lambda _: table, text), "utf-8")


if __name__ == "__main__":
    main()
