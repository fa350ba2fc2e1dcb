//! The fuzzer of `samewire_pack::table::from_arrow`: `arrow-fuzz --seconds N --seed S`.
//!
//! It makes schemas, tables for them in every Arrow format, and damage: lengths, offsets, ends, indices, ids, places
//! and views that lie, buffers and children that are missing. Each buffer ends (or begins) at memory that cannot be
//! read, so that a read beyond what the array says ends the process. What an array says of its buffers' lengths is
//! kept to: no consumer can check it.

mod arrays;
mod damage;
mod generate;
mod guarded;
mod probe;
mod types;

use samewire_peers::fuzzing;
use samewire_peers::memory::Counting;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: Counting = Counting;

fn main() -> ExitCode {
    fuzzing::run("rust-arrow", probe::Prober::new())
}
