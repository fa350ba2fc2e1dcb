//! The fuzzer of `samewire-bridge`: `bridge-fuzz --seconds N --seed S`.
//!
//! It mutates the values and messages of the vectors, makes others from nothing, and shows them to those who read and
//! those who skip.

mod mutate;
mod probe;

use samewire_peers::fuzzing;
use samewire_peers::memory::Counting;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: Counting = Counting;

fn main() -> ExitCode {
    fuzzing::run("rust-bridge", probe::Prober::new())
}
