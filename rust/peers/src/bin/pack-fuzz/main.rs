//! The fuzzer of `samewire-pack`: `pack-fuzz --seconds N --seed S`.
//!
//! It mutates the vectors and feeds them to the decoders of all emitted types, the reader of schema texts, resolution,
//! the frame scanner and record files.

mod bounds;
mod mutate;
mod probe;
mod record_files;
mod seeds;

use samewire_peers::fuzzing;
use samewire_peers::memory::Counting;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: Counting = Counting;

fn main() -> ExitCode {
    fuzzing::run("rust", probe::Prober::new())
}
